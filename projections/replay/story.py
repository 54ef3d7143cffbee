"""The story of a line as blocks, one after another: headings, and paragraphs with the numbers behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from projections import pages, safe
from projections.exports.layout import Furniture, anchor, label
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag, reflowed
from projections.reading import Ids
from projections.replay.value import Block, Mechanic


def blocks(
    scenes: Iterable[pages.Scene], phrases: Phrases, ids: Ids
) -> tuple[tuple[Block, ...], Mapping[str, int]]:
    """The blocks of some scenes; and for each heading, and each event that is in one, by its id, which one.

    That is the first that tells it in words, else the one with its numbers.
    """
    told: list[Block] = []
    words: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for block, mechanics in _of(scenes, Furniture(phrases)):
        if block.id is not None:
            words.setdefault(ids.event(block.id) if block.sort == "told" else block.id, len(told))
        for one in mechanics:
            numbers.setdefault(one.id, len(told))
        told.append(block)
    return tuple(told), {**numbers, **words}


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
