"""What can happen in Edgerunner, beside the shared words; dice are rolled as at any table.

A thing that is not somebody is known by its one name: a zone, `Dock-Aisle` for a border, an aspect's wording.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from journal.systems.edgerunner.rules import Act, Severity
from journal.vocabulary.base import Event, Id, Value, Whole
from journal.words import Words

On = Value
"""Somebody by id, or something by its name."""

Passes = dict[str, Whole]
"""Way over a border → what it takes; the only way has the empty name."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BorderDrawn(_Part):
    """The ways over a border from `one` to `other`; they hold backwards too until that is drawn itself."""

    one: str
    other: str
    passes: Passes


class Step(_Part):
    """One zone of a path, and the way taken into it where the border has several."""

    zone: str
    way: str = ""


class Bid(_Part):
    """The shifts somebody would give up to act first."""

    who: Id
    shifts: Whole


class Spent(_Part):
    """Shifts spent on one thing."""

    on: str
    shifts: Whole


# --- the place --------------------------------------------------------------------------------------------


class ZonesMapped(Event):
    """Zones and borders are on the map. `pins` say where a zone is drawn; `threshold` is of these borders."""

    kind: ClassVar[str] = "edgerunner.zones-mapped"
    conflict: Id
    zones: tuple[str, ...]
    borders: tuple[BorderDrawn, ...] = ()
    pins: dict[str, tuple[Whole, Whole]] = {}
    threshold: Whole | None = None
    text: Words | None = None


class Placed(Event):
    """These people are in a zone, by nobody's move."""

    kind: ClassVar[str] = "edgerunner.placed"
    conflict: Id
    who: tuple[Id, ...]
    zone: str
    text: Words | None = None


class Moved(Event):
    """Somebody went over these zones, for so many shifts; by a free move for none."""

    kind: ClassVar[str] = "edgerunner.moved"
    conflict: Id
    who: Id
    start: str
    path: tuple[str, ...]
    spent: Whole
    free: bool = False


class BorderEroded(Event):
    """A free move wears at a border instead of crossing it; so much is left of it for this mover."""

    kind: ClassVar[str] = "edgerunner.border-eroded"
    conflict: Id
    who: Id
    one: str
    other: str
    way: str
    left: Whole


# --- aspects and fate points ------------------------------------------------------------------------------


class AspectPlaced(Event):
    """An aspect is in play, under a number of its own, with free invokes for `holder`."""

    kind: ClassVar[str] = "edgerunner.aspect-placed"
    conflict: Id | None = None
    aspect: Id
    on: On
    wording: str
    how: Literal["said", "declaration", "maneuver"]
    by: Id | None = None
    free: Whole = 0
    shifts: Whole | None = None
    text: Words | None = None


class DeclarationFailed(Event):
    """The table and the dice would not have it: no such aspect."""

    kind: ClassVar[str] = "edgerunner.declaration-failed"
    conflict: Id | None = None
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AssessmentFailed(Event):
    """Somebody looked for an aspect that is there, and can make nothing of it yet."""

    kind: ClassVar[str] = "edgerunner.assessment-failed"
    conflict: Id | None = None
    who: Id
    aspect: Id
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AspectRemoved(Event):
    """An aspect is in play no longer."""

    kind: ClassVar[str] = "edgerunner.aspect-removed"
    conflict: Id | None = None
    aspect: Id
    on: On
    wording: str
    why: Literal["said", "taken-out", "used"]
    text: Words | None = None


class FreeInvokesGained(Event):
    """An assessment, or a maneuver continued, gives free invokes on an aspect that is there already."""

    kind: ClassVar[str] = "edgerunner.free-invokes-gained"
    conflict: Id | None = None
    who: Id
    aspect: Id
    on: On
    wording: str
    free: Whole
    shifts: Whole
    text: Words | None = None


class AspectInvoked(Event):
    """An aspect tells on the open roll: 2 more, 2 less, or all the dice again."""

    kind: ClassVar[str] = "edgerunner.aspect-invoked"
    conflict: Id | None = None
    who: Id
    aspect: Id
    on: On
    wording: str
    mode: Literal["+2", "-2", "reroll"]
    free: bool = False
    by: Id | None = None
    """Whose free invoke it was, if somebody lent it."""
    text: Words | None = None


class FatePointPaid(Event):
    """Fate points leave one hand and enter another; 0 is the referee's, which is never empty."""

    kind: ClassVar[str] = "edgerunner.fate-point-paid"
    conflict: Id | None = None
    payer: Id
    payee: Id
    points: Whole
    why: Literal["invoke", "accepted", "refused", "ghost", "concession"]


class Refreshed(Event):
    """An evening begins: every player holds so many fate points; all stress is cleared where `stress` is."""

    kind: ClassVar[str] = "edgerunner.refreshed"
    points: Whole
    stress: bool


# --- exchanges and turns ----------------------------------------------------------------------------------


class ExchangeBegan(Event):
    """Everybody may act once more. `exchange` counts from 1; `step` is its length on the time track."""

    kind: ClassVar[str] = "edgerunner.exchange-began"
    conflict: Id
    exchange: Id
    step: Whole | None = None
    length: Words | None = None
    text: Words | None = None


class TurnClaimed(Event):
    """It is somebody's turn; what they bid for it, if they had to, comes off their roll."""

    kind: ClassVar[str] = "edgerunner.turn-claimed"
    conflict: Id
    who: Id
    bids: tuple[Bid, ...] = ()
    text: Words | None = None


class BidsTied(Event):
    """Several bid the same: the caller decides."""

    kind: ClassVar[str] = "edgerunner.bids-tied"
    conflict: Id
    bids: tuple[Bid, ...]


class ActionDeclared(Event):
    """Somebody says what they do in this exchange, before any dice.

    `target` is whom or what it is aimed at (None: themselves), `also` more whom one act moves; `track` what
    is attacked, defended or recovered; `aspect` the wording a maneuver would place; `path` where a move goes;
    `asset` whom a faction deploys into the first zone of `path`; `about` is the number of the aspect that is
    the target, if one is. `level` is the skill with what always adds
    to it; `against` the skill that opposes, and `opposed` its level, where the table plays so.
    """

    kind: ClassVar[str] = "edgerunner.action-declared"
    conflict: Id
    who: Id
    act: Act
    skill: str | None = None
    level: Whole = 0
    target: On | None = None
    about: Id | None = None
    also: tuple[Id, ...] = ()
    track: str | None = None
    aspect: str | None = None
    path: tuple[Step, ...] = ()
    asset: Id | None = None
    upgrade: str | None = None
    against: str | None = None
    opposed: Whole | None = None
    interrupt: bool = False
    text: Words | None = None


class ActionContinued(Event):
    """Somebody keeps at what they did in the last exchange: the same act, skill and target, without dice.

    `times` counts how often it has been continued; `path` is where a move goes on.
    """

    kind: ClassVar[str] = "edgerunner.action-continued"
    conflict: Id
    who: Id
    act: Act
    skill: str | None = None
    target: On | None = None
    times: Whole
    path: tuple[Step, ...] = ()
    text: Words | None = None


class ActionForfeited(Event):
    """An act comes to nothing, and the turn with it; `out` if who interrupted it took its actor out."""

    kind: ClassVar[str] = "edgerunner.action-forfeited"
    conflict: Id
    who: Id
    why: Literal["compel", "choice", "out"]
    text: Words | None = None


class ActionApplied(Event):
    """An act is done, with the shifts it had in the end."""

    kind: ClassVar[str] = "edgerunner.action-applied"
    conflict: Id
    who: Id
    act: Act
    shifts: Whole


# --- rolls ------------------------------------------------------------------------------------------------


class SkillRolled(Event):
    """A roll outside the exchanges, its dice beside it: a challenge, or (with `against`) a contest.

    `takes` is where the task stands on the time track before shifts are spent on it, from 0.
    """

    kind: ClassVar[str] = "edgerunner.skill-rolled"
    conflict: Id | None = None
    who: Id
    skill: str
    level: Whole
    against: Whole | None = None
    opponent: Id | None = None
    opposing: str | None = None
    takes: Whole | None = None
    upgrade: str | None = None
    text: Words | None = None


class ShiftsSet(Event):
    """Where the open roll stands: its parts, each with its sign, add up to `shifts`.

    Parts that are nothing are left out; what was bid, opposes, lies between and was resisted is below 0.
    """

    kind: ClassVar[str] = "edgerunner.shifts-set"
    conflict: Id | None = None
    who: Id
    shifts: Whole
    dice: Whole | None = None
    level: Whole | None = None
    invoked: Whole | None = None
    boosted: Whole | None = None
    spins: Whole | None = None
    continued: Whole | None = None
    ruled: Whole | None = None
    bid: Whole | None = None
    opposed: Whole | None = None
    range: Whole | None = None
    resisted: Whole | None = None


class ShiftsSpent(Event):
    """Shifts of a roll outside the exchanges bought something; `takes` is the new step on the time track."""

    kind: ClassVar[str] = "edgerunner.shifts-spent"
    conflict: Id | None = None
    who: Id
    spent: tuple[Spent, ...]
    left: Whole
    takes: Whole | None = None
    text: Words | None = None


class SpinGained(Event):
    """A bad move gives the other side so many spins."""

    kind: ClassVar[str] = "edgerunner.spin-gained"
    conflict: Id
    who: Id
    holder: Id | None
    spins: Whole


class SpinSpent(Event):
    """A spin is spent on the open roll."""

    kind: ClassVar[str] = "edgerunner.spin-spent"
    conflict: Id
    who: Id
    text: Words | None = None


# --- stress and consequences ------------------------------------------------------------------------------


class Boosted(Event):
    """Somebody pays for so many shifts on their own roll with what follows."""

    kind: ClassVar[str] = "edgerunner.boosted"
    conflict: Id | None = None
    who: Id
    shifts: Whole
    text: Words | None = None


class Resisted(Event):
    """The target takes so many shifts off the open roll with what follows.

    `comrade` is whom somebody else does it for; `strain` the upgrade whose stress it is, instead of a roll's.
    """

    kind: ClassVar[str] = "edgerunner.resisted"
    conflict: Id | None = None
    who: Id
    shifts: Whole
    comrade: Id | None = None
    strain: str | None = None
    text: Words | None = None


class StressMarked(Event):
    """Boxes are marked by so much stress; `threshold` as it was then.

    A border and an aspect have no track; `about` is the number of the aspect, if it is one.
    """

    kind: ClassVar[str] = "edgerunner.stress-marked"
    conflict: Id | None = None
    on: On
    about: Id | None = None
    track: str | None = None
    amount: Whole
    boxes: tuple[Whole, ...]
    threshold: Whole
    why: Literal["attack", "resist", "boost", "strain", "overflow", "killing", "ruling"]


class BoxesCleared(Event):
    """A recovery clears boxes of a track."""

    kind: ClassVar[str] = "edgerunner.boxes-cleared"
    conflict: Id
    who: Id
    on: On
    track: str
    boxes: tuple[Whole, ...]


class ConsequenceTaken(Event):
    """A consequence fills a slot, as an aspect that opponents may invoke once for nothing.

    It is `who`'s aspect; `slot_of` is whose slot it fills, where a nomad gives one of theirs.
    """

    kind: ClassVar[str] = "edgerunner.consequence-taken"
    conflict: Id | None = None
    who: Id
    severity: Severity
    worth: Whole
    aspect: Id
    wording: str
    slot_of: Id | None = None
    holder: Id | None = None
    why: Literal["resist", "boost", "strain"]


class ThresholdReplaced(Event):
    """A defence holds: the shifts are a track's threshold, instead of `own`, while `who` keeps at it."""

    kind: ClassVar[str] = "edgerunner.threshold-replaced"
    conflict: Id
    who: Id
    on: On
    track: str
    threshold: Whole
    own: Whole


class ThresholdReverted(Event):
    """A defence has ended: a track's threshold is its own again."""

    kind: ClassVar[str] = "edgerunner.threshold-reverted"
    conflict: Id
    who: Id
    on: On
    track: str
    threshold: Whole


class UpgradeStrained(Event):
    """An upgrade told on a roll, and its owner has so much stress to take on a track for it."""

    kind: ClassVar[str] = "edgerunner.upgrade-strained"
    conflict: Id | None = None
    who: Id
    upgrade: str
    track: str
    amount: Whole


class TakenOut(Event):
    """More stress than a track can take: `over` found no box. Who did it tells what becomes of them."""

    kind: ClassVar[str] = "edgerunner.taken-out"
    conflict: Id | None = None
    on: On
    about: Id | None = None
    by: Id | None
    track: str | None = None
    over: Whole


class TaleTold(Event):
    """It has been told what becomes of somebody who was taken out."""

    kind: ClassVar[str] = "edgerunner.tale-told"
    conflict: Id
    on: On
    by: Id


class CharacterKilled(Event):
    """Somebody who was taken out has no way back."""

    kind: ClassVar[str] = "edgerunner.character-killed"
    conflict: Id | None = None
    who: Id
    by: Id | None = None


class Deployed(Event):
    """A faction's asset stands on the map, on its side."""

    kind: ClassVar[str] = "edgerunner.deployed"
    conflict: Id
    who: Id
    asset: Id
    zone: str
    cost: Whole


class StressCleared(Event):
    """A whole track is clear again, outside any conflict."""

    kind: ClassVar[str] = "edgerunner.stress-cleared"
    who: Id
    tracks: tuple[str, ...]
    text: Words | None = None


class ConsequenceCleared(Event):
    """A consequence is over, and its aspect with it."""

    kind: ClassVar[str] = "edgerunner.consequence-cleared"
    who: Id
    severity: Severity
    aspect: Id
    wording: str
    text: Words | None = None


class NumberSet(Event):
    """A ruling set one number: somebody's fate points or threshold, a border's threshold, the open roll."""

    kind: ClassVar[str] = "edgerunner.number-set"
    conflict: Id | None = None
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS: tuple[type[Event], ...] = (
    ZonesMapped,
    Placed,
    Moved,
    BorderEroded,
    AspectPlaced,
    DeclarationFailed,
    AssessmentFailed,
    AspectRemoved,
    FreeInvokesGained,
    AspectInvoked,
    FatePointPaid,
    Refreshed,
    ExchangeBegan,
    TurnClaimed,
    BidsTied,
    ActionDeclared,
    ActionContinued,
    ActionForfeited,
    ActionApplied,
    SkillRolled,
    ShiftsSet,
    ShiftsSpent,
    SpinGained,
    SpinSpent,
    Boosted,
    Resisted,
    StressMarked,
    BoxesCleared,
    ConsequenceTaken,
    ThresholdReplaced,
    ThresholdReverted,
    UpgradeStrained,
    TakenOut,
    TaleTold,
    CharacterKilled,
    Deployed,
    StressCleared,
    ConsequenceCleared,
    NumberSet,
)
