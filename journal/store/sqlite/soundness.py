"""Whether a campaign's file is sound: the one Retold makes, and whole as SQLite sees it."""

from __future__ import annotations

import sqlite3

from journal.store.format import FORMAT
from journal.store.sqlite import schema
from journal.store.sqlite.connection import reason


def oddities(connection: sqlite3.Connection) -> list[str]:
    """Where the file is not the one Retold makes: its marks, its tables, its count of all ever stored."""
    found = []
    if connection.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
        found.append("The file does not bear the mark of Retold (application_id).")
    if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
        found.append(f"The file is not of format {FORMAT} (user_version).")
    found += strange_schema(connection)
    counted = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event'").fetchone()
    rows, last = connection.execute("SELECT count(*), coalesce(max(seq), 0) FROM event").fetchone()
    ever = counted[0] if counted else 0
    if not rows == last == ever:
        found.append(f"{ever} events were recorded and {rows} are here.")
    return found


def strange_schema(connection: sqlite3.Connection) -> list[str]:
    """What the file's tables, indexes and triggers have too much or too little."""
    ours = {schema.plain(statement) for statement in schema.DDL}
    made = {schema.plain(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql}
    made.discard(schema.SEQUENCE)
    return [f"It lacks {one[:60]}…" for one in sorted(ours - made)] + [
        f"It has something that is not ours: {one[:60]}…" for one in sorted(made - ours)
    ]


def integrity(connection: sqlite3.Connection) -> list[str]:
    """What SQLite itself finds wrong with the file; empty if nothing."""
    try:
        found = [line for (line,) in connection.execute("PRAGMA integrity_check(20)")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return [reason(error)]
    return [] if found == ["ok"] else found
