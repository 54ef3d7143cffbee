"""How often a client waits for the server, and what a note takes over a slow wire."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from benchmarks.measuring import Figure, Goal, compare, counted
from benchmarks.server_cluster import Prepared
from benchmarks.wire import Wire
from retold.journal.store.events.acts import Manner
from retold.journal.store.postgres.server import server_of
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import Cluster, new_name

DISTANCE_MS: Final = 20
"""Milliseconds there and back over the slow wire."""

ROUNDS: Final = 15

PREPARED: Final = 6
"""After so many times psycopg prepares a statement."""

PAUSE: Final = 0.1
"""Seconds after which nothing is under way any more."""


def distance(prepared: Prepared) -> list[Figure]:
    """How often the client waits for the server, and what a note takes over a slow wire."""
    folder = prepared.folder / "wire"
    folder.mkdir()
    with Wire(folder, prepared.cluster.folder) as wire:
        counts = _exchanges(prepared.cluster, wire)
    slow = prepared.folder / "slow"
    slow.mkdir()
    with Wire(slow, prepared.cluster.folder, DISTANCE_MS / 2000) as wire:
        seconds = _over(prepared.cluster, wire)
    goals = {"a note": 2, "a note with an id": 2, "an undo": 5, "opening and the state": 4}
    what = "exchanges with the server for"
    return [
        *(
            counted(
                "server",
                f"{what} {name}",
                counts[name],
                n=1,
                goal=f"≤ {most}",
                met=counts[name] <= most,
                how="a count, on a socket without a password",
            )
            for name, most in goals.items()
        ),
        *(
            compare(
                "server",
                f"a note {how}, {DISTANCE_MS} ms there and back, against SELECT 1",
                seconds,
                name,
                "SELECT 1",
                n=1,
                goal=Goal(2.5),
            )
            for name, how in (("paced", "a while after the last one"), ("at once", "right after another"))
        ),
    ]


def _through(cluster: Cluster, wire: Wire, campaign: str) -> ServerAddress:
    return Cluster(wire.folder, cluster.binaries, 0).address(campaign)


def _note(writer: LineWriter, act: str | None = None) -> None:
    writer.record(c.Note(text=Words("It rains.")), Manner(act=act))


def _exchanges(cluster: Cluster, wire: Wire) -> dict[str, int]:
    place = str(_through(cluster, wire, new_name()))
    with CampaignStore.create(place) as campaign:
        for _ in range(PREPARED):  # by then psycopg prepares each statement
            for task in (_note, undo):
                task(campaign.writer(1))
    counts = {}

    def counting(name: str, task: Callable[[], object]) -> None:
        time.sleep(PAUSE)
        before = wire.exchanges
        task()
        counts[name] = wire.exchanges - before

    with ExitStack() as open_:
        counting("opening and the state", lambda: open_.enter_context(CampaignStore.open(place)).writer(1))
        writer = open_.enter_context(CampaignStore.open(place)).writer(1)
        _note(writer, "0123456789abcde0")  # the last acts are read once
        counting("a note", lambda: _note(writer))
        counting("a note with an id", lambda: _note(writer, "0123456789abcdef"))
        counting("an undo", lambda: undo(writer))
    return counts


def _over(cluster: Cluster, wire: Wire) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {"paced": [], "at once": [], "SELECT 1": []}
    with CampaignStore.create(str(_through(cluster, wire, new_name()))) as campaign:
        writer = campaign.writer(1)
        with server_of(_through(cluster, wire, "")).connection() as connection:
            for _ in range(ROUNDS + PREPARED):
                for name, task in (
                    ("SELECT 1", lambda: connection.execute("SELECT 1").fetchall()),
                    ("paced", lambda: _note(writer)),
                    ("at once", lambda: _note(writer)),
                ):
                    if name != "at once":
                        time.sleep(PAUSE)
                    began = time.perf_counter()
                    task()
                    seconds[name].append(time.perf_counter() - began)
    return {name: took[PREPARED:] for name, took in seconds.items()}
