"""Line views: a line as seen by one viewer up to a position, each stored event read once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from msgspec import Struct

from journal.copying import copied
from journal.line import LiveEvent
from journal.store.campaign import CampaignStore
from journal.store.codec import Envelope, Recorded, decode
from journal.store.event_store import EventStore
from journal.store.line_events import apply_event
from journal.store.progress import STEP, Progress
from journal.store.record import Record
from journal.store.snapshots import Snapshots
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading.ids import Ids
from projections.reading.late_additions import (
    LateAdditions,
    RevealedWords,
    find_late_additions,
    find_overruled,
    find_revealed,
)
from projections.reading.recorded_line import RecordedLine
from projections.reading.sessions import SessionBounds
from projections.reading.sight import Sight, VisibleTables
from projections.reading.viewers import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    GAME_MASTER,
    Arrival,
    Viewer,
    viewer_meant,
)


class Moment(Struct, frozen=True):
    """Event on a line, with the table after it.

    `table` is shared and changes with the next moment; `kept` returns a copy.
    """

    recorded: Recorded
    event: Event
    table: Table

    @property
    def position(self) -> int:
        """The event's position on its line, from 1."""
        return self.recorded.position

    @property
    def envelope(self) -> Envelope:
        """Recording time, author, audience and source of luck of the event."""
        return self.recorded.envelope

    def kept(self) -> Table:
        """Returns a copy of the table after this moment."""
        return copied(self.table)


CHANGING = tuple(kind.kind for kind in (e.Undone, e.Redone, e.Reworded, e.Redacted, e.Revealed, e.Shown))
"""Event kinds that change the wording, validity or audience of earlier events."""


@dataclass(frozen=True)
class LineView:
    """A line up to position `at` (its head if None), as seen by `viewer`.

    Undos, rewordings and reveals count only up to that position; later events change nothing. Rows that were
    read are remembered.
    """

    campaign: CampaignStore
    line: int
    at: int | None = None
    viewer: Viewer = GAME_MASTER
    _known: RecordedLine | None = field(default=None, repr=False, compare=False)
    progress: Progress | None = field(default=None, repr=False, compare=False)
    """Progress callback; gets the position reached while a whole line is read."""

    # --- another reading of the same campaign ---

    def through(self, viewer: Viewer) -> LineView:
        """Returns the same view for another viewer; rows already read are reused."""
        return replace(self, viewer=viewer, _known=self.past)

    def with_progress(self, progress: Progress | None) -> LineView:
        """Returns the same view, which reports its reading progress; itself if `progress` is None."""
        return self if progress is None else replace(self, progress=progress, _known=self.past)

    def called(self, whose: str | Arrival) -> LineView:
        """Returns the same view for `gm`, `table`, or a person given by name or arrival.

        Refused if the line has no person of that name or arrival.
        """
        return self if whose == "gm" else self.through(self._viewer(whose))

    def _viewer(self, whose: str | Arrival) -> Viewer:
        """Viewer named by `whose`, looked up among all people, also those unknown to the current viewer."""
        return viewer_meant(self.past, self.past.table_at(self.position), whose)

    def then(self, position: int) -> LineView:
        """Returns a view of the same line at an earlier position, as it was known then."""
        return self if position == self.at else LineView(self.campaign, self.line, position, self.viewer)

    def on(self, line: int, at: int | None = None) -> LineView:
        """Returns the game master's view of another line, where person numbers may mean other people."""
        return LineView(self.campaign, line, at)

    # --- what was recorded ---

    @cached_property
    def past(self) -> RecordedLine:
        """Recorded line up to the view's position, shared by views for all viewers."""
        return self._known or RecordedLine(
            self.campaign, self.line, self.head if self.at is None else self.at
        )

    @property
    def position(self) -> int:
        """Last position of the view, from 1."""
        return self.past.position

    @property
    def head(self) -> int:
        """Current last position of the line in the record."""
        return self.campaign.record.head(self.line).position

    @property
    def sessions(self) -> SessionBounds:
        """Bounds of the line's sessions."""
        return self.past.sessions

    @property
    def table(self) -> Table:
        """Table at the view's position; shared, so callers must not change it."""
        return self.tables.at(self.position)

    def table_at(self, position: int) -> Table:
        """Table at an earlier position, with undos up to the view's position; callers must not change it."""
        return self.tables.at(position)

    @cached_property
    def tables(self) -> VisibleTables:
        """Tables of the line, limited to events visible to the viewer."""
        return VisibleTables(self.sight)

    # --- what the viewer may know of it ---

    @cached_property
    def sight(self) -> Sight:
        """Visibility of the line's events to the viewer."""
        return Sight(self.past, self.viewer)

    @cached_property
    def ids(self) -> Ids:
        """Event ids for the viewer; the same at every position of the line."""
        head = self.head
        now = self.past if self.position == head else RecordedLine(self.campaign, self.line, head)
        return Ids.of(Sight(now, self.viewer))

    def visible_to(self, envelope: Envelope) -> str | tuple[str, ...]:
        """Audience of an event visible to the viewer: `table`, `gm`, or current names of people.

        The envelope comes from `recorded` or `moments`, which count reveals. People unknown to the viewer are
        left out; if none remains, the viewer's own name is given.
        """
        if isinstance(envelope.visible_to, str):
            return envelope.visible_to
        table = self.table
        known = [person for person in envelope.visible_to if person in table.people]
        if not known and self.viewer.person is not None:
            known = [self.viewer.person]
        return tuple(dict.fromkeys(map(table.name, known)))

    @property
    def late_additions(self) -> LateAdditions:
        """Late additions about any moment of the view."""
        return self.late_additions_since(0)

    def late_additions_since(self, position: int) -> LateAdditions:
        """Late additions recorded past `position`; the result may hold some recorded earlier."""
        heard = self._found_additions
        begun = min(heard, default=None)
        if begun is None or begun > position:
            begun = position
            heard[begun] = find_late_additions(self.sight, position)
        return heard[begun]

    @property
    def _found_additions(self) -> dict[int, LateAdditions]:
        """Late additions already found for this viewer, by the position past which they were recorded."""
        heard: dict[int, LateAdditions] = {}
        return self.past.once(("late additions", self.viewer), lambda: heard)

    def overruled(self, after: int) -> LateAdditions:
        """Overrulings of narrations, recorded past position `after`."""
        return find_overruled(self.sight, after)

    @property
    def revealed(self) -> RevealedWords:
        """Words known to the viewer only since a reveal."""
        return self.past.once(("revealed", self.viewer), lambda: find_revealed(self.sight))

    def holds(self, position: int) -> bool:
        """True if no event past `position` changed how earlier events look to the viewer."""
        past = self.past
        for row in past.rows(position, None, CHANGING):
            event = decode(row).event
            first = getattr(event, "first", None) or getattr(event, "about")  # noqa: B009 -- by its kind
            last = getattr(event, "last", first)
            if any(self.sight.sees(decode(earlier)) for earlier in past.rows(first - 1, min(last, position))):
                return False
        return True

    def recorded(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Recorded]:
        """Yields live events at positions after+1..upto (the view's end if None), as seen by the viewer.

        `kinds`, if given, limits events to these kinds.
        """
        for recorded in self.past.standing(after, upto, kinds):
            if self.progress is not None and recorded.position % STEP == 0:
                self.progress(recorded.position, upto or self.position)
            if isinstance(recorded.event, Event) and self.sight.sees(recorded):
                yield self.sight.as_seen(recorded)

    def kept_from_the_table(self, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yields live events at positions after+1..upto visible to the viewer and not to the whole table.

        Events about the record itself are left out.
        """
        past = self.past
        for row in past.rows(after, upto, where=self._sight_of_all.may_miss):
            if past.amendments.counts(row.position):
                recorded = decode(row, past.amendments.rewordings.get(row.position))
                if self.is_kept_from_the_table(recorded):
                    yield recorded

    def is_kept_from_the_table(self, recorded: Recorded) -> bool:
        """True for an event visible to the viewer and not to the table; False for events about the record."""
        event = recorded.event
        if not isinstance(event, Event) or isinstance(event, FOR_THE_GAME_MASTER):
            return False
        return self.sight.sees(recorded) and not self._sight_of_all.sees(recorded)

    @cached_property
    def _sight_of_all(self) -> Sight:
        return Sight(self.past, EVERYBODY)

    def moments(
        self, after: int = 0, upto: int | None = None, *, table: Table | None = None
    ) -> Generator[Moment, None, None]:
        """Yields visible events at positions after+1..upto, each with the viewer's table after it.

        `table`, if given, is the table at `after`; it is mutated.
        """
        if table is None:
            table = copied(self.table_at(after))
        tables, sight = self.tables, self.sight
        first_hidden = tables.first_hidden
        for recorded in self.past.standing(after, upto):
            if not isinstance(recorded.event, Event):
                continue
            if first_hidden is None or recorded.position < first_hidden:
                envelope = recorded.envelope
                live = LiveEvent(recorded.position, recorded.event, envelope.luck, envelope.visible_to)
                apply_event(table, live)
            else:
                tables.evolve(table, recorded)
            if self.progress is not None and recorded.position % STEP == 0:
                self.progress(recorded.position, upto or self.position)
            if sight.sees(recorded):
                shown = sight.as_seen(recorded)
                assert isinstance(shown.event, Event)  # noqa: S101 -- an event without some of its people
                yield Moment(shown, shown.event, table)


class RemoteView(Struct, frozen=True):
    """Line, position, viewer and store opener of a view; can be pickled for another process."""

    record: Callable[[], EventStore]
    snapshots: Callable[[], Snapshots] | None
    line: int
    position: int
    viewer: Viewer

    def opened(self) -> LineView:
        """Opens the record again and returns the view; StoreError if it cannot be opened."""
        cache = None if self.snapshots is None else self.snapshots()
        campaign = CampaignStore(Record(self.record()), snapshots=cache)
        return LineView(campaign, self.line, self.position, self.viewer)


def remote_view(reading: LineView) -> RemoteView | None:
    """Picklable form of a view for another process; None if its store can be read only in this process."""
    campaign = reading.campaign
    record = campaign.record.store.reopener()
    if record is None:
        return None
    cache = None if campaign.snapshots is None else campaign.snapshots.reopener()
    return RemoteView(record, cache, reading.line, reading.position, reading.viewer)
