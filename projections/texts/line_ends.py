"""Line ends within texts: those typed for the reader, and those of a program that wraps lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

BETWEEN_PARAGRAPHS: Final = re.compile(r"(\n[ \t]*\n\s*)")
"""Empty lines between two paragraphs, kept by a split: every other part of it is a paragraph."""


def paragraphs(text: str) -> list[str]:
    """Splits a text at its empty lines; returns at least one paragraph."""
    return BETWEEN_PARAGRAPHS.split(text)[::2]


def reflowed(text: str) -> str:
    """Returns text with the lines of each paragraph joined; empty lines separate paragraphs."""
    if "\n" not in text:
        return text
    parts = paragraphs(text.replace("\r\n", "\n"))
    return "\n\n".join(re.sub(r"[ \t]*\n[ \t]*", " ", part) for part in parts)


_SHORTEST_WRAPPED: Final = 64
"""Letters of the longest line of a paragraph that a program wrapped; lines of verse are seldom so long."""
_SHORTEST_FIRST: Final = 40
"""Letters of its first line, which is shorter than the others by the verb and the name before it."""

_RAGGED: Final = 8
"""Letters by which a line wrapped by hand is shorter than it could be."""


def unwrapped(text: str) -> str:
    """Returns text in which the lines of a paragraph are joined if a program wrapped them.

    Other line ends stay: those of verse, letters and lists. Empty lines separate paragraphs.
    """
    if "\n" not in text:
        return text
    parts = paragraphs(text.replace("\r\n", "\n"))
    told = ([line.rstrip() for line in part.split("\n")] for part in parts)
    return "\n\n".join(
        " ".join(map(str.strip, lines)) if _is_wrapped(lines) else "\n".join(lines) for lines in told
    )


def _is_wrapped(lines: Sequence[str]) -> bool:
    """True if each line is as long as the longest allows, and one of them ends inside a sentence."""
    widest = max(map(len, lines))
    if widest < _SHORTEST_WRAPPED or len(lines[0]) < _SHORTEST_FIRST:
        return False
    ends = [(line, after.split()[0]) for line, after in pairwise(lines) if line and after]
    is_full = all(len(line) + 1 + len(word) > widest - _RAGGED for line, word in ends[1:])
    return is_full and any(line[-1] not in ".!?\u2026:" and word[0].islower() for line, word in ends)
