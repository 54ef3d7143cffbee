"""Display width of text, and wrapping into columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final

NARROW: Final = re.compile(r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2660\u2663\u2665\u2666]*")
"""Single-column characters without blanks other than space: nearly all wrapped text."""


def width(text: str) -> int:
    """Width in columns: wide characters count two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_wide, text))


def cut(text: str, columns: int, ellipsis: str = "…") -> str:
    """Text shortened to `columns`, with an ellipsis if anything was cut."""
    if width(text) <= columns:
        return text
    room = columns - width(ellipsis)
    end = next(place for place, used in enumerate(accumulate(map(_wide, text))) if used > room)
    return text[:end] + ellipsis


@lru_cache(maxsize=4096)
def _wide(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, columns: int, indent: str = "", hanging: str | None = None) -> str:
    """Text wrapped to lines of at most `columns`; its own line ends are kept.

    Lines break at blanks, and between wide characters. A word longer than a line is cut. `indent` stands
    before every line, `hanging` (if given) before all but the first.
    """
    if len(indent) + len(text) <= columns and NARROW.fullmatch(text) and " ".join(text.split()) == text:
        return indent + text  # which is most lines, and quick
    following = indent if hanging is None else hanging
    lines: list[str] = []
    for line in text.split("\n"):
        first = following if lines else indent
        break_up = _broken_narrow if NARROW.fullmatch(first + following + line) else _broken
        lines += break_up(line, columns, first, following)
    return "\n".join(lines)


def _broken_narrow(line: str, columns: int, indent: str, following: str) -> Iterator[str]:
    """Like `_broken`, for text of single-column characters: word by word, and many times as fast."""
    room = max(columns - max(len(indent), len(following)), 1)
    current, empty = indent, True
    for word in line.split():
        blank = not empty
        for start in range(0, len(word), room):
            piece = word[start : start + room]
            if not empty and len(current) + blank + len(piece) > columns:
                yield current
                current, empty, blank = following, True, False
            current += f" {piece}" if blank else piece
            empty = blank = False
    yield current.rstrip() if empty else current


def _broken(line: str, columns: int, indent: str, following: str) -> Iterator[str]:
    current, empty, blank = indent, True, False
    for piece in _pieces(line, columns - max(width(indent), width(following))):
        if piece == " ":
            blank = not empty
            continue
        if not empty and width(current) + blank + width(piece) > columns:
            yield current
            current, empty, blank = following, True, False
        current += (" " if blank else "") + piece
        empty = blank = False
    yield current.rstrip() if empty else current


def _pieces(line: str, columns: int) -> Iterator[str]:
    """Yields words, single wide characters and blanks; words longer than a line are cut."""
    word = ""
    for character in line:
        if character in " \t":
            yield from filter(None, (word, " "))
            word = ""
        elif _wide(character) == 2 or (word and width(word) >= columns and _wide(character)):  # noqa: PLR2004 -- wide
            yield from filter(None, (word,))
            word = character
        elif _wide(character) and len(word) and _wide(word[0]) == 2:  # noqa: PLR2004 -- as above
            yield word
            word = character
        else:
            word += character
    yield from filter(None, (word,))
