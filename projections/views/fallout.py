"""Fallout: whose tracks are marked and how far, and what each full row means."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.capabilities import Picture
from journal.table import Table
from projections.views.naming import Who
from projections.views.rows import of_people, out_of
from projections.views.sheet import NOBODY, Row, Seen, Sheet

UNNAMED = "not named yet"


class Track(NamedTuple):
    """One track of a game; `full` of its `rows` are full.

    `boxes` and `full` are null until it is known how many boxes a row has.
    """

    system: str
    who: Who
    track: str
    points: int
    boxes: int | None
    full: int | None
    rows: int
    conditions: tuple[str | None, ...]


class Fallout(Seen, frozen=True):
    """Every track: `{"tracks": [{"system", "who", "track", "points", "boxes", …}]}`."""

    view: ClassVar[str] = "fallout"
    tracks: tuple[Track, ...]

    def sheet(self) -> Sheet:
        """A row for each track."""
        rows = tuple(
            Row.keyed(
                (track.who.name, track.track),
                out_of(track.points, track.boxes),
                NOBODY if track.full is None else f"{track.full}/{track.rows}",
                "; ".join(one or UNNAMED for one in track.conditions) or NOBODY,
            )
            for track in self.tracks
        )
        return Sheet("Fallout", ("Who", "Track", "Boxes", "Full rows", "Conditions"), rows)


def of(table: Table) -> Fallout:
    """The fallout at this table, person by person."""
    return Fallout(
        tuple(
            Track(system, who, row.what, row.value, row.most, row.full, row.rows, row.words)
            for system, who, row in of_people(table, Picture.FALLOUT)
        )
    )
