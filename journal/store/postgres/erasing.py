"""Takes deleted texts out of the files of the tables on a server, where PostgreSQL leaves them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import closing
from typing import Any, Final

from psycopg import errors, sql

from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.postgres import roles, schema, sentences
from retold.journal.store.postgres.batch import Connection
from retold.journal.store.postgres.server import LimitedConnection, Server
from retold.journal.store.postgres.server_address import ServerAddress

MOST_BYTES: int = 256 * 2**20
"""Larger tables are not rewritten beside a redaction: play on the server stops while that goes on."""

LOCK_TIMEOUT: Final = "2s"
"""How long a rewriting waits for readers of a table; later ones wait behind it."""

ERASED: Final = "erased"
"""The sort, and the key, of the attachment with the number of a campaign's events at the last erasure."""


def erase(server: Server, address: ServerAddress, most: float | None = None) -> None:
    """Rewrites the tables that have texts, of all campaigns, without what was deleted from them.

    A vacuum alone makes their room free and leaves the bytes in it. Raises CannotWrite, with the reason, if
    the account may not, if deleted rows are still being read, or if the tables are larger than `most` bytes
    (by default `MOST_BYTES`); psycopg.Error if the server says something else.
    """
    with closing(server.connect()) as connection:
        connection.limit = float("inf")
        _become_owner(connection, address)
        sizes = connection.execute("SELECT id, size FROM retold.campaign").fetchall()
        tables = [f"retold.{table}" for table in schema.TEXTS]
        try:
            for table in tables:
                connection.execute(f"VACUUM {table}".encode())
                if _one(connection, _DEAD, table):
                    raise CannotWrite(sentences.still_read(address))
            if _one(connection, _BYTES, tables) > (MOST_BYTES if most is None else most):
                raise CannotWrite(sentences.too_large(address))
            for table in tables:
                connection.execute(f"VACUUM FULL {table}".encode())
        except errors.LockNotAvailable:
            raise CannotWrite(sentences.still_read(address)) from None
        keep_erased(connection, sizes)


def vacuum(address: ServerAddress) -> None:
    """Does the same whatever the size of the tables; StoreError if the server does not do it."""
    with roles.prepared(address):
        erase(Server(address), address, most=math.inf)


def keep_erased(connection: Connection, sizes: Iterable[tuple[Any, ...]]) -> None:
    """Stores, for each campaign's number, of how many events no deleted text remains in the tables' files."""
    for campaign, size in sizes:
        connection.execute(_KEEP, (campaign, ERASED, ERASED, str(size)))


def unerased(connection: Connection, campaign: int) -> int:
    """Returns how many redactions of a campaign are later than the last erasure.

    0 for an account that may neither write the campaign nor keep the server: it is not told of an erasure.
    """
    keeper = roles.role_name("keeper", connection.info.dbname)
    return int(_one(connection, _UNERASED, campaign, ERASED, campaign, campaign, keeper))


def _become_owner(connection: LimitedConnection, address: ServerAddress) -> None:
    try:
        connection.execute(
            sql.SQL("SET ROLE {}").format(sql.Identifier(roles.role_name("owner", connection.info.dbname)))
        )
    except errors.InsufficientPrivilege:
        raise CannotWrite(sentences.not_the_owner(address)) from None
    connection.execute("SELECT set_config('lock_timeout', %s, false)", (LOCK_TIMEOUT,))


def _one(connection: Connection, query: bytes, *given: object) -> Any:  # noqa: ANN401 -- a count
    ((found,),) = connection.execute(query, given).fetchall()
    return found


_DEAD: Final = b"""
SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_all_tables
WHERE relid IN (SELECT unnest(ARRAY[oid, reltoastrelid]) FROM pg_class WHERE oid = %s::regclass)
"""
"""The deleted rows that the last vacuum had to leave, since a transaction may still read them."""

_BYTES: Final = b"SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) AS name"
_UNERASED: Final = f"""
SELECT count(*) FROM retold.event
WHERE campaign = %s AND {schema.IS_SIGNPOST} AND kind = 'table.redacted' AND seq > coalesce(
  (SELECT value::bigint FROM retold.beside WHERE sort = %s AND campaign = %s), 0)
  AND (retold.may_write(%s) OR pg_has_role(session_user, %s::name, 'MEMBER'))
""".encode()  # noqa: S608 -- our own kinds
_KEEP: Final = """
INSERT INTO retold.beside (campaign, sort, key, value) VALUES (%s, %s, %s, %s)
ON CONFLICT (campaign, sort, key) DO UPDATE SET value = excluded.value
"""
