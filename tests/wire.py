"""A wire between a client and a server's socket: it can be slow, be cut after some bytes, or go silent."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self
from urllib.parse import quote

import pytest

from retold.journal.store.contract.event_store import EventStore
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.postgres.store import ServerCampaign
from tests.database_server import DATABASE, ORGANISER

Direction = Literal["up", "down"]
"""Up is to the server."""

How = Literal["cut", "hidden", "silent"]
"""Both ends are told of a cut; of a hidden one only the client is; of silence nobody is."""


class _Break(NamedTuple):
    direction: Direction
    after: int
    how: How
    for_good: bool


class Wire:
    """Listens in `folder` as a PostgreSQL server does, and hands on every byte to the one in `target`."""

    def __init__(self, folder: Path, target: Path, port: int = 5432) -> None:
        self.folder = folder
        self.passed: dict[Direction, int] = {"up": 0, "down": 0}
        """Bytes handed on since the last `cut_after` or `mend`."""
        self.delay = 0.0
        """Seconds that each piece takes, in each direction."""
        self._target = str(target / f".s.PGSQL.{port}")
        self._break: _Break | None = None
        self._is_away = False
        """True while nobody is let through."""
        self._is_mute = False
        """True while nobody is let through, and nobody is told."""
        self._ends: list[socket.socket] = []
        self._held: list[socket.socket] = []
        """Ends of broken connections that were not told."""
        self._lock = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{port}"))
        (folder / f".s.PGSQL.{port}").chmod(0o777)
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def to(self, address: ServerAddress) -> str:
        """The address of a campaign over this wire."""
        host = quote(str(self.folder), safe="")
        return f"postgresql://{ORGANISER}@{host}/{DATABASE}/{address.campaign}"

    def cut_after(
        self, direction: Direction, count: int, how: How = "cut", *, for_good: bool = False
    ) -> None:
        """Breaks the connection once `count` more bytes have passed.

        Later ones are whole; with `for_good` there are none until the wire is mended. Where the wire is
        silent for good, whoever connects is not answered.
        """
        self._arm(_Break(direction, count, how, for_good))

    def go_away(self) -> None:
        """Cuts every connection now, and lets nobody through until the wire is mended."""
        with self._lock:
            self._is_away, ends, self._ends = True, self._ends, []
        for end in ends:
            _shut(end)

    def mend(self) -> None:
        """Lets everything pass, and closes what is left of broken connections."""
        self._arm(None)

    @property
    def is_broken(self) -> bool:
        """True once the wire was broken as asked."""
        return self._break is None

    @property
    def held(self) -> bool:
        """True while an end of a broken connection was not told."""
        return bool(self._held)

    def _arm(self, how: _Break | None) -> None:
        with self._lock:
            self._break, self._is_away, self._is_mute = how, False, False
            self.passed = {"up": 0, "down": 0}
            held, self._held = self._held, []
        for end in held:
            _shut(end)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self._is_mute:
                    self._held.append(client)
                    continue
                if self._is_away:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._target)
                except OSError:
                    client.close()
                    continue
                with self._lock:
                    self._ends += (client, server)
                for direction in ("up", "down"):
                    threading.Thread(
                        target=self._hand_on, args=(direction, client, server), daemon=True
                    ).start()

    def _hand_on(self, direction: Direction, client: socket.socket, server: socket.socket) -> None:
        source, target = (client, server) if direction == "up" else (server, client)
        how: How = "cut"
        with suppress(OSError):
            while data := source.recv(65536):
                if self.delay:
                    time.sleep(self.delay)
                with self._lock:
                    if server in self._held:
                        return
                    data, cut = self._passing(direction, data)
                    how = cut or how
                    if how != "cut":
                        self._held += (server,) if how == "hidden" else (server, client)
                target.sendall(data)
                if cut:
                    break
        with self._lock:
            ends = [end for end in (client, server) if end not in self._held]
        for end in ends:
            _shut(end)

    def _passing(self, direction: Direction, data: bytes) -> tuple[bytes, How | None]:
        """Returns what passes of `data`, and how the wire breaks after it, if it does."""
        broken, cut = self._break, None
        if broken is not None and broken.direction == direction:
            left = broken.after - self.passed[direction]
            if left <= len(data):
                data, cut, self._break = data[:left], broken.how, None
                self._is_away = broken.for_good
                self._is_mute = broken.for_good and broken.how == "silent"
        self.passed[direction] += len(data)
        return data, cut

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.mend()
        self._listening.close()


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def cut_at_commit(
    store: EventStore,
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
    direction: Direction,
    *,
    for_good: bool,
    how: How = "cut",
) -> None:
    """Breaks the wire while the next act's COMMIT (`up`) or its answer (`down`) is on its way."""
    assert isinstance(store, ServerCampaign)
    commit = store._commit

    def cutting(act: Any) -> None:  # noqa: ANN401 -- a private class
        store._send_pending(act)
        wire.cut_after(direction, 0, how, for_good=for_good)
        monkeypatch.setattr(store, "_commit", commit)
        commit(act)

    monkeypatch.setattr(store, "_commit", cutting)
