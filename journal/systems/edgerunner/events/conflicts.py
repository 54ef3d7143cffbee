"""Exchanges, turns, and the acts declared in them."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.rules import Act
from journal.vocabulary.base import (
    Anywhere,
    Id,
    InConflict,
    Part,
    PersonAnywhere,
    PersonInConflict,
    Value,
    Whole,
    Words,
    kinds,
)

On = Value
"""Somebody by id, or something by its name."""

Passes = dict[str, Whole]
"""Way over a border → what it takes; the only way has the empty name."""


class BorderDrawn(Part):
    """The ways over a border from `one` to `other`; they hold backwards too until that is drawn itself."""

    one: str
    other: str
    passes: Passes


class Step(Part):
    """One zone of a path, and the way taken into it where the border has several."""

    zone: str
    way: str = ""


class Bid(Part):
    """The shifts somebody would give up to act first."""

    who: Id
    shifts: Whole


class Spent(Part):
    """Shifts spent on one thing."""

    on: str
    shifts: Whole


class ExchangeBegan(InConflict):
    """Everybody may act once more. `exchange` counts from 1; `step` is its length on the time track."""

    kind: ClassVar[str] = "edgerunner.exchange-began"
    exchange: Id
    step: Whole | None = None
    length: Words | None = None
    text: Words | None = None


class TurnClaimed(PersonInConflict):
    """It is somebody's turn; what they bid for it, if they had to, comes off their roll."""

    kind: ClassVar[str] = "edgerunner.turn-claimed"
    bids: tuple[Bid, ...] = ()
    text: Words | None = None


class BidsTied(InConflict):
    """Several bid the same: the caller decides."""

    kind: ClassVar[str] = "edgerunner.bids-tied"
    bids: tuple[Bid, ...]


class ActionDeclared(PersonInConflict):
    """Somebody says what they do in this exchange, before any dice.

    `target` is whom or what it is aimed at (None: themselves), `also` more whom one act moves; `track` what
    is attacked, defended or recovered; `aspect` the wording a maneuver would place; `path` where a move goes;
    `asset` whom a faction deploys into the first zone of `path`; `about` is the number of the aspect that is
    the target, if one is. `level` is the skill with what always adds to it; `against` the skill that opposes,
    and `opposed` its level, where the table plays so. `extra` is an act an upgrade gives beside the turn.
    """

    kind: ClassVar[str] = "edgerunner.action-declared"
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
    extra: Literal[True] | None = None
    text: Words | None = None


class ActionContinued(PersonInConflict):
    """Somebody keeps at what they did in the last exchange: the same act, skill and target, without dice.

    `times` counts how often it has been continued; `path` is where a move goes on; `track` and `aspect` are
    what the shifts go into now, where that is not what it was.
    """

    kind: ClassVar[str] = "edgerunner.action-continued"
    act: Act
    skill: str | None = None
    target: On | None = None
    times: Whole
    path: tuple[Step, ...] = ()
    track: str | None = None
    aspect: str | None = None
    text: Words | None = None


class ActionForfeited(PersonInConflict):
    """An act comes to nothing, and the turn with it; `out` if who interrupted it took its actor out.

    `conceded` if the conflict is over by a concession.
    """

    kind: ClassVar[str] = "edgerunner.action-forfeited"
    why: Literal["compel", "choice", "out", "conceded"]
    text: Words | None = None


class ActionApplied(PersonInConflict):
    """An act is done, with the shifts it had in the end."""

    kind: ClassVar[str] = "edgerunner.action-applied"
    act: Act
    shifts: Whole


class SkillRolled(PersonAnywhere):
    """A roll outside the exchanges, its dice beside it: a challenge, or (with `against`) a contest.

    `takes` is where the task stands on the time track before shifts are spent on it, from 0.
    """

    kind: ClassVar[str] = "edgerunner.skill-rolled"
    skill: str
    level: Whole
    against: Whole | None = None
    opponent: Id | None = None
    opposing: str | None = None
    takes: Whole | None = None
    upgrade: str | None = None
    text: Words | None = None


class ShiftsSet(PersonAnywhere):
    """Where the open roll stands: its parts, each with its sign, add up to `shifts`.

    Parts that are nothing are left out; what was bid, opposes, lies between and was resisted is below 0.
    """

    kind: ClassVar[str] = "edgerunner.shifts-set"
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


class ShiftsSpent(PersonAnywhere):
    """Shifts of a roll outside the exchanges bought something; `takes` is the new step on the time track."""

    kind: ClassVar[str] = "edgerunner.shifts-spent"
    spent: tuple[Spent, ...]
    left: Whole
    takes: Whole | None = None
    text: Words | None = None


class AspectInvoked(PersonAnywhere):
    """An aspect tells on the open roll: 2 more, 2 less, or all the dice again."""

    kind: ClassVar[str] = "edgerunner.aspect-invoked"
    aspect: Id
    on: On
    wording: str
    mode: Literal["+2", "-2", "reroll"]
    free: bool = False
    by: Id | None = None
    """Whose free invoke it was, if somebody lent it."""
    finding: Literal[True] | None = None
    """True if it tells on an assessment or a declaration."""
    text: Words | None = None


class Boosted(PersonAnywhere):
    """Somebody pays for so many shifts on their own roll with what follows."""

    kind: ClassVar[str] = "edgerunner.boosted"
    shifts: Whole
    text: Words | None = None


class Resisted(PersonAnywhere):
    """The target takes so many shifts off the open roll with what follows.

    `comrade` is whom somebody else does it for; `strain` the upgrade whose stress it is, instead of a roll's;
    `asset` whose overflow a faction takes it off, and not off the roll; `upgrade` what was used to resist.
    """

    kind: ClassVar[str] = "edgerunner.resisted"
    shifts: Whole
    comrade: Id | None = None
    strain: str | None = None
    asset: Id | None = None
    upgrade: str | None = None
    text: Words | None = None


class SpinGained(PersonInConflict):
    """A bad move gives the other side so many spins."""

    kind: ClassVar[str] = "edgerunner.spin-gained"
    holder: Id | None
    spins: Whole


class SpinSpent(PersonInConflict):
    """A spin is spent on the open roll."""

    kind: ClassVar[str] = "edgerunner.spin-spent"
    text: Words | None = None


class ZonesMapped(Anywhere):
    """Zones and borders are on the map. `pins` say where a zone is drawn; `threshold` is of these borders.

    Without a conflict it is a map drawn beforehand, for the next that opens.
    """

    kind: ClassVar[str] = "edgerunner.zones-mapped"
    zones: tuple[str, ...]
    borders: tuple[BorderDrawn, ...] = ()
    pins: dict[str, tuple[Whole, Whole]] = {}
    threshold: Whole | None = None
    text: Words | None = None


class ZonesUnmapped(InConflict):
    """These zones and borders, by name, are on the map no longer."""

    kind: ClassVar[str] = "edgerunner.zones-unmapped"
    zones: tuple[str, ...]
    borders: tuple[str, ...]
    text: Words | None = None


class Placed(InConflict):
    """These people are in a zone, by nobody's move."""

    kind: ClassVar[str] = "edgerunner.placed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"who"})
    about_people: ClassVar[str | None] = "who"
    who: tuple[Id, ...]
    zone: str
    text: Words | None = None


class ThingsPlaced(InConflict):
    """These things, which have no sheet, lie in a zone: what is done to them is done there."""

    kind: ClassVar[str] = "edgerunner.things-placed"
    things: tuple[str, ...]
    zone: str
    text: Words | None = None


class Moved(PersonInConflict):
    """Somebody went over these zones, for so many shifts; by a free move for none."""

    kind: ClassVar[str] = "edgerunner.moved"
    start: str
    path: tuple[str, ...]
    spent: Whole
    free: bool = False


class BorderEroded(PersonInConflict):
    """A free move wears at a border instead of crossing it; so much is left of it for this mover."""

    kind: ClassVar[str] = "edgerunner.border-eroded"
    one: str
    other: str
    way: str
    left: Whole


class Deployed(PersonInConflict):
    """A faction's asset stands on the map, on its side."""

    kind: ClassVar[str] = "edgerunner.deployed"
    asset: Id
    zone: str
    cost: Whole


class MooksMerged(PersonAnywhere):
    """Several lots of mooks are one, called `who` and of this threat level; the others are no more."""

    kind: ClassVar[str] = "edgerunner.mooks-merged"
    others: tuple[Id, ...]
    level: Whole
    text: Words | None = None


EVENTS = kinds(vars())
