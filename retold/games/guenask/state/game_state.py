"""Guenašk state that persists between conflicts: sheets, fallout on tracks, and conditions of full rows.

A track has rows of boxes, in which fallout is marked; a full row gets a condition, its meaning in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from retold.game import DiceSum, Picture, Row, Words, dice
from retold.games.guenask import events as g
from retold.games.guenask.options import chosen
from retold.games.guenask.rules import ROWS, STAGES, Stat, Track

FAMILY = "family"
"""Sheet value for a family relationship that uses the default dice."""

RELATIONSHIP, BELONGING, DANGER, TRAIT = "rel.", "obj.", "danger.", "trait."

PREFIXES = (RELATIONSHIP, BELONGING, DANGER, TRAIT)
"""Prefixes of sheet keys; a key without one is a trait or one of `FIELDS`."""


def split_key(key: str) -> tuple[str, str]:
    """Returns the prefix of a sheet key, empty if it has none, and the name after it."""
    prefix = next((known for known in PREFIXES if key.startswith(known)), "")
    return prefix, key.removeprefix(prefix)


STAT_DICE, TRAIT_DICE, RELATIONSHIP_DICE = "stat dice", "trait dice", "relationship dice"
"""Names of the dice sums, which a background limits."""

D6 = 6

FIELDS = (*Stat, "stages", "unassigned", "background", "accomplishment")


class Sheet(Struct):
    """A character sheet: stats in d6, and the dice of traits, belongings and relationships by name."""

    stats: dict[str, int] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    belongings: dict[str, str] = field(default_factory=dict)
    dangerous: set[str] = field(default_factory=set)
    relationships: dict[str, str] = field(default_factory=dict)
    unassigned: str | None = None
    stages: int | None = None
    background: str | None = None
    accomplishment: str | None = None

    def things(self) -> Iterator[Thing]:
        """Yields every trait, belonging and relationship of the sheet with its dice, as a `Thing`."""
        for name, sizes in self.traits.items():
            yield Thing(name, "trait", sizes)
        for name, sizes in self.belongings.items():
            yield Thing(name, "belonging", sizes, name in self.dangerous)
        for name, sizes in self.relationships.items():
            yield Thing(name, "relationship", sizes)

    def dice_sums(self) -> Iterator[DiceSum]:
        """Yields three sums: the number of stat dice, of trait dice, and of relationship dice.

        Unassigned dice count as relationship dice; the default dice of family do not count.
        """
        chosen = [dice for dice in self.relationships.values() if dice != FAMILY]
        kept = [] if self.unassigned is None else [self.unassigned]
        yield _dice_sum(STAT_DICE, [D6] * sum(self.stats.values()))
        yield _dice_sum(TRAIT_DICE, _sizes(self.traits.values()))
        yield _dice_sum(RELATIONSHIP_DICE, _sizes([*chosen, *kept]))

    def change(self, key: str, value: int | str | None) -> None:
        """Sets the sheet entry `key` (such as "body" or "obj.lantern") to `value`; None removes the entry."""
        if key in tuple(Stat):
            self.stats.pop(key, None)
            if isinstance(value, int):
                self.stats[key] = value
        elif key == "stages":
            self.stages = value if isinstance(value, int) else None
        elif key in FIELDS:
            setattr(self, key, None if value is None else str(value))
        else:
            self._change_thing(key, value)

    def _change_thing(self, key: str, value: int | str | None) -> None:
        prefix, name = split_key(key)
        kept = {BELONGING: self.belongings, DANGER: self.belongings, RELATIONSHIP: self.relationships}.get(
            prefix, self.traits
        )
        kept.pop(name, None)
        if kept is self.belongings:
            self.dangerous.discard(name)
        if value is not None:
            kept[name] = str(value)
            if prefix == DANGER:
                self.dangerous.add(name)


_NO_SHEET: Final = Sheet()


class Thing(NamedTuple):
    """A trait, belonging or relationship with its dice, which a person can bring into a conflict."""

    name: str
    source: g.Source
    dice: str
    dangerous: bool = False

    @property
    def prefix(self) -> str:
        """Prefix of the thing's key on a sheet: "obj.", "danger.", "rel." or "trait."."""
        if self.source == "belonging":
            return DANGER if self.dangerous else BELONGING
        return RELATIONSHIP if self.source == "relationship" else TRAIT


def _sizes(expressions: Iterable[str]) -> list[int]:
    return [size for expression in expressions for size in dice.parse_sizes(expression)]


def _dice_sum(what: str, sizes: list[int]) -> DiceSum:
    return DiceSum(what, len(sizes), dice.dice_text(sorted(sizes)))


class Burden(Struct):
    """A person's fallout: `points` by track, and `conditions` (words for full rows) by track and row.

    Rows count from 1.
    """

    points: dict[str, int] = field(default_factory=dict)
    conditions: dict[str, dict[int, Words]] = field(default_factory=dict)


_NO_BURDEN: Final = Burden()


class GuenaskState(Struct):
    """State that persists between conflicts: sheets, fallout, row size, the dead, and dice kept for later."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    burdens: dict[int, Burden] = field(default_factory=dict)
    boxes: int | None = None
    npc_stage: str = chosen.default("npc_stage")
    dead: set[int] = field(default_factory=set)
    follow_ups: dict[int, int] = field(default_factory=dict)
    won: int | None = None
    """Winner of the last stakes."""

    def bears(self, person: int) -> bool:
        """True if the person takes part in Guenašk: has a sheet, or fallout."""
        return person in self.sheets or person in self.burdens

    def sheet(self, person: int) -> Sheet:
        """Returns the person's sheet, for reading; an empty one if they have none."""
        return self.sheets.get(person, _NO_SHEET)

    def burden(self, person: int) -> Burden:
        """Returns the person's fallout, for reading; an empty one if they have none."""
        return self.burdens.get(person, _NO_BURDEN)

    def is_npc(self, person: int) -> bool:
        """True if the person's sheet has stages instead of four tracks."""
        return self.sheet(person).stages is not None

    def dice_sums(self, person: int) -> Iterable[DiceSum]:
        """Returns the numbers of stat, trait and relationship dice on the person's sheet.

        Empty without a sheet.
        """
        return self.sheets[person].dice_sums() if person in self.sheets else ()

    def tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """Returns the names of the person's tracks: physical, mental, social, societal.

        For an NPC only `stages`.
        """
        return ("stages",) if self.is_npc(person) else tuple(track.value for track in Track)

    def marks(self, person: int, track: str) -> int:
        """Returns the points marked on a person's track; 0 without fallout.

        The number is capped at the track's boxes, since the table may later choose shorter rows.
        """
        points, room = self.burden(person).points.get(track, 0), self.room(person)
        return points if room is None else min(points, room)

    def rows_of(self, person: int) -> int:
        """Returns the number of rows (for an NPC, stages) in each of the person's tracks."""
        stages = self.sheet(person).stages
        return ROWS if stages is None else stages

    def row_size(self, person: int) -> int | None:
        """Returns the number of boxes in one of the person's rows (an NPC's stages).

        None until the table sets it.
        """
        return 1 if self.is_npc(person) and self.npc_stage != "row" else self.boxes

    def room(self, person: int) -> int | None:
        """Returns the number of boxes in one of the person's tracks.

        None until the table sets the row size.
        """
        size = self.row_size(person)
        return None if size is None else size * self.rows_of(person)

    def rows_full(self, person: int, track: str) -> int:
        """Returns the number of full rows in a person's track; 0 until the table sets the row size."""
        size = self.row_size(person)
        return 0 if size is None else self.marks(person, track) // size

    def filled_by(self, person: int, track: g.TrackName, marked: Mapping[g.TrackName, int], row: int) -> bool:
        """True if the points that a blow `marked` (track → points) are the ones that filled row `row`."""
        size, points = self.row_size(person), marked.get(track, 0)
        return size is not None and points > 0 and row > (self.marks(person, track) - points) // size

    def full_tracks(self, person: int) -> tuple[g.TrackName, ...]:
        """Returns the names of the person's tracks in which every row is full."""
        rows = self.rows_of(person)
        return tuple(track for track in self.tracks(person) if self.rows_full(person, track) >= rows)

    def open_tracks(self, person: int, taken: Collection[str]) -> tuple[g.TrackName, ...]:
        """Returns the names of the person's tracks with free boxes, without those in `taken`."""
        closed = (*self.full_tracks(person), *taken)
        return tuple(track for track in self.tracks(person) if track not in closed)

    def unnamed(self, person: int) -> Iterator[tuple[g.TrackName, int]]:
        """Yields (track, row) for each of the person's full rows that has no condition yet.

        Rows count from 1.
        """
        burden = self.burdens.get(person)
        if burden is None:
            return
        for track in self.tracks(person):
            for row in range(1, self.rows_full(person, track) + 1):
                if row not in burden.conditions.get(track, {}):
                    yield track, row

    def mark(self, who: int, track: str, points: int) -> None:
        """Sets the marked points of a person's track; deletes conditions of rows that are no longer full."""
        burden = self.burdens.setdefault(who, Burden())
        burden.points[track] = points
        full = self.rows_full(who, track)
        named = burden.conditions.get(track, {})
        burden.conditions[track] = {row: words for row, words in named.items() if row <= full}

    def rows(self) -> Iterable[Row]:
        """Yields a `Row` for views for every person's track that has points, and for every NPC's stages."""
        for person in sorted(self.sheets.keys() | self.burdens.keys()):
            for track in self.tracks(person):
                if self.marks(person, track) or track == STAGES:
                    yield self._track(person, track)

    def _track(self, person: int, track: str) -> Row:
        named = self.burden(person).conditions.get(track, {})
        words = [named.get(row) for row in range(1, self.rows_full(person, track) + 1)]
        return Row(
            person,
            track,
            self.marks(person, track),
            self.room(person),
            Picture.FALLOUT,
            rows=self.rows_of(person),
            words=tuple(None if condition is None else str(condition) for condition in words),
        )
