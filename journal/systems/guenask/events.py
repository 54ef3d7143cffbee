"""Events of a Guenašk conflict, beside the shared ones; its dice rolls are the shared `DiceRolled`."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.guenask.rules import Answer, Approach, Stat
from journal.vocabulary.base import (
    Event,
    Id,
    InConflict,
    Part,
    PersonAnywhere,
    PersonInConflict,
    Whole,
    Words,
    kinds,
)

TrackName = Literal["physical", "mental", "social", "societal", "stages"]
Source = Literal["trait", "belonging", "relationship"]


class StatBrought(Part):
    """A stat used for the first time in this conflict: `dice` are rolled, `lost` are taken by full rows."""

    stat: Stat
    dice: Whole
    lost: Whole | None = None


class Cost(Part):
    """The fallout of one blow: 1, plus 1 for Body, 1 for Hard, and 1 per dangerous object."""

    amount: Whole
    body: bool
    hard: bool
    dangerous: Whole | None = None


class Unmarked(Part):
    """Points removed from one more track when a blow is resisted."""

    track: TrackName
    points: Whole


class StakesSet(InConflict):
    """The stakes were set or clarified after the opening; `who` is None for common stakes."""

    kind: ClassVar[str] = "guenask.stakes-set"
    who: Id | None = None
    text: Words


class InitiatorNamed(PersonInConflict):
    """The initiator of the conflict was named; they raise first."""

    kind: ClassVar[str] = "guenask.initiator-named"


class ApproachChosen(PersonInConflict):
    """A person chose an approach; dice of its stats follow.

    `follow_up` is a die kept from an earlier conflict.
    """

    kind: ClassVar[str] = "guenask.approach-chosen"
    approach: Approach
    stats: tuple[StatBrought, ...]
    follow_up: Whole | None = None
    text: Words | None = None


class Escalated(PersonInConflict):
    """A person changed approach from `was`; dice of the stats not rolled before follow."""

    kind: ClassVar[str] = "guenask.escalated"
    approach: Approach
    was: Approach
    stats: tuple[StatBrought, ...] = ()
    text: Words | None = None


class BroughtIn(PersonInConflict):
    """A trait, a belonging or a relationship was brought into play; its dice follow."""

    kind: ClassVar[str] = "guenask.brought-in"
    what: str
    source: Source
    dice: str
    dangerous: bool = False
    text: Words | None = None


class TurnOrderSet(InConflict):
    """The turn order was set: `order[0]` raises first; `best` is each person's sum of two highest dice.

    With `free`, only the first raise is bound to it.
    """

    kind: ClassVar[str] = "guenask.turn-order-set"
    order: tuple[Id, ...]
    best: tuple[Whole, ...]
    free: bool = False


class Raised(PersonInConflict):
    """A person put two dice forward; the people in `to` must see them."""

    kind: ClassVar[str] = "guenask.raised"
    dice: tuple[Whole, ...]
    total: Whole
    to: tuple[Id, ...]
    text: Words | None = None


class Seen(PersonInConflict):
    """A person answered a raise: a reversal keeps its die, a block spends two, a blow lands at `cost`."""

    kind: ClassVar[str] = "guenask.seen"
    whose: Id
    how: Answer
    dice: tuple[Whole, ...]
    total: Whole
    against: Whole
    cost: Cost | None = None
    text: Words | None = None


class FalloutTaken(PersonInConflict):
    """Fallout was marked on one track, which now has `total` of its `boxes` marked.

    `points` found a box. Of the rest, `left` points go into another track, and `lost` points are dropped.
    """

    kind: ClassVar[str] = "guenask.fallout-taken"
    later: ClassVar[frozenset[str]] = frozenset({"bare"})
    sheet_of: ClassVar[str | None] = "who"
    track: TrackName
    cost: Cost
    points: Whole
    lost: Whole | None = None
    left: Whole | None = None
    total: Whole
    boxes: Whole
    bare: bool | None = None
    """True if the track was named without a reason."""
    text: Words | None = None


class FalloutResisted(PersonInConflict):
    """One die cancelled all fallout of a blow; `points` already marked on `track` were unmarked.

    `also` lists points unmarked on other tracks, where the blow had overflowed the first.
    """

    kind: ClassVar[str] = "guenask.fallout-resisted"
    sheet_of: ClassVar[str | None] = "who"
    die: Whole
    amount: Whole
    track: TrackName | None = None
    points: Whole | None = None
    also: tuple[Unmarked, ...] | None = None
    text: Words | None = None


class RowFilled(PersonInConflict):
    """A row (for an NPC a stage) became full: it needs a condition, and costs `stat` a die in later rolls."""

    kind: ClassVar[str] = "guenask.row-filled"
    track: TrackName
    row: Whole
    stat: Stat | None = None


class ConditionNamed(PersonAnywhere):
    """The condition of a full row was named."""

    kind: ClassVar[str] = "guenask.condition-named"
    track: TrackName
    row: Whole
    text: Words


class StakesLost(PersonInConflict):
    """A person failed to see or to raise and left the conflict; `cost` only if losing costs fallout."""

    kind: ClassVar[str] = "guenask.stakes-lost"
    how: Literal["unseen", "unraised"]
    cost: Cost | None = None
    text: Words | None = None


class Gave(PersonInConflict):
    """A person gave up without fallout. `forced`: an NPC whose track is full; `die` is kept for later."""

    kind: ClassVar[str] = "guenask.gave"
    forced: bool = False
    die: Whole | None = None
    text: Words | None = None


class StakesWon(InConflict):
    """One side was left and won the stakes; `winner` is the first person of that side."""

    kind: ClassVar[str] = "guenask.stakes-won"
    winner: Id


class FateDecided(PersonInConflict):
    """The table decided whether a person with two full tracks dies when this conflict ends."""

    kind: ClassVar[str] = "guenask.fate-decided"
    dies: bool


class CharacterDied(PersonInConflict):
    """A character died at the end of the conflict."""

    kind: ClassVar[str] = "guenask.character-died"


class FalloutCleared(Event):
    """A person got rid of fallout; `total` points are left on the track."""

    kind: ClassVar[str] = "guenask.fallout-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    track: TrackName
    points: Whole
    total: Whole
    text: Words


class PoolSet(PersonInConflict):
    """A ruling set the dice in a person's pool."""

    kind: ClassVar[str] = "guenask.pool-set"
    dice: tuple[Whole, ...]


class NumberSet(Event):
    """A ruling set one number of a person."""

    kind: ClassVar[str] = "guenask.number-set"
    who: Id
    what: Literal["physical", "mental", "social", "societal", "stages", "follow-up", "dead"]
    value: Whole


EVENTS = kinds(vars())
