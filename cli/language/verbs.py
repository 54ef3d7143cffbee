"""Every verb of the table by the word that says it: made from the commands, so no verb has a file of its own."""

from __future__ import annotations

from collections.abc import Mapping

from cli.language.forms import Form
from journal.names import Unknown, nearest
from journal.store.kinds import COMMANDS
from journal.vocabulary.base import Command

VERBS: Mapping[str, type[Command]] = {
    word: command for command in COMMANDS.values() for word in (command.verb, *command.short)
}
"""Verbs and their short forms, spelled exactly: a record never abbreviates by itself."""

EXPECT = ("expect", "x")
"""Checks and records nothing, so it is no command."""


def command_said(verb: str) -> type[Command]:
    """The command a verb says; Unknown with the nearest ones for a word that is no verb."""
    try:
        return VERBS[verb]
    except KeyError:
        raise Unknown(verb, nearest(verb, [*VERBS, *EXPECT])) from None


def form_of(command: type[Command]) -> Form:
    """The form a command's line has."""
    return Form.parse(command.form)


def takes_text(verb: str) -> bool:
    """True if a line with this verb may end in a text."""
    command = VERBS.get(verb)
    return command is not None and form_of(command).takes_text
