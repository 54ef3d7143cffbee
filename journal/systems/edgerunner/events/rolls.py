"""Rolls, and what is paid to add to one or to take from it."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.parts import On, Spent
from journal.vocabulary.base import Id, PersonAnywhere, PersonInConflict, Whole, kinds
from journal.words import Words


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


EVENTS = kinds(vars())
