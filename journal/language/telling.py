"""Sentences of the story, typed without a verb of the language: `Brannoch kicks the door in`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import pairwise
from typing import Final

from retold.journal.language.forms import Form
from retold.journal.language.habits import HABITS
from retold.journal.language.habits.shapes import BLOWS
from retold.journal.language.lexing import Lexed
from retold.journal.language.naming import find_person
from retold.journal.language.other_words import ALIASES, SKILL_OF
from retold.journal.language.shorthand import are_people, is_counted, move_words, shorthands
from retold.journal.language.slot_words import MISSES, stat_called, tests, verb_of_game
from retold.journal.language.suggestions import name_token, numbered_people, people_of_plural
from retold.journal.language.tokens import PEOPLE, Token
from retold.journal.language.typed_names import POSSESSIVES
from retold.journal.language.verbs import VERBS, verbs_of
from retold.journal.language.writing import ENDS
from retold.journal.names import CLOSE, EVERY_ARTICLE, nearest, normalise
from retold.journal.refused import none_if_refused
from retold.journal.table import Table

SHORTEST_SLIP: Final = 4
"""Fewest letters of a word that may be a slip."""
LONG_WORD: Final = 8
"""Letters of a word in which two may be wrong."""
SHORTEST_SENTENCE: Final = 4
"""Words of a sentence that needs no full stop."""
BEGINS: Final = frozenset(
    (
        "a all an another at behind both each everybody everyone everything for from he her his in it its my "
        "nobody no nothing our she some somebody someone something suddenly that the their then there these "
        "they this those two three four five several many we when where while with without you your"
    ).split()
)
"""Words that begin a sentence of the story, and no line of the rules."""
NO_PROSE: Final = re.compile(r"[\d=<>{}\[\]|/\\#@$%^*_+~]")
"""Signs of dice, numbers and values, which no sentence of the story has."""
AROUND: Final = ",.!?;:()'\"\u2026\u201c\u201d"
"""Signs of a sentence around a word."""
WORD: Final = re.compile(r"[^\W\d_][\w'\u2019-]*")
NO_SLIPS: Final = frozenset(
    (
        "calls cowers digs dives drags dries drips fills fixes grins hard head heads hears like likes lives "
        "locks loves packs paints passes pats plays prays reads sends sets shore shows shuts sings slides "
        "slips smashes smiles spits stares stays steals strides strokes treads tree tugs wails walks went "
        "winks"
    ).split()
)
"""Things that people do in a story, spelled much like those of the rules."""
TELLING: Final = MISSES | {"cast", "casts", "says", "tells"}
"""Words of what is told even if it is done to the other side of a fight."""
NUMBERS: Final = frozenset(
    "a an one two three four five six seven eight nine ten eleven twelve twenty half zero".split()
)
"""Words that count something of which the game keeps a number."""
GETS: Final = frozenset("gains gets heals loses recovers regains suffers takes".split())
OF_RULES: Final = frozenset(
    (
        "ac adv advantage combat compel consequence damage dc dis disadvantage dmg fallout fight heal healed "
        "heals hp initiative invoke karma stress vs xp"
    ).split()
)
"""Words of the rules alone."""
PERHAPS_OF_RULES: Final = frozenset(
    ("check checks combat dice fight harm level rest rests roll rolled rolls save saves test turn").split()
)
"""Words of the rules in a few words about a person, and of the story in a sentence."""
ASKS: Final = frozenset(
    "are can could did do does how is may must should what when where which who why will would".split()
)
"""Words that begin a question."""
ROLLED: Final = frozenset({"check", "checks", "roll", "rolls", "save", "saves", "saving", "test"})
BEFORE_STAT: Final = frozenset({"with", "using", "uses", "makes", "rolls", "tries", "attempts"})
"""Words that a stat follows where it is rolled."""


def is_told(typed: Lexed, table: Table) -> bool:
    """True for a sentence of the story that begins with a person, a capital letter or a word of `BEGINS`.

    False for words and signs of the rules, an attack in a fight, slips of verbs, and secret people.
    """
    line = " ".join(word.text for word in (typed.verb, *typed.tokens))
    first, *others = words = [*_words((typed.verb, *typed.tokens), table)] or [""]
    is_bare = typed.text is None and typed.results is None and not typed.flags
    if not is_bare or not others or "" in words or not typed.verb.text[:1].isalpha():
        return False
    plural = filter(None, map(table.called, people_of_plural(first, table)))
    about = {*_called(first[:1].upper() + first[1:], table), *plural}
    named = {*about, *(who for word in others for who in _called(word, table))}
    if len(about) > 1 and not (numbered_people(first, table) or people_of_plural(first, table)):
        return False  # one of several with this name
    is_long, has_stop = len(words) >= SHORTEST_SENTENCE, line.endswith(ENDS)
    is_secret = any(table.secret(who) is not None for who in named)
    if is_secret or _has_rules(words, about, named, table) or (not about and is_question(line)):
        return False
    if not about:
        begins = first.lower() in BEGINS or (first[:1].isupper() and not _begins_line(first, table))
        return begins and (is_long or (has_stop and first[:1].isupper()))
    acts = is_long or has_stop or any(re.search("(?:s|ed|ly)$", word.lower()) for word in others[:2])
    return acts and not _is_deed(others, table, is_sure=is_long and named == about)


def _words(tokens: Sequence[Token], table: Table) -> Iterator[str]:
    """Yields the words of a sentence, a person's name as one; an empty one for what is not a word of one."""
    for token in tokens:
        text = token.text.strip(AROUND)
        text = text[:-2] if text.endswith(POSSESSIVES) else text
        if table.called(text) is not None:
            yield text
        elif NO_PROSE.search(text):
            who = none_if_refused(partial(find_person, table, text)) if text[:1].isalpha() else None
            yield "" if who is None else table.name(who)
        else:
            yield from WORD.findall(text)


def is_question(line: str) -> bool:
    """True for a line with a question mark, and for words that only a question begins with."""
    first = line.partition(" ")[0]
    return line.endswith("?") or (first in ASKS and first not in BEGINS)


def _called(word: str, table: Table) -> Iterator[int]:
    """Yields the person with this name, or all whose name has the capitalised word in it."""
    known, folded = table.called(word), normalise(word)
    if known is not None:
        yield known
    elif word[:1].isupper() and folded not in EVERY_ARTICLE:
        for who, given in table.names().items():
            if any(folded in re.split(r"[\s-]", normalise(name)) for name in given):
                yield who


def _begins_line(word: str, table: Table) -> bool:
    """True for a verb, a slip of one, and a word much like a name."""
    verbs = VERBS.keys() | ALIASES.keys()
    names = (name for given in table.names().values() for name in given)
    is_verb = word.lower() in verbs or _is_slip(word.lower(), verbs)
    return is_verb or bool(nearest(word, names, 1, at_least=CLOSE))


def _has_rules(words: list[str], about: set[int], named: set[int], table: Table) -> bool:
    """True for words of the rules alone, a stat that is rolled, something counted, an attack in a fight."""
    folded = [normalise(word) for word in words]
    here, is_stat = table.in_play(), tests(table)["stat"]
    sides = {here.side_of(who) for who in named if who in here.people} if here else set()
    attacks = not BLOWS.isdisjoint(folded) and TELLING.isdisjoint(folded)
    counts = not NUMBERS.isdisjoint(folded) and any(is_counted(name_token(word), table) for word in folded)
    return (
        counts
        or not OF_RULES.isdisjoint(folded)
        or (attacks and (len(sides) > 1 or (bool(sides) and not about)))
        or any(is_stat(word) for before, word in pairwise(folded) if before in BEFORE_STAT)
        or (not ROLLED.isdisjoint(folded) and any(map(is_stat, folded)))
    )


def _is_deed(others: list[str], table: Table, *, is_sure: bool) -> bool:
    """True for words behind a name that the rules may know, or a slip of them.

    `is_sure` is a sentence that names nobody else: it has fewer of them.
    """
    folded = [normalise(word) for word in others]
    does, here = others[0].lower(), table.in_play()
    verbs = {does, *([] if others[1:] else [does.removesuffix("s")])}
    is_verb = not verbs.isdisjoint(verbs_of(table)) or verb_of_game(table, does) is not None
    words = {*shorthands(table, here), *([] if is_sure else (*PERHAPS_OF_RULES, *move_words(table)))}
    is_slip = _is_slip(does, does_words() | SKILL_OF.keys())
    is_slip = is_slip or any(_is_slip(word, shorthands(table, here).keys()) for word in folded)
    aims = any(word[:1].isupper() or are_people(name_token(word), table) for word in others[1:])
    attacks = here is not None and does in BLOWS and aims and TELLING.isdisjoint(folded)
    counts = does in GETS and not (NUMBERS - {"a", "an"}).isdisjoint(folded)
    return (
        is_verb
        or is_slip
        or attacks
        or counts
        or not words.isdisjoint(folded)
        or stat_called(table, does) is not None
    )


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
