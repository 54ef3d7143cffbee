"""Cached projections: values computed event by event (such as statistics), stored, and brought up to date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct

from retold import projections
from retold.journal.games import BUILT_IN
from retold.journal.store.caches.projection_cache import ProjectionCache
from retold.journal.store.caches.snapshots import digest_of, nearest
from retold.projections.reading.line_view import LineView
from retold.projections.reading.viewers import Viewer

S = TypeVar("S", bound=Struct)

BEYOND: Final = 200
"""Minimum number of events past the last cached value before another one is cached."""


def _always(_reading: LineView, _position: int) -> bool:
    return True


@dataclass(frozen=True)
class Projection(Generic[S]):
    """A value (such as statistics) computed from a branch's events for one viewer, cached with the campaign.

    The cache stores each value with its event position; a later read applies only newer events to it. A
    cached value is dropped if an event it was computed from was undone, reworded or revealed since.
    """

    name: str
    sort: type[S]
    """Type of the value; its field defaults are the value before any event."""
    hear: Callable[[S, LineView, int], None]
    """Updates a value in place by the events recorded past a position."""
    holds: Callable[[LineView, int], bool] = _always
    """False if an event past a position changed something the value was folded from."""

    def of(self, reading: LineView) -> S:
        """Returns this projection's value at the position of `reading`, for the viewer of `reading`.

        Starts from the nearest cached value; caches the new value if `BEYOND` or more events lie between the
        two.
        """
        values = self._values(reading)
        after, value = 0, None
        if values is not None:
            after, value = nearest(
                reading.past.record,
                reading.line,
                reading.position,
                lambda position: self._still_holds(reading, position),
                values,
            )
        value = self.sort() if value is None else value
        if after < reading.position:
            self.hear(value, reading, after)
        if values is not None and reading.position >= after + BEYOND and self._may_keep(reading):
            row = reading.past.row(reading.position)
            if row is not None:
                values.keep(row.line, row.position, row.hash, value)
                if reading.tables.is_shared(row.position):
                    reading.campaign.tables.keep(reading.line, row.head, reading.table)
        return value

    def _may_keep(self, reading: LineView) -> bool:
        """False if a guest's game is in play: its code may change, which would make cached values wrong."""
        return reading.table.games().issubset(BUILT_IN)

    def _values(self, reading: LineView) -> ProjectionCache[S] | None:
        """Returns the cache of this projection's values.

        None without a cache.
        """
        cache = reading.campaign.snapshots
        if cache is None:
            return None
        code = digest_of(str(Path(projections.__file__).parent))
        return ProjectionCache(cache, f"{self.name} {_whose(reading.viewer)}", self.sort, code)

    def _still_holds(self, reading: LineView, position: int) -> bool:
        if not reading.past.amendments.holds(position):
            return False
        return (reading.viewer.gm or reading.holds(position)) and self.holds(reading, position)


def _whose(viewer: Viewer) -> str:
    if viewer.gm:
        return "gm"
    return "table" if viewer.person is None else " ".join(map(str, (viewer.person, *sorted(viewer.also))))
