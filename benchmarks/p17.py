"""P17: `search` against `grep -i` over a dump of the same, and how soon a recorded line is found."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.campaigns import grown
from benchmarks.measuring import Figure, Goal, compare, counted, interleaved, show
from retold.journal.store.caches.index import Index
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.copies.dump import dump
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.reading import LineView
from retold.projections.views.search import Found, Wanted, search

EVENTS = 100_000
RARE, COMMON = "lantern", "expected"
ROUNDS = 21


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder, grown(Path(folder) / "a.retold", EVENTS) as campaign:
        here = Path(folder)
        campaign.writer(1).record(c.Note(text=Words("Nobody saw the lantern.")))
        dumped = here / "a.jsonl"
        dumped.write_text("".join(f"{line}\n" for line in dump(campaign.record)), "utf-8")
        campaign.snapshots = Snapshots(here / "a.cache")
        campaign.table_at(1)
        index = Index(here / "a.cache")
        index.catch_up(campaign.record, campaign.id)
        figures = [_against_grep(campaign, index, dumped, word) for word in (RARE, COMMON)]
        figures.append(_found_at_once(campaign, index))
        index.close()
    return figures


def _asked(campaign: CampaignStore, index: Index, word: str) -> Found:
    index.catch_up(campaign.record, campaign.id)
    place = (1, campaign.record.head(1).position)
    found = search(index, [LineView(campaign, *place) for place in [place]], Wanted((word,)), 20)
    assert found.matches
    return found


def _against_grep(campaign: CampaignStore, index: Index, dumped: Path, word: str) -> Figure:
    hits = _asked(campaign, index, word).found
    what = f"search with {hits:,} matching texts, all counted, against grep -i over the dump"
    goal = Goal(0.05)
    if shutil.which("grep") is None:
        how = "not run: there is no grep here"
        return counted("P17", what, None, n=0, goal=str(goal), met=None, how=how)
    grep = ["grep", "-i", word, str(dumped)]
    seconds = interleaved(
        {
            "ours": lambda: _asked(campaign, index, word),
            "grep -i": lambda: subprocess.run(grep, check=True, stdout=subprocess.PIPE),
        }
    )
    return compare("P17", what, seconds, "ours", "grep -i", n=1, goal=goal)


def _found_at_once(campaign: CampaignStore, index: Index) -> Figure:
    """The time from a recorded line to finding it; nothing of the index is done while it is recorded."""
    writer = campaign.writer(1)
    took = []
    for number in range(ROUNDS):
        writer.record(c.Note(text=Words(f"Found at once, number{number}.")))
        start = time.perf_counter()
        _asked(campaign, index, f"number{number}")
        took.append(time.perf_counter() - start)
    seconds = {"ours": took, "a second": [1.0] * ROUNDS}
    return compare("P17", "a recorded line is found", seconds, "ours", "a second", n=1, goal=Goal(1))


if __name__ == "__main__":
    show(run())
