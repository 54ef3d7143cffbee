"""Eight writers on a server at the same time, and followers of them."""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final, NamedTuple

from benchmarks.measuring import Figure, Goal, compare, counted, interleaved
from benchmarks.server_cluster import NoCompiler, Prepared, running
from benchmarks.server_peers import (
    FUNCTION,
    KINDS,
    LIBRARY,
    STAMPED,
    new_campaign,
    recorder,
)
from benchmarks.server_writers import WRITERS, Writers, writers
from retold.journal.store.postgres import store
from tests.database_server import Cluster

ACTS: Final = int(os.environ.get("RETOLD_BENCH_SERVER", "4000"))
"""Acts that followers hear of, by all writers together."""

SLOW_MS: Final = 8
"""Milliseconds that a slow disk takes longer for each fdatasync."""

SLOW_ACTS: Final = 12
"""Acts of each writer in a round on a slow disk."""

MOST_HEARD: Final = 500
"""Notifications that a follower reads at once."""

LOOK_SECONDS: Final = 0.002
"""How often a follower of eventsourcing looks."""


def eight_writers(prepared: Prepared) -> list[Figure]:
    """Eight writers on eight campaigns, on a disk that is slow if that can be had."""
    what = f"{WRITERS} writers on {WRITERS} campaigns"
    try:
        with running(SLOW_MS) as cluster:
            seconds = _at_once(cluster, prepared)
        where = f"{what}, each fdatasync {SLOW_MS} ms slower"
    except NoCompiler as missing:
        seconds = _at_once(prepared.cluster, prepared)
        where = f"{what}, the disk as it is ({missing})"
    n = WRITERS * SLOW_ACTS
    goals = {
        "bare psycopg": Goal(0.7, at_most=False),
        "eventsourcing's recorder": Goal(3, at_most=False),
        "eventsourcing's function": Goal(3, at_most=False),
        "NOTIFY inside the transaction": Goal(2, at_most=False),
    }
    return [
        compare("server", f"{where}, against {peer}", seconds, "ours", peer, n=n, goal=goal)
        for peer, goal in goals.items()
    ]


def _at_once(cluster: Cluster, prepared: Prepared) -> dict[str, list[float]]:
    with ExitStack() as open_:
        crews = {
            kind: open_.enter_context(
                writers(kind, cluster, [new_campaign(cluster) for _ in range(WRITERS)], prepared.pickled)
            )
            for kind in KINDS
            if kind != STAMPED
        }
        return interleaved({kind: partial(crew.append, SLOW_ACTS) for kind, crew in crews.items()}, 9)


class Heard(NamedTuple):
    """What a follower heard of the writers."""

    events: int
    gaps: int
    missed: int
    append: list[float]
    """Seconds that each append took, the wait for the lock included."""
    after: list[float]
    """Seconds from when an event was appended, under the lock, until the follower had it."""


def followers(prepared: Prepared) -> list[Figure]:
    """A follower of eight writers on one campaign, and a control that misses some."""
    one, all_ = _followed(prepared, 1), _followed(prepared, WRITERS)
    default = _library_followed(prepared, "eventsourcing's recorder", LIBRARY)
    control = _library_followed(prepared, "eventsourcing's function", FUNCTION)
    what = f"{WRITERS} writers on one campaign, a follower"
    seconds = {"heard": [_p99(one.after)] * 2, "append": [statistics.median(one.append)] * 2}
    return [
        _counted_losses(f"{what}: events missed or out of order", one.missed + one.gaps, one.events, "= 0"),
        compare(
            "server",
            f"{what}: heard by 99 in 100, against the median append",
            seconds,
            "heard",
            "append",
            n=1,
            goal=Goal(5),
        ),
        _counted_losses(
            f"{WRITERS} writers on {WRITERS} campaigns, a follower of all: events missed or out of order",
            all_.missed + all_.gaps,
            all_.events,
            "= 0",
        ),
        _counted_losses(f"{what} of eventsourcing's recorder: events missed", *default, "-"),
        _counted_losses(f"{what} of eventsourcing's function, the control: events missed", *control, "≥ 1"),
    ]


def _counted_losses(what: str, lost: int, events: int, goal: str) -> Figure:
    met = {"= 0": lost == 0, "≥ 1": lost > 0}.get(goal)
    return counted("server", what, lost, n=events, goal=goal, met=met, how="a count")


def _followed(prepared: Prepared, campaigns: int) -> Heard:
    """Follows so many campaigns, to which the writers append at the same time."""
    cluster = prepared.cluster
    names = [new_campaign(cluster) for _ in range(campaigns)]
    woken, after = threading.Event(), list[float]()
    gaps = seen = 0
    with ExitStack() as open_:
        crew = open_.enter_context(
            writers(STAMPED, cluster, names * (WRITERS // campaigns), prepared.pickled)
        )
        followed = [
            open_.enter_context(store.ServerCampaign.open(cluster.address(name), read_only=True))
            for name in names
        ]
        leave = [one.follow(woken.set) for one in followed]
        lasts, done = [0] * campaigns, _appended(crew)
        while not done.took or lasts != [one.size() for one in followed]:
            woken.wait(1)
            woken.clear()
            for at, one in enumerate(followed):
                for number, row in one.log(lasts[at]):
                    after.append(time.perf_counter() - float(row.body))
                    gaps += number != lasts[at] + 1
                    lasts[at], seen = number, seen + 1
        for end in leave:
            end()
        return Heard(seen, gaps, sum(one.size() for one in followed) - seen, done.took, after)


def _library_followed(prepared: Prepared, kind: str, name: str) -> tuple[int, int]:
    """Follows eventsourcing's notifications; returns how many were missed, of how many."""
    campaign = new_campaign(prepared.cluster)
    with (
        writers(kind, prepared.cluster, [campaign] * WRITERS, prepared.pickled) as crew,
        recorder(prepared.cluster, name) as found,
    ):
        last = before = found.max_notification_id() or 0
        seen, done = 0, _appended(crew)
        while True:
            is_last = bool(done.took)
            heard = found.select_notifications(last, MOST_HEARD, inclusive_of_start=False)
            seen += len(heard)
            if heard:
                last = heard[-1].id
            elif is_last:
                break
            time.sleep(LOOK_SECONDS)
        with prepared.cluster.as_superuser(name) as connection:
            given = "SELECT count(*) FROM stored_events WHERE notification_id > %s"
            (events,) = connection.execute(given, (before,)).fetchone() or (0,)
    return int(str(events)) - seen, int(str(events))


class _Appended(threading.Thread):
    """Waits for writers that append; `took` is empty until they have."""

    def __init__(self, crew: Writers) -> None:
        super().__init__(daemon=True)
        self._crew = crew
        self.took: list[float] = []

    def run(self) -> None:
        self.took = self._crew.append(ACTS // WRITERS)


def _appended(crew: Writers) -> _Appended:
    thread = _Appended(crew)
    thread.start()
    return thread


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)]
