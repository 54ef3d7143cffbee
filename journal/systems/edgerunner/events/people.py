"""Stress and consequences, thresholds, and what becomes of somebody taken out."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.conflicts import On
from journal.systems.edgerunner.rules import Severity
from journal.vocabulary.base import (
    Anywhere,
    Event,
    Id,
    InConflict,
    PersonAnywhere,
    PersonInConflict,
    Whole,
    Words,
    kinds,
)


class StressMarked(Anywhere):
    """Boxes are marked by so much stress; `threshold` as it was then.

    A border and an aspect have no track; `about` is the number of the aspect, if it is one.
    """

    kind: ClassVar[str] = "edgerunner.stress-marked"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str | None = None
    amount: Whole
    boxes: tuple[Whole, ...]
    threshold: Whole
    why: Literal["attack", "resist", "boost", "strain", "overflow", "killing", "ruling"]


class BoxesCleared(PersonInConflict):
    """A recovery clears boxes of a track."""

    kind: ClassVar[str] = "edgerunner.boxes-cleared"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    track: str
    boxes: tuple[Whole, ...]


class StressCleared(Event):
    """A whole track is clear again, outside any conflict."""

    kind: ClassVar[str] = "edgerunner.stress-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    tracks: tuple[str, ...]
    text: Words | None = None


class ConsequenceTaken(PersonAnywhere):
    """A consequence fills a slot, as an aspect that opponents may invoke once for nothing.

    It is `who`'s aspect; `slot_of` is whose slot it fills, where a nomad gives one of theirs.
    """

    kind: ClassVar[str] = "edgerunner.consequence-taken"
    severity: Severity
    worth: Whole
    aspect: Id
    wording: str
    slot_of: Id | None = None
    holder: Id | None = None
    why: Literal["resist", "boost", "strain"]


class ConsequenceCleared(Event):
    """A consequence is over, and its aspect with it."""

    kind: ClassVar[str] = "edgerunner.consequence-cleared"
    who: Id
    severity: Severity
    aspect: Id
    wording: str
    text: Words | None = None


class ConsequenceAltered(Event):
    """A consequence is milder now, and in other words; it was `was`. `by` whose roll."""

    kind: ClassVar[str] = "edgerunner.consequence-altered"
    who: Id
    aspect: Id
    severity: Severity
    wording: str
    was: str
    by: Id
    text: Words | None = None


class ThresholdReplaced(PersonInConflict):
    """A defence holds: the shifts are a threshold, instead of `own`, while `who` keeps at it.

    A border and an aspect have no track, which is empty then; `about` is the number of the aspect.
    """

    kind: ClassVar[str] = "edgerunner.threshold-replaced"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str
    threshold: Whole
    own: Whole


class ThresholdReverted(PersonInConflict):
    """A defence has ended: a threshold is its own again."""

    kind: ClassVar[str] = "edgerunner.threshold-reverted"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str
    threshold: Whole


class UpgradeStrained(PersonAnywhere):
    """An upgrade told on a roll, and its owner has so much stress to take on a track for it."""

    kind: ClassVar[str] = "edgerunner.upgrade-strained"
    upgrade: str
    track: str
    amount: Whole


class TakenOut(Anywhere):
    """More stress than a track can take. Who did it tells what becomes of them.

    `over` is all the stress of that blow, none of it marked; `beyond` what of it the track could not take.
    """

    kind: ClassVar[str] = "edgerunner.taken-out"
    later: ClassVar[frozenset[str]] = frozenset({"beyond"})
    on: On
    about: Id | None = None
    by: Id | None
    track: str | None = None
    over: Whole
    beyond: Whole | None = None


class TaleTold(InConflict):
    """It has been told what becomes of somebody who was taken out."""

    kind: ClassVar[str] = "edgerunner.tale-told"
    on: On
    by: Id


class CharacterKilled(PersonAnywhere):
    """Somebody who was taken out has no way back."""

    kind: ClassVar[str] = "edgerunner.character-killed"
    by: Id | None = None


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


class NumberSet(Anywhere):
    """A ruling set one number: somebody's fate points or threshold, a border's threshold, the open roll."""

    kind: ClassVar[str] = "edgerunner.number-set"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS = kinds(vars())
