"""Builder of replays from a reading and its transcript, with all lines that fork inside."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from journal.vocabulary import events as e
from projections import document, safe
from projections.exports.page_elements import Furniture, anchor, label
from projections.prose import Voice
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag, reflowed
from projections.reading import Ids, LineView, line_name, timing
from projections.reading.sessions import Stretch
from projections.replay.steps import Following
from projections.replay.value import Block, Replay, ReplayLine, ReplayMechanic, ReplayStep, StepFlag, begins
from projections.transcript.build import of_stretch
from projections.transcript.variations import BranchSeen, TellingOptions, branches_seen


class ToldBlock(NamedTuple):
    """Story block with the id of its heading or event, and the event ids of its mechanics."""

    block: Block
    of: str | None
    mechanics: tuple[str, ...]


def blocks(
    scenes: Iterable[document.Scene], phrases: Phrases, ids: Ids
) -> tuple[list[ToldBlock], Mapping[str, int]]:
    """Story blocks of scenes, and the block number for each heading id and event id.

    An event is assigned to the first block that tells it in words, else to the block with its mechanics.
    """
    told: list[ToldBlock] = []
    words: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for block, mechanics in _of(scenes, Furniture(phrases)):
        of = ids.event(block.id) if block.sort == "told" and block.id is not None else block.id
        if of is not None:
            words.setdefault(of, len(told))
        for one in mechanics:
            numbers.setdefault(one.id, len(told))
        told.append(ToldBlock(block, of, tuple(one.id for one in mechanics)))
    return told, {**numbers, **words}


class _When(NamedTuple):
    """Step numbers at which a block's words and mechanics are told."""

    words: int
    mechanics: tuple[int, ...]


def timed(
    story: Sequence[ToldBlock], steps: Sequence[ReplayStep], came: Mapping[str, int]
) -> tuple[Block, ...]:
    """Blocks of a story, with the steps at which words and mechanics are told.

    `came` has the step of each event and heading id. A block without a step is told with the block before
    it, a heading with the first block under it.
    """
    last = max(len(steps) - 1, 0)
    when = _headed(story, _paragraphs(story, came, last), last)
    begun = begins(steps, len(story))
    return tuple(_at(one.block, at, first) for one, at, first in zip(story, when, begun, strict=True))


def _paragraphs(story: Sequence[ToldBlock], came: Mapping[str, int], end: int) -> Iterator[_When]:
    """Yields the steps of each block; a heading without a step gets `end`."""
    last = 0
    for block, of, mechanics in story:
        first = min((came[one] for one in mechanics if one in came), default=last)
        before = end if block.sort != "told" else last if block.text else first
        words = came.get(of or "", before)
        numbers = tuple(came.get(one, max(first, words)) for one in mechanics)
        yield _When(words, numbers)
        if block.sort == "told" and not block.later:
            last = max(last, words, *numbers)


def _headed(story: Sequence[ToldBlock], when: Iterable[_When], last: int) -> list[_When]:
    """Moves each heading's step to the first step under it."""
    found, under = list[_When](), last
    for told, at in zip(reversed(story), reversed(list(when)), strict=True):
        own = min((at.words, *at.mechanics))
        under = own if told.block.sort == "told" else min(own, under)
        found.append(at if told.block.sort == "told" else at._replace(words=under))
    return found[::-1]


def _at(block: Block, at: _When, first: int) -> Block:
    """Block with its steps counted from its first step."""
    numbers = zip(block.mechanics, at.mechanics, strict=True)
    mechanics = tuple(replace(one, after=step - first) for one, step in numbers)
    return replace(block, after=at.words - first, mechanics=mechanics)


def _of(
    scenes: Iterable[document.Scene], furniture: Furniture
) -> Iterator[tuple[Block, tuple[document.Mechanic, ...]]]:
    """Yields each block with its mechanics."""
    for scene in scenes:
        if scene.chapter is not None:
            heading = safe.line(furniture.chapter(scene.chapter))
            yield Block("chapter", anchor(scene.chapter.session), heading), ()
        if scene.title is not None:
            yield Block("scene", scene.id, safe.line(scene.title)), ()
        for passage in scene.passages:
            if passage.conflict is not None:
                yield _conflict(passage.conflict, furniture), passage.conflict.mechanics
            for one in passage.paragraphs:
                yield _paragraph(one, furniture), one.mechanics


def _conflict(heading: document.Conflict, furniture: Furniture) -> Block:
    return Block(
        "conflict",
        heading.id,
        safe.line(furniture.conflict(heading)),
        against=safe.line(furniture.against(heading)),
        system=safe.line(heading.system),
        mechanics=_mechanics(heading.mechanics, furniture),
    )


def _paragraph(one: document.Paragraph, furniture: Furniture) -> Block:
    return Block(
        "told",
        one.id,
        safe.text(reflowed(one.text)),
        kind=one.kind.value,
        label=safe.line(label(one)),
        speaker=safe.line(one.speaker or ""),
        quotes=one.quotes if one.kind is Tag.SPEECH else None,
        ours=one.generated,
        direction=one.direction,
        struck=one.struck,
        later=one.later,
        eyes=safe.line(one.eyes or ""),
        mechanics=_mechanics(one.mechanics, furniture),
    )


def _mechanics(lines: Iterable[document.Mechanic], furniture: Furniture) -> tuple[ReplayMechanic, ...]:
    return tuple(
        ReplayMechanic(safe.line(one.text), furniture.luck(one) if one.luck else "") for one in lines
    )


class _Made(NamedTuple):
    """Built replay line: positions of its steps, and its number in the replay."""

    line: ReplayLine
    positions: Sequence[int]
    number: int


def replay_of(
    reading: LineView, stretch: Stretch, told: document.Transcript, voice: Voice, *, branches: bool = True
) -> Replay:
    """Replay of a stretch with the lines that fork inside; `told` is its transcript by `voice`.

    It reveals no more secrets than the transcript does.
    """
    evening = None if stretch.session is None else stretch.session.session
    manner = TellingOptions(voice)
    if branches:
        manner = manner.with_others(reading, evening)
    name = line_name(reading)
    made = [_made(reading, stretch, told, ReplayLine(safe.line(name)))]
    made += _branches(made[0], reading, stretch, manner, 1)
    return Replay(
        safe.line(told.title),
        None if told.head.campaign is None else safe.line(told.head.campaign),
        told.lang,
        safe.line(told.viewer),
        told.voice,
        told.source,
        told.opened,
        tuple(one.line for one in made),
    )


def _branches(
    parent: _Made, reading: LineView, stretch: Stretch, manner: TellingOptions, number: int
) -> Iterator[_Made]:
    """Yields the branches of a line inside a stretch, depth first, numbered from `number`."""
    for one in branches_seen(reading, stretch, manner):
        id_ = reading.ids.at(one.after + 1)
        within = replace(manner, prefix=f"{id_}v-", lines=one.leaving.others, deep=manner.deep + 1)
        made = _branch(parent, one, replace(within, lines=()), number)
        if not made.line.steps:
            continue
        yield made
        number += 1
        for inner in _branches(made, one.reading, Stretch(one.after, one.reading.position), within, number):
            yield inner
            number += 1


def _branch(parent: _Made, one: BranchSeen, manner: TellingOptions, number: int) -> _Made:
    stretch = Stretch(one.after, one.reading.position)
    shared = parent.line.at + bisect_right(parent.positions, one.at)
    why = None if one.why is None else safe.text(one.why)
    name = safe.line(line_name(one.reading))
    line = ReplayLine(name, parent=parent.number, at=shared, why=why)
    told = of_stretch(one.reading, stretch, manner)
    return _made(one.reading, stretch, told, line, number=number, prefix=manner.prefix)


def _made(
    reading: LineView,
    stretch: Stretch,
    told: document.Transcript,
    line: ReplayLine,
    *,
    number: int = 0,
    prefix: str = "",
) -> _Made:
    """Builds a replay line with steps and story; `prefix` stands before its heading ids."""
    opened = None if told.opened is None else timing.time_of(told.opened)
    following = Following.beginning(reading, stretch.after, opened)
    board = following.board
    came = list(following.steps(reading, stretch.upto))
    positions = [position for position, _ in came]
    story, where = blocks(told.scenes, told.phrases, reading.ids)
    steps = tuple(_placed((step for _, step in came), where, prefix))
    first = {name: number for number, one in enumerate(steps) for name in (one.id, _heading(one, prefix))}
    full = replace(
        line,
        steps=steps,
        board=board,
        blocks=timed(story, steps, first),
        marks=tuple(_marks(reading, stretch, positions)),
    )
    return _Made(full, positions, number)


def _placed(steps: Iterable[ReplayStep], where: Mapping[str, int], prefix: str) -> Iterator[ReplayStep]:
    """Yields each step with its block: by event, by heading, or the block before."""
    last = -1
    for one in steps:
        last = where.get(one.id, where.get(_heading(one, prefix), last))
        yield replace(one, block=last)


def _heading(step: ReplayStep, prefix: str) -> str:
    """Id of the heading that a step opens; empty if none."""
    at = step.delta.get("at") or {}
    if step.flags & StepFlag.SESSION:
        return anchor(at["session"])
    return f"{prefix}s{at['scene']}" if step.flags & StepFlag.SCENE else ""


def _marks(reading: LineView, stretch: Stretch, positions: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yields named moments of a stretch as pairs of step number and name."""
    for one in reading.recorded(kinds=(e.Marked.kind,)):
        event = one.event
        if (
            isinstance(event, e.Marked)
            and event.name.text is not None
            and stretch.after < event.at <= stretch.upto
        ):
            step = bisect_right(positions, event.at) - 1
            if step >= 0:
                yield step, safe.line(event.name.text)
