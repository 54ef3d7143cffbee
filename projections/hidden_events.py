"""Secrets of a copy: the events it holds that the whole table may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from journal.store.codec import Recorded
from journal.vocabulary import events as e
from projections.prose import voice_of
from projections.reading import EVERYBODY, LineView
from projections.reading.sessions import Stretch
from projections.transcript.variations import TellingOptions, branches_seen


class HiddenEvent(NamedTuple):
    """Where an event is recorded that the whole table may not see."""

    line: int
    position: int


class CopyScope(NamedTuple):
    """What a copy tells: other lines too (`variations`), and each event where it was `recorded`.

    Elsewhere what is said of an earlier moment stands at that moment.
    """

    variations: bool = False
    recorded: bool = False


def find_hidden_events(
    reading: LineView,
    stretch: Stretch,
    told: CopyScope = CopyScope(),  # noqa: B008 -- a value
) -> frozenset[HiddenEvent]:
    """The secrets in one viewer's copy of a stretch, with words told later of it; none for the table."""
    if reading.viewer == EVERYBODY:
        return frozenset()
    found = frozenset(_hidden_in(reading, stretch, told))
    if not told.variations:
        return found
    evening = None if stretch.session is None else stretch.session.session
    manner = TellingOptions(voice_of("report")).with_others(reading, evening)
    return found.union(_of_variations(reading, stretch, told, manner))


def _of_variations(
    reading: LineView, stretch: Stretch, told: CopyScope, manner: TellingOptions
) -> Iterator[HiddenEvent]:
    for one in branches_seen(reading, stretch, manner):
        other = Stretch(one.after, one.reading.position)
        yield from _hidden_in(one.reading, other, told)
        inner = replace(manner, lines=one.leaving.others)
        yield from _of_variations(one.reading, other, told, inner)


def _hidden_in(reading: LineView, stretch: Stretch, told: CopyScope) -> Iterator[HiddenEvent]:
    for one in reading.kept_from_the_table(stretch.after, stretch.upto):
        if not isinstance(one.event, e.Revealed) and (told.recorded or _about(one) > stretch.after):
            yield HiddenEvent(one.line, one.position)
    yield from (HiddenEvent(one.line, one.position) for one in _hidden_later(reading, stretch))


def _about(recorded: Recorded) -> int:
    """The position at which an event is told: its own, or that of the moment it speaks of."""
    event = recorded.event
    about = event.about if isinstance(event, e.ToldLater) else None
    return recorded.position if about is None else about


def _hidden_later(reading: LineView, stretch: Stretch) -> Iterator[Recorded]:
    """What is recorded after the stretch about a moment in it, and not for the whole table."""
    said = reading.late_additions_since(stretch.upto)
    for told in (said.words, said.overruled):
        for about, words in told.items():
            if stretch.after < about <= stretch.upto:
                yield from (one for one in words if reading.is_kept_from_the_table(one))
