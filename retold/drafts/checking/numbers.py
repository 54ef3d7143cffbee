"""Numbers in texts, as digits or in English words, each with the word that it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from retold.drafts.alignment.words import words_of
from retold.drafts.checking.deeds import SMALL
from retold.journal.names import normalise

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES: Final = {
    **{word: value for value, word in enumerate(_ONES) if word != "one"},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "twice": 2,
    "thrice": 3,
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
}
_UNITS: Final = {word: value for value, word in enumerate(_ONES) if 0 < value < 10}  # noqa: PLR2004 -- digits
_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


class Number(NamedTuple):
    """Number in a text, and the stem of the word behind it; empty without one."""

    value: int
    of: str
    written: str


def numbers_in(text: str) -> Iterator[Number]:
    """Yields the numbers of a text; an article, “one” and ordinals are none."""
    words = [normalise(word) for word in _WORD.findall(text)]
    at = 0
    while at < len(words):
        value, length = _value(words, at)
        if value is None:
            at += 1
            continue
        behind = (word for word in words[at + length : at + length + 3] if word not in SMALL)
        stem = next((stem for word in behind for stem in words_of(word)), "")
        yield Number(value, stem, " ".join(words[at : at + length]))
        at += length


def _value(words: list[str], at: int) -> tuple[int | None, int]:
    word = words[at]
    if word[0].isdigit():
        digits = word.replace(",", "")
        return (int(digits), 1) if digits.isdecimal() else (None, 1)
    value = _VALUES.get(word)
    if value is not None and word in _TENS and at + 1 < len(words) and words[at + 1] in _UNITS:
        return value + _UNITS[words[at + 1]], 2
    return value, 1
