"""What can happen in a Guenašk conflict, beside the shared words; dice are rolled as at any table."""

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
    """A stat comes in for the first time in this conflict: so many dice are rolled, so many are lost."""

    stat: Stat
    dice: Whole
    lost: Whole | None = None


class Cost(Part):
    """The fallout of one blow: 1, and 1 each for Body, for Hard, for every dangerous object."""

    amount: Whole
    body: bool
    hard: bool
    dangerous: Whole | None = None


class Unmarked(Part):
    """What of a resisted blow is taken off one more track."""

    track: TrackName
    points: Whole


class StakesSet(InConflict):
    """What is at stake, for somebody or for all, said after the conflict was opened, or more clearly."""

    kind: ClassVar[str] = "guenask.stakes-set"
    who: Id | None = None
    text: Words


class InitiatorNamed(PersonInConflict):
    """It is clear who begins the conflict: they raise first."""

    kind: ClassVar[str] = "guenask.initiator-named"


class ApproachChosen(PersonInConflict):
    """Somebody enters in their way, and the dice of these stats follow; `follow_up` was kept from before."""

    kind: ClassVar[str] = "guenask.approach-chosen"
    approach: Approach
    stats: tuple[StatBrought, ...]
    follow_up: Whole | None = None
    text: Words | None = None


class Escalated(PersonInConflict):
    """Somebody goes about it otherwise from now on; the dice of the stats not yet rolled follow."""

    kind: ClassVar[str] = "guenask.escalated"
    approach: Approach
    was: Approach
    stats: tuple[StatBrought, ...] = ()
    text: Words | None = None


class BroughtIn(PersonInConflict):
    """A trait, a belonging or a relationship comes into play, and its dice follow."""

    kind: ClassVar[str] = "guenask.brought-in"
    what: str
    source: Source
    dice: str
    dangerous: bool = False
    text: Words | None = None


class TurnOrderSet(InConflict):
    """Everybody has dice: the first of `order` raises first; `best` are their two highest dice, summed.

    With `free`, nobody's turn is set after that.
    """

    kind: ClassVar[str] = "guenask.turn-order-set"
    order: tuple[Id, ...]
    best: tuple[Whole, ...]
    free: bool = False


class Raised(PersonInConflict):
    """Two dice are put forward, and the people in `to` must see them."""

    kind: ClassVar[str] = "guenask.raised"
    dice: tuple[Whole, ...]
    total: Whole
    to: tuple[Id, ...]
    text: Words | None = None


class Seen(PersonInConflict):
    """A raise is answered. A reversal keeps its die; a block spends two; a blow lands, at this cost."""

    kind: ClassVar[str] = "guenask.seen"
    whose: Id
    how: Answer
    dice: tuple[Whole, ...]
    total: Whole
    against: Whole
    cost: Cost | None = None
    text: Words | None = None


class FalloutTaken(PersonInConflict):
    """Fallout goes into one track, which now has `total` of its `boxes` marked.

    `points` found a box. Of those that did not, `left` go into another track, and `lost` are gone.
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
    """True where the track was named by itself, and nobody said why."""
    text: Words | None = None


class FalloutResisted(PersonInConflict):
    """One more die cancels the whole blow's fallout; `points` already marked on a track are unmarked.

    `also` has what is unmarked on others, where the blow went over the last box of the first.
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
    """A row (for an NPC a stage) is full: it gets a condition, and takes dice from a stat in later rolls."""

    kind: ClassVar[str] = "guenask.row-filled"
    track: TrackName
    row: Whole
    stat: Stat | None = None


class ConditionNamed(PersonAnywhere):
    """What a full row means for somebody."""

    kind: ClassVar[str] = "guenask.condition-named"
    track: TrackName
    row: Whole
    text: Words


class StakesLost(PersonInConflict):
    """Somebody has not seen, or not raised, and is out of the conflict; `cost` only where losing has one."""

    kind: ClassVar[str] = "guenask.stakes-lost"
    how: Literal["unseen", "unraised"]
    cost: Cost | None = None
    text: Words | None = None


class Gave(PersonInConflict):
    """Somebody gives up and is out, without fallout. `forced`: an NPC whose track is full; `die` is kept."""

    kind: ClassVar[str] = "guenask.gave"
    forced: bool = False
    die: Whole | None = None
    text: Words | None = None


class StakesWon(InConflict):
    """One side is left, known by its first: what was at stake is theirs."""

    kind: ClassVar[str] = "guenask.stakes-won"
    winner: Id


class FateDecided(PersonInConflict):
    """The table said whether somebody with two full tracks dies when this conflict ends."""

    kind: ClassVar[str] = "guenask.fate-decided"
    dies: bool


class CharacterDied(PersonInConflict):
    """The conflict is over, and somebody does not outlive it."""

    kind: ClassVar[str] = "guenask.character-died"


class FalloutCleared(Event):
    """Somebody got rid of fallout; so much is left on the track."""

    kind: ClassVar[str] = "guenask.fallout-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    track: TrackName
    points: Whole
    total: Whole
    text: Words


class PoolSet(PersonInConflict):
    """A ruling set the dice that lie before somebody."""

    kind: ClassVar[str] = "guenask.pool-set"
    dice: tuple[Whole, ...]


class NumberSet(Event):
    """A ruling set one number of somebody's."""

    kind: ClassVar[str] = "guenask.number-set"
    who: Id
    what: Literal["physical", "mental", "social", "societal", "stages", "follow-up", "dead"]
    value: Whole


EVENTS = kinds(vars())
