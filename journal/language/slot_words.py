"""What words in the slots of a habit must be, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from itertools import chain
from typing import Final

from retold.journal.decks.french import CARDINALS
from retold.journal.guarding import rows_at
from retold.journal.language.form_parts import NO_GROUP, Everybody
from retold.journal.language.habits.shapes import BLOWS, CARES
from retold.journal.language.naming import find_clock, party_of, words_for_everybody
from retold.journal.language.other_words import ABILITIES, COINS_IN_SHORT, SKILL_OF, SKILL_WORDS, STATES
from retold.journal.language.shorthand import (
    AMOUNT,
    are_people,
    counter_called,
    is_counted,
    is_money,
    is_stat,
    shorthands,
)
from retold.journal.language.strange_words import played_at, rests_at
from retold.journal.language.suggestions import name_token
from retold.journal.language.typed_names import POSSESSIVES
from retold.journal.names import ARTICLES, CLOSE, EVERY_ARTICLE, nearest, normalise
from retold.journal.refused import none_if_refused
from retold.journal.system import SKILLS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c

NO_STATES: Final = EVERY_ARTICLE | {
    *("at", "in", "now", "like", "not", "of", "off", "on", "out", "so", "too", "very", "with"),
}
"""Words behind `is` that are no state of a person by themselves."""
MISSES: Final = frozenset({"miss", "misses", "missed"})
"""Words of a blow that changes nothing."""
HIT_POINTS: Final = "hp"


def counts_at(table: Table) -> frozenset[str]:
    """Returns the numbers that rulings count, of the games in play; of the campaign's before any is."""
    return frozenset(count for game in played_at(table) for count in game.counts)


def skill_called(typed: str) -> str | None:
    """Returns the skill that a word or two mean, as `SKILLS` has it: `thieves tools` for `Thieves' tools`."""
    folded = normalise(typed.strip('"')).replace("'", "")
    skill = SKILL_WORDS.get(folded, folded)
    return skill if skill in SKILLS else None


def stat_called(table: Table, typed: str) -> str | None:
    """Returns the number of a sheet that a word means: `dex` for `dexterity`; None for other words."""
    whole = normalise(typed.removeprefix("+").strip('"'))
    meant = (whole, SKILLS.get(skill_called(typed) or "", ""), ABILITIES.get(whole, ""))
    return next(
        (word for word in meant if is_stat(table, word) or is_on_a_sheet(table, word, without_moves=True)),
        None,
    )


def skill_for(table: Table, does: str) -> str | None:
    """Returns the skill that an action takes: hacking for `hacks` where a sheet has it; else None."""
    stem = re.sub("(e|es|s|ed)$", "", typed := does.lower())
    own = [f"{stem}ing", stem, f"{stem}e"] if stem != typed else []
    known = [skill for skill in own if is_on_a_sheet(table, skill, without_moves=True)]
    known += [skill for skill in (SKILL_OF.get(typed),) if skill and stat_called(table, skill) is not None]
    return next(iter(known), None)


def is_on_a_sheet(
    table: Table, typed: str, people: Collection[int] | None = None, *, without_moves: bool = False
) -> bool:
    """True for the name of a number on somebody's sheet: one of these people's, by default anybody's.

    With `without_moves` only games that have no moves are asked.
    """
    games = (game for game in SYSTEMS.among(table.shelves) if not (without_moves and game.moves(table)))
    word = normalise(typed)
    return any(
        game.number(table, who, word) is not None
        for game in games
        for who in (table.people if people is None else people)
    )


def _zones(table: Table) -> set[str]:
    """Returns the names of the zones of the game in play, as they are compared."""
    conflict = table.in_play()
    things = {} if conflict is None else SYSTEMS[conflict.system].things(table, conflict)
    return {normalise(name) for name, between in things.items() if not between}


def _is_condition(table: Table, typed: str) -> bool:
    """True for a condition, or a track that is on or off, of a game that has conditions."""
    words, kept = shorthands(table, table.in_play()), {game.keeps for game in SYSTEMS.among(table.games())}
    harmed = {normalise(name) for game in SYSTEMS.among(table.shelves) for name in game.harmed(table)}
    has_conditions = any(command not in kept for command in words.values())
    word = normalise(typed)
    word = word if word in words else STATES.get(word, word)
    return has_conditions and word in words and word not in harmed


def verb_of_game(table: Table, typed: str) -> str | None:
    """Returns the verb of the game in play for a word such as `moves`; None for other words."""
    conflict = table.in_play()
    games = table.games() if conflict is None else (conflict.system,)
    played = [system for system in SYSTEMS.among(games) if system.keeps is None]
    verbs = {command.verb for game in played for command in (*game.commands, *game.decide, *game.anytime)}
    verbs |= {c.Concede.verb, c.Clear.verb, c.Narrate.verb} if played else {c.Narrate.verb}
    word = typed.lower()
    shorter = (word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word))
    return next((verb for verb in shorter if verb in verbs), None)


def coin_called(table: Table, typed: str) -> str:
    """Returns the counter that a word means: gold for `gp` where nobody has any gp."""
    word = counter_called(typed)
    kept = {normalise(row.what) for row in rows_at(table)}
    return word if word in kept else COINS_IN_SHORT.get(word, word)


AS_WRITTEN: Final[Mapping[str, Callable[[Table, str], str | None]]] = {
    **dict.fromkeys(("coin", "money"), coin_called),
    "named": lambda _table, typed: '"' + typed.strip('"') + '"',
    "stat": stat_called,
    "done": verb_of_game,
    "n": lambda _table, typed: typed.lstrip("+-"),
    "dice": lambda _table, typed: typed.rstrip(","),
    "rank": lambda _table, typed: (
        str(CARDINALS.index(typed.lower()) + 1) if typed.lower() in CARDINALS else typed
    ),
}
"""What a slot's word is written as."""


def everybody_at(table: Table) -> Everybody:
    """Returns the words for the whole party, and its names, for a habit's slot of people."""
    words = words_for_everybody(table)
    names = tuple(name_token(table.name(person)) for person in party_of(table))
    return Everybody(words, names, frozenset({"who"})) if words and names else NO_GROUP


def tests(table: Table) -> Mapping[str, Callable[[str], bool]]:
    """Returns what the words in some slots of a habit's form must pass, by slot."""
    rests = {normalise(name) for name in rests_at(table)}

    words = {
        normalise(word) for word in ("adv", "dis", "off", "on", "roll", *shorthands(table, table.in_play()))
    }

    @cache
    def is_person(typed: str) -> bool:
        is_article = typed in ARTICLES["en"] and table.called(typed) is None
        return not is_article and are_people(name_token(typed), table)

    return {
        **dict.fromkeys(("who", "by", "to", "foes"), is_person),
        "rest": rests.__contains__,
        "stat": cache(lambda typed: stat_called(table, typed) is not None),
        "coin": lambda typed: is_counted(name_token(counter_called(typed)), table),
        "payee": lambda typed: (
            typed.endswith(POSSESSIVES)
            or not (is_person(typed) or nearest(typed, chain(*table.names().values()), 1, at_least=CLOSE))
        ),
        "newcomers": lambda typed: typed.isalpha() and typed.endswith("s") and not is_person(typed),
        "money": lambda typed: is_money(name_token(typed), table),
        "clock": lambda typed: (
            typed not in EVERY_ARTICLE
            and table.called(typed) is None
            and none_if_refused(lambda: find_clock(table, typed)) is not None
        ),
        "track": lambda typed: normalise(typed) in shorthands(table, table.in_play()),
        "count": lambda typed: normalise(typed) in counts_at(table),
        "condition": lambda typed: _is_condition(table, typed),
        "done": lambda typed: verb_of_game(table, typed) is not None,
        "against": lambda typed: typed not in BLOWS | CARES and verb_of_game(table, typed) is None,
        "deed": lambda typed: typed not in {*BLOWS, "adv", "dis"} and verb_of_game(table, typed) is None,
        "does": lambda typed: skill_for(table, typed) is not None,
        "sheet": cache(lambda typed: is_on_a_sheet(table, typed)),
        "sort": str.isalpha,
        "n": lambda typed: re.search(r"d20(?!\d)", typed) is None,
        "sum": lambda typed: re.fullmatch(r"\d+\+\d+", typed) is not None,
        "number": lambda typed: normalise(typed) not in shorthands(table, table.in_play()),
        "throw": lambda typed: re.fullmatch(r"1?d20[+-]\d+", typed) is not None,
        "pool": lambda typed: re.fullmatch(r"\d+(\+\d+)*", typed) is not None,
        "bonus": lambda typed: re.fullmatch(r"\d*\+\d*d(?!20)\d+", typed) is not None,
        "named": lambda typed: not (is_person(typed) or _zones(table)) and re.search(r"[\d=]", typed) is None,
        "harms": lambda typed: (
            not (typed in MISSES or is_person(typed))
            and not typed.startswith(("ask", "beg", "buy", "cure", "give", "heal", "pay", "sell"))
        ),
        "why": lambda typed: typed not in words and re.search(r"[\d=]", typed) is None,
        "state": lambda typed: typed.lower() not in NO_STATES,
        "values": lambda typed: "=" in typed,
        "aim": is_person,
        "skill": cache(lambda typed: stat_called(table, typed) is not None),
        "own": lambda typed: typed not in EVERY_ARTICLE | {"long", "short"} and not is_person(typed),
        **dict.fromkeys(
            ("spell", "wording", "ending"),
            lambda typed: (
                typed not in ("at", "cure", "for", "healing", "make", "makes", "second", *MISSES)
                and not any(map(is_person, typed.split("+")))
            ),
        ),
        "rank": lambda typed: re.fullmatch(r"\d+|[AKQJakqj]", typed) is not None or typed in CARDINALS,
        "box": lambda typed: typed not in ("again", "all", "as", "back", "hard", "twice", "with", "using"),
        **dict.fromkeys(
            ("first", "second", "third", "fourth"), lambda typed: typed not in ("as", "with", "using")
        ),
        "die": lambda typed: typed.lower() in ("d20", "1d20", "d100", "1d100", "d%", "4df"),
        "zone": lambda typed: normalise(typed) in _zones(table),
        "amount": lambda typed: "/" in typed and re.fullmatch(AMOUNT, typed) is not None,
    }
