"""Lines that begin with what is kept at this table: `hp Thia -5` for `track Thia hp -5`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from journal.language.lexing import Lexed
from journal.language.naming import conflict_named
from journal.language.tokens import Segment, Token
from journal.language.verbs import is_fixed
from journal.language.writing import quote_name
from journal.names import fold
from journal.refused import Refused
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary.base import Command

AMOUNT: Final = r"[+-]?\d+(?:/\d+)?"
"""How much there is of something, or by how much it changes."""


def shorthands(table: Table, conflict: OpenConflict | None = None) -> Mapping[str, type[Command]]:
    """The words, folded, that begin a line here and are no verbs, each with the verb that is meant.

    What the game of the `conflict` says as a verb is that verb. A verb of another guest, whether or not it is
    installed, changes nothing.
    """
    says = () if conflict is None else SYSTEMS[conflict.system].says
    found = {
        fold(word): command
        for system in SYSTEMS.among(table.shelves)
        for word, command in system.shorthands(table).items()
    }
    return {word: command for word, command in found.items() if word not in says and not is_fixed(word)}


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
    if not word.bare or not lexed.tokens or is_fixed(word.text):
        return lexed
    command = shorthands(table, _spoken_to(lexed, table)).get(fold(word.text))
    if command is None:
        return lexed
    verb = Token((Segment(command.verb, False),), word.column)
    return replace(lexed, verb=verb, tokens=(lexed.tokens[0], word, *lexed.tokens[1:]))


def _spoken_to(lexed: Lexed, table: Table) -> OpenConflict | None:
    """The conflict that a line speaks to; one that it names and that is not open is refused elsewhere."""
    named = lexed.flags.get("in")
    if named is None:
        return table.in_play()
    try:
        return table.conflicts[conflict_named(table, named.text)]
    except Refused:
        return None
