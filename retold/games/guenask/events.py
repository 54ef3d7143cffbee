"""Events that only Guenašk has; rolled dice are recorded by the event `DiceRolled` of all games.

A raise is an attack with two dice; to see is to defend against it. A blow (a raise seen with three dice or
more) costs fallout, which is marked on a track.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import Event, Id, InConflict, Part, PersonAnywhere, PersonInConflict, Whole, Words, kinds
from retold.games.guenask.rules import Answer, Approach, Stat

TrackName = Literal["physical", "mental", "social", "societal", "stages"]
Source = Literal["trait", "belonging", "relationship"]


class StatBrought(Part):
    """A stat rolled for the first time in this conflict: `dice` are rolled, `lost` were lost to full rows."""

    stat: Stat
    dice: Whole
    lost: Whole | None = None


class Cost(Part):
    """The fallout of one blow, `amount` points: 1, plus 1 for Body, 1 for Hard, 1 per dangerous object."""

    amount: Whole
    body: bool
    hard: bool
    dangerous: Whole | None = None


class Unmarked(Part):
    """Points removed from a second or later track, because the blow that marked them was resisted."""

    track: TrackName
    points: Whole


class StakesSet(InConflict):
    """The stakes of a conflict were set or made clearer; `who` is None for stakes shared by all."""

    kind: ClassVar[str] = "guenask.stakes-set"
    who: Id | None = None
    text: Words


class InitiatorNamed(PersonInConflict):
    """The initiator of the conflict was named: the person who raises (attacks) first."""

    kind: ClassVar[str] = "guenask.initiator-named"


class ApproachChosen(PersonInConflict):
    """A person chose an approach; events with the dice of its two `stats` follow.

    `follow_up` is a die kept from an earlier conflict, which joins the pool.
    """

    kind: ClassVar[str] = "guenask.approach-chosen"
    approach: Approach
    stats: tuple[StatBrought, ...]
    follow_up: Whole | None = None
    text: Words | None = None


class Escalated(PersonInConflict):
    """A person changed from the approach `was` to `approach`; dice follow for the stats not yet rolled."""

    kind: ClassVar[str] = "guenask.escalated"
    approach: Approach
    was: Approach
    stats: tuple[StatBrought, ...] = ()
    text: Words | None = None


class BroughtIn(PersonInConflict):
    """A person brought a trait, a belonging or a relationship into play; an event with its dice follows."""

    kind: ClassVar[str] = "guenask.brought-in"
    what: str
    source: Source
    dice: str
    dangerous: bool = False
    text: Words | None = None


class TurnOrderSet(InConflict):
    """The turn order was set: `order[0]` raises first; `best` is the sum of each person's two highest dice.

    With `free`, the order binds only the first raise.
    """

    kind: ClassVar[str] = "guenask.turn-order-set"
    order: tuple[Id, ...]
    best: tuple[Whole, ...]
    free: bool = False


class Raised(PersonInConflict):
    """A person raised: put two dice forward, of sum `total`.

    Each person in `to` must see (answer) the raise.
    """

    kind: ClassVar[str] = "guenask.raised"
    dice: tuple[Whole, ...]
    total: Whole
    to: tuple[Id, ...]
    text: Words | None = None


class Seen(PersonInConflict):
    """A person saw (answered) the raise of person `whose`; `against` is the raise's total.

    A reversal keeps its one die for the next raise, a block spends two dice, a blow costs the fallout `cost`.
    """

    kind: ClassVar[str] = "guenask.seen"
    whose: Id
    how: Answer
    dice: tuple[Whole, ...]
    total: Whole
    against: Whole
    cost: Cost | None = None
    text: Words | None = None


class FalloutTaken(PersonInConflict):
    """A person marked fallout on `track`, which now has `total` of its `boxes` marked.

    `points` were marked. Of the points without a free box, `left` go to another track, and `lost` are
    dropped.
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
    """A person cancelled a blow's fallout with one die; `points` marked on `track` were removed again.

    `also` lists the points removed from other tracks, to which the blow had spilled over.
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
    """A row of a track (a stage of an NPC) became full; `stat` loses one die in later rolls."""

    kind: ClassVar[str] = "guenask.row-filled"
    track: TrackName
    row: Whole
    stat: Stat | None = None


class ConditionNamed(PersonAnywhere):
    """A full row got its condition: words for the lasting harm it means."""

    kind: ClassVar[str] = "guenask.condition-named"
    track: TrackName
    row: Whole
    text: Words


class StakesLost(PersonInConflict):
    """A person put no dice forward to raise or see, lost the stakes and is out of the conflict.

    `cost` is the fallout of the loss, if the table's options make a loss cost fallout.
    """

    kind: ClassVar[str] = "guenask.stakes-lost"
    how: Literal["unseen", "unraised"]
    cost: Cost | None = None
    text: Words | None = None


class Gave(PersonInConflict):
    """A person gave up and left the conflict without new fallout.

    `forced`: an NPC whose track is full. `die` is their best die, kept for their next conflict.
    """

    kind: ClassVar[str] = "guenask.gave"
    forced: bool = False
    die: Whole | None = None
    text: Words | None = None


class StakesWon(InConflict):
    """The stakes were won by the only side left in play; `winner` is the first person of that side."""

    kind: ClassVar[str] = "guenask.stakes-won"
    winner: Id


class FateDecided(PersonInConflict):
    """The table decided whether a person with two full tracks `dies` when this conflict ends."""

    kind: ClassVar[str] = "guenask.fate-decided"
    dies: bool


class CharacterDied(PersonInConflict):
    """A character died at the end of the conflict."""

    kind: ClassVar[str] = "guenask.character-died"


class FalloutCleared(Event):
    """A person removed `points` of fallout from a track, outside a conflict.

    `total` points are left on it.
    """

    kind: ClassVar[str] = "guenask.fallout-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    track: TrackName
    points: Whole
    total: Whole
    text: Words


class PoolSet(PersonInConflict):
    """A ruling replaced the dice in a person's pool by `dice`."""

    kind: ClassVar[str] = "guenask.pool-set"
    dice: tuple[Whole, ...]


class NumberSet(Event):
    """A ruling set a person's number `what`: points on a track, the die kept for later, or dead (1 or 0)."""

    kind: ClassVar[str] = "guenask.number-set"
    who: Id
    what: Literal["physical", "mental", "social", "societal", "stages", "follow-up", "dead"]
    value: Whole


EVENTS = kinds(vars())
