"""P5: a dump restored into a new file, verified on the way."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path

from benchmarks import floors, peers
from benchmarks.campaigns import grown
from benchmarks.measuring import FLOOR, Figure, Goal, compare, interleaved, show
from retold.journal.store.copies.dump import dump, load

EVENTS = 100_000
PEER_EVENTS = 10_000
BATCH = 100


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "a.retold", EVENTS) as campaign:
        here, numbers = Path(folder), count()
        lines, rows = list(dump(campaign.record)), list(campaign.record.rows(1))
        said = [peers.facts(row) for row in rows[:PEER_EVENTS]]

        def ours() -> None:
            path = here / "restored.retold"
            load(lines, path)
            path.unlink()

        def bare() -> None:
            db = peers.bare(here / f"bare-{next(numbers)}.db")
            peers.insert_each(db, [rows])
            db.close()

        def eventsourcing() -> None:
            app = peers.evenings(here / f"es-{next(numbers)}.db")
            evening = peers.Evening("one")
            for number, fact in enumerate(said, 1):
                evening.happened(*fact)
                if number % BATCH == 0:
                    app.save(evening)
            app.close()

        tasks = {"ours": ours, "bare executemany": bare, "save(100)": eventsourcing}
        seconds = interleaved(tasks | {FLOOR: floors.loaded(lines, rows, here / "floor.db")}, 7)
    return [
        compare(
            "P5",
            "load of a dump, against bare executemany",
            seconds,
            "ours",
            "bare executemany",
            n=len(rows),
            goal=Goal(0.3, at_most=False, stretch=0.5),
        ),
        compare(
            "P5",
            "load of a dump, against eventsourcing's save(100) (per event)",
            seconds,
            "ours",
            "save(100)",
            n=len(rows),
            peer_n=PEER_EVENTS,
            goal=Goal(2, at_most=False),
        ),
    ]


if __name__ == "__main__":
    show(run())
