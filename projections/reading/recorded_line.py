"""Recorded events of a branch up to a position, hidden ones included.

They are shared by all viewers' views, and each row is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from retold.journal.copying import copied
from retold.journal.store.caches.projection_cache import (
    LONG_SCAN,
    POSITIONED_KINDS,
    EventPositions,
    find_event_positions,
    possibly_hidden_positions,
)
from retold.journal.store.caches.snapshots import EVERY
from retold.journal.store.contract.event_store import Row, Segment, is_draft
from retold.journal.store.events import line_events
from retold.journal.store.events.amendments import REVEALING, Amendments, Reveals, read_amendments, reveals_in
from retold.journal.store.events.codec import Recorded, decode
from retold.journal.store.events.record import Record
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.reading.sessions import SESSION_KINDS, SessionBound, SessionBounds

T = TypeVar("T")


@dataclass(frozen=True)
class RecordedLine:
    """Recorded events of a branch of the record up to a position, with caches shared by all viewers.

    Undos, rewordings and reveals count if recorded up to that position.
    """

    campaign: CampaignStore
    line: int
    position: int
    _tables: dict[int, Table] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    _known_hidden: tuple[int, Sequence[int]] = field(default=(0, ()), repr=False, compare=False)
    """Last position and result of an earlier view's `maybe_hidden`."""

    @property
    def record(self) -> Record:
        """Record that stores the branch."""
        return self.campaign.record

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Ranges of positions on stored branches that make up this branch: its ancestors', then its own."""
        return self.record.lineage(self.line)

    @property
    def is_everything(self) -> bool:
        """True if the record holds no other branch, and no event past this position."""
        lines = sum(not is_draft(stream) for stream in self.record.store.streams())
        return lines == 1 and self.position >= self.record.head(self.line).position

    @cached_property
    def amendments(self) -> Amendments:
        """Positions of undone events, and new texts of reworded events."""
        return read_amendments(self.record, self.line, self.position)

    @cached_property
    def reveals(self) -> Reveals:
        """Reveals of hidden events on this branch, each with its audience."""
        return reveals_in(self.rows(kinds=REVEALING), self.amendments)

    @cached_property
    def introductions(self) -> Mapping[int, Recorded]:
        """Events that introduced a person in secret, by person number."""
        found: dict[int, Recorded] = {}
        for row in self.rows(kinds=(e.CastIntroduced.kind,), where=lambda row: '"see":' in row.body):
            recorded = decode(row)
            if isinstance(recorded.event, e.CastIntroduced):
                found[recorded.event.person] = recorded
        return found

    @cached_property
    def maybe_hidden(self) -> Sequence[int]:
        """Positions of changes of the table state that may be hidden from some viewer, in ascending order."""
        cache = self.campaign.snapshots if self.position >= LONG_SCAN else None
        return possibly_hidden_positions(self.record, cache, self.line, self.position, self._known_hidden)

    def later(self, position: int) -> RecordedLine:
        """Returns the same branch up to `position`.

        Reuses known hidden positions if that position is later.
        """
        found = "maybe_hidden" in self.__dict__ and position >= self.position
        known = (self.position, tuple(self.maybe_hidden)) if found else (0, ())
        return RecordedLine(self.campaign, self.line, position, _known_hidden=known)

    @cached_property
    def _event_positions(self) -> EventPositions | None:
        """Cached positions of events by kind; None for a short branch, or without a cache."""
        cache = self.campaign.snapshots
        if cache is None or self.position < LONG_SCAN:
            return None
        return find_event_positions(self.record, cache, self.line, self.position)

    @cached_property
    def sessions(self) -> SessionBounds:
        """Positions at which the branch's sessions open and close."""
        return SessionBounds.of(self.position, self._bounds(), self._event_at)

    def _bounds(self) -> Iterator[SessionBound]:
        """Yields openings and closings of sessions; on a long branch they come from cached positions."""
        marks = self._event_positions
        if marks is None:
            for recorded in self.standing(kinds=SESSION_KINDS):
                if isinstance(recorded.event, e.SessionOpened | e.SessionClosed):
                    yield SessionBound(recorded.event.kind, recorded.position, recorded.event.session)
            return
        for kind in SESSION_KINDS:
            for position in marks.places.get(kind, ()):
                if self.amendments.counts(position):
                    yield SessionBound(kind, position, marks.sessions[position])

    def _event_at(self, position: int) -> Event:
        (recorded,) = self.standing(position - 1, position)
        assert isinstance(recorded.event, Event)  # noqa: S101 -- one of the kinds sought
        return recorded.event

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Returns `find()`, called only the first time and remembered under `key`.

        Callers must not change it.
        """
        if key not in self._found:
            self._found[key] = find()
        found: T = self._found[key]
        return found

    def table_at(self, position: int) -> Table:
        """Returns the table state (people, scene, conflicts) at `position`, hidden events included.

        Cached and shared, so callers must not change it.
        """
        if position not in self._tables:
            self._tables[position] = self._folded(position) if position else Table()
        return self._tables[position]

    def keep(self, position: int, table: Table, *, alone: bool = False) -> None:
        """Caches the finished table state at `position`; the caller must not change it afterwards.

        `alone` drops all other cached table states, to save memory on a long branch.
        """
        if alone:
            self._tables.clear()
        self._tables.setdefault(position, table)

    def found(self, prefix: str) -> Iterator[tuple[Any, Any]]:
        """Yields results remembered by `once` under keys `(prefix, rest)`, as pairs of `rest` and result."""
        for name, value in self._found.items():
            if isinstance(name, tuple) and name[0] == prefix:
                yield name[1], value

    def latest(self) -> tuple[int, Table] | None:
        """Returns position and table state of the cached entry with the highest position, or None.

        Callers must not change the table state.
        """
        return max(self._tables.items(), key=lambda kept: kept[0], default=None)

    def _folded(self, position: int) -> Table:
        """Returns the table state at `position`, computed from the nearest cached one or stored snapshot."""
        known = max((earlier for earlier in self._tables if earlier < position), default=0)
        if not known or (self.campaign.snapshots is not None and position - known > EVERY):
            return self.campaign.table_at(self.line, position, self.amendments, self._tables.get(known))
        table = copied(self._tables[known])
        for live in line_events.live_events(self.record, self.line, known, position, self.amendments):
            line_events.apply_event(table, live)
        return table

    def rows(
        self,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        where: Callable[[Row], bool] | None = None,
    ) -> Iterator[Row]:
        """Yields stored rows at positions after+1..upto (the branch's end if None), limited to `kinds`.

        `where` filters rows before their hashes are checked.
        """
        end = self.position if upto is None else upto
        if (
            kinds
            and end - after >= LONG_SCAN
            and POSITIONED_KINDS.issuperset(kinds)
            and self._event_positions is not None
        ):
            found = self._event_positions.rows(kinds, after, end)
            return found if where is None else filter(where, found)
        return self.record.rows(self.line, after, end, kinds, where)

    def row(self, position: int) -> Row | None:
        """Returns the stored row (encoded event) at `position`; None if missing."""
        return self.record.row(self.line, position)

    def standing(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Recorded]:
        """Yields events at positions after+1..upto that were not undone, with rewordings applied.

        `kinds`, if given, limits events to these kinds.
        """
        amendments = self.amendments
        gone, reworded = amendments.gone(), amendments.rewordings
        for row in self.rows(after, upto, kinds):
            if not gone or amendments.counts(row.position):
                yield decode(row, reworded.get(row.position) if reworded else None)
