"""Lines told side by side from where they part, and what each of them changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from journal.copying import copied
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from projections import state_changes, transcript
from projections.document import Paragraph, Transcript
from projections.prose import Voice, voice_of
from projections.prose.phrases import Phrases
from projections.prose.shared import how_it_ended
from projections.prose.telling import Tag
from projections.reading import LineView, line_name, lines
from projections.typography import typesetter_of
from projections.views.naming import conflict_title
from projections.views.sheet import NOBODY

LOOKS_BACK = 64
"""Positions before a parting in which its words are looked for first; only then from the beginning."""


class Side(Struct, frozen=True):
    """A line from where it leaves those before it; `words` are what was told last before that.

    `leaves` is the line it leaves, where that is not the parting of all. `ended` says how each conflict ended
    on it since that, and which is not over.
    """

    name: str
    why: str | None
    leaves: str | None
    words: Paragraph | None
    told: Transcript
    ended: tuple[str, ...] = ()


class ChangedRow(NamedTuple):
    """A number or word: as it was where the lines part, and as each of them left it."""

    about: str
    was: str
    now: tuple[str, ...]


class Parting(Struct, frozen=True):
    """Two lines or more; `where` names the scene in which they part, `words` were told last before that.

    `about` is what all of them tell of; None for moments of one line.
    """

    about: str | None
    campaign: str | None
    where: str | None
    words: Paragraph | None
    sides: tuple[Side, ...]
    changed: tuple[ChangedRow, ...]

    @property
    def names(self) -> list[str]:
        """What the lines are called."""
        return [side.name for side in self.sides]

    def running(self) -> Parting:
        """The same with running text where the voice has it."""
        return replace(self, sides=tuple(replace(side, told=side.told.running()) for side in self.sides))

    def without_mechanics(self) -> Parting:
        """The stories alone, without what each changed."""
        bare = (replace(side, told=side.told.without_mechanics()) for side in self.sides)
        return replace(self, sides=tuple(bare), changed=())


def last_shared(one: LineView, other: LineView) -> int:
    """The last position up to which both are the same; 0 if they share nothing."""
    return min(lines.shared_length(one, other), one.position, other.position)


def compare_lines(readings: Sequence[LineView], *, voice: Voice | str = "report") -> Parting:
    """Moments of several lines told beside each other, each as its reader may know it.

    They are told from the first place at which two of them part, and a later one from where it leaves the
    earlier ones, so that nothing is told twice.
    """
    first, *others = readings
    parted = min(last_shared(first, one) for one in others)
    before = first.then(parted).table
    set_ = typesetter_of(voice_of(voice))
    sides = [_side(readings, number, parted, voice) for number in range(len(readings))]
    return Parting(
        _about(before, readings, voice_of(voice)),
        None if before.title is None else set_(str(before.title)),
        None if before.scene_title is None else set_(str(before.scene_title)),
        _last_words(first, parted, voice),
        tuple(sides),
        tuple(_changed(before, [one.table for one in readings], voice_of(voice).phrases)),
    )


def _about(before: Table, readings: Sequence[LineView], voice: Voice) -> str | None:
    """What lines tell of that part here: the one conflict that is open, else the scene, else the campaign."""
    if len({one.line for one in readings}) < len(readings):
        return None
    conflicts = [*before.conflicts.values()]
    if len(conflicts) == 1:
        return typesetter_of(voice)(conflict_title(conflicts[0], before))
    title = before.title if before.scene_title is None else before.scene_title
    return voice.phrases.say("page.campaign") if title is None else typesetter_of(voice)(str(title))


def line_title(reading: LineView) -> str:
    """A line by its name, and the position if it is not read up to its head.

    For whoever may not know of gaps an id, and none where all that came after is hidden.
    """
    name = line_name(reading)
    if reading.at is None:
        return name
    if reading.viewer.gm:
        return f"{name}@{reading.at}"
    here, head = (reading.ids.place(one) for one in (reading.at, reading.head))
    return name if here == head else f"{name}@{here}"


def _side(readings: Sequence[LineView], number: int, parted: int, voice: Voice | str) -> Side:
    one = readings[number]
    leaves = max(readings[:number], key=lambda other: last_shared(one, other), default=None)
    after = parted if leaves is None else last_shared(one, leaves)
    further = after > parted and leaves is not None
    return Side(
        line_title(one),
        lines.branch_reason(one, after),
        line_title(leaves) if leaves is not None and further else None,
        _last_words(one, after, voice) if further else None,
        transcript.of_range(one, after, voice=voice, prefix=f"{ascii_lowercase[number]}-"),
        tuple(map(typesetter_of(voice_of(voice)), _ended(one, parted, voice_of(voice).phrases))),
    )


def _ended(reading: LineView, parted: int, phrases: Phrases) -> Iterator[str]:
    """How each conflict ended on a line since it parted, in words of ours, and which is not over."""
    table = copied(reading.table_at(parted))
    fought, settled = dict(table.conflicts), False
    for moment in reading.moments(parted, table=table):
        fought.update(table.conflicts)
        if isinstance(moment.event, e.ConflictEnded):
            settled = True
            yield _how(moment.event, fought[moment.event.conflict], table, phrases)
    yield from (transcript.not_over(one, table, phrases) for one in table.conflicts.values())
    if not settled and not table.conflicts:
        yield phrases.say("page.nothing-ended")


def _how(event: e.ConflictEnded, conflict: OpenConflict, table: Table, phrases: Phrases) -> str:
    won = next((side for side in conflict.sides if event.winner in side), ())
    gm = phrases.say("names.gm")
    winner = phrases.say("page.side", who=[table.shown(one, gm) for one in won]) if won else None
    how = [*how_it_ended(event, winner, phrases)]
    return phrases.say("page.ended", conflict=conflict_title(conflict, table, gm), how=how)


def _last_words(reading: LineView, upto: int, voice: Voice | str) -> Paragraph | None:
    """What was told last up to a position, as it was known there; somebody's own words rather than ours."""
    then = reading.then(upto)
    for after in (max(upto - LOOKS_BACK, 0), 0):
        told = transcript.of_range(then, after, voice=voice)
        said = [replace(one, mechanics=()) for one in _paragraphs(told) if one.text.strip()]
        if said:
            return next((one for one in reversed(said) if _is_story(one)), said[-1])
    return None


def _is_story(one: Paragraph) -> bool:
    """True for what somebody said or told in it, and not beside it, and what still counts."""
    return one.kind not in (Tag.GENERATED, Tag.NOTE, Tag.RULING, Tag.ASIDE) and not one.struck


def _paragraphs(told: Transcript) -> Iterator[Paragraph]:
    for scene in told.scenes:
        for passage in scene.passages:
            yield from (one for one in passage.paragraphs if one.kind is not Tag.MECHANICS)


def _changed(before: Table, after: Sequence[Table], phrases: Phrases) -> Iterator[ChangedRow]:
    """A row for everything that any of the lines changed, in the order of the first that did."""
    each = [dict(_values(before, table, phrases)) for table in after]
    for about in dict.fromkeys(key for values in each for key in values):
        was = next(values[about][0] for values in each if about in values)
        yield ChangedRow(about, was, tuple(values[about][1] if about in values else was for values in each))


def _values(before: Table, after: Table, phrases: Phrases) -> Iterator[tuple[str, tuple[str, str]]]:
    for name in state_changes.newcomers(before, after):
        yield name, (NOBODY, phrases.say("page.joined"))
    for change in state_changes.numbers(before, after):
        yield change.about, (change.was or NOBODY, change.now or NOBODY)
