"""Every verb of the table by the word that says it, made from the commands: none has a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from journal.language.forms import Form
from journal.names import CLOSE, nearest
from journal.refused import Refused
from journal.store.kinds import COMMANDS, Registry
from journal.systems import SYSTEMS
from journal.vocabulary.base import Command
from journal.vocabulary.commands import LINE_VERBS, SHARED


def _words(commands: Iterable[type[Command]]) -> Iterator[tuple[str, type[Command]]]:
    return ((word, command) for command in commands for word in (command.verb, *command.short))


VERBS: Mapping[str, type[Command]] = Registry(
    _words((*SHARED, *LINE_VERBS)),
    lambda system: _words(system.commands),
    lambda _word: SYSTEMS.loaded_first(),
)
"""Verbs and their short forms, spelled exactly: a record never abbreviates by itself."""

EXPECT = ("expect", "x")
"""Checks and records nothing, so it is no command."""


ALL = "All verbs: help."
TO_TELL = f"To tell it: narrate NAME: what happens. {ALL}"


class UnknownVerb(Refused):
    """A line that begins with no verb."""

    def __init__(self, typed: str, beside: Iterable[str] = (), *, hint: str | None = None) -> None:
        """Refuse `typed` with the verbs it may have been meant for, those `beside` the table's among them.

        `hint` says what to type where that is known.
        """
        close = nearest(typed, [*COMMANDS, EXPECT[0], *beside], at_least=CLOSE)
        meant = f"Did you mean {' or '.join(close)}?" if close else (TO_TELL if typed[:1].isalpha() else ALL)
        meant = meant if hint is None else hint
        super().__init__(f"There is no verb {typed.rstrip('.,;!?')}. {meant}")


def command_said(verb: str) -> type[Command]:
    """The command a verb says; UnknownVerb with the nearest ones for a word that is none."""
    try:
        return VERBS[verb]
    except KeyError:
        raise UnknownVerb(verb) from None


def form_of(command: type[Command]) -> Form:
    """The form a command's line has."""
    return Form.parse(command.form)


def takes_text(verb: str) -> bool:
    """True if a line with this verb may end in a text."""
    command = VERBS.get(verb)
    return command is not None and form_of(command).takes_text
