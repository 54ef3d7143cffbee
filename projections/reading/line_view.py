"""Line views: the events of one branch up to a position, as one viewer may see them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from retold.journal.copying import copied
from retold.journal.line import LiveEvent
from retold.journal.options import LANGUAGE
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.event_store import EventStore
from retold.journal.store.contract.progress import STEP, Progress
from retold.journal.store.events.codec import Envelope, Recorded, decode
from retold.journal.store.events.line_events import apply_event
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.reading.ids import Ids
from retold.projections.reading.late_additions import (
    LateAdditions,
    RevealedWords,
    find_late_additions,
    find_overruled,
    find_revealed,
)
from retold.projections.reading.recorded_line import RecordedLine
from retold.projections.reading.sessions import SessionBounds
from retold.projections.reading.sight import Sight, VisibleTables
from retold.projections.reading.viewers import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    GAME_MASTER,
    Arrival,
    Viewer,
    viewer_meant,
)

E = TypeVar("E", bound=Event)


class Moment(Struct, frozen=True):
    """An event with the table state (people, scene, conflicts) right after it.

    `table` is shared and changes with the next moment; `kept` returns a copy.
    """

    recorded: Recorded
    event: Event
    table: Table
    command: Mapping[str, Any] = {}
    """The act's command as recorded, also for its later events; empty if the viewer does not know it."""

    @property
    def position(self) -> int:
        """The event's position on its branch, from 1."""
        return self.recorded.position

    @property
    def envelope(self) -> Envelope:
        """Metadata of the event: recording time, author, audience and source of its dice or cards."""
        return self.recorded.envelope

    def kept(self) -> Table:
        """Returns a copy of the table state after this moment, which later moments leave unchanged."""
        return copied(self.table)


CHANGING = tuple(kind.kind for kind in (e.Undone, e.Redone, e.Reworded, e.Redacted, e.Revealed, e.Shown))
"""Event kinds that change the wording, validity or audience of earlier events."""


@dataclass(frozen=True)
class LineView:
    """Events of a branch of the record up to position `at` (its last event if None), as seen by `viewer`.

    Undos, rewordings and reveals count only if recorded up to that position. Each stored row is read once,
    then remembered.
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
        """Returns the same view, reporting each position reached to `progress`, if given."""
        return self if progress is None else replace(self, progress=progress, _known=self.past)

    def called(self, whose: str | Arrival) -> LineView:
        """Returns the same view for `gm`, `table`, or a person given by name or arrival (introduction).

        Refused if the branch has no person of that name or arrival.
        """
        return (
            self
            if whose == "gm"
            else self.through(viewer_meant(self.past, self.past.table_at(self.position), whose))
        )

    def then(self, position: int) -> LineView:
        """Returns a view of the same branch at an earlier position.

        Undos and reveals recorded later do not count.
        """
        return self if position == self.at else LineView(self.campaign, self.line, position, self.viewer)

    def on(self, line: int, at: int | None = None) -> LineView:
        """Returns the game master's view of branch `line`, up to `at` (its last event if None).

        The viewer is not carried over, since person numbers may mean other people there.
        """
        return LineView(self.campaign, line, at)

    # --- what was recorded ---

    @cached_property
    def past(self) -> RecordedLine:
        """Recorded events up to the view's position, unfiltered; shared by the views of all viewers."""
        return self._known or RecordedLine(
            self.campaign, self.line, self.head if self.at is None else self.at
        )

    @property
    def position(self) -> int:
        """Position of the last event in the view, counted from 1."""
        return self.past.position

    @property
    def head(self) -> int:
        """Position of the last event now recorded on the branch, even if the view ends earlier."""
        return self.campaign.record.head(self.line).position

    @property
    def sessions(self) -> SessionBounds:
        """Positions at which the branch's sessions open and close."""
        return self.past.sessions

    @property
    def table(self) -> Table:
        """Table state (people, scene, conflicts) at the view's position, as the viewer knows it.

        Shared, so callers must not change it.
        """
        return self.tables.at(self.position)

    @property
    def title(self) -> str:
        """The campaign's title; without one, its file's name read as a title."""
        title = [None, *(named.title for named in self._seen(e.CampaignNamed))][-1]
        return self.campaign.place.title if title is None else str(title)

    @property
    def language(self) -> str | None:
        """Tag of the language of the table's words, such as `es`; None if the table names none."""
        tags = [one.value for one in self._seen(e.OptionSet) if (one.system, one.key) == (None, LANGUAGE.key)]
        return None if tags[-1:] in ([], [LANGUAGE.default]) else tags[-1]

    def _seen(self, kind: type[E]) -> Iterator[E]:
        """Yields the events of a kind that the viewer sees, without a fold of the whole branch."""
        seen = (one.event for one in self.past.standing(kinds=(kind.kind,)) if self.sight.sees(one))
        return (event for event in seen if isinstance(event, kind))

    def table_at(self, position: int) -> Table:
        """Returns the viewer's table state at an earlier position; callers must not change it.

        Undos recorded up to the view's own position are applied.
        """
        return self.tables.at(position)

    @cached_property
    def tables(self) -> VisibleTables:
        """Table states (people, scene, conflicts) by position, computed from events visible to the viewer."""
        return VisibleTables(self.sight)

    # --- what the viewer may know of it ---

    @cached_property
    def sight(self) -> Sight:
        """Visibility checks for the viewer: whether an event is seen, and without which people."""
        return Sight(self.past, self.viewer)

    @cached_property
    def ids(self) -> Ids:
        """Event ids for the viewer; an event's id is the same whatever position the view ends at."""
        head = self.head
        now = self.past if self.position == head else RecordedLine(self.campaign, self.line, head)
        return Ids.of(Sight(now, self.viewer))

    def visible_to(self, envelope: Envelope) -> str | tuple[str, ...]:
        """Returns the audience of an event visible to the viewer: `table`, `gm`, or current names of people.

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

    def late_additions_since(self, position: int) -> LateAdditions:
        """Returns texts about earlier events, and overrulings of narrations, recorded past `position`."""
        heard = self._found_additions
        begun = min((*heard, position))
        if begun not in heard:
            heard[begun] = find_late_additions(self.sight, begun)
        return heard[begun]

    @property
    def _found_additions(self) -> dict[int, LateAdditions]:
        """Cached late additions (texts about earlier events) for this viewer."""
        return self.past.once(("late additions", self.viewer), dict[int, LateAdditions])

    def overruled(self, after: int) -> LateAdditions:
        """Returns decisions that overrule a narration, recorded past `after`, by the narration's position."""
        return find_overruled(self.sight, after)

    @property
    def revealed(self) -> RevealedWords:
        """Narrations, speech and notes that the viewer learned only through a reveal."""
        return self.past.once(("revealed", self.viewer), lambda: find_revealed(self.sight))

    def holds(self, position: int) -> bool:
        """True if no undo, rewording or reveal past `position` concerns an earlier event the viewer sees."""
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
        """Yields the viewer's events at positions after+1..upto (the view's end if None), except undone ones.

        Hidden events are skipped; people unknown to the viewer are removed from other events. `kinds`, if
        given, limits events to these kinds.
        """
        for recorded in self.past.standing(after, upto, kinds):
            if self.progress is not None and recorded.position % STEP == 0:
                self.progress(recorded.position, upto or self.position)
            if isinstance(recorded.event, Event) and self.sight.sees(recorded):
                yield self.sight.as_seen(recorded)

    def kept_from_the_table(self, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """Yields events at positions after+1..upto that the viewer sees and the whole table does not.

        Undone events, and events about the record itself (forks, undos), are left out.
        """
        past = self.past
        for row in past.rows(after, upto, where=self._sight_of_all.may_miss):
            if past.amendments.counts(row.position):
                recorded = decode(row, past.amendments.rewordings.get(row.position))
                if self.is_kept_from_the_table(recorded):
                    yield recorded

    def is_kept_from_the_table(self, recorded: Recorded) -> bool:
        """True for an event the viewer sees and the table does not.

        False for events about the record (an undo).
        """
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
        """Yields visible events at positions after+1..upto, each with the viewer's table state after it.

        Undone events are skipped. `table`, if given, is the table state at `after`; it is mutated.
        """
        is_own = table is None
        if table is None:
            table = copied(self.table_at(after))
        tables, sight = self.tables, self.sight
        first_hidden = tables.first_hidden
        act = ""
        command: Mapping[str, Any] = {}
        for recorded in self.past.standing(after, upto):
            if not isinstance(recorded.event, Event):
                tables.stop_understanding(table, recorded)
                continue
            if first_hidden is None or recorded.position < first_hidden:
                envelope = recorded.envelope
                live = LiveEvent(recorded.position, recorded.event, envelope.luck, envelope.visible_to)
                apply_event(table, live)
            else:
                tables.evolve(table, recorded)
            if self.progress is not None and recorded.position % STEP == 0:
                self.progress(recorded.position, upto or self.position)
            is_seen = sight.sees(recorded)
            if recorded.envelope.act != act:
                act, command = recorded.envelope.act, recorded.command or {}
                if not is_seen and command.get("see") != TABLE:
                    command = {}
            if is_seen:
                shown = sight.as_seen(recorded)
                assert isinstance(shown.event, Event)  # noqa: S101 -- an event without some of its people
                yield Moment(shown, shown.event, table, command)
        if is_own and upto is None:
            tables.keep(self.position, table)


class RemoteView(Struct, frozen=True):
    """Settings of a line view (store opener, branch, position, viewer), picklable for another process."""

    record: Callable[[], EventStore]
    snapshots: Callable[[], Snapshots] | None
    line: int
    position: int
    viewer: Viewer

    def opened(self) -> LineView:
        """Opens the record again (in another process) and returns the line view.

        StoreError if it cannot be opened.
        """
        cache = None if self.snapshots is None else self.snapshots()
        campaign = CampaignStore(Record(self.record()), snapshots=cache)
        return LineView(campaign, self.line, self.position, self.viewer)


def remote_view(reading: LineView) -> RemoteView | None:
    """Returns a picklable form of `reading`; None if its store can be read only in this process."""
    campaign = reading.campaign
    record = campaign.record.store.reopener()
    if record is None:
        return None
    cache = None if campaign.snapshots is None else campaign.snapshots.reopener()
    return RemoteView(record, cache, reading.line, reading.position, reading.viewer)
