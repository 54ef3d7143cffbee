"""How long it takes until a client says so if the network takes everything and hands nothing on."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import Event
from typing import Final
from unittest.mock import patch

from benchmarks.measuring import Figure, counted
from benchmarks.server_cluster import Prepared
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import Cluster, new_name
from tests.wire import Wire

MOST_SECONDS: Final = 100
"""The limit of an answer, the time in which the server is asked again, and a margin."""

Timed = Callable[[Cluster], float]


def silence(prepared: Prepared) -> list[Figure]:
    """Seconds until a writer, a reader and a follower say that the server is silent, all at the same time."""
    clients: dict[str, Timed] = {
        "a writer that asks for the lock": _locking,
        "a writer that commits": _committing,
        "a reader": _reading,
        "a follower": _following,
    }
    with ThreadPoolExecutor(len(clients)) as pool:
        took = list(pool.map(lambda client: client(prepared.cluster), clients.values()))
    return [
        counted(
            "server",
            f"network that is silent for good: seconds until {who} says so",
            round(seconds),
            n=1,
            goal=f"≤ {MOST_SECONDS}",
            met=seconds <= MOST_SECONDS,
            how="a count of seconds",
        )
        for who, seconds in zip(clients, took, strict=True)
    ]


@contextmanager
def _silent(cluster: Cluster) -> Iterator[tuple[CampaignStore, Wire]]:
    """Context manager: a campaign over a wire that goes silent for good when it is told."""
    name = new_name()
    CampaignStore.create(str(cluster.address(name))).close()
    with (
        tempfile.TemporaryDirectory(prefix="retold-wire-", ignore_cleanup_errors=True) as folder,
        Wire(Path(folder), cluster.folder) as wire,
        CampaignStore.open(wire.to(cluster.address(name))) as campaign,
    ):
        yield campaign, wire


def _note(campaign: CampaignStore) -> None:
    campaign.writer(1).record(c.Note(text=Words("It rains.")))


def _timed(task: Callable[[], object]) -> float:
    """Seconds until the task says that the server is silent; infinity if it ends without saying so."""
    began = time.perf_counter()
    try:
        task()
    except StoreError:
        return time.perf_counter() - began
    return inf


def _locking(cluster: Cluster) -> float:
    with _silent(cluster) as (campaign, wire):
        writer = campaign.writer(1)
        wire.cut_after("up", 0, "silent", for_good=True)
        return _timed(lambda: writer.record(c.Note(text=Words("It rains."))))


def _committing(cluster: Cluster) -> float:
    with _silent(cluster) as (campaign, wire):
        store = campaign.record.store
        assert isinstance(store, ServerCampaign)
        commit = store._commit  # noqa: SLF001 -- the silence begins there

        def silent(act: object) -> None:
            wire.cut_after("down", 0, "silent", for_good=True)
            commit(act)  # type: ignore[arg-type]

        with patch.object(store, "_commit", silent):
            return _timed(lambda: _note(campaign))


def _reading(cluster: Cluster) -> float:
    with _silent(cluster) as (campaign, wire):
        wire.cut_after("down", 0, "silent", for_good=True)
        return _timed(lambda: list(campaign.record.everything()))


def _following(cluster: Cluster) -> float:
    woken = Event()
    with _silent(cluster) as (campaign, wire):
        followed = campaign.record.store
        assert isinstance(followed, ServerCampaign)
        leave = followed.follow(woken.set)
        time.sleep(2)  # it listens by then
        woken.clear()
        wire.cut_after("down", 0, "silent", for_good=True)
        began = time.perf_counter()
        seconds = time.perf_counter() - began if woken.wait(MOST_SECONDS) else inf
        wire.mend()
        leave()
        return seconds
