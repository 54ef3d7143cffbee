"""An event as it is stored, before anybody has read it, and where it lies."""

from __future__ import annotations

from typing import Final, NamedTuple


class Row(NamedTuple):
    """An event as it is stored."""

    line: int
    position: int
    kind: str
    body: str
    words: str | None
    hash: bytes

    @property
    def head(self) -> Head:
        """Where a line ends whose last event this is."""
        return Head(self.position, self.hash)


class Draft(NamedTuple):
    """An event ready to be chained and stored."""

    kind: str
    body: str
    words: str | None


class Head(NamedTuple):
    """Where a line ends: its last position (0 for none yet) and that event's hash."""

    position: int
    hash: bytes


NOTHING: Final = Head(0, b"")
"""The end of what has not begun."""


class Segment(NamedTuple):
    """Positions `after`+1 to `upto` of a line are stored on stream `line`; None is as far as it goes."""

    line: int
    after: int
    upto: int | None
