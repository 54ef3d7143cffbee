"""A line as one viewer may know it, up to a moment: read once, and handed down."""

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
    """An event on a line and the table it left behind.

    `table` belongs to the reading and changes with the next moment: who keeps it copies it (`kept`).
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
        """Who recorded it, when, for whom, and where its luck came from."""
        return self.recorded.envelope

    def kept(self) -> Table:
        """The table after this moment, as a value of its own."""
        return copied(self.table)


CHANGING = tuple(kind.kind for kind in (e.Undone, e.Redone, e.Reworded, e.Redacted, e.Revealed, e.Shown))
"""The kinds by which what came before them reads otherwise, counts no longer, or is seen by more people."""


@dataclass(frozen=True)
class LineView:
    """A line up to a position (its head if None), as somebody may know it.

    What counts, how it reads and what is revealed is judged as of that position; whatever is recorded later
    changes nothing in it. Nothing is asked of the record twice.
    """

    campaign: CampaignStore
    line: int
    at: int | None = None
    viewer: Viewer = GAME_MASTER
    _known: RecordedLine | None = field(default=None, repr=False, compare=False)
    told: Progress | None = field(default=None, repr=False, compare=False)
    """Hears how far a reading of the whole line has come, by position."""

    # --- another reading of the same campaign ---

    def through(self, viewer: Viewer) -> LineView:
        """The same for another viewer; what has been read of the line is not read again."""
        return replace(self, viewer=viewer, _known=self.past)

    def telling(self, told: Progress | None) -> LineView:
        """The same, which tells how far a reading of the line has come, if anybody asks."""
        return self if told is None else replace(self, told=told, _known=self.past)

    def called(self, whose: str | Arrival) -> LineView:
        """The same as `gm`, `table` or somebody may know it, by name or by where they came in.

        Refused where nobody is called so, or nobody came in there.
        """
        return self if whose == "gm" else self.through(self._viewer(whose))

    def _viewer(self, whose: str | Arrival) -> Viewer:
        """Who is meant, of everybody there is: also of those whom this viewer does not know."""
        return viewer_meant(self.past, self.past.table_at(self.position), whose)

    def then(self, position: int) -> LineView:
        """The same line as it was known at an earlier position."""
        return self if position == self.at else LineView(self.campaign, self.line, position, self.viewer)

    def on(self, line: int, at: int | None = None) -> LineView:
        """Another line, for the game master: who is whom there is for that line to say."""
        return LineView(self.campaign, line, at)

    # --- what was recorded ---

    @cached_property
    def past(self) -> RecordedLine:
        """The line up to there, whoever reads it."""
        return self._known or RecordedLine(
            self.campaign, self.line, self.head if self.at is None else self.at
        )

    @property
    def position(self) -> int:
        """The position it reads up to, from 1."""
        return self.past.position

    @property
    def head(self) -> int:
        """The position at which the line ends by now."""
        return self.campaign.record.head(self.line).position

    @property
    def evenings(self) -> SessionBounds:
        """Where its sessions begin and end."""
        return self.past.evenings

    @property
    def table(self) -> Table:
        """The table at that position, for everybody who asks: nobody changes it."""
        return self.tables.at(self.position)

    def table_at(self, position: int) -> Table:
        """The table at an earlier position, as it is judged by now; for everybody who asks."""
        return self.tables.at(position)

    @cached_property
    def tables(self) -> VisibleTables:
        """The tables of the line as the viewer may know them."""
        return VisibleTables(self.sight)

    # --- what the viewer may know of it ---

    @cached_property
    def sight(self) -> Sight:
        """What the viewer may see of it."""
        return Sight(self.past, self.viewer)

    @cached_property
    def ids(self) -> Ids:
        """How the viewer points at events, for ever: that does not change with the moment."""
        head = self.head
        now = self.past if self.position == head else RecordedLine(self.campaign, self.line, head)
        return Ids.of(Sight(now, self.viewer))

    def visible_to(self, envelope: Envelope) -> str | tuple[str, ...]:
        """Who may see an event that the viewer is told of: `table`, `gm`, or people by their names now.

        The envelope is that of `recorded` and `moments`: whom the event was revealed to is counted. People
        whom the viewer does not know are left out; where nobody is left, the event is for the viewer.
        """
        if isinstance(envelope.visible_to, str):
            return envelope.visible_to
        table = self.table
        known = [one for one in envelope.visible_to if one in table.people]
        if not known and self.viewer.person is not None:
            known = [self.viewer.person]
        return tuple(dict.fromkeys(map(table.name, known)))

    @property
    def afterwards(self) -> LateAdditions:
        """What is said up to there about earlier moments."""
        return self.afterwards_beyond(0)

    def afterwards_beyond(self, position: int) -> LateAdditions:
        """What is said up to there about moments after a position; of earlier ones it may know something."""
        heard = self._heard_afterwards
        begun = min(heard, default=None)
        if begun is None or begun > position:
            begun = position
            heard[begun] = find_late_additions(self.sight, position)
        return heard[begun]

    @property
    def _heard_afterwards(self) -> dict[int, LateAdditions]:
        """What was asked for already for this viewer, by the position that it lies beyond."""
        heard: dict[int, LateAdditions] = {}
        return self.past.once(("afterwards", self.viewer), lambda: heard)

    def overruled(self, after: int) -> LateAdditions:
        """The narrations overruled after a position; words told later are not among it."""
        return find_overruled(self.sight, after)

    @property
    def revealed(self) -> RevealedWords:
        """The words that the viewer knows by now, and did not from the first."""
        return self.past.once(("revealed", self.viewer), lambda: find_revealed(self.sight))

    def holds(self, position: int) -> bool:
        """True while nothing recorded after a position changed what the viewer sees of what came up to it."""
        past = self.past
        for row in past.rows(position, None, CHANGING):
            event = decode(row).event
            first = getattr(event, "first", None) or getattr(event, "about")  # noqa: B009 -- by its kind
            last = getattr(event, "last", first)
            if any(self.sight.sees(decode(one)) for one in past.rows(first - 1, min(last, position))):
                return False
        return True

    def recorded(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Recorded]:
        """What counts at positions after+1..upto, or up to its end, as far as the viewer sees it.

        Of these kinds only, if any are named.
        """
        for recorded in self.past.standing(after, upto, kinds):
            if self.told is not None and recorded.position % STEP == 0:
                self.told(recorded.position, upto or self.position)
            if isinstance(recorded.event, Event) and self.sight.sees(recorded):
                yield self.sight.told(recorded)

    def kept_from_the_table(self, after: int = 0, upto: int | None = None) -> Iterator[Recorded]:
        """What counts at positions after+1..upto that the viewer sees and the whole table does not.

        Nothing about the record itself is among it.
        """
        past = self.past
        for row in past.rows(after, upto, where=self._sight_of_all.may_miss):
            if past.stands.counts(row.position):
                recorded = decode(row, past.stands.rewordings.get(row.position))
                if self.is_kept_from_the_table(recorded):
                    yield recorded

    def is_kept_from_the_table(self, recorded: Recorded) -> bool:
        """True for an event that the viewer sees and the whole table does not; none is about the record."""
        event = recorded.event
        if not isinstance(event, Event) or isinstance(event, FOR_THE_GAME_MASTER):
            return False
        return self.sight.sees(recorded) and not self._sight_of_all.sees(recorded)

    @cached_property
    def _sight_of_all(self) -> Sight:
        return Sight(self.past, EVERYBODY)

    def moments(
        self,
        after: int = 0,
        upto: int | None = None,
        *,
        table: Table | None = None,
    ) -> Generator[Moment, None, None]:
        """The same, each with the table after it, as the viewer may know it.

        `table` is the one at `after`, if the caller has it, and is brought along: it will change.
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
            if self.told is not None and recorded.position % STEP == 0:
                self.told(recorded.position, upto or self.position)
            if sight.sees(recorded):
                shown = sight.told(recorded)
                assert isinstance(shown.event, Event)  # noqa: S101 -- an event without some of its people
                yield Moment(shown, shown.event, table)


class RemoteView(Struct, frozen=True):
    """Where a line is read, up to which position, and by whom."""

    record: Callable[[], EventStore]
    snapshots: Callable[[], Snapshots] | None
    line: int
    position: int
    viewer: Viewer

    def opened(self) -> LineView:
        """The reading, of a campaign that nobody else has; StoreError where it cannot be opened."""
        cache = None if self.snapshots is None else self.snapshots()
        campaign = CampaignStore(Record(self.record()), snapshots=cache)
        return LineView(campaign, self.line, self.position, self.viewer)


def remote_view(reading: LineView) -> RemoteView | None:
    """What opens a reading in another process; None where the record can be read in this one alone."""
    campaign = reading.campaign
    record = campaign.record.store.reopener()
    if record is None:
        return None
    cache = None if campaign.snapshots is None else campaign.snapshots.reopener()
    return RemoteView(record, cache, reading.line, reading.position, reading.viewer)
