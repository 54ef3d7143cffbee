"""Lines that begin with what is kept at this table: `hp Thia -5` for `track Thia hp -5`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from journal.language.lexing import Lexed
from journal.language.tokens import Segment, Token
from journal.language.verbs import EXPECT, VERBS
from journal.language.writing import quote_name
from journal.names import fold
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary.base import Command

AMOUNT: Final = r"[+-]?\d+(?:/\d+)?"
"""How much there is of something, or by how much it changes."""


def shorthands(table: Table) -> Mapping[str, type[Command]]:
    """The words, folded, that begin a line here and are no verbs, each with the verb that is meant."""
    found = {
        fold(word): command
        for system in SYSTEMS.among(table.shelves)
        for word, command in system.shorthands(table).items()
    }
    return {word: command for word, command in found.items() if word not in VERBS and word not in EXPECT}


def to_keep(lexed: Lexed, table: Table) -> str | None:
    """The line that first keeps what this one would change: for `hp Thia -5`, where nobody has any hp."""
    who, *amount = [token.text for token in lexed.tokens] or [""]
    person = table.called(who)
    if person is None or len(amount) != 1 or not re.fullmatch(AMOUNT, amount[0]):
        return None
    verb = next((system.keeps.verb for system in SYSTEMS.values() if system.keeps is not None), None)
    return None if verb is None else f"{verb} {table.quoted(person)} {quote_name(lexed.verb.text)} 9/12"


def spelled_out(lexed: Lexed, table: Table) -> Lexed:
    """The line with its verb, and the word it began with after the first name; else the line itself."""
    word = lexed.verb
    if not word.bare or not lexed.tokens or word.text in VERBS or word.text in EXPECT:
        return lexed
    command = shorthands(table).get(fold(word.text))
    if command is None:
        return lexed
    verb = Token((Segment(command.verb, False),), word.column)
    return replace(lexed, verb=verb, tokens=(lexed.tokens[0], word, *lexed.tokens[1:]))
