"""Runs the benchmarks, all or those named, and prints their figures with the goals beside them.

python3 run.py bench              all of them
python3 run.py bench p2 p4        these
python3 run.py bench keystrokes   what an evening is to type, game by game; no time is measured
python3 run.py bench clock        how long each thing that is typed takes, as a campaign grows; some minutes
python3 run.py bench growth       what is asked most, by events and by branches; some minutes
python3 run.py bench labels       how often a page names who tells, by example and voice; no time is measured
python3 run.py bench edits        what a reader would still edit in first drafts, by kind; no time is measured
python3 run.py bench check        what draft check finds in sentences about the examples; no time is measured
python3 run.py bench guard        steps of what users wait for, beside those kept in guard.toml; half a minute
python3 run.py bench drafts       secrets and words that drafts keep, edits aligned, a long draft, a long book
python3 run.py bench older        rows of docs/benchmarks.md that are older than the code they measure
python3 run.py bench --write      docs/benchmarks.md with what came out; of those named, their part alone
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

TABLES = ("keystrokes", "clock", "growth", "labels", "edits", "guard", "check")
"""No figures against a peer: each prints tables of its own."""

NAMES = (
    *("p1", "p2", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p12", "p16", "p17"),
    *("import", "service", "server", "drafts"),
)
MODULES = {"import": "import_"}
"""Module of a benchmark whose name is a word of Python."""
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
FIGURES = "figures"

Figure = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Runs the named benchmarks, all by default; returns exit code 2 for an unknown name."""
    if {"--help", "-h"} & set(arguments):
        print(f"{__doc__}\n{listed()}")
        return 0
    if arguments == ["older"]:
        print("\n".join(older(changed_since)))
        return 0
    if arguments and arguments[0] in TABLES:
        return printed(*arguments)
    wanted = [one for one in arguments if one != "--write"]
    if unknown := set(wanted) - set(NAMES):
        print(f"There is no benchmark {', '.join(sorted(unknown))}. {listed()}")
        return 2
    figures = [figure for name in wanted or NAMES for figure in run(name)]
    for line in table(figures):
        print(line)
    if "--write" in arguments:
        write(figures)
        print(f"Written to {PAGE}.")
    return 0


def listed() -> str:
    """Says which benchmarks there are."""
    return f"There are: {', '.join((*NAMES, *TABLES))}."


def printed(name: str, *rest: str) -> int:
    """Runs a benchmark that prints its own tables; returns its exit code.

    `--write` puts the tables into the page.
    """
    module = [sys.executable, "-m", f"benchmarks.{name}", *rest]
    env = {**os.environ, "PYTHONHASHSEED": "0"}  # the same order of every set
    done = subprocess.run(module, stdout=subprocess.PIPE, text=True, check=False, env=env)
    print(done.stdout, end="")
    if "--write" in rest and done.returncode == 0:
        put(name, (machine(), "", *done.stdout.rstrip().splitlines()))
    return done.returncode


def run(name: str) -> list[Figure]:
    """Runs one benchmark in its own process; returns its figures in the order printed."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{MODULES.get(name, name)}"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [{**json.loads(line), "load": load} for line in done.stdout.splitlines()]


def table(figures: Sequence[Figure]) -> list[str]:
    """The figures as a table of Markdown, which reads well enough on a screen."""
    return [*HEAD, *map(row, figures)]


HEAD = (
    "| id | what | against | ratio | spread | ours | theirs | floor | n | goal | met | load | commit |",
    "|---|" + "---|" * 12,
)
"""Of the table; the load is the machine's before it was measured, the commit is the code that was."""

MEASURED = {
    "p1": ("journal/line.py", "journal/store/events", "projections"),
    "p2": ("journal/line.py", "journal/store/events", "retold/games/bruise/state.py"),
    "p4": (
        "journal/line.py",
        "journal/shared",
        "journal/store/events",
        "journal/store/sqlite",
        "journal/store/writing",
    ),
    "p5": ("journal/store/copies", "journal/store/events", "journal/store/sqlite"),
    "p6": ("journal/line.py", "journal/store/caches", "journal/store/events"),
    "p7": ("journal/store/events", "journal/store/writing"),
    "p8": ("cli", "journal", "retold/__main__.py"),
    "p9": ("journal/store/events", "journal/store/sqlite"),
    "p10": ("journal/store/events", "journal/store/verify"),
    "p12": ("projections/exports/replay", "projections/replay"),
    "p16": ("journal/store", "projections"),
    "p17": (
        "journal/store/caches/index.py",
        "journal/store/events/text_matching.py",
        "projections/views/search.py",
    ),
    "import": ("retold/importing", "retold/sources"),
    "service": ("cli/service",),
    "server": ("journal/store/postgres",),
    "drafts": ("retold/drafts",),
}
"""Files and folders whose code a benchmark measures most."""


def row(one: Figure) -> str:
    """Returns a figure as a table row in Markdown."""
    low, high = one["spread"]
    ratio = "not run" if one["ratio"] is None else f"{one['ratio']:g}"
    met = {True: "yes", False: "no", None: "-"}[one["met"]]
    milliseconds = map(one.get, ("median_ms", "peer_ms", "floor_ms"))
    times = " | ".join("" if ms is None else f"{ms:,g} ms" for ms in milliseconds)
    load = "" if one["load"] is None else f"{one['load']:.1f}"
    return (
        f"| {one['id']} | {one['what']} | {one['peer']} | {ratio} | {low:g} to {high:g} | {times} "
        f"| {one['n']:,} | {one['goal']} | {met} | {load} | {git('rev-parse', '--short=9', 'HEAD')} |"
    )


def git(*words: str) -> str:
    """Returns what git says about this checkout; empty if it says nothing, or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=PAGE.parent, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def older(changed: Callable[[str, Sequence[str]], object]) -> list[str]:
    """Returns the rows of the page whose code is newer, each as id and what was measured.

    `changed` says whether any commit after one touches any of some paths.
    """
    rows = [line.strip("| ").split(" | ") for line in there(FIGURES) if named(line)]
    return [f"{cells[0]}: {cells[1]}" for cells in rows if changed(cells[-1], MEASURED[cells[0].lower()])]


def changed_since(commit: str, paths: Sequence[str]) -> str:
    """Returns the last commit after `commit` that touches any of `paths`; empty without any."""
    return git("log", "-1", "--format=%h", f"{commit}..HEAD", "--", *(f":/{path}" for path in paths))


def machine() -> str:
    """Returns a line with today's date, the machine, and the versions of Python and libraries."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("eventsourcing", "msgspec", "typer"))
    where = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {where}, {python}, {versions}."


def write(figures: Sequence[Figure]) -> None:
    """Puts the figures into their page; rows of what was not measured stay."""
    measured = {one["id"].lower() for one in figures}
    kept = [line for line in there(FIGURES) if named(line) and named(line) not in measured]
    rows = sorted((*kept, *map(row, figures)), key=lambda line: NAMES.index(named(line)))
    put(FIGURES, (machine(), "", *HEAD, *rows))


def marks(part: str) -> tuple[str, str]:
    """Returns the comments before and behind a written part of the page."""
    asked = "" if part == FIGURES else f" {part}"
    return f"<!-- {part}: written by `python3 run.py bench{asked} --write` -->", f"<!-- end of {part} -->"


def there(part: str) -> list[str]:
    """Returns a part's present lines in the page."""
    begin, end = marks(part)
    return PAGE.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0].splitlines()


def put(part: str, lines: Sequence[str]) -> None:
    """Replaces a part's lines in the page; does nothing if the page lacks the part."""
    begin, end = marks(part)
    before, found, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    if found:
        _, _, after = rest.partition(end)
        written = "\n".join((begin, "", *lines, "", end))
        PAGE.write_text(f"{before}{written}{after}", encoding="utf-8")


def named(line: str) -> str:
    """Returns the benchmark of a table row; empty for any other line."""
    found = line.split(" | ", maxsplit=1)[0].removeprefix("| ").lower()
    return found if found in NAMES else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
