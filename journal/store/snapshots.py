"""Tables folded before, kept in a cache file that may be deleted at any time."""

from __future__ import annotations

import hashlib
import io
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import journal
from journal.table import Table

_DDL = """
CREATE TABLE IF NOT EXISTS snapshot (
  line INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL, code BLOB NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (line, position)
) WITHOUT ROWID
"""
EVERY = 1000
"""A snapshot is kept each time this many events have been folded."""
KEPT_AT_THE_HEAD = 200
"""Where a line is opened and this many events lie beyond the last snapshot, its head is kept too."""


@lru_cache(maxsize=1)
def code_digest() -> bytes:
    """A digest of the code that folds: another release never trusts this one's snapshots."""
    digest = hashlib.sha256()
    root = Path(journal.__file__).parent
    for path in sorted(root.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path.relative_to(root)}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.digest()


_PARTS_OF_A_TABLE = (
    "journal.table",
    "journal.words",
    "journal.decks.",
    "journal.vocabulary.",
    "journal.systems.",
)


class _Tables(pickle.Unpickler):
    """Opens nothing but what a table is made of, so that a strange cache file cannot run code."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 -- pickle's own signature
        if module.startswith(_PARTS_OF_A_TABLE) and "." not in name:
            found = super().find_class(module, name)
            if getattr(found, "__module__", None) == module:
                return found
        if (module, name) in {("builtins", "set"), ("builtins", "frozenset")}:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a table")


def _sealed(table: Table) -> bytes:
    state = pickle.dumps(table, pickle.HIGHEST_PROTOCOL)
    return hashlib.sha256(state).digest() + state


def _unsealed(kept: bytes) -> object:
    """The table in a sealed state; None if a bit of it has changed."""
    size = hashlib.sha256().digest_size
    if hashlib.sha256(kept[size:]).digest() != kept[:size]:
        return None
    return _Tables(io.BytesIO(kept[size:])).load()


class Snapshots:
    """The cache of one campaign; every failure of it is silent, for nothing depends on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")
            self._db.execute(_DDL)
        return self._db

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Where snapshots of a stored line lie and the hash each was taken at, the latest first."""
        if not self.path.exists() and self._db is None:
            return
        with suppress(sqlite3.Error):
            yield from self._open().execute(
                "SELECT position, hash FROM snapshot WHERE line = ? AND code = ? AND position <= ?"
                " ORDER BY position DESC",
                (line, code_digest(), 2**62 if upto is None else upto),
            )

    def load(self, line: int, position: int) -> Table | None:
        """The table kept there, or None if there is none that can be trusted."""
        try:
            found = (
                self._open()
                .execute(
                    "SELECT state FROM snapshot WHERE line = ? AND position = ? AND code = ?",
                    (line, position, code_digest()),
                )
                .fetchone()
            )
            table = None if found is None else _unsealed(found[0])
        except Exception:  # noqa: BLE001 -- whatever a spoilt cache raises, it is not trusted
            return None
        return table if isinstance(table, Table) else None

    def keep(self, line: int, position: int, hash_: bytes, table: Table) -> None:
        """Keeps a table; a disk that will not have it is no matter."""
        with suppress(sqlite3.Error, OSError, pickle.PickleError, AttributeError):
            self._open().execute(
                "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)",
                (line, position, hash_, code_digest(), _sealed(table)),
            )

    def drop(self) -> None:
        """Throws everything away; OSError where a file cannot be deleted."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def close(self) -> None:
        """Lets go of the cache file."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
