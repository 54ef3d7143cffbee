"""A PostgreSQL server for the benchmarks, in a temporary folder; each commit is on the disk."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from benchmarks.server_peers import Act, make_databases
from retold.journal.store.events.line_events import acts as acts_of
from retold.journal.store.writing.campaign import CampaignStore
from tests import database_server
from tests.database_server import Cluster

SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int fdatasync(int file) {
  struct timespec pause = {0, %d * 1000000L};
  nanosleep(&pause, 0);
  return ((int (*)(int)) dlsym(RTLD_NEXT, "fdatasync"))(file);
}
"""
"""Loaded into the server before the C library, it makes each fdatasync wait first."""

SAFE = {"fsync": "on", "full_page_writes": "on", "shared_buffers": "128MB", "max_wal_size": "1GB"}


EVENTS: Final = 20_000
ACTS: Final = 1_000


class NoCompiler(Exception):  # noqa: N818 -- it is no error: a figure is not measured
    """Nothing here makes a disk slow."""


@contextmanager
def running(slow_ms: int = 0) -> Iterator[Cluster]:
    """A server with the tables of Retold and of peers, stopped at the end.

    Each fdatasync takes `slow_ms` longer.
    Raises `database_server.NoServer`, and `NoCompiler` if no disk can be made slow here.
    """
    folder = Path(tempfile.mkdtemp(prefix="retold-bench-"))
    try:
        folder.chmod(0o755)
        with patch.dict(os.environ, {"LD_PRELOAD": str(_slow_disk(folder, slow_ms))} if slow_ms else {}):
            cluster = database_server.make(folder, SAFE)
        try:
            database_server.furnish(cluster)
            make_databases(cluster)
            with patch.dict(os.environ, {"PGSERVICEFILE": str(cluster.services)}):
                yield cluster
        finally:
            os.kill(cluster.process, signal.SIGINT)
            os.waitpid(cluster.process, 0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _slow_disk(folder: Path, milliseconds: int) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        raise NoCompiler("there is no C compiler here")
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SLOW_DISK % milliseconds)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


class Prepared(NamedTuple):
    """What the parts measure with: a server, the acts of a long campaign in a file, and a folder."""

    cluster: Cluster
    campaign: CampaignStore
    acts: Sequence[Act]
    pickled: Path
    """The same acts, for other processes."""
    folder: Path


def prepared(cluster: Cluster, campaign: CampaignStore, folder: Path) -> Prepared:
    """Prepares what the parts measure with; `campaign` is a long one in `folder`."""
    rows = {row.position: row for row in campaign.record.rows(1)}
    acts = [
        [rows[event.position] for event in act.events] for act in islice(acts_of(campaign.record, 1), ACTS)
    ]
    pickled = folder / "acts.pickle"
    pickled.write_bytes(pickle.dumps(acts))
    return Prepared(cluster, campaign, acts, pickled, folder)
