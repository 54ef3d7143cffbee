"""Text as it is looked for: folded letter by letter, so that a find has its place in what was typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def normalised(text: str) -> str:
    """`text` without case, accents, strokes, styles or widths of letters; what was folded stays as it is."""
    return text.lower() if text.isascii() else "".join(map(_letter, text))


def source_positions(text: str) -> Sequence[int]:
    """For each character of the folded text the place in `text` it came from, and the end after the last."""
    if text.isascii():
        return range(len(text) + 1)
    return [*(place for place, letter in enumerate(text) for _ in _letter(letter)), len(text)]


@lru_cache(maxsize=8192)
def _letter(character: str) -> str:
    if character in APOSTROPHES:
        return "'"
    bare = _bare(unicodedata.normalize("NFKD", character)).casefold()
    return "".join(map(base_letters, _bare(unicodedata.normalize("NFKD", bare))))


@lru_cache(maxsize=8192)
def base_letters(letter: str) -> str:
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


def count_words(text: str) -> int:
    """How many words a text has; each letter of a script that puts no blanks between them is one."""
    return sum(sum(map(is_unspaced, word.text)) or 1 for word in words(normalised(text)))


@lru_cache(maxsize=8192)
def _in_word(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in _WORDS or category == _PRIVATE


@lru_cache(maxsize=8192)
def is_unspaced(character: str) -> bool:
    """True for a letter, and no mark, of a script that puts no blank between words."""
    return (
        any(ord(character) in script for script in _UNSPACED) and unicodedata.category(character)[0] in "LN"
    )


class Term(NamedTuple):
    """One thing looked for, folded: words next to each other of which the last may go on, or any part."""

    text: str
    part: bool
    """True where it may lie within a word: always in scripts without blanks, and for what is no word."""


Span = tuple[int, int]
"""Where a match begins in a text, and where it ends."""


def parse_terms(typed: Iterable[str], *, parts: bool = False) -> tuple[Term, ...]:
    """What was typed as terms, each word on its own and what was quoted together; `parts` looks in words too.

    Nothing in it is an operator, and blanks alone are no term.
    """
    found = (" ".join(normalised(one).split()) for one in typed)
    return tuple(Term(text, parts or _is_part(text)) for text in found if text)


def _is_part(text: str) -> bool:
    return any(map(is_unspaced, text)) or next(words(text), None) is None


def find_matches(text: str, sought: Sequence[Term]) -> tuple[Span, ...]:
    """Where `text` matches the terms, in order and without overlaps; nowhere unless it matches all."""
    fold = normalised(text)
    each = [list(_found(fold, term)) for term in sought]
    if not all(each):
        return ()
    back = source_positions(text)
    return tuple(
        _merged(sorted((back[start], _end(back, end)) for stretch in each for start, end in stretch))
    )


def _end(back: Sequence[int], end: int) -> int:
    """Where in a text a match ends: after the whole letter that its last folded character came from."""
    return back[end - 1] + 1 if back[end] == back[end - 1] else back[end]


def _found(fold: str, term: Term) -> Iterator[Span]:
    if term.part:
        start = fold.find(term.text)
        while start >= 0:
            yield start, start + len(term.text)
            start = fold.find(term.text, start + len(term.text))
        return
    wanted = [word.text for word in words(term.text)]
    said = list(words(fold))
    for first in range(len(said) - len(wanted) + 1):
        here = said[first : first + len(wanted)]
        if _words_match(here, wanted):
            yield here[0].start, here[-1].start + len(wanted[-1])


def _words_match(said: Sequence[Word], wanted: Sequence[str]) -> bool:
    *before, last = wanted
    return said[-1].text.startswith(last) and [word.text for word in said[:-1]] == before


def _merged(stretches: Iterable[Span]) -> Iterator[Span]:
    """The stretches with those that touch made into one."""
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
