"""What is open: conflicts, questions, clocks that are nearly full, threads, and what nobody has told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from journal.capabilities import Picture
from journal.table import Table
from projections import pages
from projections.prose import Voice
from projections.prose.lettering import letter
from projections.prose.phrases import Phrases
from projections.reading import Reading
from projections.views import tracks
from projections.views.matters import heard

NEAR: Final = 3
"""A clock is near its end with no more than one of so many parts of it left."""


def unsettled(reading: Reading, upto: int, end: pages.End, voice: Voice) -> tuple[str, ...]:
    """All of it as it was at a position, as the reader may know it, what holds play up first; each once."""
    phrases = voice.phrases
    untold = (
        phrases.say("recap.untold", what=one.what, who=list(one.who))
        for one in reversed(end.untold)
        if one.what
    )
    nearly = clocks(reading.table_at(upto), phrases)
    return tuple(dict.fromkeys((*end.open, *nearly, *_threads(reading, upto, voice), *untold)))


def clocks(table: Table, phrases: Phrases) -> Iterator[str]:
    """The clocks at a table that are nearly full."""
    for one in tracks.of(table).tracks:
        if one.picture is Picture.CLOCK and one.most and 0 < one.most - one.value <= max(one.most // NEAR, 1):
            yield phrases.say(
                "recap.clock",
                whose=one.whose,
                what=phrases.named(one.system, one.what, one.value),
                now=one.value,
                most=one.most,
            )


def _threads(reading: Reading, upto: int, voice: Voice) -> Iterator[str]:
    """The threads nobody has closed, those noted in the last sessions first, with what was noted last."""
    known = heard(reading, upto).drafts.values()
    threads = [(one.names[-1], one.last) for one in known if one.sort == "thread" and one.closed is None]
    threads.sort(key=lambda one: -((one[1] and one[1].session) or 0))
    set_ = letter(voice)
    for name, last in threads:
        if name is not None:
            note = last and last.text
            yield voice.phrases.say("recap.thread", thread=set_(name), note=note and set_(note))
