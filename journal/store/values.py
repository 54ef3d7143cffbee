"""What else was worked out of a line, kept in the cache of its tables: values, by name."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

import msgspec

from journal.store.snapshots import Seal, Snapshots, code_digest
from journal.table import Table

T = TypeVar("T")

_DDL: Final = """
CREATE TABLE IF NOT EXISTS value (
  name TEXT NOT NULL, line INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,
  code BLOB NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (name, line, position)
) WITHOUT ROWID
"""
_SEAL: Final = len(Seal(b"", 1, 1, b"").of(b""))
_STRETCHES: Final = (1_000, 10_000, 100_000)
_OF_EACH: Final = 3
"""Of so many of the last stretches of each length the latest value is kept: some hold after any change."""


class Values(Generic[T]):
    """The values of one projection in a campaign's cache; no failure of it stops anything."""

    def __init__(self, cache: Snapshots, name: str, sort: type[T], code: bytes) -> None:
        """`sort` says what such a value is, field by field, and `code` by which code it was worked out."""
        self._cache = cache
        self._name = name
        self._decode = msgspec.msgpack.Decoder(sort).decode
        self._code = code_digest() + code

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Where values of a stored line lie and the hash each was kept at, the latest first."""
        if not self._cache.path.exists():
            return
        try:
            yield from (
                self._database()
                .execute(
                    "SELECT position, hash FROM value WHERE name = ? AND line = ? AND code = ?"
                    " AND position <= ? ORDER BY position DESC",
                    (self._name, line, self._code, 2**62 if upto is None else upto),
                )
                .fetchall()
            )
        except (sqlite3.Error, OSError):
            return

    def load(self, line: int, position: int, hash_: bytes) -> T | None:
        """The value kept there, of the event with this hash, or None if there is none that can be trusted."""
        try:
            (kept,) = (
                self._database()
                .execute(
                    "SELECT value FROM value WHERE name = ? AND line = ? AND position = ? AND code = ?",
                    (self._name, line, position, self._code),
                )
                .fetchone()
            )
            seal, value = kept[:_SEAL], kept[_SEAL:]
            sound = seal == self._seal(line, position, hash_).of(value)
            return self._decode(value) if sound else None
        except (sqlite3.Error, OSError, TypeError, ValueError):
            return None

    def keep(self, line: int, position: int, hash_: bytes, value: T) -> None:
        """Keeps a value; a disk that will not have it is no matter."""
        written = msgspec.msgpack.encode(value)
        sealed = self._seal(line, position, hash_).of(written) + written
        try:
            self._database().execute(
                "INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?, ?, ?)",
                (self._name, line, position, hash_, self._code, sealed),
            )
            self._thin_out(line)
        except (sqlite3.Error, OSError):
            return

    def _thin_out(self, line: int) -> None:
        """Deletes what is of other code, and of the older ones all but a few."""
        whose = (self._name, line)
        found = self._database().execute(
            "SELECT position FROM value WHERE name = ? AND line = ? AND code = ? ORDER BY position",
            (*whose, self._code),
        )
        positions = [position for (position,) in found]
        stay = set()
        for length in _STRETCHES:
            latest = {position // length: position for position in positions}
            stay.update(list(latest.values())[-_OF_EACH:])
        marks = ", ".join("?" * len(stay))
        self._database().execute(
            f"DELETE FROM value WHERE name = ? AND line = ? AND (code <> ? OR position NOT IN ({marks}))",  # noqa: S608 -- only marks
            (*whose, self._code, *stay),
        )

    def _seal(self, line: int, position: int, hash_: bytes) -> Seal:
        return self._cache.seal(line, position, hash_, _what(self._name, self._code))

    def _database(self) -> sqlite3.Connection:
        return _database(self._cache)


def troubles(cache: Snapshots, table: Table) -> tuple[str, ...]:
    """What in a cache is not used and should be, each in a sentence: its tables, and the values beside them.

    `table` is kept as a trial. What other code worked out is no trouble: it is made anew.
    """
    return tuple(dict.fromkeys((*cache.troubles(table), *_spoilt(cache))))


def spoilt(cache: Snapshots) -> tuple[str, ...]:
    """What in a cache is not used and should be, and is made anew where the cache is thrown away."""
    return tuple(dict.fromkeys((*cache.spoilt(), *_spoilt(cache))))


def _spoilt(cache: Snapshots) -> Iterator[str]:
    try:
        for name, line, position, hash_, code, kept in _database(cache).execute(
            "SELECT name, line, position, hash, code, value FROM value ORDER BY name, line, position"
        ):
            ours = code.startswith(code_digest())
            if ours and cache.seal(line, position, hash_, _what(name, code)).of(kept[_SEAL:]) != kept[:_SEAL]:
                yield (
                    f"What is kept of line {line} at position {position} as {name} is not used:"
                    " its seal is broken."
                )
    except (sqlite3.Error, OSError, TypeError, ValueError, AttributeError) as error:
        yield cache.unusable(error)


def _what(name: str, code: bytes) -> str:
    return f" {name} {code.hex()}"


def _database(cache: Snapshots) -> sqlite3.Connection:
    db = cache.database()
    db.execute(_DDL)
    return db
