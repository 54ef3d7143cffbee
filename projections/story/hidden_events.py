"""Secret events within a copy (an export for one viewer): in it, though the whole table may not see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from retold.journal.store.events.codec import Recorded
from retold.journal.vocabulary import events as e
from retold.projections.prose import voice_of
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.reading.pictures import KINDS
from retold.projections.reading.sessions import Stretch
from retold.projections.story.transcript.page_texts import is_told_in, written_for
from retold.projections.story.variations import TellingOptions, branches_seen


class HiddenEvent(NamedTuple):
    """Branch and position of an event that the whole table may not see."""

    line: int
    position: int


class CopyScope(NamedTuple):
    """Scope of a copy: `variations` includes other branches, `recorded` keeps each event at its own position.

    Otherwise later words about an earlier moment stand at that moment.
    """

    variations: bool = False
    recorded: bool = False


def find_hidden_events(
    reading: LineView,
    stretch: Stretch,
    told: CopyScope = CopyScope(),  # noqa: B008 -- a value
) -> frozenset[HiddenEvent]:
    """Returns the secret events in a viewer's copy of `stretch`, later additions included.

    Empty if the viewer is the whole table.
    """
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
    for branch in branches_seen(reading, stretch, manner):
        other = Stretch(branch.after, branch.reading.position)
        yield from _hidden_in(branch.reading, other, told)
        inner = replace(manner, lines=branch.leaving.others)
        yield from _of_variations(branch.reading, other, told, inner)


def _hidden_in(reading: LineView, stretch: Stretch, told: CopyScope) -> Iterator[HiddenEvent]:
    for recorded in reading.kept_from_the_table(stretch.after, stretch.upto):
        if not isinstance(recorded.event, e.Revealed) and (told.recorded or _about(recorded) > stretch.after):
            yield HiddenEvent(recorded.line, recorded.position)
    later = (*_hidden_later(reading, stretch), *_hidden_around(reading, stretch), *_hidden_pictures(reading))
    yield from (HiddenEvent(recorded.line, recorded.position) for recorded in later)


def _about(recorded: Recorded) -> int:
    """Returns the position at which an event is told: the moment its words are about, or its own position."""
    event = recorded.event
    about = event.about if isinstance(event, e.ToldLater) else None
    return recorded.position if about is None else about


def _hidden_later(reading: LineView, stretch: Stretch) -> Iterator[Recorded]:
    """Yields secret events that were recorded after `stretch`, but are about a moment inside it."""
    said = reading.late_additions_since(stretch.upto)
    for told in (said.words, said.overruled):
        for about, words in told.items():
            if stretch.after < about <= stretch.upto:
                yield from (recorded for recorded in words if reading.is_kept_from_the_table(recorded))


def _hidden_pictures(reading: LineView) -> Iterator[Recorded]:
    """Yields secret covers, portraits and colours: every story has them, whenever they were recorded."""
    for recorded in reading.recorded(kinds=KINDS):
        event = recorded.event
        is_at_a_moment = isinstance(event, e.PictureAdded) and event.use in ("image", "handout")
        if not is_at_a_moment and reading.is_kept_from_the_table(recorded):
            yield recorded


def _hidden_around(reading: LineView, stretch: Stretch) -> Iterator[Recorded]:
    """Yields secret texts around the story of `stretch` (a blurb, a reflection), whenever recorded."""
    for recorded, session in written_for(reading):
        is_here = session is None or is_told_in(reading, stretch, session)
        if is_here and reading.is_kept_from_the_table(recorded):
            yield recorded
