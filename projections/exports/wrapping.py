"""Text in columns: how wide it is on a terminal, and where its lines break."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache


def width(text: str) -> int:
    """The columns a text takes: two for wide characters, none for what is written over another."""
    return len(text) if text.isascii() else sum(map(_wide, text))


@lru_cache(maxsize=4096)
def _wide(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, columns: int, indent: str = "", hanging: str | None = None) -> str:
    """The text in lines of at most `columns`, its own line ends kept.

    Lines break at blanks, and between wide characters, which are written without. What is longer than a line
    is cut. `indent` stands before every line, `hanging` (if given) before all but the first.
    """
    if len(indent) + len(text) <= columns and text.isascii() and " ".join(text.split()) == text:
        return indent + text  # which is most lines, and quick
    following = indent if hanging is None else hanging
    lines: list[str] = []
    for line in text.split("\n"):
        lines += _broken(line, columns, following if lines else indent, following)
    return "\n".join(lines)


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
    """Words, single wide characters, and blanks as one; a piece longer than a line in parts."""
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
