"""Rolls that somebody makes again: `Ysolde save again = 16`."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Final

from retold.journal.language.lexing import Lexed, lex
from retold.journal.language.naming import find_person
from retold.journal.language.rendering import render
from retold.journal.refused import none_if_refused
from retold.journal.store.writing.replaying import stored_command
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.write_context import WriteContext

AMONG: Final = 50
"""Number of last acts among which the roll is looked for."""
BESIDE: Final = frozenset({"it", "makes", "roll", "rolls", "that", "the", "tries"})
"""Words of such a line that name no roll."""


def repeated(context: WriteContext, lexed: Lexed) -> Lexed:
    """Returns a person's last roll that all saw, with the results typed; other lines unchanged."""
    first, *others = [word.text.rstrip(".!") for word in (lexed.verb, *lexed.tokens)]
    who = (
        none_if_refused(partial(find_person, context.table, first))
        if others[-1:] == ["again"] and lexed.text is None
        else None
    )
    if who is None:
        return lexed
    said = {word.lower() for word in others[:-1]} - BESIDE
    for act in islice(context.writer.last_acts(), AMONG):
        command = stored_command(act, context.table)
        if command is None or command.verb != c.Roll.verb or getattr(command, "who", None) != who:
            continue
        line = render(command.but({"results": lexed.results}), context.table)
        words = set(line.lower().replace(":", " ").split())
        if said <= words | {f"{word}s" for word in words} and act.events[0].envelope.visible_to == TABLE:
            return lex(line)
    return lexed
