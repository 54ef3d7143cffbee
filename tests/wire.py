"""A wire between a client and a server's socket, that can be cut after a number of bytes in one direction."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self


class Wire:
    """Listens in `folder` as a PostgreSQL server does, and hands on every byte to the one in `target`."""

    def __init__(self, folder: Path, target: Path, port: int = 5432) -> None:
        self.folder = folder
        self._target = str(target / f".s.PGSQL.{port}")
        self._left: dict[str, int] = {}
        """Bytes that still pass up (to the server) or down before the wire is cut."""
        self._lock = threading.Lock()
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{port}"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after(self, direction: str, count: int) -> None:
        """Cuts the connection once `count` more bytes have passed `up` or `down`; later ones are whole."""
        with self._lock:
            self._left = {direction: count}

    def mend(self) -> None:
        """Lets everything pass."""
        with self._lock:
            self._left = {}

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
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
