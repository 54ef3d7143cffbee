"""Lines told side by side from where they part, and what each of them changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import NamedTuple

from journal.store.campaign import Campaign
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from projections import branching, changes, transcript
from projections.pages import Paragraph, Transcript
from projections.prose import Voice, voice_of
from projections.prose.lettering import letter
from projections.prose.phrases import Phrases
from projections.prose.shared import how_it_ended
from projections.prose.telling import Tag
from projections.replay import moments, table_at
from projections.views.asked import Asked, titled
from projections.views.sheet import NOBODY

LOOKS_BACK = 64
"""Positions before a parting in which its words are looked for first; only then from the beginning."""


@dataclass(frozen=True, slots=True)
class Side:
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


class Changed(NamedTuple):
    """A number or word: as it was where the lines part, and as each of them left it."""

    about: str
    was: str
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """Two lines or more; `where` names the scene in which they part, `words` were told last before that.

    `about` is what all of them tell of; None for moments of one line.
    """

    about: str | None
    campaign: str | None
    where: str | None
    words: Paragraph | None
    sides: tuple[Side, ...]
    changed: tuple[Changed, ...]

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


def shared(campaign: Campaign, one: Asked, other: Asked) -> int:
    """The last position up to which both are the same; 0 if they share nothing."""
    return min(branching.shared(campaign, one.line, other.line), one.position, other.position)


def of_lines(campaign: Campaign, asked: Sequence[Asked], *, voice: Voice | str = "report") -> Parting:
    """Moments of several lines told beside each other, each with the eyes it is asked with.

    They are told from the first place at which two of them part, and a later one from where it leaves the
    earlier ones, so that nothing is told twice.
    """
    first, *others = asked
    parted = min(shared(campaign, first, one) for one in others)
    before = table_at(campaign, first.line, parted)
    set_ = letter(voice_of(voice))
    sides = [_side(campaign, asked, number, parted, voice) for number in range(len(asked))]
    return Parting(
        _about(before, asked, voice_of(voice)),
        None if before.title is None else set_(str(before.title)),
        None if before.scene_title is None else set_(str(before.scene_title)),
        _last_words(first, parted, voice),
        tuple(sides),
        tuple(_changed(before, [one.table for one in asked], voice_of(voice).phrases)),
    )


def _about(before: Table, asked: Sequence[Asked], voice: Voice) -> str | None:
    """What lines tell of that part here: the one conflict that is open, else the scene, else the campaign."""
    if len({one.line for one in asked}) < len(asked):
        return None
    conflicts = [*before.conflicts.values()]
    if len(conflicts) == 1:
        return letter(voice)(titled(conflicts[0], before))
    title = before.title if before.scene_title is None else before.scene_title
    return voice.phrases.say("page.campaign") if title is None else letter(voice)(str(title))


def called(names: dict[int, str], asked: Asked) -> str:
    """A line by its name, and the position if it is not asked about at its head.

    For whoever may not know of gaps an id, and none where all that came after is hidden.
    """
    name = names[asked.line]
    if asked.at is None:
        return name
    if asked.viewer.gm:
        return f"{name}@{asked.at}"
    here, head = (asked.ids.place(one) for one in (asked.at, asked.campaign.file.head(asked.line).position))
    return name if here == head else f"{name}@{here}"


def _side(campaign: Campaign, asked: Sequence[Asked], number: int, parted: int, voice: Voice | str) -> Side:
    one = asked[number]
    leaves = max(asked[:number], key=lambda other: shared(campaign, one, other), default=None)
    after = parted if leaves is None else shared(campaign, one, leaves)
    further = after > parted and leaves is not None
    names = campaign.lines()
    return Side(
        called(names, one),
        branching.reason(campaign, one.line, after),
        called(names, leaves) if leaves is not None and further else None,
        _last_words(one, after, voice) if further else None,
        transcript.of_range(
            campaign,
            one.line,
            after,
            one.position,
            voice=voice,
            viewer=one.viewer,
            as_of=one.position,
            prefix=f"{ascii_lowercase[number]}-",
        ),
        tuple(map(letter(voice_of(voice)), _ended(one, parted, voice_of(voice).phrases))),
    )


def _ended(asked: Asked, parted: int, phrases: Phrases) -> Iterator[str]:
    """How each conflict ended on a line since it parted, in words of ours, and which is not over."""
    campaign, line, upto = asked.campaign, asked.line, asked.position
    table = table_at(campaign, line, parted, as_of=upto)
    fought, settled = dict(table.conflicts), False
    for moment in moments(campaign, line, parted, upto, viewer=asked.viewer, table=table):
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
    return phrases.say("page.ended", conflict=titled(conflict, table, gm), how=how)


def _last_words(asked: Asked, upto: int, voice: Voice | str) -> Paragraph | None:
    """What was told last up to a position, as it was known there; somebody's own words rather than ours."""
    for after in (max(upto - LOOKS_BACK, 0), 0):
        told = transcript.of_range(
            asked.campaign, asked.line, after, upto, voice=voice, viewer=asked.viewer, as_of=upto
        )
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


def _changed(before: Table, after: Sequence[Table], phrases: Phrases) -> Iterator[Changed]:
    """A row for everything that any of the lines changed, in the order of the first that did."""
    each = [dict(_values(before, table, phrases)) for table in after]
    for about in dict.fromkeys(key for values in each for key in values):
        was = next(values[about][0] for values in each if about in values)
        yield Changed(about, was, tuple(values[about][1] if about in values else was for values in each))


def _values(before: Table, after: Table, phrases: Phrases) -> Iterator[tuple[str, tuple[str, str]]]:
    for name in changes.newcomers(before, after):
        yield name, (NOBODY, phrases.say("page.joined"))
    for change in changes.numbers(before, after):
        yield change.about, (change.was or NOBODY, change.now or NOBODY)
