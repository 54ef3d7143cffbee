"""Text search: finds words regardless of case and accents, and gives their places in the original text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from retold.journal.names import APOSTROPHES, without_accents

_WORDS: Final = "LNM"
"""Unicode categories that make up words: letters, numbers, marks; private characters too."""
_PRIVATE: Final = "Co"

_LATIN: Final = r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .*)?"
_ALONE: Final[Mapping[str, str]] = {"\N{LATIN SMALL LETTER ETH}": "d", "\N{LATIN SMALL LETTER THORN}": "th"}

_UNSPACED: Final = (
    range(0x0E00, 0x0F00),  # Thai, Lao
    range(0x0F00, 0x10A0),  # Tibetan, Burmese
    range(0x1780, 0x1800),  # Khmer
    range(0x2E80, 0x3130),  # radicals, kana, bopomofo
    range(0x31A0, 0xA000),  # ideographs and related blocks
    range(0xF900, 0xFB00),
    range(0x20000, 0x32000),
)
"""Scripts without spaces between words, in normalised text."""


class Word(Struct, frozen=True):
    """A word in a normalised text: letters, numbers and marks in sequence, with start and end index."""

    text: str
    start: int
    end: int


def normalised(text: str) -> str:
    """Returns `text` in small letters without accents, strokes, letter styles and widths: Łódź → lodz.

    A normalised text stays the same.
    """
    return text.lower() if text.isascii() else "".join(map(_letter, text))


def source_positions(text: str) -> Sequence[int]:
    """Returns each normalised character's index in the original `text`, then the original's length.

    So a match in the normalised text can be shown in the original.
    """
    if text.isascii():
        return range(len(text) + 1)
    return [*(place for place, letter in enumerate(text) for _ in _letter(letter)), len(text)]


@lru_cache(maxsize=8192)
def _letter(character: str) -> str:
    if character in APOSTROPHES:
        return "'"
    bare = without_accents(unicodedata.normalize("NFKD", character)).casefold()
    return "".join(map(base_letters, without_accents(unicodedata.normalize("NFKD", bare))))


@lru_cache(maxsize=8192)
def base_letters(letter: str) -> str:
    """Returns the plain letters for a small Latin letter: l for ł, ae for æ; other characters unchanged."""
    if letter.isascii():
        return letter
    found = re.fullmatch(_LATIN, unicodedata.name(letter, ""))
    return _ALONE.get(letter, found[1].lower() if found else letter)


def words(text: str) -> Iterator[Word]:
    """Yields the words of a normalised text, split as the search index splits them."""
    start = None
    for place, character in enumerate(text):
        if _in_word(character):
            start = place if start is None else start
        elif start is not None:
            yield Word(text[start:place], start, place)
            start = None
    if start is not None:
        yield Word(text[start:], start, len(text))


def count_words(text: str) -> int:
    """Returns the number of words in a text; in scripts without spaces each letter counts as a word."""
    return sum(sum(map(is_unspaced, word.text)) or 1 for word in words(normalised(text)))


@lru_cache(maxsize=8192)
def _in_word(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in _WORDS or category == _PRIVATE


@lru_cache(maxsize=8192)
def is_unspaced(character: str) -> bool:
    """True for a letter or digit of a script without spaces between words."""
    return (
        any(ord(character) in script for script in _UNSPACED) and unicodedata.category(character)[0] in "LN"
    )


class Term(Struct, frozen=True):
    """A normalised search term: words in sequence, of which the last may be the beginning of a word.

    With `part` it is any sequence of characters, also inside words.
    """

    text: str
    part: bool
    """True if the term may match inside a word: always in scripts without spaces, and for symbols."""


Span = tuple[int, int]
"""Start and end of a match in a text."""


def parse_terms(typed: Iterable[str], *, parts: bool = False) -> tuple[Term, ...]:
    """Returns a search term for each typed word or quoted phrase, normalised; blank ones are dropped.

    With `parts`, they also match inside words. There are no operators.
    """
    found = (" ".join(normalised(phrase).split()) for phrase in typed)
    return tuple(
        Term(text, parts or (any(map(is_unspaced, text)) or next(words(text), None) is None))
        for text in found
        if text
    )


def find_matches(text: str, sought: Sequence[Term]) -> tuple[Span, ...]:
    """Returns (start, end) of each match in `text`, sorted, overlapping ones merged.

    Empty unless each term in `sought` matches.
    """
    fold = normalised(text)
    each = [list(_matches(fold, term)) for term in sought]
    if not all(each):
        return ()
    back = source_positions(text)
    return tuple(
        _merged(sorted((back[start], _end(back, end)) for stretch in each for start, end in stretch))
    )


def _end(back: Sequence[int], end: int) -> int:
    """Returns the end in the original text of a match that ends at `end` in the normalised text.

    A match that ends inside a letter (æ → ae) includes the whole letter.
    """
    return back[end - 1] + 1 if back[end] == back[end - 1] else back[end]


def _matches(fold: str, term: Term) -> Iterator[Span]:
    if term.part:
        start = fold.find(term.text)
        while start >= 0:
            yield start, start + len(term.text)
            start = fold.find(term.text, start + len(term.text))
        return
    wanted = [word.text for word in words(term.text)]
    found_words = list(words(fold))
    for first in range(len(found_words) - len(wanted) + 1):
        here = found_words[first : first + len(wanted)]
        if _words_match(here, wanted):
            yield here[0].start, here[-1].start + len(wanted[-1])


def _words_match(found_words: Sequence[Word], wanted: Sequence[str]) -> bool:
    *before, last = wanted
    return found_words[-1].text.startswith(last) and [word.text for word in found_words[:-1]] == before


def _merged(stretches: Iterable[Span]) -> Iterator[Span]:
    """Merges (start, end) pairs that touch or overlap; takes them sorted and yields them in that order."""
    held: Span | None = None
    for start, end in stretches:
        if held is None:
            held = (start, end)
        elif start <= held[1]:
            held = (held[0], max(held[1], end))
        else:
            yield held
            held = (start, end)
    if held is not None:
        yield held


def has_part(words: str, part: str) -> bool:
    """True if `words` contains `part`, apart from case and blanks."""
    return " ".join(part.casefold().split()) in " ".join(words.casefold().split())
