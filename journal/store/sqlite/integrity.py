"""Checks of a campaign file's database (SQLite's own, and by Retold's schema), and repair of a copy."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.sqlite import schema
from retold.journal.store.sqlite.connection import in_memory, reason


def format_faults(connection: sqlite3.Connection) -> list[str]:
    """Returns a sentence for each difference from a file Retold makes: ids, schema, number of events."""
    found = []
    if connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
        found.append("The file does not bear the mark of Retold (application_id).")
    if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
        found.append(f"The file is not of format {FORMAT} (user_version).")
    found += schema_faults(connection)
    counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    rows, last = connection.execute("SELECT count(*), coalesce(max(seq), 0) FROM event").fetchone()
    ever = counted[0] if counted else 0
    if not rows == last == ever:
        found.append(f"{ever} events were recorded and {rows} are here.")
    return found


def schema_faults(connection: sqlite3.Connection) -> list[str]:
    """Returns a sentence for each statement of Retold's schema that is missing, and each foreign one."""
    ours = {schema.plain(statement) for statement in schema.DDL}
    made = {schema.plain(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql}
    made.discard(schema.SEQUENCE)
    return [f"It lacks {statement[:60]}…" for statement in sorted(ours - made)] + [
        f"It has something that is not ours: {statement[:60]}…" for statement in sorted(made - ours)
    ]


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """Returns SQLite's messages on the faults its integrity check finds, up to 20; empty for a sound file."""
    try:
        found = [line for (line,) in connection.execute("PRAGMA integrity_check(20)")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return [reason(error)]
    return [] if found == ["ok"] else found


MOST_DAMAGED_BYTES: Final = 4
"""The most wrong bytes of a damaged statement: with more it counts as foreign."""


class _Object(NamedTuple):
    """An entry of SQLite's list of tables, indexes and triggers, as stored in the file."""

    type: bytes
    name: bytes
    table: bytes
    sql: bytes | None


def open_mended(path: Path) -> tuple[sqlite3.Connection, tuple[str, ...]] | None:
    """Returns a repaired copy in memory of a file whose schema is damaged, and a sentence for each fault.

    For a file that SQLite refuses to open. Returns None if it is not a campaign, if its schema has foreign
    entries, or if its events remain unreadable.
    """
    connection: sqlite3.Connection | None = None
    try:
        connection = in_memory(path)
        # Otherwise SQLite reads nothing from a file whose schema it cannot parse.
        connection.execute("PRAGMA writable_schema = ON")
        found = _repair_schema(connection) if _is_ours(connection) else None
        if found is not None:
            connection.execute("PRAGMA writable_schema = RESET")
            connection.execute("PRAGMA trusted_schema = OFF")
            with suppress(sqlite3.Error):  # without the index some queries are slower or fail
                connection.execute(schema.INDEX)
            connection.execute("SELECT seq FROM event LIMIT 1").fetchone()
            if not schema.strangers(connection.execute(_LISTED), read_only=False):
                connection.execute("PRAGMA query_only = ON")
                return connection, found or (_INDEX_MISPLACED,)
    except (sqlite3.Error, UnicodeDecodeError, OSError):
        pass
    if connection is not None:
        connection.close()
    return None


_INDEX_MISPLACED: Final = "What it says of where its index lies is not what SQLite wrote there."
_LISTED: Final = "SELECT type, name, sql FROM sqlite_master"


def _is_ours(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == schema.APPLICATION_ID and version <= FORMAT)


def _repair_schema(connection: sqlite3.Connection) -> tuple[str, ...] | None:
    """Restores damaged schema entries; returns a sentence for each, or None if an entry is foreign.

    The index is removed, to be created again: nothing is lost with it.
    """
    connection.text_factory = bytes
    listed = connection.execute("SELECT rowid, type, name, tbl_name, sql FROM sqlite_master").fetchall()
    connection.text_factory = str
    found = []
    for number, *stored in listed:
        meant = _original(_Object(*stored))
        if meant is None:
            return None
        if tuple(stored) != meant:
            name = f"{meant.type.decode()} {meant.name.decode()}"
            found.append(f"What it says of its own {name} is not what was written there.")
        if meant.name == b"signpost":
            connection.execute("DELETE FROM sqlite_master WHERE rowid = ?", (number,))
        else:
            connection.execute(
                "UPDATE sqlite_master SET type = ?, name = ?, tbl_name = ?, sql = ? WHERE rowid = ?",
                (*(None if value is None else value.decode() for value in meant), number),
            )
    return tuple(found)


def _original(stored: _Object) -> _Object | None:
    """Returns the schema entry as Retold writes it, if `stored` has at most MOST_DAMAGED_BYTES wrong bytes.

    Returns None for a foreign entry.
    """
    if stored.sql is None:
        return _Object(b"index", b"sqlite_autoindex_event_1", b"event", None)
    for sql, meant in _OWN_ENTRIES.items():
        if schema.plain(sql.decode()) == schema.plain(stored.sql.decode("utf-8", "replace")):
            return meant._replace(sql=stored.sql)
        if (
            len(sql) == len(stored.sql)
            and sum(a != b for a, b in zip(sql, stored.sql, strict=True)) <= MOST_DAMAGED_BYTES
        ):
            return meant
    return None


def _named(sql: str) -> tuple[bytes, _Object]:
    """Returns a statement as SQLite stores it, and the schema entry it creates."""
    stored = sql.strip().encode()
    _, type_, name, *_ = stored.replace(b"(", b" ").split()
    table = name if type_ == b"TABLE" else b"event"
    return stored, _Object(type_.lower(), name, table, stored)


_OWN_ENTRIES: Final = dict(map(_named, (*schema.DDL, schema.SEQUENCE)))
