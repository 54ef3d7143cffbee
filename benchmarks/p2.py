"""P2: rebuild everything from the log of a long campaign."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import deque
from contextlib import closing
from pathlib import Path

from benchmarks import floors, peers
from benchmarks.campaigns import grown
from benchmarks.measuring import FLOOR, Figure, Goal, compare, interleaved, show
from retold.journal.store.events import line_events
from tests.files import file_of

EVENTS = 100_000
PEER_EVENTS = 10_000
"""eventsourcing is asked for a tenth: it keeps everything in memory, and the ratio is per event."""


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "a.retold", EVENTS) as campaign:
        n = campaign.record.head(1).position
        app, id_ = peers.copied(
            campaign.record.rows(1, 0, PEER_EVENTS), peers.evenings(Path(folder) / "es.db")
        )
        with closing(sqlite3.connect(file_of(campaign))) as db:
            seconds = interleaved(
                {
                    "ours": lambda: line_events.table_at(campaign.record, 1),
                    "eventsourcing Aggregate": lambda: app.repository.get(id_),
                    FLOOR: floors.parsed(file_of(campaign)),
                    "iterating the rows": lambda: deque(db.execute(peers.SELECT), maxlen=0),
                }
            )
        app.close()
    return [
        compare(
            "P2",
            "rebuild, against eventsourcing's Aggregate (per event)",
            seconds,
            "ours",
            "eventsourcing Aggregate",
            n=n,
            peer_n=PEER_EVENTS,
        ),
        compare(
            "P2",
            "rebuild with the chain checked, against iterating the rows",
            seconds,
            "ours",
            "iterating the rows",
            n=n,
            goal=Goal(6.5),
        ),
    ]


if __name__ == "__main__":
    show(run())
