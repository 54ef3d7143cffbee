"""Queries about one campaign on a server, repeated over a new connection if one breaks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import pq

from retold.journal.store.postgres import batch, sentences
from retold.journal.store.postgres.batch import Call, Connection
from retold.journal.store.postgres.server import Server
from retold.journal.store.postgres.server_address import ServerAddress
from retold.journal.store.postgres.statements import BEGIN_READING

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult


class Asker:
    """Runs queries about the campaign at an address, and reconnects where needed."""

    def __init__(self, server: Server, address: ServerAddress) -> None:
        self._server = server
        self._address = address

    @contextmanager
    def reading(self, *calls: Call) -> Iterator[tuple[Connection, list[PGresult]]]:
        """Context manager: a connection inside a transaction that only reads, and the results of `calls`.

        Raises StoreError if they fail.
        """
        try:
            connection, found = self.begun(*BEGIN_READING, *calls)
        except psycopg.Error as error:
            raise sentences.unread(self._address, error) from None
        try:
            yield connection, found[len(BEGIN_READING) :]
        finally:
            is_ending = False
            if is_in_transaction(connection):
                with suppress(psycopg.Error):  # a read-only transaction may fail to end
                    batch.send(connection, [batch.ROLLBACK])
                    is_ending = True
            self._server.give_back(connection, is_answering=is_ending)

    def begun(self, *calls: Call) -> tuple[Connection, list[PGresult]]:
        """Takes a connection and runs `calls` there; returns it, and their results.

        An idle connection may have broken since it was used last: then another one is taken, for nothing was
        done yet. Raises Unreached if the server does not come back; psycopg's errors pass otherwise.
        """
        while True:
            connection = self._take()
            try:
                return connection, batch.run(connection, calls)
            except psycopg.OperationalError:
                broken = connection.broken or connection.closed
                self.discard(connection)
                if not broken:
                    raise
                self._server.drop_idle()
                self._wait_for_server()
            except BaseException:
                self.discard(connection)
                raise

    def _take(self) -> Connection:
        try:
            return self._server.take()
        except psycopg.Error as error:
            raise sentences.unread(self._address, error) from None

    def discard(self, connection: Connection) -> None:
        """Closes a borrowed connection, and gives it back."""
        connection.close()
        self._server.give_back(connection)

    def _wait_for_server(self) -> None:
        """Waits until a server that broke a connection answers again; Unreached if it does not."""
        try:
            connection = self._server.connect_again()
        except psycopg.Error as error:
            raise sentences.unread(self._address, error) from None
        connection.close()

    def ask(self, sql: str, given: Any = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 -- psycopg's parameters
        """Returns the rows of a query, asked again if the connection broke; StoreError if that fails."""
        while True:
            connection = self._take()
            try:
                return connection.execute(sql, given, binary=True).fetchall()
            except psycopg.Error as error:
                if not (connection.broken or connection.closed):
                    raise sentences.unread(self._address, error) from None
                self._server.drop_idle()
                self._wait_for_server()
            finally:
                self._server.give_back(connection)


def is_in_transaction(connection: Connection) -> bool:
    """True if a transaction has begun on a connection, and has not ended."""
    return connection.info.transaction_status in _IN_TRANSACTION


_IN_TRANSACTION: Final = (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)
