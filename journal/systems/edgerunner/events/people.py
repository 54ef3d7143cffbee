"""Events of stress, consequences, thresholds, aspects, fate points, and characters taken out."""

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
    """Stress marks boxes; `threshold` is the track's at that time.

    Borders and aspects have no track; `about` is the aspect's id, if an aspect is hit.
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
    """A recovery clears stress boxes of one track."""

    kind: ClassVar[str] = "edgerunner.boxes-cleared"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    track: str
    boxes: tuple[Whole, ...]


class StressCleared(Event):
    """Whole stress tracks are cleared outside a conflict."""

    kind: ClassVar[str] = "edgerunner.stress-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    tracks: tuple[str, ...]
    text: Words | None = None


class ConsequenceTaken(PersonAnywhere):
    """A consequence fills a slot, as an aspect with one free invoke for opponents.

    The aspect is on `who`; `slot_of` owns the slot, if a nomad gave one.
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
    """A consequence ends and its aspect is removed."""

    kind: ClassVar[str] = "edgerunner.consequence-cleared"
    who: Id
    severity: Severity
    aspect: Id
    wording: str
    text: Words | None = None


class ConsequenceAltered(Event):
    """A consequence becomes milder and is reworded from `was`; `by` made the roll."""

    kind: ClassVar[str] = "edgerunner.consequence-altered"
    who: Id
    aspect: Id
    severity: Severity
    wording: str
    was: str
    by: Id
    text: Words | None = None


class ThresholdReplaced(PersonInConflict):
    """A defence replaces the threshold `own` with its shifts, while `who` keeps it up.

    Borders and aspects have an empty track; `about` is the aspect's id, if an aspect is defended.
    """

    kind: ClassVar[str] = "edgerunner.threshold-replaced"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str
    threshold: Whole
    own: Whole


class ThresholdReverted(PersonInConflict):
    """A defence ends and the threshold is back at its undefended value."""

    kind: ClassVar[str] = "edgerunner.threshold-reverted"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str
    threshold: Whole


class UpgradeStrained(PersonAnywhere):
    """An upgrade was used on a roll and costs its owner stress on a track."""

    kind: ClassVar[str] = "edgerunner.upgrade-strained"
    upgrade: str
    track: str
    amount: Whole


class TakenOut(Anywhere):
    """Stress exceeds a track: its bearer is taken out, and `by` narrates their fate.

    `over` is the blow's stress, all unmarked; `beyond` is the part above the track's room.
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
    """Narrator `by` has told the fate of `on`, taken out before."""

    kind: ClassVar[str] = "edgerunner.tale-told"
    on: On
    by: Id


class CharacterKilled(PersonAnywhere):
    """A character taken out is dead for good."""

    kind: ClassVar[str] = "edgerunner.character-killed"
    by: Id | None = None


class AspectPlaced(Anywhere):
    """An aspect enters play with an id, and free invokes for the person `by`."""

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
    """A declared aspect is rejected by votes and dice."""

    kind: ClassVar[str] = "edgerunner.declaration-failed"
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AssessmentFailed(PersonAnywhere):
    """An assessment of an existing aspect gains no free invoke."""

    kind: ClassVar[str] = "edgerunner.assessment-failed"
    aspect: Id
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AspectRemoved(Anywhere):
    """An aspect leaves play."""

    kind: ClassVar[str] = "edgerunner.aspect-removed"
    aspect: Id
    on: On
    wording: str
    why: Literal["said", "taken-out", "used"]
    text: Words | None = None


class FreeInvokesGained(PersonAnywhere):
    """Free invokes on an existing aspect, from an assessment or a continued maneuver."""

    kind: ClassVar[str] = "edgerunner.free-invokes-gained"
    aspect: Id
    on: On
    wording: str
    free: Whole
    shifts: Whole
    text: Words | None = None


class FindingStands(Event):
    """New total of an assessment or declaration after an invoke, and its result.

    `free` counts all its free invokes, used or not; `there` is False if the declared aspect does not exist.
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
    """A conflict ends, and with it the free invokes on an aspect its maneuvers made."""

    kind: ClassVar[str] = "edgerunner.free-invokes-lapsed"
    aspect: Id
    on: On
    wording: str


class FatePointPaid(Anywhere):
    """Fate points change hands; id 0 is the referee, whose supply is unlimited."""

    kind: ClassVar[str] = "edgerunner.fate-point-paid"
    payer: Id
    payee: Id
    points: Whole
    why: Literal["invoke", "accepted", "refused", "ghost", "concession"]


class Refreshed(Event):
    """A session begins: each player holds `points` fate points, and all stress is cleared if `stress`."""

    kind: ClassVar[str] = "edgerunner.refreshed"
    points: Whole
    stress: bool


class NumberSet(Anywhere):
    """A ruling sets one number: fate points, a threshold, or the open roll's shifts."""

    kind: ClassVar[str] = "edgerunner.number-set"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS = kinds(vars())
