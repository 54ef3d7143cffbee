"""A wire to a server's socket: it can be slow, and counts how often the client waits for an answer."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Final, Self

PREPARED: Final = re.compile(rb"retold_\w+")
"""The names of statements that Retold prepares."""

UNAWAITED: Final = {b"retold_notify", b"retold_rollback"}
"""Statements whose answer nobody waits for; libpq may send them in a piece of their own."""

ENDING: Final = b"X"
"""The first byte of a connection's last message, which has no answer."""


class Wire:
    """Listens in `folder` as a PostgreSQL server does, and hands on every byte to the one in `target`.

    Each byte is handed on `delay` seconds after it came.
    """

    def __init__(self, folder: Path, target: Path, delay: float = 0.0, port: int = 5432) -> None:
        self.folder = folder
        self.exchanges = 0
        """How often something was sent to the server after an answer, and waited for."""
        self._delay = delay
        self._target = str(target / f".s.PGSQL.{port}")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{port}"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                talk = _Talk(self)
                self._hand_on(client, server, talk.asked)
                self._hand_on(server, client, talk.answered)

    def _hand_on(self, source: socket.socket, target: socket.socket, passed: Callable[[bytes], None]) -> None:
        coming: SimpleQueue[tuple[float, bytes]] = SimpleQueue()

        def receive() -> None:
            with suppress(OSError):
                while data := source.recv(65536):
                    passed(data)
                    coming.put((time.perf_counter() + self._delay, data))
            coming.put((0.0, b""))

        def send() -> None:
            with suppress(OSError):
                while True:
                    due, data = coming.get()
                    if not data:
                        break
                    if (left := due - time.perf_counter()) > 0:
                        time.sleep(left)
                    target.sendall(data)
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)

        for run in (receive, send):
            threading.Thread(target=run, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()


class _Talk:
    """Whose turn it is on one connection."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._is_asking = False

    def asked(self, data: bytes) -> None:
        names = set(PREPARED.findall(data))
        if data[:1] == ENDING or (names and names <= UNAWAITED):
            return
        if not self._is_asking:
            self._wire.exchanges += 1
        self._is_asking = True

    def answered(self, _: bytes) -> None:
        self._is_asking = False
