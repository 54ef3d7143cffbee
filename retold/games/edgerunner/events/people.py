"""Event classes of stress, consequences, thresholds, aspects, fate points, and people taken out."""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import Anywhere, Event, Id, InConflict, PersonAnywhere, PersonInConflict, Whole, Words, kinds
from retold.games.edgerunner.events.conflicts import OfAspect, On, PersonOfAspect
from retold.games.edgerunner.rules import Severity


class StressMarked(Anywhere):
    """Stress of `amount` marks `boxes` on a person's track, a border or an aspect.

    `threshold` is the highest box at that time. Borders and aspects have no track; `about` is the id of
    an aspect that is hit.
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
    """A recovery by `who` clears stress boxes on a track of `on`."""

    kind: ClassVar[str] = "edgerunner.boxes-cleared"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    track: str
    boxes: tuple[Whole, ...]


class StressCleared(Event):
    """Stress is cleared after a conflict or by a ruling: each marked box on these tracks of a person."""

    kind: ClassVar[str] = "edgerunner.stress-cleared"
    sheet_of: ClassVar[str | None] = "who"
    who: Id
    tracks: tuple[str, ...]
    text: Words | None = None


class ConsequenceTaken(PersonAnywhere):
    """A person takes a consequence, an aspect on them that absorbs `worth` shifts and fills a slot.

    `holder` gets one free invoke of it; None means any opponent. The slot is the person's own, unless a nomad
    took the hit for them: then it is the nomad's, and `slot_of` is the nomad.
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
    """A consequence ends, its slot is free again, and its aspect leaves play."""

    kind: ClassVar[str] = "edgerunner.consequence-cleared"
    who: Id
    severity: Severity
    aspect: Id
    wording: str
    text: Words | None = None


class ConsequenceAltered(Event):
    """A consequence becomes the next milder one, reworded from `was`; `by` made the roll for it."""

    kind: ClassVar[str] = "edgerunner.consequence-altered"
    who: Id
    aspect: Id
    severity: Severity
    wording: str
    was: str
    by: Id
    text: Words | None = None


class ThresholdReplaced(PersonInConflict):
    """A defence by `who` raises or lowers the threshold of `on` from `own`, until the defence ends.

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
    """A defence ends: `threshold`, the highest box of what was defended, is the undefended value again."""

    kind: ClassVar[str] = "edgerunner.threshold-reverted"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    about: Id | None = None
    track: str
    threshold: Whole


class UpgradeStrained(PersonAnywhere):
    """A person used an upgrade on a roll, and must now take `amount` stress on a track."""

    kind: ClassVar[str] = "edgerunner.upgrade-strained"
    upgrade: str
    track: str
    amount: Whole


class TakenOut(Anywhere):
    """A person, border or aspect is taken out by more stress than it can take, or by a ruling.

    `by` then narrates a person's fate. `over` is the blow's stress, none of it marked; `beyond` is the
    part above the track's room.
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
    """Narrator `by` has told what becomes of `on`, a person taken out before."""

    kind: ClassVar[str] = "edgerunner.tale-told"
    on: On
    by: Id


class CharacterKilled(PersonAnywhere):
    """A character dies for good, killed by `by`; None without a known killer."""

    kind: ClassVar[str] = "edgerunner.character-killed"
    by: Id | None = None


class AspectPlaced(OfAspect):
    """A new aspect (a phrase describing a person or thing) comes into play, with free invokes for `by`.

    `how`: by mere say-so, by a declaration (votes and dice), or by a maneuver.
    """

    kind: ClassVar[str] = "edgerunner.aspect-placed"
    how: Literal["said", "declaration", "maneuver"]
    by: Id | None = None
    free: Whole = 0
    shifts: Whole | None = None
    text: Words | None = None


class DeclarationFailed(Anywhere):
    """A declared aspect does not come into play: its votes and dice came to less than 0."""

    kind: ClassVar[str] = "edgerunner.declaration-failed"
    on: On
    wording: str
    shifts: Whole
    text: Words | None = None


class AssessmentFailed(PersonOfAspect):
    """A roll to assess an existing aspect yields no free invoke of it."""

    kind: ClassVar[str] = "edgerunner.assessment-failed"
    shifts: Whole
    text: Words | None = None


class AspectRemoved(OfAspect):
    """An aspect leaves play: removed by the table, destroyed by an attack, or a ghost's aspect used up."""

    kind: ClassVar[str] = "edgerunner.aspect-removed"
    why: Literal["said", "taken-out", "used"]
    text: Words | None = None


class FreeInvokesGained(PersonOfAspect):
    """A person gains `free` free invokes of an existing aspect, by an assessment or a continued maneuver."""

    kind: ClassVar[str] = "edgerunner.free-invokes-gained"
    free: Whole
    shifts: Whole
    text: Words | None = None


class FindingStands(Event):
    """New total and result of an assessment or declaration, changed by an invoke.

    `free` counts all its free invokes, used or not; `there` is False if the declared aspect does not
    exist.
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
    """Free invokes of an aspect made by a maneuver are lost, because its conflict ends."""

    kind: ClassVar[str] = "edgerunner.free-invokes-lapsed"
    aspect: Id
    on: On
    wording: str


class FatePointPaid(Anywhere):
    """Fate points pass from `payer` to `payee`; id 0 is the referee, whose points are unlimited."""

    kind: ClassVar[str] = "edgerunner.fate-point-paid"
    payer: Id
    payee: Id
    points: Whole
    why: Literal["invoke", "accepted", "refused", "ghost", "concession"]


class Refreshed(Event):
    """At a session's start, each player's fate points are set to `points`; `stress` clears all stress too."""

    kind: ClassVar[str] = "edgerunner.refreshed"
    points: Whole
    stress: bool


class NumberSet(Anywhere):
    """A ruling set a number to `value`: fate points, a threshold, or the shifts of the current roll."""

    kind: ClassVar[str] = "edgerunner.number-set"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS = kinds(vars())
