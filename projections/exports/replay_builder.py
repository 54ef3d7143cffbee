"""Builder of replays (a session step by step, with its story) from a branch and its transcript.

Branches that fork inside the session become further lines of the replay.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.journal.vocabulary import events as e
from retold.projections.exports import blocks as b
from retold.projections.exports import colours
from retold.projections.exports.page_elements import Furniture, MechanicsPlace, anchor
from retold.projections.prose import Voice
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.reading import Ids, LineView, line_name, timing
from retold.projections.reading.sessions import Stretch
from retold.projections.replay.board import Board
from retold.projections.replay.faces import faces_of, portraits_in
from retold.projections.replay.steps import Following
from retold.projections.replay.value import (
    Block,
    CoverPerson,
    Replay,
    ReplayLine,
    ReplayMechanic,
    ReplayStep,
    StepFlag,
    begins,
)
from retold.projections.story import document
from retold.projections.story.transcript.build import of_stretch
from retold.projections.story.variations import BranchSeen, TellingOptions, branches_seen
from retold.projections.texts import emphasis, safe

ON_COVER: Final = 8
"""Most people on the first screen."""

Shades = Mapping[str, tuple[str, str]]
"""By name, the colour of the name on light and on dark paper."""


class ToldBlock(NamedTuple):
    """Story block; `of` is the id of its heading or event, `mechanics` the ids of its rolls and draws.

    `others` are the ids of further events that it tells.
    """

    block: Block
    of: str | None
    mechanics: tuple[str, ...]
    others: tuple[str, ...] = ()


def blocks(
    scenes: Sequence[document.Scene], phrases: Phrases, ids: Ids, shades: Shades = MappingProxyType({})
) -> tuple[list[ToldBlock], Mapping[str, int]]:
    """Returns the story blocks of scenes, and the block number for each heading id and event id.

    `shades` are the colours of names. An event is assigned to the first block that tells it in words, else to
    the block with its roll or draw.
    """
    told: list[ToldBlock] = []
    words: dict[str, int] = {}
    others = {
        paragraph.id: paragraph.others
        for scene in scenes
        for paragraph in scene.paragraphs()
        if paragraph.others
    }
    numbers: dict[str, int] = {}
    shown = [scene.sparing() for scene in scenes]
    for block, mechanics in _of(shown, b.Blocks(MechanicsPlace.NONE, phrases), shades):
        of = ids.event(block.id) if block.sort == "told" and block.id is not None else block.id
        if of is not None:
            words.setdefault(of, len(told))
        beside = tuple(map(ids.event, others.get(block.id or "", ())))
        for other in beside:
            words.setdefault(other, len(told))
        for mechanic in mechanics:
            numbers.setdefault(mechanic.id, len(told))
        told.append(ToldBlock(block, of, tuple(mechanic.id for mechanic in mechanics), beside))
    return told, {**numbers, **words}


class _When(NamedTuple):
    """Step numbers at which a block's words, and each of its rolls and draws, appear."""

    words: int
    mechanics: tuple[int, ...]


def timed(
    story: Sequence[ToldBlock], steps: Sequence[ReplayStep], came: Mapping[str, int]
) -> tuple[Block, ...]:
    """Returns a story's blocks with the steps at which their words, rolls and draws appear.

    `came` has the step of each event and heading id. A block that tells several events appears with the last,
    so that it gives none away. A block without a step is told with the block before it, a heading with the
    first block under it.
    """
    last = max(len(steps) - 1, 0)
    when = _headed(story, _paragraphs(story, came, last), last)
    begun = begins(steps, len(story))
    return tuple(_at(told.block, at, first) for told, at, first in zip(story, when, begun, strict=True))


def _paragraphs(story: Sequence[ToldBlock], came: Mapping[str, int], end: int) -> Iterator[_When]:
    """Yields the step numbers of each block; a heading without a step gets the step `end`."""
    last = 0
    for block, of, mechanics, others in story:
        first = min((came[mechanic] for mechanic in mechanics if mechanic in came), default=last)
        before = end if block.sort != "told" else last if block.text else first
        words = max((came[event] for event in (of or "", *others) if event in came), default=before)
        numbers = tuple(came.get(mechanic, max(first, words)) for mechanic in mechanics)
        yield _When(words, numbers)
        if block.sort == "told" and not block.later:
            last = max(last, words, *numbers)


def _headed(story: Sequence[ToldBlock], when: Iterable[_When], last: int) -> list[_When]:
    """Returns the step numbers with each heading moved to the first step of the blocks under it."""
    found, under = list[_When](), last
    for told, at in zip(reversed(story), reversed(list(when)), strict=True):
        own = min((at.words, *at.mechanics))
        under = own if told.block.sort == "told" else min(own, under)
        found.append(at if told.block.sort == "told" else at._replace(words=under))
    return found[::-1]


def _at(block: Block, at: _When, first: int) -> Block:
    """Returns the block with its steps counted from `first`, the block's first step, instead of from 0."""
    numbers = zip(block.mechanics, at.mechanics, strict=True)
    mechanics = tuple(replace(mechanic, after=step - first) for mechanic, step in numbers)
    return replace(block, after=at.words - first, mechanics=mechanics)


def _of(
    scenes: Sequence[document.Scene], blocks: b.Blocks, shades: Shades
) -> Iterator[tuple[Block, tuple[document.Mechanic, ...]]]:
    """Yields (replay block, its rolls and draws) for each paragraph, heading and conflict of the scenes."""
    for block in blocks.story(scenes):
        match block:
            case b.Told(paragraph):
                told = _told(block, blocks.furniture)
                yield replace(told, colour=shades.get(paragraph.speaker or "")), paragraph.mechanics
            case b.Picture(source=document.Paragraph() as source):
                yield _picture(block, source), ()
            case b.Heading(sort, text, _, id_):
                yield Block("chapter" if sort == "session" else "scene", id_, safe.line(text)), ()
            case b.Conflict(heading):
                yield _conflict(block, blocks.furniture), heading.mechanics
            case _:
                pass


def _picture(block: b.Picture, source: document.Paragraph) -> Block:
    image = block.image
    return Block(
        "told",
        source.id,
        safe.text(image.alt),
        kind=source.kind.value,
        eyes=safe.line(source.eyes or ""),
        image=image.uri,
        width=image.width,
        height=image.height,
        caption=safe.line(block.caption),
    )


def _conflict(block: b.Conflict, furniture: Furniture) -> Block:
    return Block(
        "conflict",
        block.source.id,
        safe.line(block.text),
        against=safe.line(block.against),
        system=safe.line(block.source.system),
        mechanics=_mechanics(block.source.mechanics, furniture),
    )


def _told(block: b.Told, furniture: Furniture) -> Block:
    paragraph = block.source
    return Block(
        "told",
        paragraph.id,
        safe.text(emphasis.words(paragraph.text)),
        kind=paragraph.kind.value,
        label=safe.line(block.label),
        speaker=safe.line(paragraph.speaker or ""),
        quotes=paragraph.quotes if paragraph.kind is Tag.SPEECH else None,
        ours=paragraph.generated,
        direction=paragraph.direction,
        struck=paragraph.struck,
        later=paragraph.later,
        eyes=safe.line(paragraph.eyes or ""),
        recorded=safe.text(paragraph.recorded),
        mechanics=_mechanics(paragraph.mechanics, furniture),
    )


def _mechanics(lines: Iterable[document.Mechanic], furniture: Furniture) -> tuple[ReplayMechanic, ...]:
    return tuple(
        ReplayMechanic(safe.line(line.text), furniture.luck(line) if line.luck else "") for line in lines
    )


class _Made(NamedTuple):
    """Replay of one branch: its steps and story, the event positions of the steps, and its number."""

    line: ReplayLine
    positions: Sequence[int]
    number: int
    portraits: Mapping[str, str]
    """Portraits on its boards as `data:` addresses, by the ids of their events."""


def replay_of(
    reading: LineView, stretch: Stretch, told: document.Transcript, voice: Voice, *, branches: bool = True
) -> Replay:
    """Returns the replay of `stretch` and of the branches that fork inside it.

    `told` is its transcript by `voice`. The replay reveals no more secrets than the transcript does.
    """
    evening = None if stretch.session is None else stretch.session.session
    manner = TellingOptions(voice)
    if branches:
        manner = manner.with_others(reading, evening)
    name = line_name(reading)
    made = [_made(reading, stretch, told, ReplayLine(safe.line(name)))]
    made += _branches(made[0], reading, stretch, manner, 1)
    portraits = {id_: address for replay_line in made for id_, address in replay_line.portraits.items()}
    played = [member for member in told.cast if member.player is not None] or told.cast
    return Replay(
        safe.line(told.title),
        None if told.head.campaign is None else safe.line(told.head.campaign),
        told.lang,
        safe.line(told.viewer),
        told.voice,
        told.source,
        told.opened,
        tuple(replay_line.line for replay_line in made),
        portraits=portraits,
        blurb=safe.text(emphasis.words(told.pages.blurb or "")),
        people=tuple(
            CoverPerson(
                safe.line(one.name),
                safe.line(emphasis.words(one.phrase or "")),
                "" if one.portrait is None else one.portrait.uri,
            )
            for one in played[:ON_COVER]
        ),
        cover="" if told.cover is None else told.cover.uri,
    )


def _branches(
    parent: _Made, reading: LineView, stretch: Stretch, manner: TellingOptions, number: int
) -> Iterator[_Made]:
    """Yields the replays of branches that fork inside `stretch`, depth first, numbered from `number`."""
    for branch in branches_seen(reading, stretch, manner):
        id_ = reading.ids.at(branch.after + 1)
        within = replace(manner, prefix=f"{id_}v-", lines=branch.leaving.others, deep=manner.deep + 1)
        made = _branch(parent, branch, replace(within, lines=()), number)
        if not made.line.steps:
            continue
        yield made
        number += 1
        for inner in _branches(
            made, branch.reading, Stretch(branch.after, branch.reading.position), within, number
        ):
            yield inner
            number += 1


def _branch(parent: _Made, branch: BranchSeen, manner: TellingOptions, number: int) -> _Made:
    stretch = Stretch(branch.after, branch.reading.position)
    shared = parent.line.at + bisect_right(parent.positions, branch.at)
    why = None if branch.why is None else safe.text(branch.why)
    name = safe.line(line_name(branch.reading))
    line = ReplayLine(name, parent=parent.number, at=shared, why=why)
    told = of_stretch(branch.reading, stretch, manner)
    return _made(branch.reading, stretch, told, line, number=number, prefix=manner.prefix)


def _made(
    reading: LineView,
    stretch: Stretch,
    told: document.Transcript,
    line: ReplayLine,
    *,
    number: int = 0,
    prefix: str = "",
) -> _Made:
    """Builds one branch of a replay: completes `line` with its steps, first board, story blocks and marks.

    `number` is the branch's number in the replay; `prefix` precedes the ids of its headings.
    """
    opened = timing.session_opening(reading, stretch.after, stretch.upto)
    following = Following.beginning(reading, stretch.after, opened, faces=faces_of(reading))
    board = following.board
    came = list(following.steps(reading, stretch.upto))
    positions = [position for position, _ in came]
    story, where = blocks(told.scenes, told.phrases, reading.ids, colours.shades(told))
    steps = tuple(_placed((step for _, step in came), where, prefix))
    first = {name: number for number, step in enumerate(steps) for name in (step.id, _heading(step, prefix))}
    full = replace(
        line,
        steps=steps,
        board=board,
        blocks=timed(story, steps, first),
        marks=tuple(_marks(reading, stretch, positions)),
    )
    shown = set(_portraits_on(board, steps))
    portraits = {id_: image.uri for _, id_, image in portraits_in(reading) if id_ in shown}
    return _Made(full, positions, number, portraits)


def _portraits_on(board: Board, steps: Iterable[ReplayStep]) -> Iterator[str]:
    """Yields the ids of the portraits that people have on the first board or at a later step."""
    for thing in chain(board.values(), *(step.delta.values() for step in steps)):
        if thing is not None and "portrait" in thing:
            yield thing["portrait"]["id"]


def _placed(steps: Iterable[ReplayStep], where: Mapping[str, int], prefix: str) -> Iterator[ReplayStep]:
    """Yields each step with the number of the block that tells its event, or else of the block before."""
    last = -1
    for step in steps:
        last = where.get(step.id, where.get(_heading(step, prefix), last))
        yield replace(step, block=last)


def _heading(step: ReplayStep, prefix: str) -> str:
    """Returns the id of the session or scene heading that a step opens; empty if it opens neither."""
    at = step.delta.get("at") or {}
    if step.flags & StepFlag.SESSION:
        return anchor(at["session"])
    return f"{prefix}s{at['scene']}" if step.flags & StepFlag.SCENE else ""


def _marks(reading: LineView, stretch: Stretch, positions: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yields the named moments inside `stretch`, as pairs of step number and name."""
    for recorded in reading.recorded(kinds=(e.Marked.kind,)):
        event = recorded.event
        if (
            isinstance(event, e.Marked)
            and event.name.text is not None
            and stretch.after < event.at <= stretch.upto
        ):
            step = bisect_right(positions, event.at) - 1
            if step >= 0:
                yield step, safe.line(event.name.text)
