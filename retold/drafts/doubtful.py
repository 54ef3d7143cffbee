"""Doubts about a draft: what an editor should look at in unedited blocks."""

from __future__ import annotations

from typing import NamedTuple

from retold.drafts.composing import Place
from retold.drafts.standing import Standing, StandingBlock
from retold.projections.reading.sessions import Stretch
from retold.projections.story.doubts import doubts_in


class DoubtfulBlock(NamedTuple):
    """Unedited block, the doubtful event in it, the words of the event, and the reason."""

    block: StandingBlock
    event: Place
    text: str
    why: str


def doubts_about(standing: Standing) -> tuple[DoubtfulBlock, ...]:
    """Returns the doubts of `retold.projections.story.doubts` about a draft, in the order of the record.

    Those about events that an edited block tells, or none, are left out: a person has seen these.
    """
    record = standing.record
    stretch = Stretch(record.first - 1, min(record.last, record.reading.position))
    telling = {
        event: current
        for current in standing.blocks
        if not current.block.edited and current.block.sort != "heading"
        for event in current.events
    }
    places = ((record.event_of(doubt.at), doubt) for doubt in doubts_in(record.reading, stretch))
    return tuple(
        DoubtfulBlock(telling[place], place, doubt.text, doubt.why)
        for place, doubt in places
        if place is not None and place in telling
    )
