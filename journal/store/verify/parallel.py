"""Parallel verification: worker processes check ranges of a long record's events.

A worker checks a range by itself, except the first event of each branch in it, whose predecessor lies
outside; the main process checks these when it joins the ranges. Any fault makes the result None: the caller
then verifies the record again, row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Final, NamedTuple

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import EventStore, Row
from retold.journal.store.contract.progress import Progress, in_batches
from retold.journal.store.events.codec import from_json
from retold.journal.store.events.record import Record
from retold.journal.store.process_pool import PoolUnavailable, open_pool
from retold.journal.store.verify.row_check import Inspector, Trail, WordKey

STRETCH: Final = 5_000

StoreOpener = Callable[[], EventStore]


class CheckedStretch(NamedTuple):
    """A range of events without faults, and the facts needed to join it to the ranges before."""

    events: int
    first: tuple[Row, ...]
    """The first event of each line, not checked yet."""
    trails: dict[int, Trail]
    redactions: tuple[Row, ...]
    gone: frozenset[WordKey]
    unknown: frozenset[str]


def verify_in_parallel(record: Record, progress: Progress | None) -> Inspector | None:
    """Returns an inspector that has inspected every event; None if any event is or may be faulty.

    Also None if only this process can read the record, or if a worker died.
    """
    opening = record.store.reopener()
    total = record.store.size()
    if opening is None:
        return None
    stretches = ((opening, after, min(after + STRETCH, total)) for after in range(0, total, STRETCH))
    try:
        with open_pool() as workers:
            stretches_checked = workers.map(check_stretch, stretches, ahead=total)
            if any(record.store.storage_faults()):
                return None
            return _join_stretches(record, stretches_checked, total, progress)
    except PoolUnavailable:
        return None


def _join_stretches(
    record: Record, checked: Iterable[CheckedStretch | None], total: int, progress: Progress | None
) -> Inspector | None:
    inspector, events = Inspector(record.stored_hash), 0
    for seen in checked:
        if seen is None or not _join_stretch(inspector, seen):
            return None
        events += seen.events
        if progress:
            progress(events, total)
    return inspector if events == total else None


def _join_stretch(inspector: Inspector, seen: CheckedStretch) -> bool:
    """Adds a checked range of events to the inspector; False if it does not continue the ranges before."""
    for row in seen.first:
        if inspector.inspect(row):
            return False
        inspector.trails[row.line] = seen.trails[row.line]
    for row in seen.redactions:
        inspector.note_redaction(row, from_json(row.body))
    inspector.gone |= seen.gone
    inspector.unknown |= seen.unknown
    return True


# --- in another process -----------------------------------------------------------------------------------


def check_stretch(opening: StoreOpener, after: int, upto: int) -> CheckedStretch | None:
    """Checks the events with sequence numbers `after`+1..`upto` in a worker; None if any is faulty.

    Otherwise returns the facts needed to join this range to others.
    """
    try:
        store = opening()
    except StoreError:
        return None
    try:
        return _check_rows([row for _, row in store.log(after, upto)])
    except (StoreError, ValueError, TypeError, LookupError):
        return None
    finally:
        store.close()


def _check_rows(rows: list[Row]) -> CheckedStretch | None:
    inspector = Inspector(_no_stored_hash)
    first: list[Row] = []
    for batch in in_batches(rows, _line):
        if batch[0].line not in inspector.trails:
            first.append(batch[0])
            inspector.resume([batch[0]], ())
            del batch[0]
        if any(faults for _, faults in inspector.each(batch)):
            return None
    redactions = tuple(row for row in rows if row.kind == "table.redacted" and row not in first)
    gone, unknown = frozenset(inspector.gone), frozenset(inspector.unknown)
    return CheckedStretch(len(rows), tuple(first), inspector.trails, redactions, gone, unknown)


_line = attrgetter("line")


def _no_stored_hash(_line: int, _position: int) -> None:
    """Returns None for any position: the main process, not the worker, checks hashes at forks."""
