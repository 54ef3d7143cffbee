"""Secrets of a copy: the events it holds that the whole table may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from journal.store.codec import Recorded
from journal.vocabulary import events as e
from projections.prose import voice_of
from projections.reading import EVERYBODY, Reading
from projections.reading.evenings import Stretch
from projections.transcript.variations import Manner, leaving


class Secret(NamedTuple):
    """Where an event is recorded that the whole table may not see."""

    line: int
    position: int


class Told(NamedTuple):
    """What a copy tells: other lines too (`variations`), and each event where it was `recorded`.

    Elsewhere what is said of an earlier moment stands at that moment.
    """

    variations: bool = False
    recorded: bool = False


def secrets(reading: Reading, stretch: Stretch, told: Told = Told()) -> frozenset[Secret]:  # noqa: B008 -- a value
    """The secrets in one viewer's copy of a stretch, with words told later of it; none for the table."""
    if reading.viewer == EVERYBODY:
        return frozenset()
    found = frozenset(_secrets(reading, stretch, told))
    if not told.variations:
        return found
    evening = None if stretch.session is None else stretch.session.session
    manner = Manner(voice_of("report")).with_others(reading, evening)
    return found.union(_of_variations(reading, stretch, told, manner))


def _of_variations(reading: Reading, stretch: Stretch, told: Told, manner: Manner) -> Iterator[Secret]:
    for one in leaving(reading, stretch, manner):
        other = Stretch(one.after, one.reading.position)
        yield from _secrets(one.reading, other, told)
        inner = replace(manner, lines=one.leaving.others)
        yield from _of_variations(one.reading, other, told, inner)


def _secrets(reading: Reading, stretch: Stretch, told: Told) -> Iterator[Secret]:
    for one in reading.kept_from_the_table(stretch.after, stretch.upto):
        if not isinstance(one.event, e.Revealed) and (told.recorded or _about(one) > stretch.after):
            yield Secret(one.line, one.position)
    yield from (Secret(one.line, one.position) for one in _told_later(reading, stretch))


def _about(recorded: Recorded) -> int:
    """The position at which an event is told: its own, or that of the moment it speaks of."""
    event = recorded.event
    about = event.about if isinstance(event, e.ToldLater) else None
    return recorded.position if about is None else about


def _told_later(reading: Reading, stretch: Stretch) -> Iterator[Recorded]:
    """What is recorded after the stretch about a moment in it, and not for the whole table."""
    said = reading.afterwards_beyond(stretch.upto)
    for told in (said.words, said.overruled):
        for about, words in told.items():
            if stretch.after < about <= stretch.upto:
                yield from (one for one in words if reading.is_kept_from_the_table(one))
