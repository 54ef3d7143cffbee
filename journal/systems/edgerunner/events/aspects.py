"""Aspects that come into play and go, and the fate points they cost and pay."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.parts import On
from journal.vocabulary.base import Anywhere, Event, Id, InConflict, PersonAnywhere, Whole, kinds
from journal.words import Words


class AspectPlaced(Anywhere):
    """An aspect is in play, under a number of its own, with free invokes for `holder`."""

    kind: ClassVar[str] = "edgerunner.aspect-placed"
    aspect: Id
    on: On
    wording: str
    how: Literal["said", "declaration", "maneuver"]
    by: Id | None = None
    free: Whole = 0
    shifts: Whole | None = None
    text: Words | None = None


class DeclarationFailed(Anywhere):
    """The table and the dice would not have it: no such aspect."""

    kind: ClassVar[str] = "edgerunner.declaration-failed"
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AssessmentFailed(PersonAnywhere):
    """Somebody looked for an aspect that is there, and can make nothing of it yet."""

    kind: ClassVar[str] = "edgerunner.assessment-failed"
    aspect: Id
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AspectRemoved(Anywhere):
    """An aspect is in play no longer."""

    kind: ClassVar[str] = "edgerunner.aspect-removed"
    aspect: Id
    on: On
    wording: str
    why: Literal["said", "taken-out", "used"]
    text: Words | None = None


class FreeInvokesGained(PersonAnywhere):
    """An assessment, or a maneuver continued, gives free invokes on an aspect that is there already."""

    kind: ClassVar[str] = "edgerunner.free-invokes-gained"
    aspect: Id
    on: On
    wording: str
    free: Whole
    shifts: Whole
    text: Words | None = None


class FindingStands(Event):
    """Where an assessment or a declaration stands once aspects were invoked on it, and what that makes of it.

    `free` counts all its free invokes, used or not; `there` whether there is such an aspect at all.
    """

    kind: ClassVar[str] = "edgerunner.finding-stands"
    who: Id | None = None
    how: Literal["assessment", "declaration"]
    aspect: Id
    on: On
    wording: str
    shifts: Whole
    free: Whole
    there: bool = True


class FreeInvokesLapsed(InConflict):
    """The conflict is over in which a maneuver made an aspect, and the free invokes of it with that."""

    kind: ClassVar[str] = "edgerunner.free-invokes-lapsed"
    aspect: Id
    on: On
    wording: str


class FatePointPaid(Anywhere):
    """Fate points leave one hand and enter another; 0 is the referee's, which is never empty."""

    kind: ClassVar[str] = "edgerunner.fate-point-paid"
    payer: Id
    payee: Id
    points: Whole
    why: Literal["invoke", "accepted", "refused", "ghost", "concession"]


class Refreshed(Event):
    """An evening begins: every player holds so many fate points; all stress is cleared where `stress` is."""

    kind: ClassVar[str] = "edgerunner.refreshed"
    points: Whole
    stress: bool


EVENTS = kinds(vars())
