"""Measuring text without a known typeface: upper bounds of lengths; shortening and wrapping by these."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

ELLIPSIS: Final = "…"

# Widths as shares of the font size, each from the wider of two common faces (DejaVu Sans, Liberation Sans).
_THIN, _SLIM, _CAPITAL, _BROAD, _BROADEST, _OTHER, _PICTOGRAPH = 0.41, 0.57, 0.8, 0.88, 1.02, 1.1, 1.3
_SMALL: Final = 0.65
_BOLD: Final = 1.12
_LETTERS: Final = re.compile(
    r"(?s).(?:[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u1ab0-\u1aff\u20d0-\u20ff"
    r"\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]|\u200d.)*"
)
"""A letter with its combining marks, or a joined pictograph; never split."""
_SIZES: Final = {
    **dict.fromkeys(" !'(),-./:;I[\\]ijl|ft", _THIN),
    **dict.fromkeys('"*_`rsJ', _SLIM),
    **dict.fromkeys("#+<=>^~Mw", _BROAD),
    **dict.fromkeys("@Wm%", _BROADEST),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&", _CAPITAL),
}


def text_length(text: str, size: float, *, bold: bool = False) -> float:
    """Returns an upper bound of the text's length in usual typefaces, in the unit of the font size `size`."""
    return sum(map(_part, unicodedata.normalize("NFD", text))) * size * (_BOLD if bold else 1)


@lru_cache(maxsize=4096)
def _part(letter: str) -> float:
    if letter.isascii():
        return _SIZES.get(letter, _SMALL)
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    return _PICTOGRAPH if category == "So" else _OTHER


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Returns text cut to fit `room`, with an ellipsis; unchanged if it fits."""
    if text_length(text, size, bold=bold) <= room:
        return text
    room -= text_length(ELLIPSIS, size, bold=bold)
    kept = ""
    for letter in _LETTERS.findall(text):
        if text_length(kept + letter, size, bold=bold) > room:
            break
        kept += letter
    return kept.rstrip() + ELLIPSIS


def on_two_lines(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """Returns text on at most two text lines, broken at a blank; the last is shortened if necessary."""
    words = text.split(" ")
    firsts = (" ".join(words[:number]) for number in range(len(words) - 1, 0, -1))
    first = next((start for start in firsts if text_length(start, size, bold=bold) <= room), "")
    if not first or text_length(text, size, bold=bold) <= room:
        return (shortened(text, room, size, bold=bold),)
    return first, shortened(text[len(first) + 1 :], room, size, bold=bold)


def packed(widths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """Returns indices of items by row, in order; a row holds as many as fit in `room`, `gap` between two."""
    rows: list[list[int]] = []
    filled = 0.0
    for number, width in enumerate(widths):
        if rows and filled + gap + width <= room:
            rows[-1].append(number)
            filled += gap + width
        else:
            rows.append([number])
            filled = width
    return rows


def wrapped(text: str, room: float, size: float) -> tuple[str, ...]:
    """Returns text in text lines that fit `room`; line breaks in the text are kept.

    Breaks at blanks and between wide letters (such as Chinese ones); longer words are cut.
    """
    return tuple(line for typed in text.split("\n") for line in _wrapped(typed, room, size))


def _wrapped(text: str, room: float, size: float) -> Iterator[str]:
    line, long, blank = "", 0.0, False
    gap = text_length(" ", size)
    for piece in _pieces(text, room, size):
        if piece == " ":
            blank = bool(line)
            continue
        more = text_length(piece, size)
        if line and long + blank * gap + more > room:
            yield line
            line, long, blank = "", 0.0, False
        line += f" {piece}" if blank else piece
        long += blank * gap + more
        blank = False
    yield line


def _pieces(text: str, room: float, size: float) -> Iterator[str]:
    """Yields words, single blanks, and wide letters with their marks, none longer than `room`."""
    word, long = "", 0.0
    for letter in _LETTERS.findall(text):
        more = text_length(letter, size)
        if letter.isspace():
            yield from filter(None, (word, " "))
            word, long = "", 0.0
        elif word and (long + more > room or _is_wide(letter) or _is_wide(word)):
            yield word
            word, long = letter, more
        else:
            word, long = word + letter, long + more
    yield from filter(None, (word,))


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter[0]) in "WF" and unicodedata.category(letter[0]) in ("Lo", "So")
