"""What can happen in a Guenašk conflict, beside the shared words; dice are rolled as at any table."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from journal.systems.guenask.rules import Answer, Approach, Stat
from journal.vocabulary.base import Event, Id, Whole
from journal.words import Words

TrackName = Literal["physical", "mental", "social", "societal", "stages"]
Source = Literal["trait", "belonging", "relationship"]


class StatBrought(BaseModel):
    """A stat comes in for the first time in this conflict: so many dice are rolled, so many are lost."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stat: Stat
    dice: Whole
    lost: Whole | None = None


class Cost(BaseModel):
    """The fallout of one blow: 1, and 1 each for Body, for Hard, for every dangerous object."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    amount: Whole
    body: bool
    hard: bool
    dangerous: Whole | None = None


class Unmarked(BaseModel):
    """What of a resisted blow is taken off one more track."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    track: TrackName
    points: Whole


class StakesSet(Event):
    """What is at stake, for somebody or for all, said after the conflict was opened, or more clearly."""

    kind: ClassVar[str] = "guenask.stakes-set"
    conflict: Id
    who: Id | None = None
    text: Words


class InitiatorNamed(Event):
    """It is clear who begins the conflict: they raise first."""

    kind: ClassVar[str] = "guenask.initiator-named"
    conflict: Id
    who: Id


class ApproachChosen(Event):
    """Somebody enters in their way, and the dice of these stats follow; `follow_up` was kept from before."""

    kind: ClassVar[str] = "guenask.approach-chosen"
    conflict: Id
    who: Id
    approach: Approach
    stats: tuple[StatBrought, ...]
    follow_up: Whole | None = None
    text: Words | None = None


class Escalated(Event):
    """Somebody goes about it otherwise from now on; the dice of the stats not yet rolled follow."""

    kind: ClassVar[str] = "guenask.escalated"
    conflict: Id
    who: Id
    approach: Approach
    was: Approach
    stats: tuple[StatBrought, ...] = ()
    text: Words | None = None


class BroughtIn(Event):
    """A trait, a belonging or a relationship comes into play, and its dice follow."""

    kind: ClassVar[str] = "guenask.brought-in"
    conflict: Id
    who: Id
    what: str
    source: Source
    dice: str
    dangerous: bool = False
    text: Words | None = None


class TurnOrderSet(Event):
    """Everybody has dice: the first of `order` raises first; `best` are their two highest dice, summed.

    With `free`, nobody's turn is set after that.
    """

    kind: ClassVar[str] = "guenask.turn-order-set"
    conflict: Id
    order: tuple[Id, ...]
    best: tuple[Whole, ...]
    free: bool = False


class Raised(Event):
    """Two dice are put forward, and the people in `to` must see them."""

    kind: ClassVar[str] = "guenask.raised"
    conflict: Id
    who: Id
    dice: tuple[Whole, ...]
    total: Whole
    to: tuple[Id, ...]
    text: Words | None = None


class Seen(Event):
    """A raise is answered. A reversal keeps its die; a block spends two; a blow lands, at this cost."""

    kind: ClassVar[str] = "guenask.seen"
    conflict: Id
    who: Id
    whose: Id
    how: Answer
    dice: tuple[Whole, ...]
    total: Whole
    against: Whole
    cost: Cost | None = None
    text: Words | None = None


class FalloutTaken(Event):
    """Fallout goes into one track, which now has `total` of its `boxes` marked.

    `points` found a box. Of those that did not, `left` go into another track, and `lost` are gone.
    """

    kind: ClassVar[str] = "guenask.fallout-taken"
    conflict: Id
    who: Id
    track: TrackName
    cost: Cost
    points: Whole
    lost: Whole | None = None
    left: Whole | None = None
    total: Whole
    boxes: Whole
    text: Words | None = None


class FalloutResisted(Event):
    """One more die cancels the whole blow's fallout; `points` already marked on a track are unmarked.

    `also` has what is unmarked on others, where the blow went over the last box of the first.
    """

    kind: ClassVar[str] = "guenask.fallout-resisted"
    conflict: Id
    who: Id
    die: Whole
    amount: Whole
    track: TrackName | None = None
    points: Whole | None = None
    also: tuple[Unmarked, ...] | None = None
    text: Words | None = None


class RowFilled(Event):
    """A row (for an NPC a stage) is full: it gets a condition, and takes dice from a stat in later rolls."""

    kind: ClassVar[str] = "guenask.row-filled"
    conflict: Id
    who: Id
    track: TrackName
    row: Whole
    stat: Stat | None = None


class ConditionNamed(Event):
    """What a full row means for somebody."""

    kind: ClassVar[str] = "guenask.condition-named"
    conflict: Id | None = None
    who: Id
    track: TrackName
    row: Whole
    text: Words


class StakesLost(Event):
    """Somebody has not seen, or not raised, and is out of the conflict; `cost` only where losing has one."""

    kind: ClassVar[str] = "guenask.stakes-lost"
    conflict: Id
    who: Id
    how: Literal["unseen", "unraised"]
    cost: Cost | None = None
    text: Words | None = None


class Gave(Event):
    """Somebody gives up and is out, without fallout. `forced`: an NPC whose track is full; `die` is kept."""

    kind: ClassVar[str] = "guenask.gave"
    conflict: Id
    who: Id
    forced: bool = False
    die: Whole | None = None
    text: Words | None = None


class StakesWon(Event):
    """One side is left, known by its first: what was at stake is theirs."""

    kind: ClassVar[str] = "guenask.stakes-won"
    conflict: Id
    winner: Id


class FateDecided(Event):
    """The table said whether somebody with two full tracks dies when this conflict ends."""

    kind: ClassVar[str] = "guenask.fate-decided"
    conflict: Id
    who: Id
    dies: bool


class CharacterDied(Event):
    """The conflict is over, and somebody does not outlive it."""

    kind: ClassVar[str] = "guenask.character-died"
    conflict: Id
    who: Id


class FalloutCleared(Event):
    """Somebody got rid of fallout; so much is left on the track."""

    kind: ClassVar[str] = "guenask.fallout-cleared"
    who: Id
    track: TrackName
    points: Whole
    total: Whole
    text: Words


class PoolSet(Event):
    """A ruling set the dice that lie before somebody."""

    kind: ClassVar[str] = "guenask.pool-set"
    conflict: Id
    who: Id
    dice: tuple[Whole, ...]


class NumberSet(Event):
    """A ruling set one number of somebody's."""

    kind: ClassVar[str] = "guenask.number-set"
    who: Id
    what: Literal["physical", "mental", "social", "societal", "stages", "follow-up", "dead"]
    value: Whole


EVENTS: tuple[type[Event], ...] = (
    StakesSet,
    InitiatorNamed,
    ApproachChosen,
    Escalated,
    BroughtIn,
    TurnOrderSet,
    Raised,
    Seen,
    FalloutTaken,
    FalloutResisted,
    RowFilled,
    ConditionNamed,
    StakesLost,
    Gave,
    StakesWon,
    FateDecided,
    CharacterDied,
    FalloutCleared,
    PoolSet,
    NumberSet,
)
