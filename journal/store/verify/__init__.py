"""Verifies a record: file, hash chain, texts; also decisions by today's rules, and dealt dice by the seed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import EventStore, Head, Row
from retold.journal.store.contract.progress import STEP, Progress, in_batches
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.record import Record
from retold.journal.store.verify.row_check import Finding, Inspector
from retold.journal.store.verify.rules import ChanceReport, Difference, verify_chance, verify_rules
from retold.journal.store.writing.drafts import Drafts

__all__ = [
    "SHORT_HASH",
    "ChanceReport",
    "Difference",
    "Finding",
    "Receipt",
    "Report",
    "receipts",
    "verify",
    "verify_chance",
    "verify_rules",
]


SHORT_HASH: Final = 16
"""The fewest hash digits of a receipt, for receipts written down by hand."""


class Receipt(NamedTuple):
    """A branch's last position and hash, as `verify` prints them, to be kept outside the campaign file."""

    line: int
    position: int
    hash: str
    """In hexadecimal; SHORT_HASH first digits or more are enough."""

    def __str__(self) -> str:
        return f"{self.line}:{self.position}:{self.hash}"

    @property
    def short(self) -> Receipt:
        """This receipt with only SHORT_HASH digits of its hash, to be written down by hand."""
        return self._replace(hash=self.hash[:SHORT_HASH])


def receipt_of(line: int, head: Head) -> Receipt:
    """Returns the receipt of a branch that ends at `head`."""
    return Receipt(line, head.position, head.hash.hex())


def receipts(record: Record) -> tuple[Receipt, ...]:
    """Returns a receipt for the last event of each branch; nothing is verified."""
    return tuple(receipt_of(line, record.head(line)) for line in record.store.streams())


@dataclass(frozen=True, slots=True)
class Report:
    """Result of `verify`: number of events, number before the first fault, the faults, unknown kinds."""

    events: int
    good: int
    """The number of events before the first faulty one, in recording order."""
    heads: Mapping[int, Head]
    findings: tuple[Finding, ...]
    unknown: tuple[str, ...]
    """Kinds of a later Retold or of a game that is not installed; verified, but not folded."""
    redacted: int = 0
    """The number of texts deleted by a recorded redaction."""

    @property
    def whole(self) -> bool:
        """True if no faults were found."""
        return not self.findings

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """A receipt for each branch, to be kept elsewhere: with it even a truncated record is noticed."""
        return tuple(receipt_of(line, head) for line, head in self.heads.items())


def verify(
    record: Record,
    on_progress: Progress | None = None,
    receipts: Iterable[Receipt] = (),
    *,
    alone: bool = True,
) -> Report:
    """Verifies the file, its hash chain and its texts, row by row; returns a report with the faults.

    A chain cannot show that its end was cut off by an expert: for that, give `receipts` kept from an earlier
    call. Unless `alone`, a long record is verified by a worker process per processor, and each imports the
    main module of this process.
    """
    try:
        with record.store.read_transaction():
            seen = (
                None
                if alone or record.store.size() < PARALLEL_FROM
                else _verify_in_parallel(record, on_progress)
            )
            return _build_report(record, on_progress, receipts, seen)
    except Damaged as damage:
        return Report(0, 0, {}, (Finding(None, None, str(damage)),), ())


PARALLEL_FROM: Final = 50_000
"""With fewer events, this process is done before workers have started."""


def _verify_in_parallel(record: Record, on_progress: Progress | None) -> Inspector | None:
    from retold.journal.store.verify.parallel import verify_in_parallel  # noqa: PLC0415 -- what few need takes long to import

    return verify_in_parallel(record, on_progress)


def _build_report(
    record: Record, on_progress: Progress | None, receipts: Iterable[Receipt], seen: Inspector | None
) -> Report:
    """Returns the report on a record, after checking its file and each row.

    If `seen` has inspected every row already, only ends and receipts are checked.
    """
    findings: list[Finding] = []
    inspector = seen or Inspector(record.stored_hash)
    events = 0 if seen is None else record.store.size()
    good = None
    total = None
    last: Row | None = None
    try:
        if seen is None:
            findings += (Finding(None, None, fault) for fault in record.store.storage_faults())
        total = record.store.size()
        for row, faults in inspector.each(row for _, row in record.store.log()) if seen is None else ():
            last = row
            if faults:
                findings += [Finding(row.line, row.position, fault) for fault in faults]
                good = events if good is None else good
            events += 1
            if on_progress and events % STEP == 0:
                on_progress(events, total)
        findings += inspector.end()
        findings += _check_receipts(record, receipts)
        if not findings:
            findings += _check_drafts(record)
    except Damaged as damage:
        findings.append(Finding(None, None, str(damage)))
        if last is not None:
            after = f"line {last.line}, position {last.position}"
            findings.append(Finding(None, None, f"Nothing can be read of what was recorded after {after}."))
    if on_progress:
        on_progress(events, total)
    unknown = tuple(sorted(inspector.unknown))
    good = events if good is None else good
    return Report(events, good, inspector.heads, tuple(findings), unknown, inspector.redacted)


def _check_drafts(record: Record) -> Iterator[Finding]:
    """Yields a fault for each draft whose revisions do not fit together."""
    drafts = Drafts(record, Clock())
    for number in drafts.names():
        try:
            drafts.read(number)
        except Damaged as damage:
            yield Finding(None, None, str(damage))


def _check_receipts(record: Record, receipts: Iterable[Receipt]) -> Iterator[Finding]:
    for line, position, hash_ in receipts:
        stored = record.stored_hash(line, position)
        if stored is None:
            yield Finding(line, position, "The receipt has an event here, and there is none.")
        elif not stored.hex().startswith(hash_):
            yield Finding(line, position, "It is not the event the receipt was given for.")


def good_rows(record: Record) -> Iterator[Row]:
    """Yields the rows, in the order recorded, of the complete acts before the first faulty row."""
    inspector = Inspector(record.stored_hash)
    act: list[Row] = []
    try:
        for row, faults in inspector.each(row for _, row in record.store.log()):
            if faults:
                return
            act.append(row)
            envelope = json.loads(row.body)
            # A retirement is copied only together with the promotion that follows it.
            if envelope["i"] == envelope["n"] and row.kind != "table.retired":
                yield from act
                act.clear()
    except Damaged:
        return


def salvage_into(store: EventStore, record: Record) -> int:
    """Copies the complete acts before the first fault into the empty `store`; returns the number of rows.

    Raises Damaged, copying nothing, if not even the first event is good.
    """
    taken = 0
    with record.store.read_transaction(), store.writing():
        for rows in in_batches(good_rows(record)):
            store.append(rows)
            taken += len(rows)
        if not taken:
            raise Damaged(f"Nothing in {record.store.place} is whole: not even its first event.")
    return taken
