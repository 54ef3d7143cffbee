"""Runs the benchmarks, all or those named, and prints their figures with the goals beside them.

python3 run.py bench              all of them
python3 run.py bench p2 p4        these
python3 run.py bench keystrokes   what an evening is to type, game by game; no time is measured
python3 run.py bench clock        how long each thing that is typed takes, as a campaign grows; some minutes
python3 run.py bench growth       what is asked most, by events and by branches; --write draws docs/growth.svg
python3 run.py bench --write      all, and docs/benchmarks.md with what came out
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

TABLES = ("keystrokes", "clock", "growth")
"""No figures against a peer: each prints a table of its own."""

NAMES = ("p1", "p2", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p12", "p16", "p17", "service")
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures: written by `python3 run.py bench --write` -->", "<!-- end of figures -->"

Figure = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Runs what is named; 2 if there is no such benchmark."""
    if arguments and arguments[0] in TABLES:
        module, *rest = arguments
        return subprocess.run([sys.executable, "-m", f"benchmarks.{module}", *rest], check=False).returncode
    named = [one for one in arguments if one != "--write"]
    if unknown := set(named) - set(NAMES):
        print(f"There is no benchmark {', '.join(sorted(unknown))}. There are: {', '.join(NAMES)}.")
        return 2
    figures = [figure for name in named or NAMES for figure in run(name)]
    for row in table(figures):
        print(row)
    if "--write" in arguments:
        write(figures)
        print(f"Written to {PAGE}.")
    return 0


def run(name: str) -> list[Figure]:
    """One benchmark in a process of its own; its lines as they come."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"], stdout=subprocess.PIPE, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(figures: Sequence[Figure]) -> list[str]:
    """The figures as a table of Markdown, which reads well enough on a screen."""
    rows = [
        "| id | what | against | ratio | spread | ours | theirs | floor | n | goal | met |",
        "|---|" + "---|" * 10,
    ]
    for one in figures:
        low, high = one["spread"]
        ratio = "not run" if one["ratio"] is None else f"{one['ratio']:g}"
        met = {True: "yes", False: "no", None: "-"}[one["met"]]
        times = " | ".join(
            "" if ms is None else f"{ms:,g} ms" for ms in map(one.get, ("median_ms", "peer_ms", "floor_ms"))
        )
        rows.append(
            f"| {one['id']} | {one['what']} | {one['peer']} | {ratio} | {low:g} to {high:g} | {times} "
            f"| {one['n']:,} | {one['goal']} | {met} |"
        )
    return rows


def machine() -> str:
    """Where the figures come from."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("eventsourcing", "msgspec", "typer"))
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, {load}, {python}, {versions}."


def write(figures: Sequence[Figure]) -> None:
    """Puts the figures into their page, between its two marks."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = "\n".join([BEGIN, "", machine(), "", *table(figures), "", END])
    PAGE.write_text(f"{before}{lines}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
