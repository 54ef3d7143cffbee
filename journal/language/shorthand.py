"""Expands shorthand lines such as `hp Thia -5`, `Thia hp -5` and `Thia attack str` to lines with a verb."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from retold.journal.games import BUILT_IN
from retold.journal.language.command_values import bind_of_type
from retold.journal.language.lexing import Lexed, only_quoted_text
from retold.journal.language.naming import (
    CHANGE_OF_CLOCK,
    EVERYBODY,
    GM_WORDS,
    find_clock,
    find_conflict,
    find_person,
    party_of,
    words_for_everybody,
)
from retold.journal.language.other_words import ALIASES, COUNTS_IN_SHORT, READ_AS
from retold.journal.language.tokens import Segment, Token, is_name, split_names
from retold.journal.language.verbs import EXPECT, VERBS, is_absent_guest_verb, is_fixed
from retold.journal.language.writing import quote_name
from retold.journal.names import CLOSE, Ambiguous, Unknown, nearest, normalise
from retold.journal.refused import Refused, none_if_refused
from retold.journal.shared.people import purse_of
from retold.journal.store.events.kinds import COMMANDS
from retold.journal.system import COINS, COUNTED
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import GM, Bind, Command
from retold.journal.vocabulary.commands import Narrate, Say

NO_SPEAKERS: Final = frozenset(
    {
        *(*ALIASES, *READ_AS, "describe", "dm", "storyteller", "gamemaster"),
        *("init", "inits", "loot", "question", "reward", "rule", "rules"),
        *("secret", "secretly", "hidden", "private", "privately"),
    }
)
"""Words before a colon that other tables use for no person."""

INITIATIVE: Final = ("initiative", "init")
"""Verb of who goes first, and its short form."""

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

    `initiative all` without a result for each of the party is of all in the fight. Other lines are returned
    unchanged.
    """
    word = lexed.verb
    if word.text in INITIATIVE and len(lexed.tokens) == 1 and is_everybody(lexed.tokens[0], table):
        return lexed if len(lexed.results or ()) == len(party_of(table)) else replace(lexed, tokens=())
    is_verb = not lexed.tokens or (word.bare and is_fixed(word.text))
    conflict = conflict_of_line(lexed, table)
    known = {} if is_verb else shorthands(table, conflict)
    special = _expand_gift(lexed, table) or (None if is_verb else _expand_counter(lexed, known, table))
    if special is not None or is_verb:
        return special or lexed
    command = known.get(normalise(word.text)) if word.bare else None
    if command is None and is_counted(word, table):
        command = keeping()
    if command is not None:
        verb = Token((Segment(command.verb, False),), word.column)
        return replace(lexed, verb=verb, tokens=(lexed.tokens[0], word, *lexed.tokens[1:]))
    done = normalise(lexed.tokens[0].text)
    command = known.get(done) or (c.Roll if done in move_words(table, conflict) else None)
    if command is None and is_counted(lexed.tokens[0], table):
        command = keeping()
    if command is None or not are_people(word, table):
        return lexed
    verb = Token((Segment(command.verb, False),), word.column)
    return replace(lexed, verb=verb, tokens=(word, *lexed.tokens))


GIVE, PAY, PURSE = "give", "pay", "purse"
"""Verbs of handing something over, the first also one of a game, and of what the whole party owns."""


@cache
def keeping() -> type[Command]:
    """Returns the command that stores an amount of anything for a person."""
    kept = (SYSTEMS[name].keeps for name in BUILT_IN)
    return next(keeps for keeps in kept if keeps is not None)


def is_money(word: Token, table: Table) -> bool:
    """True for an unquoted name of money that names no person here: `gold`."""
    return word.bare and normalise(word.text) in COINS and table.called(word.text) is None


def is_counted(word: Token, table: Table) -> bool:
    """True for an unquoted name of a counter of every game that names no person or stat here: `gold`."""
    counts = word.bare and normalise(word.text) in COUNTED and table.called(word.text) is None
    return counts and not is_stat(table, word.text)


def is_stat(table: Table, typed: str) -> bool:
    """True for the name of a stat of a game in play."""
    return any(game.number(table, GM, normalise(typed)) is not None for game in SYSTEMS.among(table.shelves))


def counter_called(typed: str) -> str:
    """Returns the counter of every game that a word names, `arrows` for `arrow`; other words unchanged."""
    word = COUNTS_IN_SHORT.get(normalise(typed), normalise(typed))
    return next((name for name in (word, f"{word}s", f"{word}es") if name in COUNTED), word)


def _expand_gift(lexed: Lexed, table: Table) -> Lexed | None:
    """Returns `pay gold 5 from Thia to Osk` for a line with `give`; None for other lines.

    After `from` and `to`, `party` and `all` are the party's purse, and its people behind `purse`.
    """
    words = [token.text for token in lexed.tokens if token.bare]
    if lexed.verb.text not in (GIVE, PAY) or not {"from", "to"}.intersection(words):
        return None
    purse = purse_of(table)
    tokens = list(lexed.tokens)
    for place, token in enumerate(tokens[1:], start=1):
        after = tokens[place - 1]
        if after.bare and after.text in ("from", "to") and token.bare and purse is not None:
            is_party = PURSE not in words and token.text in words_for_everybody(table)
            tokens[place] = Token((Segment(table.name(purse), True),), token.column) if is_party else token
    verb = Token((Segment(PAY, False),), lexed.verb.column)
    return replace(lexed, verb=verb, tokens=tuple(tokens))


def _expand_counter(lexed: Lexed, known: Collection[str], table: Table) -> Lexed | None:
    """Returns `purse gold +12` for `gold +12`, and `clock "The tide" +1` for `tide +1` or `the tide +1`.

    None for other lines, and for clocks called as one of the `known` tracks.
    """
    *name, value = lexed.verb, *lexed.tokens
    if is_money(lexed.verb, table) and len(lexed.tokens) == 1 and re.fullmatch(r"[+-]\d+", value.text):
        verb = Token((Segment(PURSE, False),), lexed.verb.column)
        return replace(lexed, verb=verb, tokens=(lexed.verb, value))
    if normalise(lexed.verb.text) in known:
        return None
    if not re.fullmatch(CHANGE_OF_CLOCK, value.text.casefold()) or not all(word.bare for word in name):
        return None
    typed = " ".join(word.text for word in name)
    clock = None if table.called(typed) is not None else find_clock(table, typed)
    command = _clock_command(table)
    if clock is None or command is None:
        return None
    verb = Token((Segment(command.verb, False),), lexed.verb.column)
    return replace(lexed, verb=verb, tokens=(Token((Segment(clock, True),), lexed.verb.column), value))


def _clock_command(table: Table) -> type[Command] | None:
    """Returns the command that changes clocks at this table; None if no game here has one."""
    commands = (command for system in SYSTEMS.among(table.shelves) for command in system.commands)
    marked = (
        command
        for command in commands
        if any(bind_of_type(command, name) is Bind.CLOCK for name in command.__struct_fields__)
    )
    return next(marked, None)


def is_everybody(
    word: Token, table: Table, words: Collection[str] = ("all", "everyone", "everybody")
) -> bool:
    """True for one of the unquoted `words` for several people that names nobody here."""
    return word.bare and word.text.lower() in words and word.text.lower() in words_for_everybody(table)


def are_people(word: Token, table: Table) -> bool:
    """True if `word` names people of the cast, alone or joined with `+`; ambiguous names and `all` count."""
    if is_everybody(word, table, EVERYBODY):
        return True
    named = split_names(word)
    return (
        bool(named) and word.text not in VERBS and all(_is_known_person(name.text, table) for name in named)
    )


def _is_known_person(typed: str, table: Table) -> bool:
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
    return none_if_refused(lambda: table.conflicts[find_conflict(table, named.text)])


SORTS: Final = frozenset({"clock", "person", "place", "secret", "thing", "thread"})
"""Words that may stand before a name after `reveal`."""


def without_sort(lexed: Lexed) -> Lexed:
    """Returns `reveal "The tide"` for `reveal clock The tide`; other lines unchanged."""
    if VERBS.get(lexed.verb.text) is not c.Reveal or not lexed.tokens[1:]:
        return lexed
    sort, name, *more = lexed.tokens
    words = " ".join(word.text for word in (name, *more))
    name = Token((Segment(words, True),), name.column) if more else name
    return replace(lexed, tokens=(name,)) if sort.bare and sort.text in SORTS else lexed


def expand_speech(lexed: Lexed, table: Table | None = None) -> Lexed:
    """Rewrites `Bruno: Tea?` as `say Bruno: Tea?`; returns other lines unchanged.

    What the game master says is told: `gm: It rains.` is `narrate gm: It rains.`
    """
    word = lexed.verb
    if not is_speech(lexed, table):
        return lexed
    if word.bare and normalise(word.text) in GM_WORDS:
        told = lexed if lexed.text is None else lexed.with_text(only_quoted_text(lexed.text) or lexed.text)
        return replace(told, verb=Token((Segment(Narrate.verb, False),), word.column), tokens=(word,))
    return replace(lexed, verb=Token((Segment(Say.verb, False),), word.column), tokens=(word,))


def unknown_speaker(lexed: Lexed, table: Table) -> str | None:
    """Returns the unknown name before the colon of a line of speech, such as `Warden: Halt!`; else None.

    None also if the name resembles a known name or a verb. Capitalised names are not compared with verbs:
    Warden is no misspelled award.
    """
    words = [lexed.verb, *lexed.tokens]
    name = " ".join(word.text for word in words)
    is_title = lexed.text is not None and all(
        word.bare and word.text.istitle() and table.called(word.text) is None for word in words
    )
    if not (is_title if lexed.tokens else is_speech(lexed, table)):
        return None
    if "check" in lexed.flags or lexed.verb.text.lower() in NO_SPEAKERS:
        return None
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
