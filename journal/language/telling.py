"""Sentences of the story, typed without a verb of the language: `Brannoch kicks the door in`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final

from retold.journal.language.forms import Form
from retold.journal.language.habit_facts import ENDS
from retold.journal.language.habits import HABITS
from retold.journal.language.habits.shapes import BLOWS
from retold.journal.language.lexing import Lexed
from retold.journal.language.naming import find_person
from retold.journal.language.other_words import ABILITIES, ALIASES, SKILL_OF, SKILL_WORDS, SKILLS
from retold.journal.language.shorthand import move_words, shorthands
from retold.journal.language.slot_words import MISSES, tests, verb_of_game
from retold.journal.language.suggestions import people_of_plural
from retold.journal.language.tokens import PEOPLE
from retold.journal.language.verbs import VERBS, verbs_of
from retold.journal.names import CLOSE, Unknown, nearest, normalise
from retold.journal.refused import Refused
from retold.journal.system import COINS
from retold.journal.table import Table

SHORTEST_SLIP: Final = 4
"""Fewest letters of a word that may be a slip."""
LONG_WORD: Final = 8
"""Letters of a word in which two may be wrong."""
PLAINLY_LONG: Final = 5
"""Words of a sentence that needs no other sign of being one."""
BEGINS: Final = frozenset(
    (
        "a an another both each everybody everyone everything he her his it its my nobody nothing one our "
        "she some somebody someone something that the their then there these they this those two three four "
        "five several many we"
    ).split()
)
"""Words, with a capital letter, that begin a sentence of the story."""
IS_WORD: Final = re.compile(r"[^\W\d_][\w'\u2019-]*|[-\u2013\u2014&]|")
"""A word without numbers, or a sign of a sentence between its words."""
NO_SLIPS: Final = frozenset(
    (
        "calls cowers digs dives drags dries drips fills fixes grins hard head heads hears like likes lives "
        "locks loves packs paints passes pats plays prays reads sends sets shore shows sings slides slips "
        "smashes smiles spits stares stays steals strides strokes treads tree tugs wails walks went winks"
    ).split()
)
"""Things that people do in a story, spelled much like those of the rules."""
TELLING: Final = MISSES | {"cast", "casts", "says", "tells"}
"""Words of what is told even if it is done to the other side of a fight."""
NUMBERS: Final = frozenset(
    ("two three four five six seven eight nine ten eleven twelve twenty half zero").split()
)
"""Words that count something, if somebody is said to get or to lose it."""
OF_RULES: Final = frozenset(
    (
        "ac adv advantage check checks combat damage dc dice dis disadvantage dmg fight harm heal healed "
        "heals hp initiative level rest rests roll rolled rolls save saves test turn xp"
    ).split()
)
"""Words that no sentence may have if it is to be told unasked: something is counted or rolled."""


def is_told(lexed: Lexed, table: Table) -> bool:
    """True for a sentence about a person cast, or with a full stop, that has no word of the rules.

    False if a word may be a slip of one, if it names the other side of a fight, or a secret person.
    """
    first, *others = [word.text.rstrip(",.!?;…") for word in (lexed.verb, *lexed.tokens)]
    is_bare = lexed.text is None and lexed.results is None and not lexed.flags and bool(others)
    if not is_bare or not all(map(IS_WORD.fullmatch, others)):
        return False
    about = [*_about(first, table), *filter(None, map(table.called, people_of_plural(first, table)))]
    does = others[0].lower()
    is_sentence = lexed.tokens[-1].text.endswith(ENDS) and first[:1].isupper()
    acts = len(others) >= PLAINLY_LONG or re.search("(?:s|ed|ly)$" if others[1:] else "s$", does)
    is_begun = about or first.lower() in BEGINS or _begins_nothing_else(first, others, table)
    if not is_begun or not (is_sentence or (about and acts)):
        return False
    named, here = [*about, *_named(others, table)], table.in_play()
    if any(who is None or table.secret(who) is not None for who in named):
        return False
    sides = set() if here is None else {here.side_of(who) for who in named if who in here.people}
    is_slip = bool(about) and _is_slip(does, does_words() | SKILL_OF.keys())
    verbs = {does, *([] if others[1:] else [does.removesuffix("s")])}
    is_rule = is_slip or not verbs.isdisjoint(verbs_of(table)) or verb_of_game(table, does) is not None
    is_counted = bool(about) and not NUMBERS.isdisjoint(map(str.lower, others))
    is_ruled = is_rule or is_counted or _has_rules(others, table)
    return not is_ruled and (len(sides) <= 1 or not TELLING.isdisjoint(others))


def _begins_nothing_else(first: str, others: list[str], table: Table) -> bool:
    """True for the first word of a sentence of three words that is much like no name and no verb."""
    names = (name for given in table.names().values() for name in given)
    is_near = nearest(first, names, 1, at_least=CLOSE) or _is_slip(
        first.lower(), VERBS.keys() | ALIASES.keys()
    )
    return bool(others[1:]) and first.lower() not in {*VERBS, *ALIASES} and not is_near


def _about(word: str, table: Table) -> Iterator[int]:
    """Yields the person with this name, or the only one whose name contains the word."""
    known, folded = table.called(word), normalise(word)
    if known is not None:
        yield known
    elif word[:1].isupper():
        names = table.names().items()
        having = [who for who, given in names if any(folded in normalise(name).split() for name in given)]
        yield from having if len(having) == 1 else ()


def _named(words: list[str], table: Table) -> Iterator[int | None]:
    """Yields the people that words name; None for a word that may mean one of several, or is a slip."""
    for word in words:
        try:
            who = find_person(table, word)
        except Unknown as unknown:
            if word[:1].isupper() and nearest(word, unknown.nearest, 1, at_least=CLOSE):
                yield None
        except Refused:
            if word[:1].isupper() or not BLOWS.isdisjoint(words):
                yield None
        else:
            if word[:1].isupper() or table.called(word) is not None:
                yield who


@cache
def does_words() -> frozenset[str]:
    """Returns the words with which habits describe an act."""
    return frozenset(
        word for habit in HABITS if PEOPLE in habit.form for word in Form.parse(habit.form).words
    )


def _is_slip(word: str, known: AbstractSet[str]) -> bool:
    """True for a word that a letter or two part from a known one that begins with the same letter."""
    if word in known or word in NO_SLIPS or len(word) < SHORTEST_SLIP:
        return False
    from rapidfuzz.distance import OSA  # few lines need it, and it is slow to load

    alike = (one for one in known if one[:1] == word[:1] and one.removesuffix("s") != word.removesuffix("s"))
    return any(OSA.distance(word, one) <= 1 + (len(word) >= LONG_WORD) for one in alike)


def _has_rules(words: list[str], table: Table) -> bool:
    """True if some word is one of the rules, or much like one."""
    known = frozenset(
        {
            *OF_RULES,
            *move_words(table),
            *shorthands(table, table.in_play()),
            *(COINS | SKILLS.keys() | SKILL_WORDS.keys() | ABILITIES.keys()),
        }
    )
    is_stat = tests(table)["stat"]
    folded = [normalise(word) for word in words]
    return any(word in known or is_stat(word) or _is_slip(word, known) for word in folded)
