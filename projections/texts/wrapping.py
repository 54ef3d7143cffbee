"""Width of text on a terminal, and wrapping of text into lines of a given width."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

NARROW: Final = re.compile(
    r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u25fc\u2660\u2663\u2665\u2666]*"
)
"""Characters of one column each, with no blank but the space: nearly every text, told without wcwidth."""

WIDE: Final = 2
"""Columns of a wide character, such as a Chinese one or an emoji."""


def width(text: str) -> int:
    """Returns a text's columns on a terminal: 2 for a wide character or emoji, 0 for a combining mark."""
    return len(text) if text.isascii() or NARROW.fullmatch(text) else _columns(text)


def cut(text: str, columns: int, ellipsis: str = "…") -> str:
    """Returns the text, or its beginning and an ellipsis if it is wider than `columns`.

    A character and its combining marks, or the parts of an emoji, are kept together.
    """
    if width(text) <= columns:
        return text
    room = columns - width(ellipsis)
    if NARROW.fullmatch(text):
        return text[: max(room, 0)] + ellipsis
    characters = _characters(text)
    ends = accumulate(map(_columns, characters))
    return "".join(characters[: sum(end <= room for end in ends)]) + ellipsis


def _columns(text: str) -> int:
    from wcwidth import width as columns  # noqa: PLC0415 -- slow to load, and most texts are narrow

    return columns(text, control_codes="ignore")


def _characters(text: str) -> list[str]:
    """Splits a text into the characters a reader sees, each with its combining marks."""
    from wcwidth import iter_graphemes  # noqa: PLC0415 -- as above

    return [*iter_graphemes(text)]


def wrap(text: str, columns: int, indent: str = "", hanging: str | None = None) -> str:
    """Returns the text wrapped to lines of at most `columns`; its own line ends and indents are kept.

    Lines break at blanks, and between wide characters. A word longer than a line is cut. `indent` precedes
    every line, `hanging` (if given) before all but the first.
    """
    if len(indent) + len(text) <= columns and NARROW.fullmatch(text) and " ".join(text.split()) == text:
        return indent + text  # fast path for most lines
    following = indent if hanging is None else hanging
    lines: list[str] = []
    for line in text.split("\n"):
        own = line[: len(line) - len(line.lstrip(" "))][: columns // 2]
        first = (following if lines else indent) + own
        words, room = line.split(), columns - max(len(first), len(following))
        is_narrow = NARROW.fullmatch(first + following + line) and max(map(len, words), default=0) <= room
        lines += (
            _broken_narrow(" ".join(words), columns, first, following)
            if is_narrow
            else _broken(line, columns, first, following)
        )
    return "\n".join(lines)


def _broken_narrow(rest: str, columns: int, indent: str, following: str) -> Iterator[str]:
    """Yields the pieces of a text line wrapped to `columns`; every character must be one column wide.

    No word may be longer than a line. Many times as fast as `_broken`, which takes any text.
    """
    while len(indent) + len(rest) > columns:
        end = rest.rindex(" ", 0, columns - len(indent) + 1)
        yield indent + rest[:end]
        rest, indent = rest[end + 1 :], following
    yield indent + rest if rest else indent.rstrip()


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
    """Yields the words, single wide characters and blanks of a text line; overlong words are cut."""
    word = ""
    for character in _characters(line):
        taken = width(character)
        if character in " \t":
            yield from filter(None, (word, " "))
            word = ""
        elif taken == WIDE or (word and width(word) >= columns and taken):
            yield from filter(None, (word,))
            word = character
        elif taken and word and width(_characters(word)[0]) == WIDE:
            yield word
            word = character
        else:
            word += character
    yield from filter(None, (word,))
