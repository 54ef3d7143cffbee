"""Attachments of campaigns on a server, and what a node asks of a server before it opens a campaign."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psycopg
from psycopg import errors, pq

from retold.journal.store.contract.errors import CannotWrite, StoreError
from retold.journal.store.postgres import schema, sentences
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.server import Server
from retold.journal.store.postgres.server_address import ServerAddress

ALONE_SECONDS: Final = 60
"""How long an `alone` block may last: it waits for the campaign's own lock, for 30 seconds at most."""


class ServerAttachments:
    """Attachments of one sort in a server's campaign, stored as rows of the table `beside`.

    Threads may share it. It borrows connections of a `Server` of its own: what is recorded inside `alone`
    needs a second connection, and would wait for ever if all were lent to blocks that do the same.
    """

    def __init__(self, server: Server, campaign: str, sort: str) -> None:
        self._server = server
        self._address = server.address._replace(campaign=campaign)
        self._given = {"name": campaign, "sort": sort}
        self._here = threading.local()
        """`connection`: that of this thread's `alone` block."""
        self._stamp: object = None

    def every(self) -> dict[str, bytes]:
        """Returns the documents by key."""
        return {key: value.encode() for key, value in self._say(_EVERY)}

    def get(self, key: str) -> bytes | None:
        """Returns the document stored under a key; None for an unknown key."""
        for (value,) in self._say(_GET, key=key):
            return str(value).encode()
        return None

    def keep(self, key: str, data: bytes) -> None:
        """Stores a document under a key, in place of the one before; StoreError if that fails."""
        self._change(_KEEP, key=key, value=data.decode())

    def drop(self, key: str) -> None:
        """Deletes the document of a key, if there is one; StoreError if that fails."""
        self._change(_DROP, key=key)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Context manager: keeps every other `alone` block of these attachments waiting, on any computer.

        What is stored inside is seen by others at its end, even if it raises. It cannot be entered again
        inside itself.
        """
        with self._borrowed() as connection:
            try:
                connection.execute(_BEGIN.encode())
                connection.execute(_LOCK, self._given)
            except psycopg.Error as error:
                raise self._unstored(error) from None
            self._here.connection = connection
            try:
                yield
            finally:
                del self._here.connection
                self._commit(connection)

    def _commit(self, connection: Connection) -> None:
        try:
            done = connection.execute("COMMIT")
        except psycopg.Error as error:
            raise self._unstored(error) from None
        if done.statusmessage == "COMMIT":
            self._tell(connection)

    def stamp(self) -> object:
        """Returns a number that differs once a document was stored or deleted.

        While the server cannot be asked, it is the number of before.
        """
        with suppress(StoreError):
            self._stamp = next((value for (value,) in self._say(_STAMP)), "0")
        return self._stamp

    # --- asking ---

    def _change(self, sql: str, **given: str) -> None:
        running: Connection | None = getattr(self._here, "connection", None)
        try:
            if running is not None:
                running.execute(sql.encode(), {**self._given, **given})
                return
            with self._borrowed() as connection:
                connection.execute(sql.encode(), {**self._given, **given})
                self._tell(connection)
        except psycopg.Error as error:
            raise self._unstored(error) from None

    def _say(self, sql: str, **given: str) -> list[tuple[Any, ...]]:
        running: Connection | None = getattr(self._here, "connection", None)
        try:
            if running is not None:
                return running.execute(sql.encode(), {**self._given, **given}).fetchall()
            with self._borrowed() as connection:
                return connection.execute(sql.encode(), {**self._given, **given}).fetchall()
        except psycopg.Error as error:
            raise sentences.unread(self._address, error) from None

    def _tell(self, connection: Connection) -> None:
        """Wakes those who follow the campaign, in a transaction that waits for no disk."""
        with suppress(psycopg.Error):
            connection.execute(_NOTIFY, self._given)

    def _borrowed(self) -> _Borrowed:
        return _Borrowed(self._server, self._address)

    def _unstored(self, error: psycopg.Error) -> StoreError:
        if isinstance(error, errors.InsufficientPrivilege | errors.NotNullViolation):
            return CannotWrite(sentences.only_to_read(self._address, self._server.account))
        if isinstance(error, errors.LockNotAvailable):
            return CannotWrite(sentences.held(self._address, None))
        return sentences.not_stored(self._address, error)


class _Borrowed:
    """Context manager: lends a connection that works; StoreError if the server cannot be reached."""

    def __init__(self, server: Server, address: ServerAddress) -> None:
        self._server = server
        self._address = address
        self._connection: Connection | None = None

    def __enter__(self) -> Connection:
        try:
            connection = self._server.take()
            if not _answers(connection):
                self._server.give_back(connection)
                self._server.drop_idle()
                connection = self._server.take()
        except psycopg.Error as error:
            raise StoreError(f"{sentences.not_reached(self._address, error)}.") from None
        self._connection = connection
        return connection

    def __exit__(self, *reason: object) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            if connection.info.transaction_status != pq.TransactionStatus.IDLE:
                connection.close()
            self._server.give_back(connection)


def _answers(connection: Connection) -> bool:
    """True unless the connection, which may have been idle for long, turns out to be broken."""
    try:
        connection.execute("SELECT")
    except psycopg.Error:
        connection.close()
        return False
    return True


class Directory:
    """Counts the campaigns of a server visible to the account, and says whether the server answers."""

    def __init__(self, address: ServerAddress) -> None:
        self._address = address._replace(campaign="")
        self._server = _server_of(self._address)
        self._own: Connection | None = None
        """The connection of `is_answering`, so that it waits for no other."""

    def close(self) -> None:
        """Closes the connection of `is_answering`."""
        if self._own is not None:
            self._own.close()

    def campaigns(self) -> int:
        """Returns how many campaigns there are; StoreError if the server cannot be asked."""
        with _Borrowed(self._server, self._address) as connection:
            try:
                ((many,),) = connection.execute("SELECT count(*) FROM retold.campaign").fetchall()
            except psycopg.Error as error:
                raise sentences.unread(self._address, error) from None
        return int(many)

    def is_answering(self) -> bool:
        """True if the server answers now; for one thread at a time."""
        if self._own is not None and _answers(self._own):
            return True
        try:
            self._own = self._server.connect()
        except (psycopg.Error, StoreError):  # perhaps the service file cannot be read just now
            self._own = None
        return self._own is not None


_SERVERS: dict[str, Server] = {}
_SERVERS_LOCK = threading.Lock()


def _server_of(address: ServerAddress) -> Server:
    """Returns the connections of this process for attachments on a server; they are kept to its end."""
    with _SERVERS_LOCK:
        known = _SERVERS.get(address.server)
        if known is None or known.process != os.getpid():  # a connection does not survive a fork
            known = _SERVERS[address.server] = Server(address)
            known.enter()
            atexit.register(known.leave)
        return known


def attachments(address: ServerAddress, sort: str) -> ServerAttachments:
    """Returns attachments of one kind for the campaign at `address`."""
    return ServerAttachments(_server_of(address), address.campaign, sort)


_CAMPAIGN: Final = "(SELECT id FROM retold.campaign WHERE name = %(name)s)"
_WHERE: Final = f"campaign = {_CAMPAIGN} AND sort = %(sort)s"
_EVERY: Final = f"SELECT key, value FROM retold.beside WHERE {_WHERE}"  # noqa: S608 -- our own words, as below
_GET: Final = f"SELECT value FROM retold.beside WHERE {_WHERE} AND key = %(key)s"  # noqa: S608
_STAMP: Final = f"""
SELECT value FROM retold.beside
WHERE campaign = {_CAMPAIGN} AND sort = '{schema.STAMPS}' AND key = %(sort)s
"""  # noqa: S608
_RAISE: Final = f"""
INSERT INTO retold.beside (campaign, sort, key, value)
VALUES ({_CAMPAIGN}, '{schema.STAMPS}', %(sort)s, '1')
ON CONFLICT (campaign, sort, key) DO UPDATE SET value = (beside.value::bigint + 1)::text
"""  # noqa: S608
_KEEP: Final = f"""
WITH raised AS ({_RAISE})
INSERT INTO retold.beside (campaign, sort, key, value)
VALUES ({_CAMPAIGN}, %(sort)s, %(key)s, %(value)s)
ON CONFLICT (campaign, sort, key) DO UPDATE SET value = excluded.value
"""  # noqa: S608
_DROP: Final = f"WITH raised AS ({_RAISE}) DELETE FROM retold.beside WHERE {_WHERE} AND key = %(key)s"  # noqa: S608
_LOCK: Final = f"""
INSERT INTO retold.beside (campaign, sort, key, value)
VALUES ({_CAMPAIGN}, '{schema.STAMPS}', %(sort)s, '1')
ON CONFLICT (campaign, sort, key) DO UPDATE SET value = beside.value
"""  # noqa: S608
_BEGIN: Final = f"BEGIN; SET LOCAL idle_in_transaction_session_timeout = '{ALONE_SECONDS}s'"
_NOTIFY: Final = (
    "SELECT set_config('synchronous_commit', 'off', true),"
    f" pg_notify('{schema.CHANNEL}', ({_CAMPAIGN})::text)"
)
