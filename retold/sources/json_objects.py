"""Objects of a JSON text, told by its brackets: the second counter of readers whose logs are JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_MOST: Final = 2
"""Brackets around the objects that are told."""


def around_objects(text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields for each object with at most two brackets around it those brackets, the outermost first.

    Each has the text before it: its quoted name, or another bracket. The text may be broken.
    """
    around: list[tuple[str, str]] = []
    last = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign[0] == '"':
            pass  # most tokens are strings
        elif sign in "{[":
            if sign == "{" and len(around) <= _MOST:
                yield tuple(around)
            around.append((sign, last))
        elif around:
            around.pop()
        last = sign
