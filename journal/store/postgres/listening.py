"""A thread that hears of acts recorded on a server, by any computer, and calls a campaign's followers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock, RLock, Thread
from typing import Final

import psycopg

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.postgres import schema
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.server import Server

LOOK_SECONDS: Final = 1.0
"""How often stamps are asked for, in case a notification was lost."""

SILENCE_SECONDS = 10.0
"""How long stamps are waited for: that waits for no lock."""


@dataclass(slots=True, eq=False)
class _Follower:
    campaign: int
    wake: Callable[[], object]
    seen: object


class Listener:
    """Compares the stamps of followed campaigns after each notification, and once a second.

    A notification only says when to look: what counts is the stamp. The thread ends with the last follower.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._followers: list[_Follower] = []
        self._turn = RLock()
        self._thread: Thread | None = None

    def add(self, campaign: int, stamp: object, wake: Callable[[], object]) -> Callable[[], None]:
        """Calls `wake` at once, then after each change of the campaign's stamp, which is `stamp` now.

        It is called in the listening thread, and must return quickly and not raise. Returns a function that
        ends the following; after it has returned, `wake` is not called again.
        """
        follower = _Follower(campaign, wake, stamp)
        with self._turn:
            self._followers.append(follower)
            wake()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="listening", daemon=True)
                self._thread.start()
        return partial(self._remove, follower)

    def _remove(self, follower: _Follower) -> None:
        with self._turn, suppress(ValueError):  # ended already
            self._followers.remove(follower)

    def _run(self) -> None:
        while self._keeps_listening():
            try:
                with closing(self._server.connect()) as connection:
                    connection.limit = SILENCE_SECONDS
                    self._listen(connection)
            except (psycopg.Error, StoreError):  # perhaps the service file cannot be read just now
                self._tell({})
                time.sleep(LOOK_SECONDS)

    def _keeps_listening(self) -> bool:
        with self._turn:
            if not self._followers:
                self._thread = None
            return self._thread is not None

    def _listen(self, connection: Connection) -> None:
        connection.execute(f"LISTEN {schema.CHANNEL}".encode())
        while self._followers:
            followed = list({follower.campaign for follower in tuple(self._followers)})
            rows = connection.execute(_STAMPS, (followed,)).fetchall()
            self._tell({campaign: stamps for campaign, *stamps in rows})
            self._wait(connection)

    def _wait(self, connection: Connection) -> None:
        """Waits for a notification about a followed campaign, at most until the next look."""
        until = time.monotonic() + LOOK_SECONDS
        while (left := until - time.monotonic()) > 0:
            for told in connection.notifies(timeout=left, stop_after=1):
                if any(str(follower.campaign) == told.payload for follower in tuple(self._followers)):
                    return

    def _tell(self, stamps: Mapping[int, object]) -> None:
        """Wakes each follower whose campaign's stamp changed or became unreadable."""
        with self._turn:
            for follower in tuple(self._followers):
                stamp = stamps.get(follower.campaign)
                if stamp != follower.seen:
                    follower.seen = stamp
                    follower.wake()


_STAMPS: Final = f"""SELECT id, stamp, (
  SELECT string_agg(key || ' ' || value, ' ' ORDER BY key) FROM retold.beside
  WHERE beside.campaign = campaign.id AND sort = '{schema.STAMPS}')
FROM retold.campaign WHERE id = ANY(%s)
"""  # noqa: S608 -- our own word
"""The stamp of each campaign's record, and those of its attachments."""

_LISTENERS: dict[Server, Listener] = {}
_LISTENERS_LOCK = Lock()


def listener_of(server: Server) -> Listener:
    """Returns this process's listener for a server, made on first use."""
    with _LISTENERS_LOCK:
        return _LISTENERS.setdefault(server, Listener(server))
