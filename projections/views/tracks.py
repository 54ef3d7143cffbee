"""Tracks view: clocks, boxes and counters; also the views of points, health and fallout."""

from __future__ import annotations

from typing import NamedTuple

from retold.journal.capabilities import Picture
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.projections.reading import LineView
from retold.projections.views.naming import Who, conflict_title, who
from retold.projections.views.rows import Kept, is_track, of_people, out_of, rows
from retold.projections.views.sheet import NOBODY, Row, Seen
from retold.projections.views.stress import boxes


class TrackSeen(NamedTuple):
    """A clock, row of boxes or counter; `who` is a person, a thing's name, or null without an owner.

    `picture` is its drawing, `boxes` the marked ones, null without boxes. `conflict` and `title` are null for
    a track that outlives conflicts; `game` is the game's current name.
    """

    system: str
    conflict: int | None
    title: str | None
    who: Who | str | None
    what: str
    value: int
    most: int | None
    out: bool
    picture: Picture
    boxes: tuple[int, ...] | None
    words: tuple[str | None, ...]
    game: str

    @property
    def whose(self) -> str:
        """Owner's name for a table cell; without an owner, the conflict's title, or the game's name."""
        return self.who.name if isinstance(self.who, Who) else self.who or self.title or self.game

    @property
    def about(self) -> tuple[str, str]:
        """Key of the table row: owner and track name; unlike `whose`, it survives a renaming of the game."""
        return (self.system if self.who is None and self.title is None else self.whose, self.what)

    def stands(self) -> str:
        """Returns the current value as text: `[x][ ][ ]`, `2/6` or `3`, then `(out)` and words, if any."""
        if self.boxes is not None and self.most is not None:
            value = boxes(self.boxes, self.most)
        else:
            value = out_of(self.value, self.most)
        words = "; ".join(filter(None, self.words))
        return " · ".join(filter(None, (f"{value} (out)" if self.out else value, words)))

    def row(self) -> Row:
        """Returns this track as a table row."""
        return Row(self.about, (self.whose, self.what, self.stands()))


class Tracks(Seen, frozen=True):
    """Answer of the tracks view: clocks, boxes and counters.

    JSON: `{"tracks": [{"system", "conflict", "title", "who", "what", "value", "most", …}]}`.
    """

    view = "tracks"
    title = "Tracks"
    columns = ("Who", "What", "Now")
    tracks: tuple[TrackSeen, ...]


def of(table: Table) -> Tracks:
    """Returns the tracks of a table: clocks (segments that fill up), rows of boxes to tick, and counters.

    Points, health, stress and fallout (harm, in Guenašk) are left out, as they have views of their own.
    """
    return Tracks(tuple(_seen(table, kept) for kept in rows(table) if is_track(kept.row)))


def every(reading: LineView) -> Tracks:
    """Returns clocks, boxes and counters, with health as well in games that have a verb for setting it."""
    table = reading.table
    return Tracks(
        tuple(
            _seen(table, kept)
            for kept in rows(table)
            if is_track(kept.row)
            or (kept.row.picture is Picture.HEALTH and SYSTEMS[kept.system].keeps is not None)
        )
    )


def every_row(table: Table) -> Tracks:
    """Returns every counter of a table, points, health and stress included."""
    return Tracks(tuple(_seen(table, kept) for kept in rows(table)))


def _seen(table: Table, kept: Kept) -> TrackSeen:
    row, conflict = kept.row, kept.conflict
    return TrackSeen(
        kept.system,
        None if conflict is None else conflict.id,
        None if conflict is None else conflict_title(conflict, table),
        who(table, row.who) if isinstance(row.who, int) else row.who,
        row.what,
        row.value,
        row.most,
        row.out,
        row.picture,
        row.marked if row.picture is Picture.BOXES else row.boxes,
        row.words,
        SYSTEMS[kept.system].called(table),
    )


class PurseSeen(NamedTuple):
    """A person's points of one kind, such as fate points; `most` is their maximum.

    `given` is the number last dealt to the person; None in a game that deals none. `game` is the game's
    current name.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    given: int | None
    game: str

    def row(self) -> Row:
        """Returns these points as a table row."""
        return _person_row(self, out_of(self.value, self.most))


def _person_row(one: PurseSeen | VitalSeen, *cells: str) -> Row:
    """Returns a row for a person's points or health.

    Its key holds the system, its cell the game's current name.
    """
    return Row(
        (one.who.name, f"{one.what} ({one.system})"), (one.who.name, f"{one.what} ({one.game})", *cells)
    )


class Points(Seen, frozen=True):
    """Answer of the points view.

    JSON: `{"purses": [{"system", "who": {"id", "name"}, "what", "value", "most", "given"}]}`.
    """

    view = "points"
    title = "Points"
    columns = ("Who", "What", "Points")
    purses: tuple[PurseSeen, ...]


def points_of(table: Table) -> Points:
    """Returns people's points, by game and person."""
    return Points(
        tuple(
            PurseSeen(system, who, row.what, row.value, row.most, row.given, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.POINTS)
        )
    )


class VitalSeen(NamedTuple):
    """A person's health, named `what` in its game: points left, maximum if known, and `out` once taken out.

    `game` is the game's current name.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    out: bool
    game: str

    def row(self) -> Row:
        """Returns this person's health as a table row."""
        return _person_row(self, out_of(self.value, self.most), "out of the fight" if self.out else "fit")


class Health(Seen, frozen=True):
    """Answer of the health view.

    JSON: `{"health": [{"system", "who": {"id", "name"}, "what", "value", "most", "out"}]}`.
    """

    view = "health"
    title = "Health"
    columns = ("Who", "What", "Left", "Now")
    health: tuple[VitalSeen, ...]


def health_of(table: Table) -> Health:
    """Returns people's health, by game and person."""
    return Health(
        tuple(
            VitalSeen(system, who, row.what, row.value, row.most, row.out, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.HEALTH)
        )
    )


UNNAMED = "not named yet"


class FalloutTrack(NamedTuple):
    """A person's fallout track: marked points, boxes in a row, and `full` rows out of `rows`.

    `boxes` and `full` are null until the number of boxes in a row is known; each full row brings a condition.
    """

    system: str
    who: Who
    track: str
    points: int
    boxes: int | None
    full: int | None
    rows: int
    conditions: tuple[str | None, ...]

    def row(self) -> Row:
        """Returns this track as a table row."""
        return Row.keyed(
            (self.who.name, self.track),
            out_of(self.points, self.boxes),
            NOBODY if self.full is None else f"{self.full}/{self.rows}",
            "; ".join(condition or UNNAMED for condition in self.conditions) or NOBODY,
        )


class Fallout(Seen, frozen=True):
    """Answer of the fallout view.

    JSON: `{"tracks": [{"system", "who", "track", "points", "boxes", …}]}`.
    """

    view = "fallout"
    title = "Fallout"
    columns = ("Who", "Track", "Boxes", "Full rows", "Conditions")
    tracks: tuple[FalloutTrack, ...]


def fallout_of(table: Table) -> Fallout:
    """Returns people's fallout tracks, by game and person."""
    return Fallout(
        tuple(
            FalloutTrack(system, who, row.what, row.value, row.most, row.full, row.rows, row.words)
            for system, who, row in of_people(table, Picture.FALLOUT)
        )
    )
