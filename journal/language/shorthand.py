"""Lines that begin with what is kept, or with somebody: `hp Thia -5`, `Thia hp -5`, `Thia attack str`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from journal.language.classes import names
from journal.language.lexing import Lexed
from journal.language.naming import conflict_named, person
from journal.language.tokens import Segment, Token
from journal.language.verbs import VERBS, is_fixed
from journal.language.writing import quote_name
from journal.names import Ambiguous, Unknown, fold
from journal.refused import Refused
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Command

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


def moves(table: Table, conflict: OpenConflict | None = None) -> frozenset[str]:
    """The words, folded, that `roll` takes here after a name: the moves of the game in play."""
    played = table.shelves if conflict is None else (conflict.system,)
    return frozenset(fold(move) for system in SYSTEMS.among(played) for move in system.moves(table))


def spelled_out(lexed: Lexed, table: Table) -> Lexed:
    """The line with its verb, whether it began with what is kept or with somebody; else the line itself."""
    word = lexed.verb
    if not lexed.tokens or (word.bare and is_fixed(word.text)):
        return lexed
    conflict = conflict_spoken_to(lexed, table)
    known = shorthands(table, conflict)
    command = known.get(fold(word.text)) if word.bare else None
    if command is not None:
        verb = Token((Segment(command.verb, False),), word.column)
        return replace(lexed, verb=verb, tokens=(lexed.tokens[0], word, *lexed.tokens[1:]))
    done = fold(lexed.tokens[0].text)
    command = known.get(done) or (c.Roll if done in moves(table, conflict) else None)
    if command is None or not are_people(word, table):
        return lexed
    verb = Token((Segment(command.verb, False),), word.column)
    return replace(lexed, verb=verb, tokens=(word, *lexed.tokens))


def are_people(word: Token, table: Table) -> bool:
    """True for the name of somebody of the cast, or several joined; one that may be several people counts."""
    named = names(word)
    return bool(named) and word.text not in VERBS and all(_is_somebody(one.text, table) for one in named)


def _is_somebody(typed: str, table: Table) -> bool:
    try:
        return person(table, typed) != GM
    except Ambiguous:
        return True
    except Unknown:
        return False


def conflict_spoken_to(lexed: Lexed, table: Table) -> OpenConflict | None:
    """The conflict that a line speaks to; one that it names and that is not open is refused elsewhere."""
    named = lexed.flags.get("in")
    if named is None:
        return table.in_play()
    try:
        return table.conflicts[conflict_named(table, named.text)]
    except Refused:
        return None
