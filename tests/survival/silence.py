"""R51: the network between a client and the server takes every packet, hands none on, and says nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final
from unittest.mock import patch

from retold.journal.store import places
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.postgres import listening, server
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.writing.campaign import CampaignStore
from tests.database_server import new_name
from tests.journal.store.played import notes, played
from tests.survival.attacks import Found
from tests.survival.servers import attacked_server, is_whole, outcome, quick_connections
from tests.wire import Direction, Wire

LIMIT: Final = 0.4
"""Seconds that a client waits for an answer here; in earnest it is 40."""

PATIENCE: Final = 60.0
IMPATIENCE: Final = 2.0
"""Seconds until a client that says nothing counts as waiting for ever; fewer in the control."""

STEP: Final = 37
"""The silence begins so many bytes later in each round."""


@contextmanager
def _short(protected: bool) -> Iterator[None]:
    """Context manager: clients wait less long, or for ever."""
    limit = LIMIT if protected else float("inf")
    with ExitStack() as open_:
        for module, name, value in (
            (server, "SILENCE_SECONDS", limit),
            (listening, "SILENCE_SECONDS", limit),
            (server, "CONNECT_SECONDS", 2),
            (server, "RECONNECT_SECONDS", LIMIT),
        ):
            open_.enter_context(patch.object(module, name, value))
        open_.enter_context(quick_connections())
        yield


def go_silent(_folder: Path, rounds: int, protected: bool) -> Found:
    """R51: so many times the network goes silent, for a writer, a reader and a follower in turn."""
    found = Found()
    with attacked_server() as attacked, _short(protected):
        address = attacked.cluster.address(new_name())
        with played(str(address)) as direct:
            for number in range(rounds):
                with (
                    tempfile.TemporaryDirectory(prefix="retold-wire-") as folder,
                    Wire(Path(folder), attacked.cluster.folder) as wire,
                ):
                    _ROUNDS[number % len(_ROUNDS)](direct, wire, number, protected, found)
                found.tried += 1
            found.damaged += not is_whole(address)
    return found


def _within(protected: bool, wire: Wire, task: Callable[[], object]) -> tuple[bool, BaseException | None]:
    """Returns whether `task` came to an end by itself, and with which error."""
    ends: list[BaseException | None] = []

    def run() -> None:
        try:
            task()
            ends.append(None)
        except StoreError as error:
            ends.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE if protected else IMPATIENCE)
    came = not thread.is_alive()
    wire.mend()
    thread.join()
    return came, ends[0] if ends else AssertionError("another error")


def _write(direct: CampaignStore, wire: Wire, number: int, protected: bool, found: Found) -> None:
    """A writer: the silence begins anywhere in the act or its commit, for a while or for good."""
    direction: Direction = "up" if number % 2 else "down"
    for_good = number % 4 < 2
    with CampaignStore.open(wire.to(_address(direct))) as silent:
        writer = silent.writer(1)
        notes(writer, f"before {number}")
        before = direct.record.store.size()
        wire.cut_after(direction, number * STEP % 300, "silent", for_good=for_good)
        came, error = _within(protected, wire, lambda: notes(writer, f"silent {number}"))
    with direct.record.store.writing():  # whoever is still committing has ended
        is_there = direct.record.store.size() - before
    said = outcome(error)
    found.acknowledged += said == "recorded"
    found.lost += said == "recorded" and not is_there
    found.untrue += not came
    found.untrue += said not in ("unknown", "recorded" if is_there else "not recorded")


def _read(direct: CampaignStore, wire: Wire, number: int, protected: bool, found: Found) -> None:
    """A reader: it says that the server cannot be reached, or reads on where that is over."""
    for_good = number % 2 == 0
    with CampaignStore.open(wire.to(_address(direct)), read_only=True) as silent:
        wire.cut_after("down", number * STEP % 2000, "silent", for_good=for_good)
        came, error = _within(protected, wire, lambda: list(silent.record.everything()))
    found.untrue += not came
    found.untrue += outcome(error) not in ("recorded", *(("unread",) if for_good else ()))


def _follow(direct: CampaignStore, wire: Wire, _number: int, protected: bool, found: Found) -> None:
    """A follower: it is woken, so that it looks."""
    woken = Event()
    end = places.watched(wire.to(_address(direct)), woken.set, 1.0)
    try:
        wire.cut_after("down", 0, "silent", for_good=True)
        while not wire.is_broken:
            notes(direct.writer(1), "so that the follower asks")
        woken.clear()
        found.untrue += not woken.wait(PATIENCE if protected else IMPATIENCE)
    finally:
        wire.mend()
        end()


_ROUNDS: Final = (_write, _read, _write, _follow)


def _address(direct: CampaignStore) -> ServerAddress:
    opened = direct.record.store
    assert isinstance(opened, ServerCampaign)
    return opened.address
