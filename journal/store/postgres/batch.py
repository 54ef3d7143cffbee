"""A batch: prepared statements sent to a server together, so that their answers take one exchange."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg import errors, generators, pq

if TYPE_CHECKING:
    from psycopg.abc import PQGen
    from psycopg.pq.abc import PGresult

Connection = psycopg.Connection[tuple[Any, ...]]

INTEGER: Final = 23
BIGINT: Final = 20
TEXT: Final = 25
BYTES: Final = 17
"""PostgreSQL's numbers of its types."""

ARRAY_OF: Final = {INTEGER: 1007, BIGINT: 1016, TEXT: 1009, BYTES: 1001}
"""The number of an array's type, by that of its elements."""


class Statement(NamedTuple):
    """A statement that each connection prepares once: its name there, its text, its parameters' types."""

    name: str
    sql: str
    types: tuple[int, ...] = ()


class Call(NamedTuple):
    """A statement with its parameters, as PostgreSQL's binary format has them."""

    statement: Statement
    given: tuple[bytes, ...] = ()


@dataclass(slots=True)
class _State:
    """State of a connection: its prepared statements, and its statements without a read answer."""

    prepared: set[str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)
    """What was sent and its answer not read: the name of a statement that is prepared, or empty."""


_STATES: Final = WeakKeyDictionary[Connection, _State]()


def run(connection: Connection, calls: Sequence[Call], then: Sequence[Call] = ()) -> list[PGresult]:
    """Sends statements together, and returns the result of each, in binary format.

    The statements of `then` are sent at once too, as a transaction of their own without waiting for the
    answer: `finish` reads it, and must be called before the connection is used again. Raises the
    psycopg.Error of the first call that fails; the connection can be used again then.
    """
    state = _STATES.setdefault(connection, _State())
    pgconn = connection.pgconn
    pgconn.enter_pipeline_mode()
    sent = _send(connection, state, calls)
    if then:
        state.unread = _send(connection, state, then, known=sent)
    found = connection.wait(_answers(connection))
    is_whole = len(found) == len(sent) and all(map(_is_done, found))
    state.prepared.update(
        name for name, result in zip(sent, found, strict=False) if name and _is_done(result)
    )
    if not is_whole or not then:
        with suppress(psycopg.Error):
            finish(connection)
    if not is_whole:
        failed = next((result for result in found if not _is_done(result)), None)
        raise (
            psycopg.OperationalError("the connection is lost")
            if failed is None
            else errors.error_from_result(failed)
        )
    return [result for name, result in zip(sent, found, strict=True) if not name]


def send(connection: Connection, calls: Sequence[Call]) -> None:
    """Sends statements as a transaction without waiting for the answer; `finish` reads it.

    Raises psycopg.Error if they cannot be sent.
    """
    state = _STATES.setdefault(connection, _State())
    connection.pgconn.enter_pipeline_mode()
    state.unread = _send(connection, state, calls)
    connection.wait(generators.send(connection.pgconn))


def finish(connection: Connection) -> None:
    """Reads the answer left by `send` or `run`, if any; psycopg.Error if it does not come."""
    state = _STATES.get(connection)
    if state is None or connection.pgconn.pipeline_status == pq.PipelineStatus.OFF:
        return
    unread, state.unread = state.unread, []
    if unread:
        found = connection.wait(_answers(connection))
        state.prepared.update(
            name for name, result in zip(unread, found, strict=False) if name and _is_done(result)
        )
    connection.pgconn.exit_pipeline_mode()


def _send(
    connection: Connection, state: _State, calls: Sequence[Call], known: Sequence[str] = ()
) -> list[str]:
    pgconn, sent = connection.pgconn, list[str]()
    for (name, sql, types), given in calls:
        if name not in state.prepared and name not in known and name not in sent:
            pgconn.send_prepare(name.encode(), sql.encode(), types)
            sent.append(name)
        pgconn.send_query_prepared(name.encode(), given, [pq.Format.BINARY] * len(given), pq.Format.BINARY)
        sent.append("")
    pgconn.pipeline_sync()
    return sent


def _answers(connection: Connection) -> PQGen[list[PGresult]]:
    """Sends pending bytes, and returns the results up to the end of the transaction."""
    yield from generators.send(connection.pgconn)
    found: list[PGresult] = []
    while True:
        try:
            results = yield from generators.fetch_many(connection.pgconn)
        except psycopg.Error:
            if all(map(_is_done, found)):
                raise
            return found  # the server said why, and closed the connection
        if not results or results[-1].status == pq.ExecStatus.PIPELINE_SYNC:
            return found  # without a result the connection is lost
        found += results


def _is_done(result: PGresult) -> bool:
    return result.status in _DONE


def roll_back(connection: Connection) -> None:
    """Rolls the transaction back; psycopg.Error if that fails.

    Not by psycopg's `execute`: after a rollback that makes the server forget all prepared statements.
    """
    run(connection, [ROLLBACK])


ROLLBACK: Final = Call(Statement("retold_rollback", "ROLLBACK"))

_DONE: Final = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)


def array(of: int, elements: Iterable[bytes | None]) -> bytes:
    """Returns an array of elements of type `of`, in PostgreSQL's binary format."""
    packed = [_NULL if element is None else _LENGTH.pack(len(element)) + element for element in elements]
    return b"".join((_ARRAY.pack(1, 1, of, len(packed), 1), *packed))


_ARRAY: Final = struct.Struct("!iiiii")
"""Dimensions, whether there are nulls, the type of the elements, their number, and that of the first."""
_LENGTH: Final = struct.Struct("!i")
_NULL: Final = _LENGTH.pack(-1)

integer: Final = struct.Struct("!i").pack
bigint: Final = struct.Struct("!q").pack
"""Pack a number in PostgreSQL's binary format."""


def number(value: bytes | None) -> int:
    """Returns the integer in a result's binary field."""
    return int.from_bytes(value or b"", signed=True)
