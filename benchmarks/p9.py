"""P9: how many bytes an event takes on disk, with its index, chain and commitments."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import peers
from benchmarks.campaigns import grown
from benchmarks.measuring import Figure, Goal, counted, show
from retold.journal.store.caches.snapshots import Snapshots

EVENTS = 20_000


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with grown(here / "a.retold", EVENTS) as campaign:
            n = campaign.record.head(1).position
            campaign.snapshots = Snapshots(here / "a.cache")
            campaign.table_at(1)
            app, _ = peers.copied(campaign.record.rows(1), peers.evenings(here / "es.db"))
            app.close()
        ours, theirs, cache = (_size(here / name) / n for name in ("a.retold", "es.db", "a.cache"))
    ratio = float(f"{ours / theirs:.3g}")
    how = f"eventsourcing's default database: {theirs:.0f} bytes; ours {ours:.0f}, and {cache:.0f} of cache"
    what, goal = "bytes on disk for each event", Goal(0.8, stretch=0.6)
    return [counted("P9", what, ratio, n=n, goal=str(goal), met=goal.met(ratio), how=how)]


def _size(path: Path) -> int:
    return sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*"))


if __name__ == "__main__":
    show(run())
