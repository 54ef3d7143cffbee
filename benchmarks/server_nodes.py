"""A club on a server: 1,000 campaigns, 50 writers and 500 followers at three nodes, of which one is killed.

python -m benchmarks.server_nodes node FOLDER                       a node: followers come on its input
python -m benchmarks.server_nodes writers FOLDER ACTS CAMPAIGN...   a writer for each campaign
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from benchmarks.measuring import Figure, counted
from benchmarks.server_cluster import Prepared
from benchmarks.server_peers import Act, Stamped, by_store, new_campaign, on_new_lines
from retold.journal.store.postgres import store
from tests.database_server import ORGANISER, Cluster, binaries

CAMPAIGNS: Final = 1000
WRITERS: Final = 50
FOLLOWERS: Final = 500
NODES: Final = 3
PAUSE: Final = 2.0
"""Seconds from an act of a writer to its next."""

ACTS: Final = 20
"""Acts of each writer; a node is killed after half of them."""

GRACE: Final = 3.0
"""Seconds after the last act in which followers may still hear."""

AROUND: Final = 5.0
"""Seconds after a node was killed that count as meanwhile."""

MOST_MS: Final = 250


class Delivery(NamedTuple):
    """An event that a follower was given: its number, when, and the seconds since it was appended."""

    follower: int
    number: int
    at: float
    after: float


def node(cluster: Cluster) -> None:
    """Reads a follower a line (its number, a campaign, the last event it has), and prints deliveries."""
    woken, followers = SimpleQueue[str](), defaultdict[str, dict[int, int]](dict)
    opened: dict[str, store.ServerCampaign] = {}

    def hand_on() -> None:
        while True:
            campaign = woken.get()
            lasts = followers[campaign]
            events = [(number, row.body) for number, row in opened[campaign].log(min(lasts.values()))]
            at = time.perf_counter()
            for follower, last in list(lasts.items()):
                for number, body in events:
                    if number > last:
                        print(json.dumps([follower, number, at, at - float(body)]))
                lasts[follower] = max(last, events[-1][0]) if events else last
            sys.stdout.flush()

    threading.Thread(target=hand_on, daemon=True).start()
    for line in sys.stdin:
        follower, campaign, last = line.split()
        followers[campaign][int(follower)] = int(last)
        if campaign in opened:
            woken.put(campaign)
        else:
            opened[campaign] = store.ServerCampaign.open(cluster.address(campaign), read_only=True)
            opened[campaign].follow(partial(woken.put, campaign))


def write(cluster: Cluster, campaigns: Sequence[str], count_: int, acts: Sequence[Act]) -> None:
    """Appends so many acts to each campaign, from now on, one each `PAUSE` seconds."""

    def append(campaign: str, first: float) -> None:
        with by_store(cluster, campaign, ORGANISER, Stamped) as appended:
            for number, act in zip(range(count_), on_new_lines(acts), strict=False):
                time.sleep(max(0.0, first + number * PAUSE - time.perf_counter()))
                appended(act)

    began = time.perf_counter()
    threads = [
        threading.Thread(target=append, args=(campaign, began + PAUSE * at / len(campaigns)))
        for at, campaign in enumerate(campaigns)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Nodes:
    """Node processes and their followers; followers of a node that ends go to the others at once."""

    def __init__(self, cluster: Cluster, names: Sequence[str]) -> None:
        self.deliveries: list[Delivery] = []
        self._campaigns = {follower: names[follower % len(names)] for follower in range(FOLLOWERS)}
        self._lasts = dict.fromkeys(range(FOLLOWERS), 0)
        self._places = count()
        self._at: dict[int, subprocess.Popen[str]] = {}
        self._lock = threading.Lock()
        module = [sys.executable, "-m", "benchmarks.server_nodes", "node", str(cluster.folder)]
        self._living = [
            subprocess.Popen(module, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(NODES)
        ]
        with self._lock:
            for follower in range(FOLLOWERS):
                self._place(follower)
        self._threads = [
            threading.Thread(target=self._listen, args=(process,), daemon=True) for process in self._living
        ]
        for thread in self._threads:
            thread.start()

    def _place(self, follower: int) -> None:
        process = self._living[next(self._places) % len(self._living)]
        self._at[follower] = process
        assert process.stdin is not None
        process.stdin.write(f"{follower} {self._campaigns[follower]} {self._lasts[follower]}\n")
        process.stdin.flush()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if not line.endswith("\n"):
                break  # it was killed while it printed
            delivery = Delivery(*json.loads(line))
            self.deliveries.append(delivery)
            self._lasts[delivery.follower] = delivery.number
        with self._lock:
            if process in self._living:
                self._living.remove(process)
                for follower in [one for one, at in self._at.items() if at is process]:
                    self._place(follower)

    def kill_one(self) -> float:
        """Kills a node; returns when."""
        at = time.perf_counter()
        self._living[0].kill()
        return at

    def close(self) -> None:
        """Ends the nodes."""
        with self._lock:
            living, self._living = self._living, []
        for process in living:
            process.kill()
        for thread in self._threads:
            thread.join()

    def lost(self, sizes: dict[str, int]) -> int:
        """How many events a follower was not given, was given twice, or out of order."""
        given = defaultdict[int, list[int]](list)
        for delivery in self.deliveries:
            given[delivery.follower].append(delivery.number)
        lost = 0
        for follower, campaign in self._campaigns.items():
            due = range(1, sizes[campaign] + 1)
            lost += len(set(due) - set(given[follower])) + (given[follower] != sorted(set(given[follower])))
        return lost


@contextmanager
def _nodes(cluster: Cluster, names: Sequence[str]) -> Iterator[Nodes]:
    running = Nodes(cluster, names)
    try:
        yield running
    finally:
        running.close()


def nodes(prepared: Prepared) -> list[Figure]:
    """1,000 campaigns, 50 writers and 500 followers at three nodes, of which one is killed."""
    cluster = prepared.cluster
    names = [new_campaign(cluster) for _ in range(CAMPAIGNS)][:WRITERS]
    module = [sys.executable, "-m", "benchmarks.server_nodes", "writers", str(cluster.folder), str(ACTS)]
    with _nodes(cluster, names) as running:
        time.sleep(GRACE)
        writing = subprocess.Popen([*module, str(prepared.pickled), *names])
        time.sleep(ACTS / 2 * PAUSE)
        killed = running.kill_one()
        if writing.wait():
            raise RuntimeError("A writer failed, so the counts are of an evening that was cut short.")
        time.sleep(GRACE)
        with ExitStack() as open_:
            sizes = {
                name: open_.enter_context(store.ServerCampaign.open(cluster.address(name))).size()
                for name in names
            }
    what = f"{CAMPAIGNS:,} campaigns, {WRITERS} writers, {FOLLOWERS} followers at {NODES} nodes, one killed"
    lost, heard = running.lost(sizes), running.deliveries
    before = [one.after for one in heard if one.at < killed]
    meanwhile = [one.after for one in heard if killed <= one.at < killed + AROUND]
    return [
        counted(
            "server",
            f"{what}: events missed, twice or out of order",
            lost,
            n=len(heard),
            goal="= 0",
            met=lost == 0,
            how="a count",
        ),
        _heard_after(f"{what}: ms until 99 in 100 had it, before", before),
        _heard_after(f"{what}: ms until 99 in 100 had it, in the {AROUND:g} s after the kill", meanwhile),
    ]


def _heard_after(what: str, after: Sequence[float]) -> Figure:
    found = sorted(after)
    p50, p99, slowest = (1000 * found[int((len(found) - 1) * part)] for part in (0.5, 0.99, 1))
    how = f"median {p50:.0f} ms, slowest {slowest:.0f} ms"
    return counted("server", what, round(p99), n=len(found), goal=f"≤ {MOST_MS}", met=p99 <= MOST_MS, how=how)


def _main(kind: str, folder: str, *given: str) -> None:
    cluster = Cluster(Path(folder), binaries(), 0)
    if kind == "node":
        node(cluster)
    else:
        many, acts, *campaigns = given
        write(cluster, campaigns, int(many), pickle.loads(Path(acts).read_bytes()))


if __name__ == "__main__":
    _main(*sys.argv[1:])
