"""The peers: eventsourcing's own aggregates with the same facts in them, and SQLite with nothing around."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from retold.journal.store.contract.event_store import Row

BARE = """
CREATE TABLE event (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, position INTEGER NOT NULL,
  kind TEXT NOT NULL, body TEXT NOT NULL, words TEXT, hash BLOB NOT NULL, UNIQUE (line, position))
"""
INSERT = "INSERT INTO event (line, position, kind, body, words, hash) VALUES (?, ?, ?, ?, ?, ?)"
SELECT = "SELECT line, position, kind, body, words, hash FROM event WHERE line = 1 ORDER BY position"


class Evening(Aggregate):
    """A record kept as eventsourcing's tutorial keeps one: a method an event, a little state."""

    @event("Begun")
    def __init__(self, name: str) -> None:
        self.name = name
        self.kinds: Counter[str] = Counter()
        self.last: dict[str, Any] = {}

    @event("Happened")
    def happened(self, kind: str, data: dict[str, Any], words: list[Any] | None) -> None:  # noqa: ARG002 -- a fact
        """Something happened."""
        self.kinds[kind] += 1
        self.last[kind] = data


class Evenings(Application[UUID]):
    """Keeps evenings in SQLite."""


def evenings(path: Path) -> Evenings:
    """The default application on a file of its own."""
    return Evenings(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})


def facts(row: Row) -> tuple[str, dict[str, Any], list[Any] | None]:
    """What a row says, as eventsourcing would be given it; the time it adds itself, and seals nothing."""
    body = json.loads(row.body)
    envelope = {key: body.get(key) for key in ("act", "i", "n", "tz", "by", "see", "luck", "cmd")}
    said = {**envelope, **body["data"]}
    words = None if row.words is None else [one[1] for one in json.loads(row.words)]
    return row.kind, {key: value for key, value in said.items() if value is not None}, words


def copied(rows: Iterable[Row], app: Evenings, batch: int = 100) -> tuple[Evenings, UUID]:
    """The same facts as one of eventsourcing's aggregates, kept by `app`."""
    evening = Evening("copied")
    for number, row in enumerate(rows, 1):
        evening.happened(*facts(row))
        if number % batch == 0:
            app.save(evening)
    app.save(evening)
    return app, evening.id


def bare(path: Path) -> sqlite3.Connection:
    """A table like ours with nothing around it, as safe against a power cut."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA wal_autocheckpoint = 4000")
    db.execute(BARE)
    return db


def insert_each(db: sqlite3.Connection, acts: Sequence[Sequence[Row]]) -> None:
    """One transaction for each act, as durable as ours."""
    for rows in acts:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT, rows)
        db.execute("COMMIT")
