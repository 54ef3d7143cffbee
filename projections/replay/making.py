"""From a reading and the story of it to a replay: the line that is told, and those that leave it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from journal.vocabulary import events as e
from projections import pages, safe
from projections.exports.layout import anchor
from projections.prose import Voice
from projections.reading import Reading, line_name, timing
from projections.reading.evenings import Stretch
from projections.replay.steps import Following
from projections.replay.story import blocks, timed
from projections.replay.value import Flag, Line, Replay, Step
from projections.transcript.making import of_stretch
from projections.transcript.variations import Manner, Parted, leaving


class _Made(NamedTuple):
    """A line of a replay, where each of its steps is on its line, and its number among all."""

    line: Line
    positions: Sequence[int]
    number: int


def replay_of(
    reading: Reading, stretch: Stretch, told: pages.Transcript, voice: Voice, *, branches: bool = True
) -> Replay:
    """The steps of a stretch beside its transcript, `told` by that voice; with the lines that leave it there.

    What is a secret from whoever the transcript is for is in it no more than in the transcript.
    """
    evening = None if stretch.session is None else stretch.session.session
    manner = Manner(voice)
    if branches:
        manner = manner.with_others(reading, evening)
    name = line_name(reading)
    made = [_made(reading, stretch, told, Line(safe.line(name)))]
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
    parent: _Made, reading: Reading, stretch: Stretch, manner: Manner, number: int
) -> Iterator[_Made]:
    """What leaves a line in a stretch of it, and what leaves that in turn; the first has that number."""
    for one in leaving(reading, stretch, manner):
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


def _branch(parent: _Made, one: Parted, manner: Manner, number: int) -> _Made:
    stretch = Stretch(one.after, one.reading.position)
    shared = parent.line.at + bisect_right(parent.positions, one.at)
    why = None if one.why is None else safe.text(one.why)
    name = safe.line(line_name(one.reading))
    line = Line(name, parent=parent.number, at=shared, why=why)
    told = of_stretch(one.reading, stretch, manner)
    return _made(one.reading, stretch, told, line, number=number, prefix=manner.prefix)


def _made(
    reading: Reading,
    stretch: Stretch,
    told: pages.Transcript,
    line: Line,
    *,
    number: int = 0,
    prefix: str = "",
) -> _Made:
    """A line with its steps, its story, and which tells which; `prefix` is that of its headings."""
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


def _placed(steps: Iterable[Step], where: Mapping[str, int], prefix: str) -> Iterator[Step]:
    """Each step with the block that tells it: in words, with its numbers, as a heading; or the one before."""
    last = -1
    for one in steps:
        last = where.get(one.id, where.get(_heading(one, prefix), last))
        yield replace(one, block=last)


def _heading(step: Step, prefix: str) -> str:
    """The id of the heading that a step brings about; empty where it brings none."""
    at = step.delta.get("at") or {}
    if step.flags & Flag.SESSION:
        return anchor(at["session"])
    return f"{prefix}s{at['scene']}" if step.flags & Flag.SCENE else ""


def _marks(reading: Reading, stretch: Stretch, positions: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The moments of a stretch that have a name, each by the last step up to there."""
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
