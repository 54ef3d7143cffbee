"""Words of dates and clocks in the languages of phones, and their digits, from the table time_words.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

DIRECTION: Final = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks of direction, which phones put around times, names and notices."""
_ZEROS: Final = (
    "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0\uff10"
)
_BLANKS: Final = "\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000"
_PLAIN: Final = (
    {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
    | dict.fromkeys(map(ord, _BLANKS), " ")
    | {ord("\u060c"): ",", ord("\u104a"): ",", ord("\uff0c"): ",", ord("\uff1a"): ":", ord("\uff0f"): "/"}
)
_WITHOUT_DIRECTION: Final = str.maketrans("", "", DIRECTION)
_ABBREVIATED: Final = 2
"""Letters of a word that may have dots and blanks between them, such as `p. m.`."""


@dataclass(frozen=True)
class TimeWords:
    """Words of dates and clocks of all languages, in lower case and without dots."""

    halves: tuple[str, ...]
    """Words for the half of a day, as the table has them."""
    afternoon: frozenset[str]
    """Those for the time after noon, without signs and blanks."""
    at: tuple[str, ...]
    """Words that may stand between a date and a clock."""
    relative: Mapping[str, int]
    """Words for a day, as the number of days from today."""
    weekdays: tuple[str, ...]
    months: Mapping[str, int]
    """Names and short names of months, with their numbers."""

    def is_afternoon(self, word: str) -> bool:
        """True if a word for the half of a day, in any spelling, is one for the time after noon."""
        return _bare(word) in self.afternoon


@cache
def time_words() -> TimeWords:
    """Words of the table; it is read when the first time is looked for."""
    found = tomllib.loads((Path(__file__).parent / "time_words.toml").read_text("utf-8"))
    return TimeWords(
        (*found["morning"].split(), *found["afternoon"].split()),
        frozenset(map(_bare, found["afternoon"].split())),
        tuple(found["at"].split()),
        dict.fromkeys(found["today"].split(), 0) | dict.fromkeys(found["yesterday"].split(), -1),
        tuple(found["weekdays"].split()),
        {word: number for number, words in enumerate(found["months"], start=1) for word in words.split()},
    )


def plain(text: str) -> str:
    """Text of the same length, with digits, blanks, commas and colons of every script as ASCII has them."""
    return text if text.isascii() else text.translate(_PLAIN)


def without_direction(text: str) -> str:
    """Text without marks of direction."""
    return text if text.isascii() else text.translate(_WITHOUT_DIRECTION)


def one_of(words: Iterable[str]) -> str:
    """Regular expression for any of some words; the letters of a short word may have dots and blanks.

    `%` is a blank, and `.` a dot that may be missing.
    """
    return "|".join(sorted({_spaced(word) for word in words}, key=lambda shape: (-len(shape), shape)))


def _spaced(word: str) -> str:
    if len(word) <= _ABBREVIATED:
        return r"\.? ?".join(map(re.escape, word)) + r"\.?"
    return re.escape(word).replace("%", " ").replace(r"\.", r"\.? ?")


def _bare(word: str) -> str:
    return re.sub(r"[.% \"'\u05f4\u2019]", "", word).casefold()
