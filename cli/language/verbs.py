"""Every verb of the table by the word that says it, made from the commands: none has a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cli.language.forms import Form
from journal.names import nearest
from journal.refused import Refused
from journal.store.kinds import COMMANDS
from journal.vocabulary.base import Command

VERBS: Mapping[str, type[Command]] = {
    word: command for command in COMMANDS.values() for word in (command.verb, *command.short)
}
"""Verbs and their short forms, spelled exactly: a record never abbreviates by itself."""

EXPECT = ("expect", "x")
"""Checks and records nothing, so it is no command."""


class UnknownVerb(Refused):
    """A line that begins with no verb."""

    def __init__(self, typed: str, beside: Iterable[str] = ()) -> None:
        """Refuse `typed` with the verbs it may have been meant for, those `beside` the table's among them."""
        close = nearest(typed, [*COMMANDS, EXPECT[0], *beside])
        meant = f" Did you mean {' or '.join(close)}?" if close else " All of them: help."
        super().__init__(f"There is no verb {typed}.{meant}")


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
