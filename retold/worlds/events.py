"""Events of a campaign as a viewer knows them, each with its session, scene, speaker, words and numbers."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from retold.projections.prose import Voice
from retold.projections.reading import LineView
from retold.projections.story.live import told_live
from retold.reading import happened_from


class WordsOfEvent(Struct, frozen=True):
    """Words that tell an event: a label such as `Zel:`, and the text."""

    label: str
    text: str
    ours: bool
    """True for a sentence of Retold's."""


class EventOfCampaign(Struct, frozen=True):
    """Recorded event: where it is in the campaign, who acted, and how it is told."""

    id: str
    """Permanent id."""
    at: str
    """Time of recording, ISO 8601, UTC."""
    session: int | None
    """Number of the session; null outside of any."""
    scene: str | None
    """Title of the scene; null before the first."""
    who: str | None
    """Name of the person who acts or speaks; null if nobody does."""
    kind: str
    """Kind of event, such as `table.said`."""
    heading: str
    """Title of a session, scene or conflict that begins; else empty."""
    words: tuple[WordsOfEvent, ...]
    """Words that tell it; may be empty."""
    numbers: str
    """Dice, cards and numbers in the notation of the log; may be empty."""
    told: str
    """The whole event in the notation of the log."""
    visible_to: str | tuple[str, ...]
    """Who may see it now: `table`, `gm`, or people by name."""


def events_of(reading: LineView, voice: Voice) -> Iterator[EventOfCampaign]:
    """Yields the events that the viewer may see, in order; undone ones are left out."""
    live = dict(told_live(reading, 0, voice))
    for moment in reading.moments():
        event, table = happened_from(moment, reading), moment.table
        told, who = live[event.id], getattr(moment.event, "who", None)
        yield EventOfCampaign(
            *(event.id, event.at, getattr(moment.event, "session", table.session)),
            None if table.scene_title is None else str(table.scene_title),
            table.shown(who) if isinstance(who, int) else None,
            *(event.kind, told.heading),
            tuple(WordsOfEvent(*words) for words in told.words),
            told.numbers,
            event.told,
            event.visible_to,
        )
