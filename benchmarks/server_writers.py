"""Writers in processes of their own, that append acts to a server when they are told, all at once.

python -m benchmarks.server_writers KIND FOLDER CAMPAIGN NUMBER ACTS
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.server_peers import KINDS, Act, on_new_lines
from tests.database_server import Cluster, binaries

WRITERS: Final = 8
LINES: Final = 100_000
"""The lines of each writer, so that none has another's."""


def write(kind: str, folder: Path, campaign: str, number: int, acts: Sequence[Act]) -> None:
    """Appends as many acts as each line of the input says, and prints how long each took."""
    with KINDS[kind](Cluster(folder, binaries(), 0), campaign) as append:
        coming = on_new_lines(acts, 1 + number * LINES)
        print(flush=True)
        for line in sys.stdin:
            took = []
            for act in islice(coming, int(line)):
                began = time.perf_counter()
                append(act)
                took.append(time.perf_counter() - began)
            print(json.dumps(took), flush=True)


class Writers:
    """Processes that append to a campaign each, or all to the same."""

    def __init__(self, kind: str, cluster: Cluster, campaigns: Sequence[str], acts: Path) -> None:
        module = [sys.executable, "-m", "benchmarks.server_writers", kind, str(cluster.folder)]
        self._processes = [
            subprocess.Popen(
                [*module, campaign, str(number), str(acts)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number, campaign in enumerate(campaigns)
        ]
        for process in self._processes:
            assert process.stdout is not None
            process.stdout.readline()

    def begin(self, acts: int) -> None:
        """Tells each writer to append so many acts."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(f"{acts}\n")
            process.stdin.flush()

    def end(self) -> list[float]:
        """Waits until all have done so; the seconds of each act."""
        took: list[float] = []
        for process in self._processes:
            assert process.stdout is not None
            took += json.loads(process.stdout.readline())
        return took

    def append(self, acts: int) -> list[float]:
        """Lets each writer append so many acts, all at the same time; the seconds of each act."""
        self.begin(acts)
        return self.end()

    def close(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            process.communicate()


@contextmanager
def writers(kind: str, cluster: Cluster, campaigns: Sequence[str], acts: Path) -> Iterator[Writers]:
    """Context manager: writers, ended at the end; `acts` is a file of acts (pickle)."""
    found = Writers(kind, cluster, campaigns, acts)
    try:
        yield found
    finally:
        found.close()


if __name__ == "__main__":
    _, kind, folder, campaign, number, acts = sys.argv
    write(kind, Path(folder), campaign, int(number), pickle.loads(Path(acts).read_bytes()))
