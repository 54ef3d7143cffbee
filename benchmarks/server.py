"""The server: a campaign in PostgreSQL beside its peers, and beside the same campaign in a file.

    python -m benchmarks.server one_writer distance     these parts alone

RETOLD_BENCH_SERVER sets another number of acts for the followers.
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.campaigns import grown
from benchmarks.measuring import Figure, counted, show
from tests.database_server import NoServer


def run(*names: str) -> list[Figure]:
    """Measures it all, or the parts named."""
    if find_spec("psycopg_pool") is None:
        return [_not_run("there is no psycopg-pool here, which eventsourcing's recorder needs")]
    # Not above: eventsourcing's recorder cannot be imported without psycopg-pool.
    from benchmarks.server_and_file import shell, there_and_back
    from benchmarks.server_appending import bytes_of_an_event, one_writer, roles_and_triggers
    from benchmarks.server_cluster import EVENTS, prepared, running
    from benchmarks.server_distance import distance
    from benchmarks.server_following import eight_writers, followers
    from benchmarks.server_nodes import nodes
    from benchmarks.server_silence import silence

    parts = (
        bytes_of_an_event,  # first, while no other campaign lies on the server
        one_writer,
        roles_and_triggers,
        eight_writers,
        followers,
        distance,
        there_and_back,
        shell,
        nodes,
        silence,
    )
    chosen = [part for part in parts if not names or part.__name__ in names]
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            running() as cluster,
            grown(Path(folder) / "a.retold", EVENTS) as campaign,
        ):
            what = prepared(cluster, campaign, Path(folder))
            return [figure for part in chosen for figure in part(what)]
    except NoServer as reason:
        return [_not_run(str(reason))]


def _not_run(reason: str) -> Figure:
    how = f"not run: {reason}"
    return counted("server", "a campaign on a server", None, n=0, goal="-", met=None, how=how)


if __name__ == "__main__":
    show(run(*sys.argv[1:]))
