"""import: a log of another tool comes in, against the least that reads and keeps as much, and in seconds."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median

import msgspec

from benchmarks import logs
from benchmarks.measuring import Figure, Goal, Task, compare, counted, interleaved, show
from retold.__main__ import RARELY
from retold.importing.intake import Intake
from retold.importing.taking_in import take_in
from retold.journal.store.writing.campaign import CampaignStore
from retold.sources import read
from retold.sources.answers import Answers, Person

MESSAGES = 10_000
"""Messages of the world of Foundry: 16 MB."""
DISCORD = 10_000_000
"""Bytes of the channel of Discord that is read in turns with its peer."""
LARGE = int(os.environ.get("RETOLD_BENCH_IMPORT", "100")) * 1_000_000
"""Bytes of the one that is read once, in a process of its own."""
ROUNDS = 7
READ, RECORDED, AGAIN, CHANNEL = 2, 10, 3, 60
"""Seconds that the contract allows."""
MOST_MEMORY = 4
"""Times its own size that reading a file of JSON may take."""
ROOT = Path(__file__).parent.parent
ANSWERS = Answers(
    zone="UTC",
    game_master=("Mary",),
    people={name: Person(plays=f"Player of {name}") for name in ("Zel", "Pell", "Odo")},
)
_READING = """
from sys import argv
from time import perf_counter
from retold.sources import read
began = perf_counter()
read(argv[1]).report()
print(perf_counter() - began)
"""


def run() -> list[Figure]:
    """Measures it, with as few garbage collections as the command has, for the peers too."""
    gc.set_threshold(RARELY)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        alone = _alone(here)  # first: a process counts the memory of the one that began it as its own
        return [*_of_foundry(here), *_of_discord(here), *alone]


def _of_foundry(folder: Path) -> list[Figure]:
    nedb = logs.write_nedb(folder / "messages.db", MESSAGES)
    world = logs.write_leveldb(folder / "world" / "messages", MESSAGES)
    there = folder / "there.retold"
    numbers = count()
    _recorded(nedb, there)
    tasks: dict[str, Task] = {
        "read": lambda: read(nedb).report(),
        "read a folder": lambda: read(world).report(),
        "recorded": lambda: _recorded(nedb, folder / f"{next(numbers)}.retold"),
        "again": lambda: _recorded(nedb, there),
        "check": lambda: take_in(None, [read(nedb)], ANSWERS, check=True),
        "json.loads": lambda: _loaded(nedb),
        "SQLite": lambda: _inserted(nedb, folder / f"{next(numbers)}.db"),
    }
    seconds = interleaved(tasks, ROUNDS)
    return [
        compare(
            "import",
            _what(f"{MESSAGES:,} Foundry messages {what}", seconds[ours], limit),
            seconds,
            ours,
            peer,
            n=MESSAGES,
            goal=Goal(goal),
        )
        for what, ours, peer, limit, goal in (
            ("read, messages.db", "read", "json.loads", READ, 10.0),
            ("read, LevelDB", "read a folder", "json.loads", READ, 15.0),
            ("recorded", "recorded", "SQLite", RECORDED, 20.0),
            ("again, nothing new", "again", "read", AGAIN, 3.0),
            ("looked at with --check", "check", "read", None, 1.0),
        )
    ]


def _of_discord(folder: Path) -> list[Figure]:
    channel = logs.write_discord(folder / "channel.json", DISCORD)
    tasks: dict[str, Task] = {"read": lambda: read(channel).report(), "msgspec": lambda: _decoded(channel)}
    seconds = interleaved(tasks, ROUNDS)
    what = f"{DISCORD // 1_000_000} MB of Discord JSON read"
    goal = Goal(20.0)
    return [compare("import", what, seconds, "read", "msgspec", n=DISCORD, goal=goal)]


def _alone(folder: Path) -> list[Figure]:
    """A large channel read once, in a process of its own: how long, and the most memory it held."""
    megabytes = LARGE // 1_000_000
    whats = (
        f"seconds of reading {megabytes} MB of Discord JSON",
        f"peak memory of reading {megabytes} MB of Discord JSON, in times its size",
    )
    goals = (CHANNEL, MOST_MEMORY)
    if not hasattr(os, "wait4"):
        how = "not run: this system does not say what a process took"
        return [
            counted("import", what, None, n=LARGE, goal=f"≤ {goal}", met=None, how=how)
            for what, goal in zip(whats, goals, strict=True)
        ]
    channel = logs.write_discord(folder / "large.json", LARGE)
    size = channel.stat().st_size
    seconds, peak = _taken(channel)
    channel.unlink()
    numbers = (float(f"{seconds:.3g}"), float(f"{peak / size:.3g}"))
    hows = ("the contract, in seconds", f"the file; ours {peak / 1e6:.0f} MB")
    return [
        counted("import", what, number, n=LARGE, goal=f"≤ {goal}", met=number <= goal, how=how)
        for what, number, goal, how in zip(whats, numbers, goals, hows, strict=True)
    ]


def _what(what: str, seconds: Sequence[float], limit: float | None) -> str:
    """Name of a figure, with the seconds it took beside the contract's limit."""
    beside = "" if limit is None else f" of {limit:g} s that it may take"
    return f"{what}: {median(seconds):.2g} s{beside}"


def _recorded(log: Path, campaign: Path) -> Intake:
    """A log taken into a campaign, which is made if it is not there."""
    opened = (
        CampaignStore.open(campaign) if campaign.exists() else CampaignStore.create(campaign, title="Salt")
    )
    with opened as store:
        return take_in(store.writer(1), [read(log)], ANSWERS)


def _loaded(log: Path) -> int:
    """Every line decoded, and the rolls in it, which are JSON again; the least that any reader does."""
    with log.open(encoding="utf-8") as lines:
        return sum(len([json.loads(one) for one in json.loads(line)["rolls"]]) for line in lines)


def _inserted(log: Path, path: Path) -> None:
    """The words of every message and who said them, in one table, in transactions of a thousand."""
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE said (id TEXT PRIMARY KEY, at INTEGER, who TEXT, words TEXT, rolls TEXT)")
    with log.open(encoding="utf-8") as lines:
        rows = [
            (
                item["_id"],
                item["timestamp"],
                item["speaker"]["alias"],
                item["content"],
                json.dumps(item["rolls"]),
            )
            for item in map(json.loads, lines)
        ]
    for first in range(0, len(rows), 1_000):
        with db:
            db.executemany("INSERT INTO said VALUES (?, ?, ?, ?, ?)", rows[first : first + 1_000])
    db.close()


def _decoded(log: Path) -> int:
    """The whole file decoded into plain values."""
    return len(msgspec.json.decode(log.read_bytes())["messages"])


def _taken(log: Path) -> tuple[float, float]:
    """Seconds that reading a log takes in a process of its own, and the most memory it held, in bytes."""
    command = [sys.executable, "-c", _READING, str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as started:
        said = started.stdout.read() if started.stdout else b""
        _, status, took = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise subprocess.CalledProcessError(started.returncode, command)
    return float(said), took.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    show(run())
