"""A wire between a client and a server's socket, that can be cut after a number of bytes in one direction."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import pytest

from journal.store.event_store import EventStore
from journal.store.postgres.server_address import ServerAddress
from journal.store.postgres.store import ServerCampaign
from tests.database_server import DATABASE, ORGANISER


class Wire:
    """Listens in `folder` as a PostgreSQL server does, and hands on every byte to the one in `target`."""

    def __init__(self, folder: Path, target: Path, port: int = 5432) -> None:
        self.folder = folder
        self._target = str(target / f".s.PGSQL.{port}")
        self._left: dict[str, int] = {}
        """Bytes that still pass up (to the server) or down before the wire is cut."""
        self._is_for_good = False
        """True if nobody is let through once the wire has been cut."""
        self._is_away = False
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{port}"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def to(self, address: ServerAddress) -> str:
        """The address of a campaign over this wire."""
        host = quote(str(self.folder), safe="")
        return f"postgresql://{ORGANISER}@{host}/{DATABASE}/{address.campaign}"

    def cut_after(self, direction: str, count: int, *, for_good: bool = False) -> None:
        """Cuts the connection once `count` more bytes have passed `up` or `down`.

        Later ones are whole; with `for_good` there are none until the wire is mended.
        """
        with self._lock:
            self._left, self._is_for_good = {direction: count}, for_good

    def go_away(self) -> None:
        """Cuts every connection now, and lets nobody through until the wire is mended."""
        with self._lock:
            self._is_away, ends, self._ends = True, self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Lets everything pass."""
        with self._lock:
            self._left, self._is_away = {}, False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                if self._is_away:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                with self._lock:
                    self._ends += (client, server)
                for direction, ends in (("up", (client, server)), ("down", (server, client))):
                    threading.Thread(target=self._hand_on, args=(direction, *ends), daemon=True).start()

    def _hand_on(self, direction: str, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                with self._lock:
                    left = self._left.get(direction)
                    cut = left is not None and left <= len(data)
                    if cut:
                        data, self._left = data[:left], {}
                        self._is_away = self._is_for_good
                    elif left is not None:
                        self._left[direction] = left - len(data)
                target.sendall(data)
                if cut:
                    break
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.close()


def cut_at_commit(
    store: EventStore, wire: Wire, monkeypatch: pytest.MonkeyPatch, direction: str, *, for_good: bool
) -> None:
    """Cuts the wire while the next act's COMMIT (`up`) or its answer (`down`) is on its way."""
    assert isinstance(store, ServerCampaign)
    commit = store._commit

    def cutting(act: Any) -> None:  # noqa: ANN401 -- a private class
        store._send_pending(act)
        wire.cut_after(direction, 0, for_good=for_good)
        monkeypatch.setattr(store, "_commit", commit)
        commit(act)

    monkeypatch.setattr(store, "_commit", cutting)
