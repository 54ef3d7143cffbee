"""Numbers in texts, as digits or in English words, each with the word that it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from retold.drafts.checking.english import SMALL, meaning
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
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CHANGE: Final = re.compile(r"(\d+) \u2192 (\d+)")
"""A value of the log before and after: what was lost or gained is a number too."""
_NEAR: Final = 3
"""Words behind a number among which is what it counts."""


class Number(NamedTuple):
    """Number in a text, the stem of the word that it counts or nothing, and the number as written."""

    value: int
    of: str
    written: str


def numbers_in(text: str) -> Iterator[Number]:
    """Yields the numbers of a text and its days of the week; an article, “one” and ordinals are none."""
    words = [normalise(word) for word in _WORD.findall(text)]
    at = 0
    while at < len(words):
        value, length = _value(words[at : at + 3])
        if words[at] in _DAYS:
            yield Number(_DAYS.index(words[at]), "weekday", words[at])
        elif value is not None:
            following = words[at + length : at + length + _NEAR]
            behind = takewhile(_may_be_counted, following)
            stem = next((stem for word in behind for stem in meaning(word)), "")
            yield Number(value, stem, " ".join(words[at : at + length]))
        at += length
    for before, after in _CHANGE.findall(text):
        yield Number(abs(int(before) - int(after)), "", f"{before} to {after}")


def _may_be_counted(word: str) -> bool:
    return word not in SMALL and word not in _VALUES and not word[0].isdigit()


def _value(words: Sequence[str]) -> tuple[int | None, int]:
    """Returns the number at the beginning of three words, None without one, and how many words it has."""
    if words == ["half", "a", "dozen"]:
        return 6, 3
    first = words[0].replace(",", "")
    if first.isdecimal():
        return int(first), 1
    value = _VALUES.get(first)
    if value is not None and first in _TENS.split() and words[1:] and words[1] in _UNITS:
        return value + _UNITS[words[1]], 2
    return value, 1
