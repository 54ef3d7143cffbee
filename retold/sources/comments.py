"""Comments in a page of Markdown, which those who see the page do not see."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, NamedTuple

_OPENED: Final = re.compile(
    r"(?P<front>\A---[ \t]*\n(?:[^\n]*\n){0,500}?---[ \t]*$)"
    r"|^[ >\t]{0,20}(?P<fence>`{3,40}|~{3,40}) ?(?P<info>[\w+.-]{0,40})[^`\n]{0,200}$"
    r"|(?P<sign>%%|<!--)",
    re.MULTILINE,
)
_CLOSING: Final = {"%%": "%%", "<!--": "-->"}
_QUOTED: Final = re.compile(r"^[ \t]*> ?", re.MULTILINE)


class Comment(NamedTuple):
    """Comment of a page."""

    first: int
    """Number of its first line."""
    last: int
    words: str
    raw: str
    """Its words with the signs around them."""
    pieces: int
    """Number of lines that have nothing but comments, and that no comment above counts."""


def without_comments(
    text: str, notations: Container[str] = (), blank: str | None = None
) -> tuple[list[str], list[Comment]]:
    """Lines of a page, as many as before, without its comments; and the comments.

    A block of code has none, unless it is of a notation. A comment that never ends is the rest of its line.
    `blank` are the signs that make no line of words, by default blanks.
    """
    spans = _spans(text, notations)
    told: list[str] = []
    at = 0
    for start, _, end in spans:
        before = text[at:start]
        told += [
            before.rstrip(" ") if text[end : end + 1] in " \n" else before,
            "\n" * text.count("\n", start, end),
        ]
        at = end
    lines, cut = text.split("\n"), "".join([*told, text[at:]]).split("\n")
    bare = {
        place
        for place, (line, rest) in enumerate(zip(lines, cut, strict=True))
        if line != rest and not rest.strip(" \t>")
    }
    found: list[Comment] = []
    at = number = 0
    counted: set[int] = set()
    for start, sign, end in spans:
        first = number + text.count("\n", at, start)
        at, number = end, first + text.count("\n", start, end)
        mine = {place for place in range(first, number + 1) if place in bare and lines[place].strip(blank)}
        raw = text[start:end]
        words = _QUOTED.sub("", raw[len(sign) :].removesuffix(_CLOSING[sign])).strip()
        found.append(Comment(first + 1, number + 1, words, raw, len(mine - counted)))
        counted |= mine
    return ["" if place in bare else line for place, line in enumerate(cut)], found


def _spans(text: str, notations: Container[str]) -> list[tuple[int, str, int]]:
    """Start, sign and end of each comment."""
    lasts = {sign: text.rfind(closing) for sign, closing in _CLOSING.items()}
    found = []
    at = 0
    while opened := _OPENED.search(text, at):
        at = opened.end()
        if opened["fence"] and opened["info"].casefold() not in notations:
            closing = re.compile(rf"^[ >\t]{{0,20}}{opened['fence']}[`~]*[ \t]*$", re.MULTILINE).search(
                text, at
            )
            at = closing.end() if closing else len(text)
        sign = opened["sign"]
        if sign:
            is_whole = lasts[sign] >= at
            at = text.index(_CLOSING[sign], at) + len(_CLOSING[sign]) if is_whole else text.find("\n", at)
            at = len(text) if at < 0 else at
            found.append((opened.start(), sign, at))
    return found
