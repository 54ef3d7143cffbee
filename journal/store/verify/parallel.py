"""A long record looked at by several processes, each at a stretch of it; it is whole, or looked at once more.

A stretch is looked at by itself: of each line in it the first event is left, which may follow anything, and
whoever puts the stretches together looks at those. Of a record with anything wrong nothing is said here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Final, NamedTuple

from journal.store.codec import from_json
from journal.store.errors import StoreError
from journal.store.event_store import EventStore, Row
from journal.store.process_pool import PoolUnavailable, open_pool
from journal.store.progress import Progress, in_batches
from journal.store.record import Record
from journal.store.verify.row_check import Inspector, Trail, WordKey

STRETCH: Final = 5_000

StoreOpener = Callable[[], EventStore]


class CheckedStretch(NamedTuple):
    """A stretch in which nothing is wrong, as far as that can be seen there."""

    events: int
    first: tuple[Row, ...]
    """The first event of each line in it, which nobody has looked at."""
    trails: dict[int, Trail]
    redactions: tuple[Row, ...]
    gone: frozenset[WordKey]
    unknown: frozenset[str]


def verify_in_parallel(record: Record, progress: Progress | None) -> Inspector | None:
    """Who has seen all of a record, if nothing is wrong with any event; None where something is, or may be.

    None, too, where the record can be read in this process alone, or another one was ended.
    """
    opening, total = record.store.elsewhere(), record.store.size()
    if opening is None:
        return None
    stretches = ((opening, after, min(after + STRETCH, total)) for after in range(0, total, STRETCH))
    try:
        with open_pool() as hands:
            told = hands.each(check_stretch, stretches, ahead=total)
            if any(record.store.unsound()):
                return None
            return _together(record, told, total, progress)
    except PoolUnavailable:
        return None


def _together(
    record: Record, told: Iterable[CheckedStretch | None], total: int, progress: Progress | None
) -> Inspector | None:
    inspector, events = Inspector(record.stored_hash), 0
    for seen in told:
        if seen is None or not _joined(inspector, seen):
            return None
        events += seen.events
        if progress:
            progress(events, total)
    return inspector if events == total else None


def _joined(inspector: Inspector, seen: CheckedStretch) -> bool:
    """Whether the stretch follows from all that came before it; then it has been taken in."""
    for row in seen.first:
        if inspector.inspect(row):
            return False
        inspector.trails[row.line] = seen.trails[row.line]
    for row in seen.redactions:
        inspector.hear_redaction(row, from_json(row.body))
    inspector.gone |= seen.gone
    inspector.unknown |= seen.unknown
    return True


# --- in another process -----------------------------------------------------------------------------------


def check_stretch(opening: StoreOpener, after: int, upto: int) -> CheckedStretch | None:
    """What is seen of the events after+1..upto, in order of recording; None if anything is wrong."""
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
    inspector = Inspector(_nowhere)
    first: list[Row] = []
    for some in in_batches(rows, _line):
        if some[0].line not in inspector.trails:
            first.append(some[0])
            inspector.trails[some[0].line] = _trail(some[0])
            del some[0]
        if any(faults for _, faults in inspector.each(some)):
            return None
    redactions = tuple(row for row in rows if row.kind == "table.redacted" and row not in first)
    gone, unknown = frozenset(inspector.gone), frozenset(inspector.unknown)
    return CheckedStretch(len(rows), tuple(first), inspector.trails, redactions, gone, unknown)


_line = attrgetter("line")


def _nowhere(_line: int, _position: int) -> None:
    """Where a line begins is not looked at here."""


def _trail(row: Row) -> Trail:
    head = from_json(row.body)
    return Trail(row.position, row.hash, head["act"], head["i"], head["n"])
