"""The story of a line as blocks, one after another: headings, and paragraphs with the numbers behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from projections import pages, safe
from projections.exports.layout import Furniture, anchor, label
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag, reflowed
from projections.reading import Ids
from projections.replay.value import Block, Mechanic, Step, begins


class Told(NamedTuple):
    """A block, the id of its heading or of the event it tells, and those of the events of its mechanics."""

    block: Block
    of: str | None
    mechanics: tuple[str, ...]


def blocks(scenes: Iterable[pages.Scene], phrases: Phrases, ids: Ids) -> tuple[list[Told], Mapping[str, int]]:
    """The blocks of some scenes; and for each heading, and each event that is in one, by its id, which one.

    That is the first that tells it in words, else the one with its numbers.
    """
    told: list[Told] = []
    words: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for block, mechanics in _of(scenes, Furniture(phrases)):
        of = ids.event(block.id) if block.sort == "told" and block.id is not None else block.id
        if of is not None:
            words.setdefault(of, len(told))
        for one in mechanics:
            numbers.setdefault(one.id, len(told))
        told.append(Told(block, of, tuple(one.id for one in mechanics)))
    return told, {**numbers, **words}


class _When(NamedTuple):
    """The steps with which a block's words, and each of its mechanics, are told."""

    words: int
    mechanics: tuple[int, ...]


def timed(story: Sequence[Told], steps: Sequence[Step], came: Mapping[str, int]) -> tuple[Block, ...]:
    """The blocks of a story, each with when its words and its mechanics are told.

    `came` has the step of each event and heading, by id. What is of no step is told with what stands before
    it, and a heading with the first of what stands under it.
    """
    last = max(len(steps) - 1, 0)
    when = _headed(story, _paragraphs(story, came, last), last)
    begun = begins(steps, len(story))
    return tuple(_at(one.block, at, first) for one, at, first in zip(story, when, begun, strict=True))


def _paragraphs(story: Sequence[Told], came: Mapping[str, int], end: int) -> Iterator[_When]:
    """When each block is told; of a heading, when it was set, and at the end where no step did so."""
    last = 0
    for block, of, mechanics in story:
        first = min((came[one] for one in mechanics if one in came), default=last)
        before = end if block.sort != "told" else last if block.text else first
        words = came.get(of or "", before)
        numbers = tuple(came.get(one, max(first, words)) for one in mechanics)
        yield _When(words, numbers)
        if block.sort == "told" and not block.later:
            last = max(last, words, *numbers)


def _headed(story: Sequence[Told], when: Iterable[_When], last: int) -> list[_When]:
    """The same, each heading with the first of what stands under it."""
    found, under = list[_When](), last
    for told, at in zip(reversed(story), reversed(list(when)), strict=True):
        own = min((at.words, *at.mechanics))
        under = own if told.block.sort == "told" else min(own, under)
        found.append(at if told.block.sort == "told" else at._replace(words=under))
    return found[::-1]


def _at(block: Block, at: _When, first: int) -> Block:
    """A block with its steps, counted from the first that leads to it."""
    numbers = zip(block.mechanics, at.mechanics, strict=True)
    mechanics = tuple(replace(one, after=step - first) for one, step in numbers)
    return replace(block, after=at.words - first, mechanics=mechanics)


def _of(
    scenes: Iterable[pages.Scene], furniture: Furniture
) -> Iterator[tuple[Block, tuple[pages.Mechanic, ...]]]:
    """Each block, with the numbers in it."""
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


def _conflict(heading: pages.Conflict, furniture: Furniture) -> Block:
    return Block(
        "conflict",
        heading.id,
        safe.line(furniture.conflict(heading)),
        against=safe.line(furniture.against(heading)),
        system=safe.line(heading.system),
        mechanics=_mechanics(heading.mechanics, furniture),
    )


def _paragraph(one: pages.Paragraph, furniture: Furniture) -> Block:
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


def _mechanics(lines: Iterable[pages.Mechanic], furniture: Furniture) -> tuple[Mechanic, ...]:
    return tuple(Mechanic(safe.line(one.text), furniture.luck(one) if one.luck else "") for one in lines)
