"""Headings and names of a transcript as print has them, as its texts are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from projections import pages
from projections.prose import Voice
from projections.prose.typography import typeset

Letter = Callable[[str], str]


def letter(voice: Voice) -> Letter:
    """How a voice sets what was typed: as print has it, or as it is."""
    return partial(typeset, quotes=voice.quotes) if voice.typographic else str


def lettered(told: pages.Transcript, voice: Voice) -> pages.Transcript:
    """The transcript with its headings, labels and names as this voice sets them; numbers stay notation.

    Its scenes have been set each by itself, but for who led a session.
    """
    if not voice.typographic:
        return told
    set_ = letter(voice)
    return replace(
        told,
        head=_head(told.head, set_),
        cast=tuple(_member(one, set_) for one in told.cast),
        scenes=tuple(_led(one, set_) for one in told.scenes),
        end=_end(told.end, set_),
    )


def _if_any(text: str | None, set_: Letter) -> str | None:
    return None if text is None else set_(text)


def _each(texts: tuple[str, ...], set_: Letter) -> tuple[str, ...]:
    return tuple(map(set_, texts))


def _head(head: pages.Head, set_: Letter) -> pages.Head:
    return replace(
        head,
        campaign=_if_any(head.campaign, set_),
        title=_if_any(head.title, set_),
        gm=_if_any(head.gm, set_),
        gms=_each(head.gms, set_),
        players=tuple(
            pages.Played(set_(one.player), _each(one.characters, set_), _each(one.before, set_))
            for one in head.players
        ),
        absent=_each(head.absent, set_),
    )


def _member(one: pages.Member, set_: Letter) -> pages.Member:
    before = _each(one.before, set_)
    return replace(one, name=set_(one.name), player=_if_any(one.player, set_), before=before)


def _led(scene: pages.Scene, set_: Letter) -> pages.Scene:
    heading = scene.chapter
    if heading is None or heading.gm is None:
        return scene
    return replace(scene, chapter=replace(heading, gm=set_(heading.gm)))


def lettered_scene(scene: pages.Scene, set_: Letter) -> pages.Scene:
    """A scene with its headings, labels and names set; who led its session is yet to be found."""
    heading = scene.chapter
    if heading is not None:
        heading = replace(heading, title=_if_any(heading.title, set_))
    return replace(
        scene,
        title=_if_any(scene.title, set_),
        chapter=heading,
        passages=tuple(_passage(one, set_) for one in scene.passages),
    )


def _passage(passage: pages.Passage, set_: Letter) -> pages.Passage:
    return replace(
        passage,
        conflict=None if passage.conflict is None else _conflict(passage.conflict, set_),
        paragraphs=tuple(_paragraph(one, set_) for one in passage.paragraphs),
        variations=tuple(replace(one, why=_if_any(one.why, set_)) for one in passage.variations),
        plate=None if passage.plate is None else _plate(passage.plate, set_),
    )


def _conflict(heading: pages.Conflict, set_: Letter) -> pages.Conflict:
    return replace(
        heading,
        title=set_(heading.title),
        sides=tuple(_each(side, set_) for side in heading.sides),
        stakes=_if_any(heading.stakes, set_),
    )


def _plate(plate: pages.Plate, set_: Letter) -> pages.Plate:
    return replace(plate, title=set_(plate.title), picture=plate.picture.spelled(set_))


def _paragraph(one: pages.Paragraph, set_: Letter) -> pages.Paragraph:
    return replace(
        one,
        speaker=_if_any(one.speaker, set_),
        manner=set_(one.manner),
        label=_if_any(one.label, set_),
        eyes=_if_any(one.eyes, set_),
    )


def _end(end: pages.End, set_: Letter) -> pages.End:
    return replace(
        end,
        changed=_each(end.changed, set_),
        open=_each(end.open, set_),
        quotes=tuple(replace(one, who=_if_any(one.who, set_)) for one in end.quotes),
        untold=tuple(replace(one, what=set_(one.what), who=_each(one.who, set_)) for one in end.untold),
    )
