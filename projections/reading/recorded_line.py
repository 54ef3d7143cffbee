"""What is recorded on a line up to a position, whoever reads it: nothing in it is read twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from journal.copying import copied
from journal.store import line_events
from journal.store.amendments import REVEALING, Amendments, Reveals, read_amendments, reveals_in
from journal.store.campaign import CampaignStore
from journal.store.codec import Recorded, decode
from journal.store.event_store import Row, Segment
from journal.store.projection_cache import (
    LONG_SCAN,
    POSITIONED_KINDS,
    EventPositions,
    find_event_positions,
    possibly_hidden_positions,
)
from journal.store.record import Record
from journal.store.snapshots import EVERY
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.reading.sessions import SESSION_KINDS, SessionBound, SessionBounds

T = TypeVar("T")


@dataclass(frozen=True)
class RecordedLine:
    """A line up to a position; what counts and how it reads is judged as of there."""

    campaign: CampaignStore
    line: int
    position: int
    _tables: dict[int, Table] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    _known_hidden: tuple[int, Sequence[int]] = field(default=(0, ()), repr=False, compare=False)
    """What an earlier reading of the same line found of `maybe_hidden`, and up to which position."""

    @property
    def record(self) -> Record:
        """Where it is recorded."""
        return self.campaign.record

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The stretches of stored lines that it is made of."""
        return self.record.lineage(self.line)

    @property
    def is_everything(self) -> bool:
        """True where nothing else is recorded: no other line, and nothing later."""
        return len(self.record.store.streams()) == 1 and self.position >= self.record.head(self.line).position

    @cached_property
    def stands(self) -> Amendments:
        """What is undone, and what reads otherwise."""
        return read_amendments(self.record, self.line, self.position)

    @cached_property
    def reveals(self) -> Reveals:
        """What was revealed, and to whom."""
        return reveals_in(self.rows(kinds=REVEALING), self.stands)

    @cached_property
    def introductions(self) -> Mapping[int, Recorded]:
        """By number, where somebody was introduced in secret."""
        found: dict[int, Recorded] = {}
        for row in self.rows(kinds=(e.CastIntroduced.kind,), where=lambda row: '"see":' in row.body):
            recorded = decode(row)
            if isinstance(recorded.event, e.CastIntroduced):
                found[recorded.event.person] = recorded
        return found

    @cached_property
    def maybe_hidden(self) -> Sequence[int]:
        """The positions of all that may be hidden from somebody, in order."""
        cache = self.campaign.snapshots if self.position >= LONG_SCAN else None
        return possibly_hidden_positions(self.record, cache, self.line, self.position, self._known_hidden)

    def later(self, position: int) -> RecordedLine:
        """The same line up to a later position, or an earlier one; what stays so is not looked for again."""
        found = "maybe_hidden" in self.__dict__ and position >= self.position
        known = (self.position, tuple(self.maybe_hidden)) if found else (0, ())
        return RecordedLine(self.campaign, self.line, position, _known_hidden=known)

    @cached_property
    def _landmarks(self) -> EventPositions | None:
        """Where what is sought far back stands; None where that is not worth while, or cannot be kept."""
        cache = self.campaign.snapshots
        if cache is None or self.position < LONG_SCAN:
            return None
        return find_event_positions(self.record, cache, self.line, self.position)

    @cached_property
    def evenings(self) -> SessionBounds:
        """Where its sessions begin and end."""
        return SessionBounds.of(self.position, self._bounds(), self._event_at)

    def _bounds(self) -> Iterator[SessionBound]:
        """Where its sessions open and close; far on, as it was found before."""
        marks = self._landmarks
        if marks is None:
            for one in self.standing(kinds=SESSION_KINDS):
                if isinstance(one.event, e.SessionOpened | e.SessionClosed):
                    yield SessionBound(one.event.kind, one.position, one.event.session)
            return
        for kind in SESSION_KINDS:
            for position in marks.places.get(kind, ()):
                if self.stands.counts(position):
                    yield SessionBound(kind, position, marks.sessions[position])

    def _event_at(self, position: int) -> Event:
        (recorded,) = self.standing(position - 1, position)
        assert isinstance(recorded.event, Event)  # noqa: S101 -- one of the kinds sought
        return recorded.event

    def once(self, what: Hashable, find: Callable[[], T]) -> T:
        """What `find` finds in it, looked for once for all who ask by the same name; nobody may change it."""
        if what not in self._found:
            self._found[what] = find()
        found: T = self._found[what]
        return found

    def table_at(self, position: int) -> Table:
        """The table at a position up to there; it is kept for whoever asks again, so nobody may change it."""
        if position not in self._tables:
            self._tables[position] = self._folded(position) if position else Table()
        return self._tables[position]

    def keep(self, position: int, table: Table) -> None:
        """Keeps a table that somebody has brought there moment by moment, and will change no more."""
        self._tables.setdefault(position, table)

    def keep_only(self, position: int, table: Table) -> None:
        """Keeps such a table, and none of those before: who goes through a long line needs them no more."""
        self._tables.clear()
        self._tables[position] = table

    def found(self, what: str) -> Iterator[tuple[Any, Any]]:
        """What was looked for once under names that begin so: the rest of each name, and what was found."""
        for name, value in self._found.items():
            if isinstance(name, tuple) and name[0] == what:
                yield name[1], value

    def latest(self) -> tuple[int, Table] | None:
        """The last of the tables that somebody has asked for, and where it is; nobody may change it."""
        return max(self._tables.items(), key=lambda kept: kept[0], default=None)

    def _folded(self, position: int) -> Table:
        """The table at a position: from one that was asked for before, or from a snapshot that is nearer."""
        known = max((one for one in self._tables if one < position), default=0)
        if not known or (self.campaign.snapshots is not None and position - known > EVERY):
            return self.campaign.table_at(self.line, position, self.stands, self._tables.get(known))
        table = copied(self._tables[known])
        for live in line_events.live_events(self.record, self.line, known, position, self.stands):
            line_events.apply_event(table, live)
        return table

    def rows(
        self,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        where: Callable[[Row], bool] | None = None,
    ) -> Iterator[Row]:
        """What is stored at positions after+1..upto, or up to its end; of these kinds, if any are named.

        And where `where` says so, which is asked before they are checked.
        """
        end = self.position if upto is None else upto
        if (
            kinds
            and end - after >= LONG_SCAN
            and POSITIONED_KINDS.issuperset(kinds)
            and self._landmarks is not None
        ):
            found = self._landmarks.rows(kinds, after, end)
            return found if where is None else filter(where, found)
        return self.record.rows(self.line, after, end, kinds, where)

    def row(self, position: int) -> Row | None:
        """What is stored at a position."""
        return self.record.row(self.line, position)

    def standing(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Recorded]:
        """What counts of that, as it reads by now."""
        stands = self.stands
        gone, reworded = stands.gone(), stands.rewordings
        for row in self.rows(after, upto, kinds):
            if not gone or stands.counts(row.position):
                yield decode(row, reworded.get(row.position) if reworded else None)
