"""An event as it is stored, before anybody has read it."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """An event as it is stored."""

    line: int
    position: int
    kind: str
    body: str
    words: str | None
    hash: bytes


class Draft(NamedTuple):
    """An event ready to be chained and stored."""

    kind: str
    body: str
    words: str | None
