"""P4: one command, decided, chained and safe on disk before it is acknowledged."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from itertools import count, islice
from pathlib import Path

from benchmarks import floors, peers
from benchmarks.campaigns import beginning, settled, turns
from benchmarks.measuring import FLOOR, Figure, Goal, compare, counted, interleaved, show
from retold.journal.store.events.line_events import acts
from retold.journal.store.writing.campaign import CampaignStore, LineWriter

COMMANDS = 300
"""Each round."""


def record(writer: LineWriter, commands: int) -> None:
    """Plays on, one act after another."""
    for command in islice(turns(), commands):
        meant = settled(writer, command)
        writer.record(meant)
        if type(meant) is not type(command):
            writer.record(settled(writer, command))


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with CampaignStore.create(here / "a.retold", title="The Salt Road") as campaign:
            writer = campaign.writer(1)
            for command in beginning():
                writer.record(command)
            before = writer.head.position
            record(writer, COMMANDS)
            rows = {row.position: row for row in campaign.record.rows(1, before)}
            played = [[rows[one.position] for one in act.events] for act in acts(campaign.record, 1, before)]
            db, lines = peers.bare(here / "bare.db"), count(1)
            app = peers.evenings(here / "es.db")
            said = [[peers.facts(row) for row in act] for act in played]

            def eventsourcing() -> None:
                evening = peers.Evening("one")
                for act in said:
                    for fact in act:
                        evening.happened(*fact)
                    app.save(evening)

            def bare() -> None:
                line = next(lines)
                peers.insert_each(db, [[row._replace(line=line) for row in act] for act in played])

            seconds = interleaved(
                {
                    "ours": lambda: record(writer, COMMANDS),
                    "bare SQLite": bare,
                    FLOOR: floors.synced(here / "floor", COMMANDS),
                    "eventsourcing": eventsourcing,
                },
                clock=time.process_time,
            )
            db.close()
            app.close()
    what = "durable append of a command, processor time"
    return [
        compare(
            "P4",
            f"{what}, against bare SQLite",
            seconds,
            "ours",
            "bare SQLite",
            n=COMMANDS,
            goal=Goal(3),
        ),
        compare(
            "P4",
            f"{what}, against eventsourcing's save(1)",
            seconds,
            "ours",
            "eventsourcing",
            n=COMMANDS,
        ),
        fsyncs(),
    ]


def fsyncs() -> Figure:
    """How many fsyncs an acknowledged command costs: strace's count for 200 less that for 100."""
    what, goal = "fsyncs for each acknowledged command", "= 1"
    if shutil.which("strace") is None:
        return counted("P4", what, None, n=0, goal=goal, met=None, how="not run: there is no strace here")
    one, two = _syncs(100), _syncs(200)
    number = (two - one) / 100
    return counted("P4", what, number, n=100, goal=goal, met=number == 1, how="strace")


def _syncs(commands: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-m", "benchmarks.p4", str(commands), f"{folder}/a.retold"]
        traced = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync", *program]
        told = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
    # % time, seconds, usecs/call, calls, perhaps errors, the call's name
    columns = (line.split() for line in told.splitlines() if line.endswith(("fsync", "fdatasync")))
    return sum(int(column[3]) for column in columns)


def _notes(commands: int, path: Path) -> None:
    """What strace looks at: so many notes and nothing else."""
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    with CampaignStore.create(path) as campaign:
        writer = campaign.writer(1)
        for number in range(commands):
            writer.record(c.Note(text=Words(f"n{number}")))


if __name__ == "__main__":
    if sys.argv[1:]:
        _notes(int(sys.argv[1]), Path(sys.argv[2]))
    else:
        show(run())
