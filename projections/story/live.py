"""Events as a page tells them while they are recorded: headings, words and numbers, in blocks by act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from retold.journal.vocabulary.events import ConflictOpened
from retold.projections.prose import Voice
from retold.projections.prose.telling import Called, Tag, Telling
from retold.projections.reading import LineView
from retold.projections.story.labelling import alone
from retold.projections.views.naming import conflict_title


class LiveEvent(NamedTuple):
    """Event as a page tells it: a heading, words, and dice or numbers in notation; each may be empty.

    `begins` is true for the first event of an act, which begins a block. Words are (label such as `Zel:`,
    text, whether it is a generated sentence).
    """

    begins: bool
    heading: str = ""
    words: tuple[tuple[str, str, bool], ...] = ()
    numbers: str = ""


def told_live(reading: LineView, after: int, voice: Voice) -> Iterator[tuple[str, LiveEvent]]:
    """Yields the id of each event after a position, and how it is told in the words of `voice`."""
    act, colon = "", voice.phrases.language.colon
    for moment in reading.moments(after):
        event, table = moment.event, moment.table
        told = list(alone(Telling(moment, Called(table), reading.ids, voice.phrases), voice))
        words = tuple(
            (
                f"{page.label}{colon}" if page.label else "",
                page.text.join(page.quotes) if page.kind is Tag.SPEECH else page.text,
                page.generated,
            )
            for page in told
            if page.kind is not Tag.MECHANICS
        )
        title = getattr(event, "title", None)
        if isinstance(event, ConflictOpened):
            title = conflict_title(table.conflicts[event.conflict], table)
        begins, act = moment.envelope.act != act, moment.envelope.act
        yield (
            reading.ids.at(moment.position),
            LiveEvent(
                begins,
                str(title or ""),
                words,
                " · ".join(page.text for page in told if page.kind is Tag.MECHANICS),
            ),
        )
