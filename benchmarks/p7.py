"""P7: a branch costs an append to make and nothing to read."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path

from benchmarks.campaigns import grow, grown
from benchmarks.measuring import Figure, Goal, compare, interleaved, show
from retold.journal.store.events import line_events
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words

EVENTS = 100_000
FORKS = 100
STRETCH = 300
BRANCHES = 10
"""Made in each round."""


def nested(path: Path) -> tuple[CampaignStore, int]:
    """A hundred forks, each leaving the one before it, and each parent played on after it was left."""
    campaign = grown(path, STRETCH)
    line = 1
    for number in range(FORKS):
        at = campaign.record.head(line).position
        branch = campaign.fork(line, at, Words(f"branch {number}"))
        grow(campaign, line, at + STRETCH)
        grow(campaign, branch, at + STRETCH)
        line = branch
    campaign.record.store.settle()
    return campaign, line


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "long.retold", EVENTS) as campaign:
        deep, line = nested(Path(folder) / "deep.retold")
        flat = grown(Path(folder) / "flat.retold", deep.record.head(line).position)
        writer, numbers, half = campaign.writer(1), count(), campaign.record.head(1).position // 2
        place = next(row.position for row in campaign.record.rows(1, half) if '"i":1,"n":1,' in row.body)

        def append() -> None:
            for _ in range(BRANCHES):
                writer.record(c.Note(text=Words(f"note {next(numbers)}")))

        def fork() -> None:
            for _ in range(BRANCHES):
                campaign.fork(1, place, Words(f"branch {next(numbers)}"))

        made = interleaved({"fork": fork, "append": append})
        read = interleaved(
            {
                "through 100 forks": lambda: line_events.table_at(deep.record, line),
                "trunk": lambda: line_events.table_at(flat.record, 1),
            }
        )
        through, trunk = deep.record.head(line).position, flat.record.head(1).position
        deep.close()
        flat.close()
    return [
        compare(
            "P7",
            f"making a branch, history of {EVENTS:,} events, up to {BRANCHES * 10} branches there",
            made,
            "fork",
            "append",
            n=BRANCHES,
            goal=Goal(1.2),
        ),
        compare(
            "P7",
            f"reading through {FORKS} nested forks (per event)",
            read,
            "through 100 forks",
            "trunk",
            n=through,
            peer_n=trunk,
            goal=Goal(1.1),
        ),
    ]


if __name__ == "__main__":
    show(run())
