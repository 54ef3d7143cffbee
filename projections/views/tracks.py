"""Tracks: whatever else a game counts, of somebody, of a thing or of nobody, such as a clock."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.capabilities import Picture
from journal.systems import SYSTEMS
from journal.table import Table
from projections.reading import LineView
from projections.views.naming import Who, conflict_title, who
from projections.views.rows import Kept, is_track, of_people, out_of, rows
from projections.views.sheet import NOBODY, Row, Seen, Sheet
from projections.views.stress import boxes


class TrackSeen(NamedTuple):
    """Something a game counts; `who` is a name where it is a thing's, and null where it is nobody's.

    `picture` is how it is drawn, `boxes` which ones are marked, null where it has none. `conflict` and its
    title are null for what outlives conflicts; `game` is what the table plays, as it is called there.
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
        """Whose it is, in a table: of what is nobody's the conflict it is counted in, or the game."""
        if isinstance(self.who, Who):
            return self.who.name
        return self.who or self.title or self.game

    @property
    def about(self) -> tuple[str, str]:
        """The same whatever the game is called by now: whose it is, and what."""
        return (self.system if self.who is None and self.title is None else self.whose, self.what)

    def stands(self) -> str:
        """How far it is: `[x][ ][ ]`, `2/6`, `3`, and whether it is out."""
        if self.boxes is not None and self.most is not None:
            told = boxes(self.boxes, self.most)
        else:
            told = out_of(self.value, self.most)
        said = "; ".join(filter(None, self.words))
        return " · ".join(filter(None, (f"{told} (out)" if self.out else told, said)))


class Tracks(Seen, frozen=True):
    """Every one: `{"tracks": [{"system", "conflict", "title", "who", "what", "value", "most", …}]}`."""

    view: ClassVar[str] = "tracks"
    tracks: tuple[TrackSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each track."""
        told = tuple(Row(one.about, (one.whose, one.what, one.stands())) for one in self.tracks)
        return Sheet("Tracks", ("Who", "What", "Now"), told)


def of(table: Table) -> Tracks:
    """What the games at this table count beside points, health, stress and fallout."""
    return Tracks(tuple(_seen(table, one) for one in rows(table) if is_track(one.row)))


def every(reading: LineView) -> Tracks:
    """The same with health, where a verb of the game keeps it as any other track."""
    table = reading.table
    return Tracks(tuple(_seen(table, one) for one in rows(table) if is_track(one.row) or _is_kept(one)))


def _is_kept(kept: Kept) -> bool:
    return kept.row.picture is Picture.HEALTH and SYSTEMS[kept.system].keeps is not None


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
        row.marked if row.picture is Picture.BOXES else None,
        row.words,
        SYSTEMS[kept.system].called(table),
    )


class PurseSeen(NamedTuple):
    """Points of one kind that somebody holds; `most` is None where there is no most.

    `given` is how many they were dealt last, where they are dealt out; None where they are not.
    `game` is what the table plays, as it is called there.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    given: int | None
    game: str


class Points(Seen, frozen=True):
    """Every purse: `{"purses": [{"system", "who": {"id", "name"}, "what", "value", "most", "given"}]}`."""

    view: ClassVar[str] = "points"
    purses: tuple[PurseSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each purse."""
        rows = tuple(
            Row(
                (purse.who.name, f"{purse.what} ({purse.system})"),
                (purse.who.name, f"{purse.what} ({purse.game})", out_of(purse.value, purse.most)),
            )
            for purse in self.purses
        )
        return Sheet("Points", ("Who", "What", "Points"), rows)


def points_of(table: Table) -> Points:
    """The points at this table, system by system and person by person."""
    return Points(
        tuple(
            PurseSeen(system, who, row.what, row.value, row.most, row.given, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.POINTS)
        )
    )


class VitalSeen(NamedTuple):
    """What somebody has left of `what`, of how much if that is known, and whether they are out.

    `game` is what the table plays, as it is called there.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    out: bool
    game: str


class Health(Seen, frozen=True):
    """Everybody: `{"health": [{"system", "who": {"id", "name"}, "what", "value", "most", "out"}]}`."""

    view: ClassVar[str] = "health"
    health: tuple[VitalSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each person."""
        rows = tuple(
            Row(
                (one.who.name, f"{one.what} ({one.system})"),
                (
                    one.who.name,
                    f"{one.what} ({one.game})",
                    out_of(one.value, one.most),
                    "out of the fight" if one.out else "fit",
                ),
            )
            for one in self.health
        )
        return Sheet("Health", ("Who", "What", "Left", "Now"), rows)


def health_of(table: Table) -> Health:
    """The health of everybody at this table, system by system."""
    return Health(
        tuple(
            VitalSeen(system, who, row.what, row.value, row.most, row.out, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.HEALTH)
        )
    )


UNNAMED = "not named yet"


class FalloutTrack(NamedTuple):
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
    tracks: tuple[FalloutTrack, ...]

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


def fallout_of(table: Table) -> Fallout:
    """The fallout at this table, person by person."""
    return Fallout(
        tuple(
            FalloutTrack(system, who, row.what, row.value, row.most, row.full, row.rows, row.words)
            for system, who, row in of_people(table, Picture.FALLOUT)
        )
    )
