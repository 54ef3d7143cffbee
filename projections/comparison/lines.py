"""Comparison of several branches from their common fork: their stories, and the values each changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.copying import copied
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.projections.prose import Voice, voice_of
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.shared import how_it_ended
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView, line_name, lines
from retold.projections.story import state_changes, transcript
from retold.projections.story.document import Paragraph, Transcript
from retold.projections.story.typography import typesetter_of
from retold.projections.views.naming import conflict_title
from retold.projections.views.sheet import NOBODY

LOOKS_BACK = 64
"""Positions before a fork searched first for the last words; then the whole line is searched."""


class Side(Struct, frozen=True):
    """A compared branch from its fork onwards; `words` is the last text told before the fork.

    `leaves` names the branch it forks from, if it forks later than the others. `ended` says how each
    conflict ended on this branch since the fork, and which conflicts are still open.
    """

    name: str
    why: str | None
    leaves: str | None
    words: Paragraph | None
    told: Transcript
    ended: tuple[str, ...] = ()


class ChangedRow(NamedTuple):
    """A changed value: `was` at the fork, `now` at the end of each branch."""

    about: str
    was: str
    now: tuple[str, ...]


class Parting(Struct, frozen=True):
    """Result of comparing branches; `where` is the scene of the fork, `words` the last text before it.

    `about` is their common subject, such as a conflict; None when moments of a single branch are compared.
    """

    about: str | None
    campaign: str | None
    where: str | None
    words: Paragraph | None
    sides: tuple[Side, ...]
    changed: tuple[ChangedRow, ...]

    @property
    def names(self) -> list[str]:
        """Names of the compared branches, in order."""
        return [side.name for side in self.sides]

    def running(self) -> Parting:
        """Returns a copy in which each joining paragraph is merged into the paragraph before it."""
        return replace(self, sides=tuple(replace(side, told=side.told.running()) for side in self.sides))

    def without_mechanics(self) -> Parting:
        """Returns a copy with only the stories: without dice, cards and the table of changed values."""
        bare = (replace(side, told=side.told.without_mechanics()) for side in self.sides)
        return replace(self, sides=tuple(bare), changed=())


def last_shared(one: LineView, other: LineView) -> int:
    """Returns the last position that both branches share; 0 if they share no event."""
    return min(lines.shared_length(one, other), one.position, other.position)


def compare_lines(readings: Sequence[LineView], *, voice: Voice | str = "report") -> Parting:
    """Compares several branches, each told as the viewer of its reading may know it.

    The stories begin at the first fork between any two branches; a branch that forks later is told from its
    own fork, so that no event is told twice.
    """
    first, *others = readings
    parted = min(last_shared(first, other) for other in others)
    before = first.then(parted).table
    set_ = typesetter_of(voice_of(voice))
    sides = [_side(readings, number, parted, voice) for number in range(len(readings))]
    return Parting(
        _about(before, readings, voice_of(voice)),
        None if before.title is None else set_(str(before.title)),
        None if before.scene_title is None else set_(str(before.scene_title)),
        _last_words(first, parted, voice),
        tuple(sides),
        tuple(_changed(before, [reading.table for reading in readings], voice_of(voice).phrases)),
    )


def _about(before: Table, readings: Sequence[LineView], voice: Voice) -> str | None:
    """Returns the subject at the fork: the only open conflict, else the scene, else the campaign.

    None if moments of a single branch are compared.
    """
    if len({reading.line for reading in readings}) < len(readings):
        return None
    conflicts = [*before.conflicts.values()]
    if len(conflicts) == 1:
        return typesetter_of(voice)(conflict_title(conflicts[0], before))
    title = readings[0].title if before.scene_title is None else str(before.scene_title)
    return typesetter_of(voice)(title)


def line_title(reading: LineView) -> str:
    """Returns a branch's name, with `@position` appended if it is not read up to its head.

    Viewers without sight of every event get an id instead of a position, and nothing if every later event
    is hidden from them.
    """
    name = line_name(reading)
    if reading.at is None:
        return name
    if reading.viewer.gm:
        return f"{name}@{reading.at}"
    here, head = (reading.ids.place(position) for position in (reading.at, reading.head))
    return name if here == head else f"{name}@{here}"


def _side(readings: Sequence[LineView], number: int, parted: int, voice: Voice | str) -> Side:
    reading = readings[number]
    leaves = max(readings[:number], key=lambda other: last_shared(reading, other), default=None)
    after = parted if leaves is None else last_shared(reading, leaves)
    further = after > parted and leaves is not None
    return Side(
        line_title(reading),
        lines.branch_reason(reading, after),
        line_title(leaves) if leaves is not None and further else None,
        _last_words(reading, after, voice) if further else None,
        transcript.of_range(reading, after, voice=voice, prefix=f"{ascii_lowercase[number]}-"),
        tuple(map(typesetter_of(voice_of(voice)), _ended(reading, parted, voice_of(voice).phrases))),
    )


def _ended(reading: LineView, parted: int, phrases: Phrases) -> Iterator[str]:
    """Yields a sentence for each conflict that ended after position `parted`, then for each open conflict."""
    table = copied(reading.table_at(parted))
    fought, settled = dict(table.conflicts), False
    for moment in reading.moments(parted, table=table):
        fought.update(table.conflicts)
        if isinstance(moment.event, e.ConflictEnded):
            settled = True
            yield _how(moment.event, fought[moment.event.conflict], table, phrases)
    yield from (transcript.not_over(conflict, table, phrases) for conflict in table.conflicts.values())
    if not settled and not table.conflicts:
        yield phrases.say("page.nothing-ended")


def _how(event: e.ConflictEnded, conflict: OpenConflict, table: Table, phrases: Phrases) -> str:
    winners = table.ended[event.conflict].winners
    won = [person for side in conflict.sides if not {*side}.isdisjoint(winners) for person in side]
    gm = phrases.say("names.gm")
    winner = phrases.say("page.side", who=[table.shown(person, gm) for person in won]) if won else None
    how = [*how_it_ended(event, winner, phrases)]
    return phrases.say("page.ended", conflict=conflict_title(conflict, table, gm), how=how)


def _last_words(reading: LineView, upto: int, voice: Voice | str) -> Paragraph | None:
    """Returns the last paragraph of the story told up to position `upto`; None if nothing was told.

    Generated and struck text, notes, rulings and asides count only if there is nothing else.
    """
    then = reading.then(upto)
    for after in (max(upto - LOOKS_BACK, 0), 0):
        told = transcript.of_range(then, after, voice=voice)
        said = [
            replace(paragraph, mechanics=())
            for paragraph in told.paragraphs()
            if paragraph.kind is not Tag.MECHANICS and paragraph.text.strip()
        ]
        if said:
            return next((paragraph for paragraph in reversed(said) if _is_story(paragraph)), said[-1])
    return None


def _is_story(paragraph: Paragraph) -> bool:
    """True for a paragraph of the story; False for notes, rulings, asides, generated and struck text."""
    return paragraph.kind not in (Tag.GENERATED, Tag.NOTE, Tag.RULING, Tag.ASIDE) and not paragraph.struck


def _changed(before: Table, after: Sequence[Table], phrases: Phrases) -> Iterator[ChangedRow]:
    """Yields a row for each value that differs from the fork on any branch, in order of first change."""
    each = [dict(_values(before, table, phrases)) for table in after]
    for about in dict.fromkeys(key for values in each for key in values):
        was = next(values[about][0] for values in each if about in values)
        yield ChangedRow(about, was, tuple(values[about][1] if about in values else was for values in each))


def _values(before: Table, after: Table, phrases: Phrases) -> Iterator[tuple[str, tuple[str, str]]]:
    for name in state_changes.newcomers(before, after):
        yield name, (NOBODY, phrases.say("page.joined"))
    for change in state_changes.numbers(before, after):
        yield change.about, (change.was or NOBODY, change.now or NOBODY)
