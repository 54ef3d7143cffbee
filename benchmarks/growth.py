"""Cost as work grows: what is asked most, on campaigns of ever more events, and of ever more branches.

Prints both as tables, and with --write draws them (docs/growth.svg); a figure is the median of some rounds.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import retold
from benchmarks.campaigns import lived
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.writing.campaign import CampaignStore

EVENTS: Final = tuple(map(int, os.environ.get("RETOLD_BENCH_GROWTH", "1000,10000,100000,1000000").split(",")))
BRANCHES: Final = (1, 10, 100, 1000)
SMALL: Final = 10_000
"""Events of the campaign that has more and more branches."""
ROUNDS: Final = 7
PICTURE: Final = Path(__file__).parent.parent / "docs" / "growth.svg"
SAID: Final = "Both tables as charts with logarithmic axes"

Took = dict[str, list[float]]
"""Milliseconds by what was asked, one for each size."""


def asked(path: Path) -> Mapping[str, Callable[[], object]]:
    """What is asked of a campaign: each opens it anew, as a command does."""

    def reading(ask: Callable[[retold.Campaign], object]) -> Callable[[], object]:
        def task() -> None:
            with retold.Campaign.of(_opened(path)) as campaign:
                ask(campaign)

        return task

    return {
        "open the campaign and read its state": reading(lambda campaign: campaign.board()),
        "an act": reading(lambda campaign: campaign.say("note: It rains.")),
        "state at half of the line": reading(
            lambda campaign: campaign.at(f"#{campaign.position // 2}").board()
        ),
        "transcript of the last session": reading(lambda campaign: campaign.transcript()),
        "a branch": reading(_branch),
    }


def _branch(campaign: retold.Campaign) -> None:
    campaign.say(f"branch aside-{time.monotonic_ns()}")
    campaign.go(1)


def _opened(path: Path) -> CampaignStore:
    campaign = CampaignStore.open(path)
    campaign.snapshots = Snapshots(path.with_suffix(".cache"))
    return campaign


def measured(path: Path, took: Took) -> None:
    """Asks everything, and notes how long it took."""
    for what, task in asked(path).items():
        task()
        seconds = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            task()
            seconds.append(time.perf_counter() - start)
        took.setdefault(what, []).append(statistics.median(seconds) * 1000)


def run() -> tuple[Took, Took]:
    """Measures both: by events, and by branches."""
    by_events: Took = {}
    by_branches: Took = {}
    with tempfile.TemporaryDirectory() as folder:
        for events in EVENTS:
            path = Path(folder) / f"{events}-events.retold"
            lived(path, events).close()
            measured(path, by_events)
        for branches in BRANCHES:
            path = Path(folder) / f"{branches}-branches.retold"
            lived(path, SMALL, branches).close()
            measured(path, by_branches)
    return by_events, by_branches


def table(sizes: Sequence[int], of: str, took: Took) -> Iterator[str]:
    """A table of Markdown, a row for each thing that is asked."""
    yield f"| milliseconds for | {' | '.join(f'{size:,} {of}' for size in sizes)} |"
    yield "|---|" + "---|" * len(sizes)
    for what, found in took.items():
        yield f"| {what} | {' | '.join(f'{one:,.1f}' for one in found)} |"


# --- the picture ------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, STEP = 780, 290, 70, 30, 65
"""Of a drawing, in pixels; a power of ten is a step high."""
COLOURS: Final = ("#1b6ca8", "#b23a48", "#2d6a4f", "#7b5ea7", "#9a6b1f")


def picture(drawn: Sequence[tuple[Sequence[int], str, Took]]) -> str:
    """Both charts, one above the other, with logarithmic axes."""
    parts = [line for number, one in enumerate(drawn) for line in _drawing(number * HEIGHT, *one)]
    size = f'width="{WIDTH}" height="{HEIGHT * len(drawn)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join((head, ground, *parts, "</svg>")) + "\n"


def _drawing(top: int, sizes: Sequence[int], of: str, took: Took) -> Iterator[str]:
    across = (WIDTH - LEFT - 270) / max(1, len(sizes) - 1)
    foot = top + HEIGHT - 2 * TOP

    def height(milliseconds: float) -> float:
        return foot - STEP * math.log10(max(milliseconds, 1))

    for limit in (1, 10, 100, 1000):
        at = height(limit)
        yield f'<line x1="{LEFT}" x2="{WIDTH - 270}" y1="{at:.0f}" y2="{at:.0f}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{at + 4:.0f}" text-anchor="end">{limit:,} ms</text>'
    for number, size in enumerate(sizes):
        x = LEFT + number * across
        yield f'<text x="{x:.0f}" y="{foot + 18}" text-anchor="middle">{size:,}</text>'
    yield f'<text x="{LEFT}" y="{foot + 36}" fill="#555">{of}</text>'
    for row, (what, found) in enumerate(took.items()):
        points = " ".join(f"{LEFT + at * across:.0f},{height(one):.0f}" for at, one in enumerate(found))
        colour = COLOURS[row % len(COLOURS)]
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{WIDTH - 260}" y="{top + TOP + 20 * row}" fill="{colour}">{what}</text>'


def main(arguments: Sequence[str]) -> None:
    """Prints the tables; with --write it draws them too, and where in a page that is."""
    by_events, by_branches = run()
    drawn = [(EVENTS, "events", by_events), (BRANCHES, "branches", by_branches)]
    for sizes, of, took in drawn:
        print("\n".join(table(sizes, of, took)), end="\n\n")
    if "--write" in arguments:
        PICTURE.write_text(picture(drawn), encoding="utf-8")
        print(f"![{SAID}]({PICTURE.name})")


if __name__ == "__main__":
    main(sys.argv[1:])
