"""A long campaign to the server and back, and a verb at the shell, beside the same on a file."""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.campaigns import grow
from benchmarks.measuring import Figure, Goal, Task, as_installed, compare, counted, interleaved
from benchmarks.server_cluster import Prepared
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events.record import Record
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.database_server import new_name

SHELL_EVENTS: Final = 1_000
SHELL_ROUNDS: Final = 15
SHELL: Final = {"note :text": ("note", ": It rains."), "log -n 20": ("log", "-n", "20")}
START: Final = (sys.executable, "-m", "retold")
ROOT = Path(__file__).parent.parent


def there_and_back(prepared: Prepared) -> list[Figure]:
    """A long campaign to the server and back, against the same in a file."""
    lines = list(dump(prepared.campaign.record))
    where = {"file": prepared.folder, "server": prepared.cluster}
    numbers = count()
    made: dict[str, str] = {}

    def loading(to: str) -> Task:
        def task() -> None:
            number = next(numbers)
            place = (
                prepared.folder / f"loaded-{number}.retold"
                if to == "file"
                else prepared.cluster.address(f"loaded-{number}")
            )
            made[to] = str(place)
            load(lines, made[to])

        return task

    seconds = {"load": interleaved({to: loading(to) for to in where}, 7)}
    with ExitStack() as open_:
        records = {to: open_.enter_context(CampaignStore.open(made[to])).record for to in where}
        dumps = {to: list(dump(record)) for to, record in records.items()}
        same = dumps["file"] == dumps["server"] == lines
        seconds["dump"] = interleaved({to: partial(_drained, record) for to, record in records.items()}, 7)
        seconds["verify"] = interleaved({to: partial(verify, record) for to, record in records.items()}, 7)
    goals = {"load": Goal(1.3), "dump": Goal(1.5), "verify": Goal(1.3)}
    return [
        counted(
            "server",
            "a dump loaded on the server and dumped: lines that differ",
            0 if same else 1,
            n=len(lines),
            goal="= 0",
            met=same,
            how="the same dump of a file",
        ),
        *(
            compare(
                "server",
                f"{what} on the server, against the file",
                seconds[what],
                "server",
                "file",
                n=len(lines),
                goal=goal,
            )
            for what, goal in goals.items()
        ),
    ]


def _drained(record: Record) -> None:
    deque(dump(record), maxlen=0)


def shell(prepared: Prepared) -> list[Figure]:
    """A verb at the shell, its whole process, on a server beside the same on a file."""
    env = as_installed(prepared.folder)
    places_ = {
        "file": str(prepared.folder / "shell.retold"),
        "server": str(prepared.cluster.address(new_name())),
    }
    for place in places_.values():
        with CampaignStore.create(place) as campaign:
            grow(campaign, 1, SHELL_EVENTS)
    figures = []
    for what, words in SHELL.items():
        seconds = interleaved(
            {to: partial(_shell, (*START, "-c", place, *words), env) for to, place in places_.items()},
            SHELL_ROUNDS,
        )
        figures.append(
            compare(
                "server",
                f"{what} at the shell on the server, against the file",
                seconds,
                "server",
                "file",
                n=1,
                goal=Goal(1.5),
            )
        )
    return figures


def _shell(command: Sequence[str], env: Mapping[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)
