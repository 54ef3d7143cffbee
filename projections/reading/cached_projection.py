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
T = TypeVar("T")

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
        values = cache_of(reading, f"{self.name} {whose(reading.viewer)}", self.sort)
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
        # Not with a guest's game in play: its code may change, which would make cached values wrong.
        may_keep = reading.position >= after + BEYOND and reading.table.games().issubset(BUILT_IN)
        if values is not None and may_keep:
            row = reading.past.row(reading.position)
            if row is not None:
                values.keep(row.line, row.position, row.hash, value)
                if reading.tables.is_shared(row.position):
                    reading.campaign.tables.keep(reading.line, row.head, reading.table)
        return value

    def _still_holds(self, reading: LineView, position: int) -> bool:
        if not reading.past.amendments.holds(position):
            return False
        return (reading.viewer.gm or reading.holds(position)) and self.holds(reading, position)


def cache_of(
    reading: LineView, name: str, sort: type[T], *, most: int | None = None
) -> ProjectionCache[T] | None:
    """Returns the cache of what projections make under a name, of the type `sort`; None without a cache."""
    cache, code = reading.campaign.snapshots, digest_of(str(Path(projections.__file__).parent))
    name = " ".join((name, *(f"without {person}" for person in sorted(reading.sight.opponents))))
    return None if cache is None else ProjectionCache(cache, name, sort, code, most=most)


def whose(viewer: Viewer) -> str:
    """Returns a name for the viewer's cached values: `gm`, `table`, or a person's ids."""
    if viewer.gm:
        return "gm"
    return "table" if viewer.person is None else " ".join(map(str, (viewer.person, *sorted(viewer.also))))
