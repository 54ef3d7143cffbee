"""Database connections of this process to a server, lent to stores for one statement or act."""

from __future__ import annotations

import gc
import getpass
import logging
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Lock, RLock
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo

from retold.journal.games import NO_VERBS
from retold.journal.store.postgres import batch, schema
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.server_address import ServerAddress

if TYPE_CHECKING:
    from psycopg.abc import PQGen

T = TypeVar("T")

# Errors reach the caller as sentences; psycopg would also print them on its screen.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)

MOST_CONNECTIONS: Final = 8
"""The most connections of a process to one server; who wants another waits."""

CONNECT_SECONDS: Final = 10
SILENCE_MILLISECONDS: Final = 20_000
"""How long what was sent may stay unacknowledged before the operating system breaks the connection."""

SILENCE_SECONDS = 40.0
"""How long an answer may take before the connection counts as broken: longer than a lock is waited for."""

RECONNECT_SECONDS = 30.0
"""How long a server that is restarted is asked again for what had begun before."""

RECONNECT_PAUSE: Final = 0.1

LOST_SECONDS: Final = 1.0
"""How often a wait for a connection checks whether one was lost."""

LONGEST_NAME: Final = 63
"""The most bytes PostgreSQL keeps of a connection's name."""

_SETTINGS: Final = ", ".join(f"set_config('{name}', '{to}', false)" for name, to in schema.SETTINGS.items())
_SET_UP: Final = (
    f"SELECT {_SETTINGS}, CASE WHEN current_setting('synchronous_commit')"
    f" IN ({', '.join(repr(value) for value in schema.WEAK_COMMITS)})"
    " THEN set_config('synchronous_commit', 'on', false) END, session_user::text"
)


class _Permit:
    """Permission to use one database connection; a process has a limited number."""


class LimitedConnection(psycopg.Connection[tuple[Any, ...]]):
    """Connection that closes with an OperationalError if an answer takes longer than `limit` seconds.

    The operating system breaks a connection whose packets are lost. It does not if something in between
    takes the packets and hands none on.
    """

    limit: float | None = None
    """None means `SILENCE_SECONDS`."""

    def wait(self, gen: PQGen[T], *given: Any, **named: Any) -> T:  # noqa: ANN401 -- psycopg's
        """Waits as psycopg does, at most `limit` seconds."""
        return super().wait(self._limited(gen), *given, **named)

    def _limited(self, gen: PQGen[T]) -> PQGen[T]:
        limit = SILENCE_SECONDS if self.limit is None else self.limit
        until = time.monotonic() + limit
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    until = time.monotonic() + limit
                elif time.monotonic() > until:
                    self.close()
                    raise psycopg.OperationalError(f"no answer for {limit:g} seconds")
                wanted = gen.send(ready)
        except StopIteration as end:
            return cast("T", end.value)


class Server:
    """Server and account; lends each connection to one thread at a time."""

    def __init__(self, address: ServerAddress) -> None:
        self.address = address._replace(campaign="")
        self.process = os.getpid()
        self.account = ""
        """The account's name, once connected."""
        self._idle: list[Connection] = []
        self._lock = RLock()  # the garbage collector may give a connection back at any moment
        self._given_back = Condition(self._lock)
        self._permits = WeakSet[_Permit]()
        self._lent = WeakKeyDictionary[Connection, _Permit]()
        """Weak, so that a connection lost by an interruption (Ctrl-C) is not counted for ever."""
        self._users = 0

    # --- who uses it ---

    def enter(self) -> None:
        """Counts one more user."""
        with self._lock:
            self._users += 1

    def leave(self) -> None:
        """Counts one user less; after the last one the idle connections are closed."""
        with self._lock:
            self._users -= 1
            done, self._idle = (self._idle, []) if not self._users else ([], self._idle)
        for connection in done:
            connection.close()

    # --- lending ---

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Context manager: lends a connection, outside a transaction; psycopg's errors pass through."""
        connection = self.take()
        try:
            yield connection
        finally:
            self.give_back(connection)

    def ask(self, sql: str, given: Sequence[object]) -> list[tuple[Any, ...]]:
        """Returns the rows of a query; if a new connection is made for it, they come with its settings.

        An idle connection may have broken since it was used last: then others are tried. psycopg's errors
        pass through.
        """
        while True:
            connection, rows = self._lend(sql, given)
            try:
                return connection.execute(sql, given).fetchall() if rows is None else rows
            except psycopg.Error:
                if rows is not None or not (connection.broken or connection.closed):
                    raise
                self.drop_idle()
            finally:
                self.give_back(connection)

    def take(self) -> Connection:
        """Returns a connection, to be given back; waits while all are lent."""
        return self._lend()[0]

    def _lend(
        self, sql: str = "", given: Sequence[object] = ()
    ) -> tuple[Connection, list[tuple[Any, ...]] | None]:
        """Returns a connection; a new connection runs `sql` at once, and its rows are returned too."""
        permit = _Permit()
        with self._given_back:
            while len(self._permits) >= MOST_CONNECTIONS:
                if not self._given_back.wait(LOST_SECONDS):
                    gc.collect()  # a lost connection may be held by the traceback of what interrupted it
            self._permits.add(permit)
        rows = None
        try:
            connection = self._idle_connection()
            if connection is None:
                connection, rows = self._connect(sql, given)
        except BaseException:
            self._return(permit)
            raise
        self._lent[connection] = permit
        return connection, rows

    def _return(self, permit: _Permit | None) -> None:
        """Lets another thread have a connection."""
        with self._given_back:
            if permit is not None:
                self._permits.discard(permit)
            self._given_back.notify()

    def _idle_connection(self) -> Connection | None:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None or _is_idle(connection):
                return connection
            connection.close()

    def give_back(self, connection: Connection, *, is_answering: bool = False) -> None:
        """Takes back a connection; one that broke, is busy or is inside a transaction is closed.

        It may be busy if it `is_answering` an unawaited statement: that is read when it is lent again.
        """
        with self._lock:
            kept = self._users > 0 and _is_free(connection, is_answering=is_answering)
            if kept:
                self._idle.append(connection)
        if not kept:
            connection.close()
        self._return(self._lent.pop(connection, None))

    def drop_idle(self) -> None:
        """Closes the idle connections, after one of them turned out to be broken."""
        with self._lock:
            done, self._idle = self._idle, []
        for connection in done:
            connection.close()

    def connect(self) -> LimitedConnection:
        """Returns a new connection with our settings; psycopg.Error if that fails."""
        return self._connect()[0]

    def _connect(
        self, sql: str = "", given: Sequence[object] = ()
    ) -> tuple[LimitedConnection, list[tuple[Any, ...]] | None]:
        """Returns a new connection with our settings, and the rows of `sql`, which is asked with them."""
        asked = make_conninfo(
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",
            application_name=application_name(),
            keepalives=1,
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=2,
            tcp_user_timeout=SILENCE_MILLISECONDS,
            **self.address.parameters,
        )
        connection = LimitedConnection.connect(asked, autocommit=True)
        self.account = connection.info.user  # unless the server says otherwise
        try:
            with connection.pipeline():
                set_up = connection.execute(_SET_UP)
                found = connection.execute(sql, given) if sql else None
            (*_, self.account) = set_up.fetchone() or ("",)
            return connection, None if found is None else found.fetchall()
        except BaseException:
            connection.close()
            raise

    def deadline(self) -> float:
        """Returns the time (of `time.monotonic`) until which an unreachable server is tried again."""
        return time.monotonic() + RECONNECT_SECONDS

    def connect_again(self) -> LimitedConnection:
        """Returns a new connection; retries for a while if the server is unreachable, then psycopg.Error."""
        until = self.deadline()
        while True:
            try:
                return self.connect()
            except psycopg.OperationalError:
                if time.monotonic() >= until:
                    raise
                time.sleep(RECONNECT_PAUSE)


def _is_free(connection: Connection, *, is_answering: bool) -> bool:
    """True if nothing runs on a connection; on one that was interrupted an answer may never come."""
    if connection.closed:
        return False
    if connection.pgconn.pipeline_status != pq.PipelineStatus.OFF:
        return is_answering
    return connection.pgconn.transaction_status == pq.TransactionStatus.IDLE


def _is_idle(connection: Connection) -> bool:
    """True if a connection can be lent: all answers are read, and no transaction is open."""
    if connection.closed:
        return False
    try:
        batch.finish(connection)
    except psycopg.Error:
        return False
    status = connection.pgconn.transaction_status
    return not connection.broken and status == pq.TransactionStatus.IDLE


_SERVERS: dict[str, Server] = {}
_SERVERS_LOCK = Lock()


def server_of(address: ServerAddress) -> Server:
    """Returns this process's connections to the server of `address`."""
    with _SERVERS_LOCK:
        known = _SERVERS.get(address.server)
        if known is None or known.process != os.getpid():  # a connection does not survive a fork
            known = _SERVERS[address.server] = Server(address)
        return known


def application_name() -> str:
    """Returns the name connections bear on the server, such as `retold play, mary at laptop`.

    Of the command line only a verb that is not the table's: the rest may hold words of the table.
    """
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "somebody"
    path, *words = sys.argv or [""]
    program = Path(path).stem.replace("__main__", Path(path).parent.name) or "python"
    verb = f" {words[0]}" if words and words[0] in NO_VERBS and program == "retold" else ""
    return f"{program}{verb}, {user} at {platform.node()}"[:LONGEST_NAME]
