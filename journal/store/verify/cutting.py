"""What is still good of a damaged record, taken over into a new place; the damaged one is only read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from journal.store.batches import together
from journal.store.contract import EventStore
from journal.store.errors import Damaged
from journal.store.record import Record
from journal.store.rows import Row
from journal.store.verify.inspecting import Inspector


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


def cut_into(store: EventStore, record: Record) -> int:
    """Takes what is good over into an empty store; returns how many events.

    Damaged, and nothing taken over, if not even the first event is good.
    """
    taken = 0
    with record.store.standing_still(), store.writing():
        for rows in together(good_rows(record)):
            store.append(rows)
            taken += len(rows)
        if not taken:
            raise Damaged(f"Nothing of {record.store.path} is good: not even its first event.")
    return taken
