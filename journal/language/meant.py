"""Binds a typed line as it stands, else as it is meant by the habits of other tables and tools."""

from __future__ import annotations

from typing import Final

from journal.language.binding import Bound, Scope, bind
from journal.language.lexing import Lexed
from journal.language.strange_words import bind_plainly, has_strange_words
from journal.language.tokens import Unreadable
from journal.language.verbs import UnknownVerb
from journal.names import Unknown
from journal.refused import Refused

MISREAD: Final = (Unreadable, UnknownVerb, Unknown)
"""Refusals of a line that may be another table's; other refusals have read the line as it was meant."""


def bind_as_meant(lexed: Lexed, scope: Scope) -> Bound:
    """Returns the command that a line means, as `bind` does, else the one that other tables mean by it.

    Raises Refused with a line to type if the line means one by habit and leaves a choice.
    """
    try:
        bound = bind_plainly(lexed, scope)
    except MISREAD as refusal:
        from journal.language.meaning import taken  # the habits are loaded for the line that needs them

        return bind(taken(lexed, scope, refusal), scope)
    if not has_strange_words(bound.command, scope.table):
        return bound
    from journal.language.meaning import of_this_game

    line = of_this_game(lexed, scope)
    return bound if line is lexed else bind(line, scope)


def as_meant(lexed: Lexed, scope: Scope) -> Lexed:
    """Returns the line of this table that a line means by habit; a line without a habit unchanged."""
    try:
        bind_plainly(lexed, scope)
    except MISREAD as refusal:
        from journal.language.meaning import taken

        try:
            return taken(lexed, scope, refusal)
        except Refused:
            return lexed
    except Refused:
        return lexed
    return lexed
