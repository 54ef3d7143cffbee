"""Lines that begin with what is kept, or with somebody: `hp Thia -5`, `Thia hp -5`, `Thia attack str`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from journal.language.lexing import Lexed
from journal.language.naming import find_conflict, find_person
from journal.language.tokens import Segment, Token, is_name, split_names
from journal.language.verbs import EXPECT, VERBS, is_absent_guest_verb, is_fixed
from journal.language.writing import quote_name
from journal.names import CLOSE, Ambiguous, Unknown, nearest, normalise
from journal.refused import Refused
from journal.store.kinds import COMMANDS
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Command
from journal.vocabulary.commands import Say

AMOUNT: Final = r"[+-]?\d+(?:/\d+)?"
"""How much there is of something, or by how much it changes."""


def shorthands(table: Table, conflict: OpenConflict | None = None) -> Mapping[str, type[Command]]:
    """The words, folded, that begin a line here and are no verbs, each with the verb that is meant.

    What the game of the `conflict` says as a verb is that verb. A verb of another guest, whether or not it is
    installed, changes nothing.
    """
    says = () if conflict is None else SYSTEMS[conflict.system].says
    found = {
        normalise(word): command
        for system in SYSTEMS.among(table.shelves)
        for word, command in system.shorthands(table).items()
    }
    return {word: command for word, command in found.items() if word not in says and not is_fixed(word)}


def suggest_new_track(lexed: Lexed, table: Table) -> str | None:
    """The line that first keeps what this one would change: for `hp Thia -5`, where nobody has any hp."""
    who, *amount = [token.text for token in lexed.tokens] or [""]
    person = table.called(who)
    if person is None or len(amount) != 1 or not re.fullmatch(AMOUNT, amount[0]):
        return None
    verb = next((system.keeps.verb for system in SYSTEMS.values() if system.keeps is not None), None)
    return None if verb is None else f"{verb} {table.quoted(person)} {quote_name(lexed.verb.text)} 9/12"


def move_words(table: Table, conflict: OpenConflict | None = None) -> frozenset[str]:
    """The words, folded, that `roll` takes here after a name: the moves of the game in play."""
    played = table.shelves if conflict is None else (conflict.system,)
    return frozenset(normalise(move) for system in SYSTEMS.among(played) for move in system.moves(table))


def expand_shorthand(lexed: Lexed, table: Table) -> Lexed:
    """The line with its verb, whether it began with what is kept or with somebody; else the line itself."""
    word = lexed.verb
    if not lexed.tokens or (word.bare and is_fixed(word.text)):
        return lexed
    conflict = conflict_of_line(lexed, table)
    known = shorthands(table, conflict)
    command = known.get(normalise(word.text)) if word.bare else None
    if command is not None:
        verb = Token((Segment(command.verb, False),), word.column)
        return replace(lexed, verb=verb, tokens=(lexed.tokens[0], word, *lexed.tokens[1:]))
    done = normalise(lexed.tokens[0].text)
    command = known.get(done) or (c.Roll if done in move_words(table, conflict) else None)
    if command is None or not are_people(word, table):
        return lexed
    verb = Token((Segment(command.verb, False),), word.column)
    return replace(lexed, verb=verb, tokens=(word, *lexed.tokens))


def are_people(word: Token, table: Table) -> bool:
    """True for the name of somebody of the cast, or several joined; one that may be several people counts."""
    named = split_names(word)
    return bool(named) and word.text not in VERBS and all(_is_somebody(one.text, table) for one in named)


def _is_somebody(typed: str, table: Table) -> bool:
    try:
        return find_person(table, typed) != GM
    except Ambiguous:
        return True
    except Unknown:
        return False


def conflict_of_line(lexed: Lexed, table: Table) -> OpenConflict | None:
    """The conflict that a line speaks to; one that it names and that is not open is refused elsewhere."""
    named = lexed.flags.get("in")
    if named is None:
        return table.in_play()
    try:
        return table.conflicts[find_conflict(table, named.text)]
    except Refused:
        return None


def expand_speech(lexed: Lexed, table: Table | None = None) -> Lexed:
    """`Bruno: Tea?` as `say Bruno: Tea?`: a name where the verb stands, and a text; else the line itself."""
    word = lexed.verb
    if not is_speech(lexed, table):
        return lexed
    return replace(lexed, verb=Token((Segment(Say.verb, False),), word.column), tokens=(word,))


def unknown_speaker(lexed: Lexed, table: Table) -> str | None:
    """The name of whoever speaks on a line, where nobody is called so, and nobody and no verb is like it.

    Nobody writes a verb with a capital: Warden is no slip for award.
    """
    if not is_speech(lexed, table) or "check" in lexed.flags:
        return None
    name = lexed.verb.text
    try:
        find_person(table, name)
    except Unknown:
        known = [one for names in table.names().values() for one in names]
        verbs = () if name[:1].isupper() else COMMANDS
        return None if nearest(name, [*verbs, *known], at_least=CLOSE) else name
    except Refused:
        return None
    return None


def is_speech(lexed: Lexed, table: Table | None = None) -> bool:
    """True for a line that has a name in the place of its verb, and nothing but a text after it.

    Whether the name is somebody's is asked only where a game that the `table` does not play has such a verb.
    """
    word = lexed.verb
    if lexed.text is None or lexed.tokens or lexed.results is not None or not is_name(word):
        return False
    return word.quoted or not _is_verb_here(word.text, table)


def _is_verb_here(word: str, table: Table | None) -> bool:
    if word in EXPECT or word not in VERBS:
        return word in EXPECT
    return table is None or table.called(word) is None or not is_absent_guest_verb(word, table)
