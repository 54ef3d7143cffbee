"""What one reader is told of the line that is played, as it grows: what came, and what is no longer so."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from journal.store.standing import REVEALING
from projections.reading import Reading as Read
from projections.reading import Viewer


class News(NamedTuple):
    """What is new for a reader since they were told last."""

    gone: int
    """How many of the last events they were told no longer are, or read otherwise."""
    position: int
    """The position up to which the line is told by now."""
    after: int
    """What came stands after this position."""


@dataclass(slots=True)
class Told:
    """Where the events stand that a reader has been told of."""

    line: int = 0
    position: int = 0
    viewer: Viewer | None = None
    positions: list[int] = field(default_factory=list)

    def news(self, reading: Read) -> News:
        """What is new in this reading, and from now on told."""
        after = self._first_changed(reading) - 1
        known = bisect_right(self.positions, after)
        gone = len(self.positions) - known
        del self.positions[known:]
        self.line, self.position, self.viewer = reading.line, reading.position, reading.viewer
        return News(gone, reading.position, after)

    def _first_changed(self, reading: Read) -> int:
        """The first position at which something is otherwise than it was told, or new."""
        if (reading.line, reading.viewer) != (self.line, self.viewer):
            return 1
        return min((self.position + 1, *_reached(reading, self.position)))


def _reached(reading: Read, after: int) -> Iterator[int]:
    """The positions that something recorded later than `after` changes, or shows to more people."""
    yield from (first for first, at in reading.past.stands.reaches if at > after)
    for row in reading.past.rows(after, kinds=REVEALING):
        yield json.loads(row.body)["data"]["about"]
