"""The server: a campaign in PostgreSQL beside its peers, and beside the same campaign in a file.

    python -m benchmarks.server one_writer distance     these parts alone

RETOLD_BENCH_SERVER sets another number of acts for the followers.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.campaigns import grown
from benchmarks.measuring import Figure, counted, show
from benchmarks.server_and_file import shell, there_and_back
from benchmarks.server_appending import bytes_of_an_event, one_writer, roles_and_triggers
from benchmarks.server_cluster import EVENTS, prepared, running
from benchmarks.server_distance import distance
from benchmarks.server_following import eight_writers, followers
from tests.database_server import NoServer


def run(*names: str) -> list[Figure]:
    """Measures it all, or the parts named."""
    parts = [part for part in PARTS if not names or part.__name__ in names]
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            running() as cluster,
            grown(Path(folder) / "a.retold", EVENTS) as campaign,
        ):
            what = prepared(cluster, campaign, Path(folder))
            return [figure for part in parts for figure in part(what)]
    except NoServer as reason:
        return [counted("server", "all", None, n=0, goal="-", met=None, how=f"not run: {reason}")]


PARTS: Final = (
    bytes_of_an_event,
    one_writer,
    roles_and_triggers,
    eight_writers,
    followers,
    distance,
    there_and_back,
    shell,
)
"""The bytes are measured first, while no other campaign lies on the server."""

if __name__ == "__main__":
    show(run(*sys.argv[1:]))
