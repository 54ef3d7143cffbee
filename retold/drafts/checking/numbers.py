"""Numbers in texts, as digits or in English words, each with the word that it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import Final, NamedTuple

from retold.drafts.checking.english import WORDS, may_be_verb, meaning
from retold.journal.names import normalise

_ONES: Final = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS: Final = {word: value for value, word in enumerate(_ONES.split()) if 0 < value < 10}  # noqa: PLR2004
_VALUES: Final = {
    **{word: value for value, word in enumerate(_ONES.split()) if word != "one"},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
    "twice": 2,
    "thrice": 3,
}
_MANY: Final = {"dozen": 12, "score": 20, "hundred": 100, "thousand": 1000}
"""Words that multiply the number before them; behind it and `and`, the rest is added."""
_NUMBERED: Final = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS: Final = {word: value for value, word in enumerate(_NUMBERED.split(), 1)}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORD: Final = re.compile(r"\d*d\d+|\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CHANGE: Final = re.compile(r"(\d{1,18}) \u2192 (\d{1,18})(?!\d)")
"""A value of the log before and after: what was lost or gained is a number too."""
_OF: Final = frozenset({"of", "the", "my", "his", "her", "its", "our", "their"})
_NEAR: Final = 3
"""Words behind a number among which is what it counts."""


class Number(NamedTuple):
    """Number in a text, the stems of the words that it may count, and the number as written."""

    value: int
    of: tuple[str, ...]
    written: str
    is_ordinal: bool = False

    def is_like(self, other: Number) -> bool:
        """True if both are ordinals or neither is."""
        return self.is_ordinal == other.is_ordinal

    def counts_with(self, other: Number) -> bool:
        """True if both may count the same."""
        return self.is_like(other) and not set(self.of).isdisjoint(other.of)


def numbers_in(text: str) -> Iterator[Number]:
    """Yields the numbers of a text, its ordinals before a word, and its days of the week."""
    words = [normalise(word) for word in _WORD.findall(text)]
    at = 0
    while at < len(words):
        value, length = _value(words, at)
        is_ordinal = value is None and words[at] in ORDINALS
        behind = _counted(words[at + length :]) if value is not None or is_ordinal else ()
        if words[at] in _DAYS:
            yield Number(_DAYS.index(words[at]), ("weekday",), words[at])
        elif value is not None or behind:
            written = " ".join(words[at : at + length])
            yield Number(ORDINALS[written] if value is None else value, behind, written, is_ordinal)
        at += length
    for before, after in _CHANGE.findall(text):
        yield Number(abs(int(before) - int(after)), (), f"{before} to {after}")


def _counted(words: Sequence[str]) -> tuple[str, ...]:
    """Returns the stems of what a number before `words` counts: `silver spoons`, `of her fingers`."""
    is_part = words[:1] == ["of"]
    behind = [*dropwhile(lambda word: is_part and (word in _OF or word.endswith("'s")), words)][:_NEAR]
    counted = [*takewhile(_may_be_counted, behind)]
    counted[1:] = takewhile(lambda word: not may_be_verb(word), counted[1:])
    return tuple(stem for word in counted for stem in meaning(word))


def _may_be_counted(word: str) -> bool:
    return word not in WORDS["small"] and word not in _VALUES and word not in _MANY and not word[0].isdigit()


def _value(words: Sequence[str], at: int) -> tuple[int | None, int]:
    """Returns the number that begins at a word, None without one, and how many words it has."""
    first = words[at].replace(",", "")
    if first == "half" and [*words[at + 1 : at + 3]] == ["a", "dozen"]:
        return 6, 3
    if first.isdecimal():
        return int(first[:18]), 1
    value, length = (1, 0) if first in _MANY else (_VALUES.get(first), 1)
    if value is None:
        return None, 1
    while at + length < len(words):
        word, last = words[at + length], words[at + length - 1] if length else ""
        behind = words[at + length + 1] if word == "and" and at + length + 1 < len(words) else ""
        if word in _MANY:
            value *= _MANY[word]
        elif last in _TENS.split() and word in _UNITS:
            value += _UNITS[word]
        elif last in _MANY and (behind in _VALUES or behind in _UNITS):
            rest, more = _value(words, at + length + 1)
            return value + (rest or 1), length + 1 + more
        else:
            break
        length += 1
    return value, length
