"""What outlives a conflict: sheets, the fallout everybody bears, and what its rows mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from journal.capabilities import DiceSum, Picture, Row
from journal.systems.guenask import events as g
from journal.systems.guenask.options import chosen
from journal.systems.guenask.rules import ROWS, STAGES, Track
from journal.systems.guenask.state.sheets import Sheet
from journal.words import Words


class Burden(Struct):
    """What somebody bears: points by track, and what each full row means, by track and row from 1."""

    points: dict[str, int] = field(default_factory=dict)
    conditions: dict[str, dict[int, Words]] = field(default_factory=dict)


class Shelf(Struct):
    """What outlives a conflict."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    burdens: dict[int, Burden] = field(default_factory=dict)
    boxes: int | None = None
    npc_stage: str = chosen.default("npc_stage")
    dead: set[int] = field(default_factory=set)
    follow_ups: dict[int, int] = field(default_factory=dict)
    won: int | None = None
    """Who took the stakes last."""

    def bears(self, person: int) -> bool:
        """True for somebody with a sheet or with fallout."""
        return person in self.sheets or person in self.burdens

    def is_npc(self, person: int) -> bool:
        """True for somebody with stages instead of four tracks."""
        sheet = self.sheets.get(person)
        return sheet is not None and sheet.stages is not None

    def dice_sums(self, person: int) -> Iterable[DiceSum]:
        """What the dice of somebody's sheet add up to, part by part."""
        return self.sheets[person].dice_sums() if person in self.sheets else ()

    def tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """The tracks somebody has."""
        return ("stages",) if self.is_npc(person) else tuple(track.value for track in Track)

    def marks(self, person: int, track: str) -> int:
        """How much of a track is marked; what lies beyond its last box, since rows have fewer, is not."""
        burden, room = self.burdens.get(person), self.room(person)
        points = burden.points.get(track, 0) if burden else 0
        return points if room is None else min(points, room)

    def rows_of(self, person: int) -> int:
        """How many rows, or stages, each of somebody's tracks has."""
        sheet = self.sheets.get(person)
        return ROWS if sheet is None or sheet.stages is None else sheet.stages

    def row_size(self, person: int) -> int | None:
        """How many boxes a row, or a stage, of somebody's has; None as long as nobody has said."""
        return 1 if self.is_npc(person) and self.npc_stage != "row" else self.boxes

    def room(self, person: int) -> int | None:
        """How many boxes a whole track of somebody's has."""
        size = self.row_size(person)
        return None if size is None else size * self.rows_of(person)

    def rows_full(self, person: int, track: str) -> int:
        """How many rows of a track are full."""
        size = self.row_size(person)
        return 0 if size is None else min(self.rows_of(person), self.marks(person, track) // size)

    def filled_by(self, person: int, track: g.TrackName, marked: Mapping[g.TrackName, int], row: int) -> bool:
        """True if it was these points, of one blow, that filled that row."""
        size, points = self.row_size(person), marked.get(track, 0)
        return size is not None and points > 0 and row > (self.marks(person, track) - points) // size

    def full_tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """The tracks that can take no more."""
        rows = self.rows_of(person)
        return tuple(track for track in self.tracks(person) if self.rows_full(person, track) >= rows)

    def unnamed(self, person: int) -> Iterator[tuple[g.TrackName, int]]:
        """The full rows that nobody has said the meaning of, by track and row."""
        burden = self.burdens.get(person, Burden())
        for track in self.tracks(person):
            for row in range(1, self.rows_full(person, track) + 1):
                if row not in burden.conditions.get(track, {}):
                    yield track, row

    def mark(self, who: int, track: str, points: int) -> None:
        """A track holds so much; what a row meant that is no longer full is forgotten."""
        burden = self.burdens.setdefault(who, Burden())
        burden.points[track] = points
        full = self.rows_full(who, track)
        named = burden.conditions.get(track, {})
        burden.conditions[track] = {row: words for row, words in named.items() if row <= full}

    def rows(self) -> Iterable[Row]:
        """Every track of fallout with something on it, and every NPC's."""
        for person in sorted(self.sheets.keys() | self.burdens.keys()):
            for track in self.tracks(person):
                if self.marks(person, track) or track == STAGES:
                    yield self._track(person, track)

    def _track(self, person: int, track: str) -> Row:
        named = self.burdens.get(person, Burden()).conditions.get(track, {})
        words = [named.get(row) for row in range(1, self.rows_full(person, track) + 1)]
        return Row(
            person,
            track,
            self.marks(person, track),
            self.room(person),
            Picture.FALLOUT,
            rows=self.rows_of(person),
            words=tuple(None if one is None else str(one) for one in words),
        )
