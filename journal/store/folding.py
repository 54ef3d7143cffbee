"""Text as it is looked for: folded letter by letter, so that a find has its place in what was typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from journal.names import ACCENT, APOSTROPHES

_WORDS: Final = "LNM"
"""Categories of Unicode whose characters make up words: letters, numbers, marks; private ones do too."""
_PRIVATE: Final = "Co"

_LATIN: Final = r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .*)?"
_ALONE: Final[Mapping[str, str]] = {"\N{LATIN SMALL LETTER ETH}": "d", "\N{LATIN SMALL LETTER THORN}": "th"}

_UNSPACED: Final = (
    range(0x0E00, 0x0F00),  # Thai, Lao
    range(0x0F00, 0x10A0),  # Tibetan, Burmese
    range(0x1780, 0x1800),  # Khmer
    range(0x2E80, 0x3130),  # radicals, kana, bopomofo
    range(0x31A0, 0xA000),  # ideographs and what stands beside them
    range(0xF900, 0xFB00),
    range(0x20000, 0x32000),
)
"""Scripts that put no blank between words, as far as they are folded."""


class Word(NamedTuple):
    """A run of letters, numbers and marks in a folded text."""

    text: str
    start: int
    end: int


def folded(text: str) -> str:
    """`text` without case, accents, strokes, styles or widths of letters; what was folded stays as it is."""
    return text.lower() if text.isascii() else "".join(map(_letter, text))


def places(text: str) -> Sequence[int]:
    """For each character of the folded text the place in `text` it came from, and the end after the last."""
    if text.isascii():
        return range(len(text) + 1)
    return [*(place for place, letter in enumerate(text) for _ in _letter(letter)), len(text)]


@lru_cache(maxsize=8192)
def _letter(character: str) -> str:
    if character in APOSTROPHES:
        return "'"
    bare = _bare(unicodedata.normalize("NFKD", character)).casefold()
    return "".join(map(plain, _bare(unicodedata.normalize("NFKD", bare))))


@lru_cache(maxsize=8192)
def plain(letter: str) -> str:
    """The letters a dictionary has a small one under that is no accented other: l for ł, ae for æ."""
    if letter.isascii():
        return letter
    found = re.fullmatch(_LATIN, unicodedata.name(letter, ""))
    return _ALONE.get(letter, found[1].lower() if found else letter)


def _bare(decomposed: str) -> str:
    return "".join(letter for letter in decomposed if unicodedata.combining(letter) < ACCENT)


def words(text: str) -> Iterator[Word]:
    """The words of a folded text, as the index has them."""
    start = None
    for place, character in enumerate(text):
        if _in_word(character):
            start = place if start is None else start
        elif start is not None:
            yield Word(text[start:place], start, place)
            start = None
    if start is not None:
        yield Word(text[start:], start, len(text))


def words_in(text: str) -> int:
    """How many words a text has; each letter of a script that puts no blanks between them is one."""
    return sum(sum(map(unspaced, word.text)) or 1 for word in words(folded(text)))


@lru_cache(maxsize=8192)
def _in_word(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in _WORDS or category == _PRIVATE


@lru_cache(maxsize=8192)
def unspaced(character: str) -> bool:
    """True for a letter, and no mark, of a script that puts no blank between words."""
    return (
        any(ord(character) in script for script in _UNSPACED) and unicodedata.category(character)[0] in "LN"
    )
