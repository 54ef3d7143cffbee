"""Clip: the story of a range as a moving picture (animated WebP), a card for each paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from msgspec.structs import replace

from retold.journal.extras import Extra
from retold.journal.refused import Refused
from retold.projections.exports.blocks import Told
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.postcards.formats import rendered
from retold.projections.postcards.value import Postcard
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Paragraph, Transcript
from retold.projections.texts import safe

PILLOW: Final = Extra("Pillow", "PIL.Image", "pictures")
"""Writes the moving picture."""

MOST: Final = 60
"""Most cards of a clip."""
LEAST_TIME: Final = 1_200
TIME_OF_LETTER: Final = 60
MOST_TIME: Final = 9_000
"""Milliseconds of a card: at least, for each letter, and at most."""
_QUALITY: Final = 80


def render(transcript: Transcript, _place: MechanicsPlace) -> bytes:
    """Returns the transcript as an animated WebP of 1200 by 630 pixels, which begins again at its end.

    Dice and numbers come a moment after the words they belong to. Raises Refused for a transcript without
    words and dice, or with more than 60 cards.
    """
    PILLOW.load("A clip")
    from PIL import Image  # noqa: PLC0415 -- an extra

    cards = [*_cards(transcript)]
    if not cards:
        raise Refused("Nothing here has words or dice, so there is nothing to show: choose another range.")
    if len(cards) > MOST:
        raise Refused(f"A clip has at most {MOST} cards, and this has {len(cards)}: choose a range, A..B.")
    first, *others = (Image.open(BytesIO(rendered(card, "png"))).convert("RGB") for card in cards)
    file = BytesIO()
    first.save(
        file,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=[_time(card) for card in cards],
        loop=0,
        quality=_QUALITY,
        kmin=0,
        kmax=1,  # else a card shows traces of the one before
    )
    return file.getvalue()


def _cards(transcript: Transcript) -> Iterator[Postcard]:
    campaign, title = transcript.head.campaign, transcript.title
    above = safe.line(campaign or ""), "" if title == campaign else safe.line(title)
    for scene in transcript.scenes:
        where = safe.line(" · ".join(filter(None, (above[1], scene.title))))
        if scene.title is not None:
            yield Postcard(scene.id or "", *above, safe.text(scene.title), heading=True, lang=transcript.lang)
        for paragraph in scene.paragraphs():
            if paragraph.kind is not Tag.RIBBON and not paragraph.struck:
                yield from _of_paragraph(paragraph, Postcard("", above[0], where, "", lang=transcript.lang))


def _of_paragraph(paragraph: Paragraph, empty: Postcard) -> Iterator[Postcard]:
    told = Told(paragraph)
    numbers = safe.line(" · ".join(mechanic.text for mechanic in paragraph.mechanics))
    card = replace(
        empty,
        id=paragraph.id,
        words=safe.text(told.text),
        label=safe.line(told.label),
        slanted=told.is_slanted,
    )
    if told.text:
        yield card
    if numbers:
        yield replace(card, came=numbers) if told.text else replace(card, words=numbers)


def _time(card: Postcard) -> int:
    letters = sum(map(len, card.told()))
    return min(MOST_TIME, LEAST_TIME + TIME_OF_LETTER * letters)
