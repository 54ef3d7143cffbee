"""A campaign as a recorder of the `eventsourcing` library: programs can subscribe to its new events."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any
from uuid import UUID

from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    Notification,
    OperationalError,
    StoredEvent,
    Subscription,
)

from retold.journal.store import places
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.contract.errors import CannotWrite, Doubtful
from retold.journal.store.contract.event_store import EMPTY_HEAD, Draft, Head, Row
from retold.journal.store.disk.last_seen import LastSeen
from retold.journal.store.events.record import Record

POLL_SECONDS = 0.01
"""Seconds between two looks for changes."""

MOST_AT_ONCE = 500
"""The most events a subscription reads at once."""


class CampaignRecorder(ApplicationRecorder):
    """Recorder of the `eventsourcing` library that reads and writes a campaign.

    In the library's terms an originator is a branch, a version is an event position, a topic is a kind and a
    state is a body, both as stored. Texts are not handed over: a follower sees only their hashes, and events
    with texts cannot be inserted here, only by a `LineWriter`. Each thread opens a connection of its own.
    """

    def __init__(self, place: Place, *, read_only: bool = False) -> None:
        self.place = Address.of(place)
        self._read_only = read_only
        self._here = threading.local()

    @property
    def record(self) -> Record:
        """The campaign's record; each thread opens one of its own at first use."""
        found: Record | None = getattr(self._here, "record", None)
        if found is None:
            store = places.opened(self.place, read_only=self._read_only)
            found = self._here.record = Record(store)
            if not self._read_only:
                found.on_recorded = LastSeen(found).keep
        return found

    def close(self) -> None:
        """Closes the connection that this thread has opened, if any."""
        found: Record | None = self._here.__dict__.pop("record", None)
        if found is not None:
            found.store.close()

    # --- lines by name ------------------------------------------------------------------------------------

    def line(self, originator_id: UUID | str) -> int:
        """Returns the number of the branch behind an originator id: 3 for `line-3`.

        Raises IntegrityError for any other form.
        """
        name, _, number = str(originator_id).partition("-")
        if name != "line" or not number.isdecimal():
            raise IntegrityError(f"{originator_id} is no line: an originator is line-1, line-2 and so on")
        return int(number)

    def originator(self, line: int) -> UUID | str:
        """Returns the originator id of branch `line`, such as `line-3`."""
        return f"line-{line}"

    # --- the contract -------------------------------------------------------------------------------------

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:  # noqa: ANN401 -- the contract's own
        """Stores events at the ends of their branches, all or none; returns their sequence numbers.

        Raises IntegrityError unless each event's version is the next position of its branch.
        """
        record = self.record
        try:
            with record.writing():
                for originator, events in groupby(stored_events, key=lambda event: event.originator_id):
                    self._append(self.line(originator), list(events))
                last = record.store.size()
        except (CannotWrite, Doubtful) as error:
            raise OperationalError(str(error)) from error
        return list(range(last - len(stored_events) + 1, last + 1))

    def _append(self, line: int, events: Sequence[StoredEvent]) -> None:
        head = self.record.head(line)
        if head.position == 0:
            head = self.beginning(line, events[0])
        for position, event in enumerate(events, head.position + 1):
            if event.originator_version != position:
                raise IntegrityError(
                    f"version {event.originator_version} does not follow {position - 1} on line {line}"
                )
        self.record.append(line, head, (Draft(event.topic, self.body(event), None) for event in events))

    def beginning(self, line: int, first: StoredEvent) -> Head:
        """Returns the position and hash that the first event of branch `line` follows.

        Raises IntegrityError if `first` is not a proper fork event.
        """
        if line == 1:
            return EMPTY_HEAD
        fork = json.loads(first.state)["data"] if first.topic == "table.forked" else {}
        left = self.record.row(fork["parent"], fork["at"]) if fork.get("line") == line else None
        if left is None or left.hash.hex() != fork["parent_hash"]:
            raise IntegrityError(f"line {line} does not begin by leaving another")
        return left.head

    def body(self, event: StoredEvent) -> str:
        """Returns an event's body as text; IntegrityError if it refers to texts, which would be lost."""
        text = event.state.decode()
        if "words" in json.loads(text):
            raise IntegrityError("an event with words is recorded by a Writer")
        return text

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Returns the events of a branch, also those shared with its ancestors, at positions `gt`+1..`lte`.

        In reverse order with `desc`; at most `limit` events.
        """
        line = self.line(originator_id)
        head = self.record.head(line).position
        if not head:
            return []
        rows = self._rows(line, gt or 0, head if lte is None else min(lte, head), desc=desc)
        return [self._stored(originator_id, row) for row in islice(rows, limit)]

    def _rows(self, line: int, after: int, upto: int, *, desc: bool) -> Iterable[Row]:
        if not desc:
            return self.record.rows(line, after, upto)
        return (row for row in self.record.backwards(line, upto + 1) if row.position > after)

    def _stored(self, originator_id: UUID | str, row: Row) -> StoredEvent:
        return StoredEvent(
            originator_id=originator_id,
            originator_version=row.position,
            topic=row.kind,
            state=row.body.encode(),
        )

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Returns up to `limit` events of every branch in the order recorded, from number `start` on.

        `start` itself only if `inclusive_of_start`; to number `stop` if given; of kinds `topics` if any are
        given.
        """
        after = 0 if start is None else start - 1 if inclusive_of_start else start
        return list(self._notifications(after, stop, limit, topics))

    def _notifications(
        self, after: int, upto: int | None, limit: int, kinds: Sequence[str]
    ) -> Iterator[Notification]:
        for number, row in islice(self.record.log(after, upto, kinds), limit):
            yield Notification(
                id=number,
                originator_id=self.originator(row.line),
                originator_version=row.position,
                topic=row.kind,
                state=row.body.encode(),
            )

    def max_notification_id(self) -> int | None:
        """Returns the sequence number of the last recorded event; None for an empty record."""
        return self.record.store.size() or None

    def subscribe(
        self,
        gt: int | None = None,
        topics: Sequence[str] = (),
        *,
        every: float = POLL_SECONDS,
        wake: Callable[[], object] | None = None,
    ) -> CampaignSubscription:
        """Returns an endless iterator over the events after sequence number `gt`; it waits for new events.

        The file is checked for changes each `every` seconds. `wake` is called at once and after each change,
        in the watching thread: it must return quickly and not raise.
        """
        return CampaignSubscription(self, gt, topics, every=every, wake=wake)


class CampaignSubscription(Subscription[CampaignRecorder]):
    """An iterator over a campaign's events that waits for new ones, recorded by any process.

    The process's watch wakes it: see `places.watched`.
    """

    def __init__(
        self,
        recorder: CampaignRecorder,
        gt: int | None = None,
        topics: Sequence[str] = (),
        *,
        every: float = POLL_SECONDS,
        wake: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(recorder, gt, topics)
        self._ready: deque[Notification] = deque()
        self._woken = threading.Event()
        self._wake = wake
        self._ending = threading.Lock()
        self._leave = places.watched(recorder.place, self._recorded, every)

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._ready:
                return self._ready.popleft()
            self._woken.clear()
            if not self._read_on():
                self._woken.wait()
        raise StopIteration

    def wait(self, seconds: float) -> bool:
        """Waits up to `seconds` for a change of the record; True if it has changed since the last wait.

        For followers that read the record themselves, with its texts, instead of iterating.
        """
        changed = self._woken.wait(seconds)
        self._woken.clear()
        return changed

    def stop(self) -> None:
        """Ends the subscription, also for a thread that waits for the next event."""
        with self._ending:
            if not self._has_been_stopped:
                super().stop()
                self._leave()
        self._woken.set()

    def _recorded(self) -> None:
        self._woken.set()
        if self._wake is not None:
            self._wake()

    def _read_on(self) -> bool:
        """Reads the next events, up to MOST_AT_ONCE, into the queue; False if there are none."""
        after = self._last_notification_id or 0
        last = self._recorder.max_notification_id() or 0
        if last <= after:
            return False
        found = self._recorder.select_notifications(
            after, MOST_AT_ONCE, last, self._topics, inclusive_of_start=False
        )
        self._ready.extend(found)
        self._last_notification_id = found[-1].id if len(found) == MOST_AT_ONCE else last
        return True
