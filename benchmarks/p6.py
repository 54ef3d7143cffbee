"""P6: any moment of a very long campaign, from a cache of folded tables."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.campaigns import grown
from benchmarks.measuring import ROUNDS, Figure, Goal, compare, interleaved, show
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.events import line_events

EVENTS = int(os.environ.get("RETOLD_BENCH_P6", "1000000"))
MOMENTS = 300
NEAR, WINDOW = 10_000, 4_000


def run() -> list[Figure]:
    """Measures it."""
    luck = random.Random(6)
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "a.retold", EVENTS) as campaign:
        n = campaign.record.head(1).position
        campaign.snapshots = Snapshots(Path(folder) / "a.cache")
        campaign.table_at(1)
        early = [luck.randrange(NEAR - WINDOW, NEAR) for _ in range(MOMENTS)]
        late = [luck.randrange(n - WINDOW, n) for _ in range(MOMENTS)]
        anywhere = [luck.randrange(1, n) for _ in range(MOMENTS)]

        def travel(moments: list[int]) -> list[float]:
            took = []
            for moment in moments:
                start = time.perf_counter()
                campaign.table_at(1, moment)
                took.append(time.perf_counter() - start)
            return took

        def rounds(moments: list[int], hundredth: int) -> list[float]:
            return [statistics.quantiles(travel(moments), n=100)[hundredth - 1] for _ in range(ROUNDS)]

        seconds = interleaved(
            {
                "full rebuild": lambda: line_events.table_at(campaign.record, 1),
                "head": lambda: campaign.table_at(1),
            }
        )
        seconds |= {
            "any moment, p99": rounds(anywhere, 99),
            "a moment near the end": rounds(late, 50),
            "a moment near the beginning": rounds(early, 50),
        }
    return [
        compare(
            "P6",
            f"any moment, p99 of {MOMENTS}",
            seconds,
            "any moment, p99",
            "full rebuild",
            n=n,
            goal=Goal(1 / 250),
        ),
        compare("P6", "the head", seconds, "head", "full rebuild", n=n, goal=Goal(1 / 2000)),
        compare(
            "P6",
            f"a moment near event {n:,}, against one near event {NEAR:,} (medians)",
            seconds,
            "a moment near the end",
            "a moment near the beginning",
            n=n,
            goal=Goal(1.5),
        ),
    ]


if __name__ == "__main__":
    show(run())
