"""Whether a record is what was written: file, chain, words; and what today's rules, or a seed, say of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from journal.store.errors import Damaged
from journal.store.event_store import EventStore, Head, Row
from journal.store.progress import STEP, Progress, in_batches
from journal.store.record import Record
from journal.store.verify.row_check import Finding, Inspector
from journal.store.verify.rules import ChanceReport, Difference, verify_chance, verify_rules

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
"""The fewest digits of a hash that a receipt may have: who writes it down by hand need not write them all."""


class Receipt(NamedTuple):
    """Where a line once ended, noted down elsewhere: what `verify` printed then."""

    line: int
    position: int
    hash: str
    """In hexadecimal; or how it begins, with `SHORT` digits or more."""

    def __str__(self) -> str:
        return f"{self.line}:{self.position}:{self.hash}"

    @property
    def short(self) -> Receipt:
        """The same, to be written down by hand."""
        return self._replace(hash=self.hash[:SHORT_HASH])


def receipts(record: Record) -> tuple[Receipt, ...]:
    """Where each line ends now, as it says itself; `verify` says whether that is so."""
    ends = ((line, record.head(line)) for line in record.store.streams())
    return tuple(Receipt(line, head.position, head.hash.hex()) for line, head in ends)


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` found."""

    events: int
    good: int
    """How many events, in the order they were recorded, came before the first that is not good."""
    heads: Mapping[int, Head]
    findings: tuple[Finding, ...]
    unknown: tuple[str, ...]
    """Kinds of a later Retold, or of a game that is not installed: chained and kept, but not folded here."""
    redacted: int = 0
    """How many texts are gone, each by a redaction that the record holds."""

    @property
    def whole(self) -> bool:
        """True if nothing was found."""
        return not self.findings

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """What to note down elsewhere, so that even a cut-off end would be found."""
        return tuple(Receipt(line, head.position, head.hash.hex()) for line, head in self.heads.items())


def verify(
    record: Record,
    on_progress: Progress | None = None,
    receipts: Iterable[Receipt] = (),
    *,
    alone: bool = True,
) -> Report:
    """Everything about the file, its chain and its words, row by row.

    A chain cannot show that its end was cut off by somebody who knew how: for that, keep `receipts`. Not
    `alone`, a long record is looked at by a process for each processor, which import this one's main module.
    """
    try:
        with record.store.standing_still():
            seen = (
                None
                if alone or record.store.size() < PARALLEL_FROM
                else _verify_in_parallel(record, on_progress)
            )
            return _verified(record, on_progress, receipts, seen)
    except Damaged as damage:
        return Report(0, 0, {}, (Finding(None, None, str(damage)),), ())


PARALLEL_FROM: Final = 50_000
"""Fewer events are looked at sooner than other processes are there."""


def _verify_in_parallel(record: Record, on_progress: Progress | None) -> Inspector | None:
    from journal.store.verify.parallel import verify_in_parallel  # noqa: PLC0415 -- what few need takes long to import

    return verify_in_parallel(record, on_progress)


def _verified(
    record: Record, on_progress: Progress | None, receipts: Iterable[Receipt], seen: Inspector | None
) -> Report:
    """What is found; where somebody has `seen` every event and nothing wrong, none is looked at again."""
    findings: list[Finding] = []
    inspector = seen or Inspector(record.stored_hash)
    events, good, total = 0 if seen is None else record.store.size(), None, None
    last: Row | None = None
    try:
        if seen is None:
            findings += (Finding(None, None, one) for one in record.store.unsound())
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
        findings += _not_kept(record, receipts)
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


def _not_kept(record: Record, receipts: Iterable[Receipt]) -> Iterator[Finding]:
    for line, position, hash_ in receipts:
        stored = record.stored_hash(line, position)
        if stored is None:
            yield Finding(line, position, "The receipt has an event here, and there is none.")
        elif not stored.hex().startswith(hash_):
            yield Finding(line, position, "It is not the event the receipt was given for.")


def good_rows(record: Record) -> Iterator[Row]:
    """The events as they were recorded, up to the last whole act before the first that is not good."""
    inspector = Inspector(record.stored_hash)
    act: list[Row] = []
    try:
        for row, faults in inspector.each(row for _, row in record.store.log()):
            if faults:
                return
            act.append(row)
            envelope = json.loads(row.body)
            # A line that was left is taken over only with the one that play went on with.
            if envelope["i"] == envelope["n"] and row.kind != "table.retired":
                yield from act
                act.clear()
    except Damaged:
        return


def salvage_into(store: EventStore, record: Record) -> int:
    """Takes what is good over into an empty store; returns how many events.

    Damaged, and nothing taken over, if not even the first event is good.
    """
    taken = 0
    with record.store.standing_still(), store.writing():
        for rows in in_batches(good_rows(record)):
            store.append(rows)
            taken += len(rows)
        if not taken:
            raise Damaged(f"Nothing in {record.store.path} is whole: not even its first event.")
    return taken
