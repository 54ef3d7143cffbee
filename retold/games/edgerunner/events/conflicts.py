"""Event classes of the map, of exchanges (rounds) and turns, and of acts and their rolls."""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import (
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
from retold.games.edgerunner.rules import Act

On = Value
"""A person's id, or a thing's name."""


class OfAspect(Anywhere):
    """Base class of events about one aspect, in or outside conflicts: its id, its bearer and its words."""

    aspect: Id
    on: On
    wording: str


class PersonOfAspect(OfAspect):
    """Base class of events about one aspect and the person (`who`) who uses it."""

    who: Id


Passes = dict[str, Whole]
"""Pass value by name of the way; a border's only way has an empty name."""


class BorderDrawn(Part):
    """A border between two zones: pass values (shifts to cross it) of its ways from `one` to `other`.

    The same ways lead back, until others are drawn in that direction.
    """

    one: str
    other: str
    passes: Passes


class Step(Part):
    """A step of a path: the zone entered, and the way over the border if it has several."""

    zone: str
    way: str = ""


class Bid(Part):
    """A bid of shifts by a character who wants to act first."""

    who: Id
    shifts: Whole


class Spent(Part):
    """A number of shifts spent `on` a purpose, such as time."""

    on: str
    shifts: Whole


class ExchangeBegan(InConflict):
    """A new exchange (round) begins, in which each character may act once.

    `exchange` counts from 1; `step` is its length as an index of the time track.
    """

    kind: ClassVar[str] = "edgerunner.exchange-began"
    exchange: Id
    step: Whole | None = None
    length: Words | None = None
    text: Words | None = None


class TurnClaimed(PersonInConflict):
    """A character begins their turn; the shifts they bid for it are subtracted from their roll."""

    kind: ClassVar[str] = "edgerunner.turn-claimed"
    bids: tuple[Bid, ...] = ()
    text: Words | None = None


class BidsTied(InConflict):
    """The highest bids for a turn are equal, so a ruling must say who acts first."""

    kind: ClassVar[str] = "edgerunner.bids-tied"
    bids: tuple[Bid, ...]


class ActionDeclared(PersonInConflict):
    """A character announces an act, before its dice are rolled.

    `target` is the person or thing aimed at (None: the actor), `also` further people moved by the same
    act; `track` is attacked, defended or recovered; `aspect` is the wording a maneuver would place;
    `path` leads a move; `asset` is deployed by a faction into the first zone of `path`; `about` is the id
    of a targeted aspect. `level` is the skill with its fixed bonuses; `against` is an opposing skill and
    `opposed` its level, under the option conflict_opposition. `extra` marks an upgrade's additional act.
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
    """A character repeats their act of the last exchange: same act, skill, target and dice, not rolled again.

    `times` counts the continuations; `path` leads a move further; `track` and `aspect` are the new ones,
    if they changed.
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
    """An announced act is cancelled, and its actor's turn ends.

    `why` is `compel` if the actor accepted a compel, `choice` if they gave the act up, `out` if an
    interrupting act took them out, `conceded` if a concession ended the conflict.
    """

    kind: ClassVar[str] = "edgerunner.action-forfeited"
    why: Literal["compel", "choice", "out", "conceded"]
    text: Words | None = None


class ActionApplied(PersonInConflict):
    """An act takes effect with `shifts`, its roll's final total; the events of its outcome follow."""

    kind: ClassVar[str] = "edgerunner.action-applied"
    act: Act
    shifts: Whole


class SkillRolled(PersonAnywhere):
    """A character rolls a skill outside conflicts; the DiceRolled event that follows has the dice.

    With `against`, a number or the level of the opponent's skill, it is a contest, otherwise a challenge.
    `takes` is the task's time step before shifts are spent, from 0.
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
    """New total (`shifts`) of a roll that can still be changed, and the signed parts of this sum.

    Zero parts are left out; `bid`, `opposed`, `range` and `resisted` are negative.
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
    """Shifts of a roll outside conflicts are spent; `left` remain. `takes` is the task's new time step."""

    kind: ClassVar[str] = "edgerunner.shifts-spent"
    spent: tuple[Spent, ...]
    left: Whole
    takes: Whole | None = None
    text: Words | None = None


class AspectInvoked(PersonOfAspect):
    """An aspect is invoked on a roll that can still be changed: 2 shifts more, 2 less, or a reroll."""

    kind: ClassVar[str] = "edgerunner.aspect-invoked"
    mode: Literal["+2", "-2", "reroll"]
    free: bool = False
    by: Id | None = None
    """Owner of the free invoke, if it was lent."""
    finding: Literal[True] | None = None
    """True if invoked on an assessment or declaration."""
    text: Words | None = None


class Boosted(PersonAnywhere):
    """The roller adds `shifts` to their own roll, for the stress and consequences in the next events."""

    kind: ClassVar[str] = "edgerunner.boosted"
    shifts: Whole
    text: Words | None = None


class Resisted(PersonAnywhere):
    """A roll's target takes `shifts` off it, paid for by the stress and consequence events that follow.

    `comrade` is the target a nomad takes the hit for; `strain` the upgrade whose stress is taken, instead
    of a roll's; `asset` the asset whose overflow a faction reduces; `upgrade` the upgrade used as armour.
    """

    kind: ClassVar[str] = "edgerunner.resisted"
    shifts: Whole
    comrade: Id | None = None
    strain: str | None = None
    asset: Id | None = None
    upgrade: str | None = None
    text: Words | None = None


class SpinGained(PersonInConflict):
    """A failed move gives an opponent `spins` spin, each worth 1 shift later.

    `holder` is None until a ruling says which opponent.
    """

    kind: ClassVar[str] = "edgerunner.spin-gained"
    holder: Id | None
    spins: Whole


class SpinSpent(PersonInConflict):
    """One spin is spent: the current roll of its holder or an ally gains 1 shift."""

    kind: ClassVar[str] = "edgerunner.spin-spent"
    text: Words | None = None


class ZonesMapped(Anywhere):
    """Zones and borders are added to the map, or borders redrawn.

    `pins` are map coordinates by zone; `threshold` is the stress that each of these borders can take.
    Without a conflict, the map is prepared for the next one.
    """

    kind: ClassVar[str] = "edgerunner.zones-mapped"
    zones: tuple[str, ...]
    borders: tuple[BorderDrawn, ...] = ()
    pins: dict[str, tuple[Whole, Whole]] = {}
    threshold: Whole | None = None
    text: Words | None = None


class ZonesUnmapped(InConflict):
    """Zones and borders are removed from the map, by name."""

    kind: ClassVar[str] = "edgerunner.zones-unmapped"
    zones: tuple[str, ...]
    borders: tuple[str, ...]
    text: Words | None = None


class Placed(InConflict):
    """People are put into a zone by the table, without a move."""

    kind: ClassVar[str] = "edgerunner.placed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"who"})
    about_people: ClassVar[str | None] = "who"
    who: tuple[Id, ...]
    zone: str
    text: Words | None = None


class ThingsPlaced(InConflict):
    """Things without a sheet, known by name, are put into a zone, where acts can target them."""

    kind: ClassVar[str] = "edgerunner.things-placed"
    things: tuple[str, ...]
    zone: str
    text: Words | None = None


class Moved(PersonInConflict):
    """A character moves through the zones of `path`, for `spent` shifts; `free` moves spend 0."""

    kind: ClassVar[str] = "edgerunner.moved"
    start: str
    path: tuple[str, ...]
    spent: Whole
    free: bool = False


class BorderEroded(PersonInConflict):
    """A free move does not cross a border, but lowers its pass value for this person to `left`."""

    kind: ClassVar[str] = "edgerunner.border-eroded"
    one: str
    other: str
    way: str
    left: Whole


class Deployed(PersonInConflict):
    """A faction brings an asset into a zone of the map, on the faction's side, for `cost` shifts."""

    kind: ClassVar[str] = "edgerunner.deployed"
    asset: Id
    zone: str
    cost: Whole


class MooksMerged(PersonAnywhere):
    """Groups of mooks (minor opponents) become one: `who`, of threat level `level`; `others` disappear."""

    kind: ClassVar[str] = "edgerunner.mooks-merged"
    others: tuple[Id, ...]
    level: Whole
    text: Words | None = None


EVENTS = kinds(vars())
