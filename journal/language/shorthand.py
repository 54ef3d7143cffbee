"""Expands shorthand lines such as `hp Thia -5`, `Thia hp -5` and `Thia attack str` to lines with a verb."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from journal.language.lexing import Lexed
from journal.language.naming import find_conflict, find_person, words_for_everybody
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
"""Pattern of an amount or a change: `9/12`, `-5`."""


def shorthands(table: Table, conflict: OpenConflict | None = None) -> Mapping[str, type[Command]]:
    """Maps each track or condition name that may be typed in place of a verb (`hp`) to its command class.

    Names are normalised. A verb of the conflict's game takes precedence; verbs of guest games not played here
    have no effect, installed or not.
    """
    says = () if conflict is None else SYSTEMS[conflict.system].says
    found = {
        normalise(word): command
        for system in SYSTEMS.among(table.shelves)
        for word, command in system.shorthands(table).items()
    }
    return {word: command for word, command in found.items() if word not in says and not is_fixed(word)}


def suggest_new_track(lexed: Lexed, table: Table) -> str | None:
    """Returns an example line, `track Thia hp 9/12`, that would create the track meant by `hp Thia -5`.

    Call it only if there is no such track. None for a line of another shape, and if no game has such a verb.
    """
    who, *amount = [token.text for token in lexed.tokens] or [""]
    person = table.called(who)
    if person is None or len(amount) != 1 or not re.fullmatch(AMOUNT, amount[0]):
        return None
    verb = next((system.keeps.verb for system in SYSTEMS.values() if system.keeps is not None), None)
    return None if verb is None else f"{verb} {table.quoted(person)} {quote_name(lexed.verb.text)} 9/12"


def move_words(table: Table, conflict: OpenConflict | None = None) -> frozenset[str]:
    """Returns the normalised names of moves that `roll NAME` accepts.

    With a `conflict`, those of its game; without one, those of every game played at this table.
    """
    played = table.shelves if conflict is None else (conflict.system,)
    return frozenset(normalise(move) for system in SYSTEMS.among(played) for move in system.moves(table))


def expand_shorthand(lexed: Lexed, table: Table) -> Lexed:
    """Returns a shorthand line with its verb inserted: `roll Thia attack` for `Thia attack`.

    Lines that are no shorthand are returned unchanged.
    """
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
    """True if `word` names people of the cast, alone or joined with `+`; ambiguous names and `all` count."""
    if word.bare and word.text in words_for_everybody(table):
        return True
    named = split_names(word)
    return bool(named) and word.text not in VERBS and all(_is_somebody(name.text, table) for name in named)


def _is_somebody(typed: str, table: Table) -> bool:
    try:
        return find_person(table, typed) != GM
    except Ambiguous:
        return True
    except Unknown:
        return False


def conflict_of_line(lexed: Lexed, table: Table) -> OpenConflict | None:
    """Returns the open conflict that a line addresses: the one named by `--in`, else the last addressed.

    None if there is no such conflict.
    """
    named = lexed.flags.get("in")
    if named is None:
        return table.in_play()
    try:
        return table.conflicts[find_conflict(table, named.text)]
    except Refused:
        return None


def expand_speech(lexed: Lexed, table: Table | None = None) -> Lexed:
    """Rewrites `Bruno: Tea?` as `say Bruno: Tea?`; returns other lines unchanged."""
    word = lexed.verb
    if not is_speech(lexed, table):
        return lexed
    return replace(lexed, verb=Token((Segment(Say.verb, False),), word.column), tokens=(word,))


def unknown_speaker(lexed: Lexed, table: Table) -> str | None:
    """Returns the unknown name before the colon of a line of speech, such as `Warden: Halt!`; else None.

    None also if the name resembles a known name or a verb. Capitalised names are not compared with verbs:
    Warden is no misspelled award.
    """
    if not is_speech(lexed, table) or "check" in lexed.flags:
        return None
    name = lexed.verb.text
    try:
        find_person(table, name)
    except Unknown:
        known = [known_name for names in table.names().values() for known_name in names]
        verbs = () if name[:1].isupper() else COMMANDS
        return None if nearest(name, [*verbs, *known], at_least=CLOSE) else name
    except Refused:
        return None
    return None


def is_speech(lexed: Lexed, table: Table | None = None) -> bool:
    """True for lines that consist of a speaker's name and a text, such as `Bruno: Tea?`.

    A name that is also a verb of a game not played here counts only if `table` knows a person called so.
    """
    word = lexed.verb
    if lexed.text is None or lexed.tokens or lexed.results is not None or not is_name(word):
        return False
    return word.quoted or not _is_verb_here(word.text, table)


def _is_verb_here(word: str, table: Table | None) -> bool:
    if word in EXPECT or word not in VERBS:
        return word in EXPECT
    return table is None or table.called(word) is None or not is_absent_guest_verb(word, table)
