"""SQL statements that create the tables of a campaign file, and settings for each connection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from retold.journal.store.contract.event_store import SIGNPOSTS

APPLICATION_ID: Final = 0x5265_746C  # "Retl"

IS_SIGNPOST: Final = f"kind IN ({', '.join(repr(kind) for kind in SIGNPOSTS)})"

INDEX: Final = f"CREATE INDEX signpost ON event (kind, line, position) WHERE {IS_SIGNPOST}"
"""Updated row by row it costs as much as the rows: for bulk inserts it is created afterwards."""

DDL: Final = (
    """
    CREATE TABLE event (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      line INTEGER NOT NULL CHECK (line >= 1),
      position INTEGER NOT NULL CHECK (position >= 1),
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      words TEXT,
      hash BLOB NOT NULL CHECK (length(hash) = 32),
      UNIQUE (line, position)
    )
    """,
    INDEX,
    """
    CREATE TRIGGER event_stays BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END
    """,
    """
    CREATE TRIGGER event_is_final BEFORE UPDATE ON event
    WHEN NEW.seq IS NOT OLD.seq OR NEW.line IS NOT OLD.line OR NEW.position IS NOT OLD.position
      OR NEW.kind IS NOT OLD.kind OR NEW.body IS NOT OLD.body OR NEW.hash IS NOT OLD.hash
      OR (NEW.words IS NOT NULL AND (OLD.words IS NULL
        OR json_array_length(NEW.words) IS NOT json_array_length(OLD.words)
        OR EXISTS (SELECT 1 FROM json_each(NEW.words) AS new JOIN json_each(OLD.words) AS old USING (key)
                   WHERE new.type <> 'null' AND new.value IS NOT old.value)))
    BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END
    """,
)
"""The triggers let rows change in one way only: a redaction sets words to NULL, all or some."""


SEQUENCE: Final = "CREATE TABLE sqlite_sequence(name,seq)"
"""SQLite's own table, which counts the events ever recorded."""


def plain(sql: str) -> str:
    """Returns an SQL statement on one text line with single spaces, for comparison."""
    return " ".join(sql.split())


_OWN_STATEMENTS: Final = {plain(statement) for statement in DDL}


def strangers(found: Iterable[tuple[str, str, str | None]], *, read_only: bool) -> list[str]:
    """Returns the foreign schema entries that could run another program's code, such as `the view x`.

    `found` holds (type, name, SQL) of the file's entries. Foreign views count, triggers if the file is to be
    written, and any entry named `event` that is not Retold's table.
    """
    runs = ("view",) if read_only else ("view", "trigger")
    return [
        f"the {type_} {name}"
        for type_, name, sql in found
        if sql is not None and plain(sql) not in _OWN_STATEMENTS and (type_ in runs or name == "event")
    ]


CONNECTION: Final = (
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA cache_size = -16384",
    "PRAGMA wal_autocheckpoint = 4000",
)
"""`synchronous = FULL`: acknowledged events have reached the disk (`docs/record.md`, The file).

On macOS that takes both `fullfsync` as well; other systems ignore them.
"""
