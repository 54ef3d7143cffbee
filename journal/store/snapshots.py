"""Tables folded before, kept in a cache file that may be deleted at any time."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import journal
from journal.games import OURS
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


def code_digest() -> bytes:
    """A digest of the code that folds: another release never trusts this one's snapshots."""
    return digest_of(str(Path(journal.__file__).parent))


@lru_cache(maxsize=4)
def digest_of(root: str) -> bytes:
    """A digest of the code in a folder and below, by name, size and time."""
    digest = hashlib.sha256()
    for one in sorted(_sources(root), key=lambda one: one.path):
        stat = one.stat()
        digest.update(f"{one.path.removeprefix(root)}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.digest()


def _sources(folder: str) -> Iterator[os.DirEntry[str]]:
    """Code and phrases below a folder; each start asks, and a `Path` for each takes thrice as long."""
    with os.scandir(folder) as found:
        for one in found:
            if one.name.endswith((".py", ".toml")):
                yield one
            elif one.name != "__pycache__" and one.is_dir():
                yield from _sources(one.path)


_PARTS_OF_A_TABLE = (
    "journal.table",
    "journal.words",
    "journal.decks.",
    "journal.vocabulary.",
    "journal.systems.",
)


class _Sealer(pickle.Pickler):
    """Writes a table in the same way on every Python: some write a member of an Enum as a call of getattr."""

    def reducer_override(self, obj: object) -> Any:  # noqa: ANN401 -- pickle's own signature
        if isinstance(obj, Enum):
            return type(obj), (obj.value,)
        return NotImplemented


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


class _Spoilt(Exception):  # noqa: N818 -- like Refused, it is called what it says
    """A snapshot is not what was kept."""


KEY_BYTES: Final = 32


def new_key() -> bytes:
    """A key that nobody can guess."""
    return secrets.token_bytes(KEY_BYTES)


class Seal(NamedTuple):
    """What a kept table is sealed with: a key, and the moment whose table it is, so that it is no other's."""

    key: bytes
    line: int
    position: int
    hash: bytes
    what: str = ""
    """What else is kept of that moment, by its name; nothing for the table."""

    def of(self, state: bytes) -> bytes:
        """The seal of a table that has been written."""
        made = hashlib.blake2b(key=self.key, digest_size=_SEAL)
        made.update(
            f"{self.line}:{self.position}:{self.hash.hex()}:{code_digest().hex()}{self.what}\n".encode()
        )
        made.update(state)
        return made.digest()


_SEAL: Final = 32
"""Bytes of a seal."""


def _sealed(table: Table, seal: Seal) -> bytes:
    written = io.BytesIO()
    _Sealer(written, pickle.HIGHEST_PROTOCOL).dump(table)
    state = written.getvalue()
    return seal.of(state) + state


def _unsealed(kept: bytes, seal: Seal) -> Table:
    """The table in a sealed state; raises whatever a spoilt one makes pickle raise."""
    state = kept[_SEAL:]
    if seal.of(state) != kept[:_SEAL]:
        raise _Spoilt("its seal is broken")
    table = _Tables(io.BytesIO(state)).load()
    if not isinstance(table, Table):
        raise _Spoilt("it holds no table")
    return table


class Snapshots:
    """The cache of one campaign; no failure of it stops anything, for nothing depends on it.

    Each failure is a sentence for `told`, where somebody wants to hear it.
    """

    def __init__(self, path: Path, told: Callable[[str], object] | None = None, *, key: bytes = b"") -> None:
        self.path = path
        self._told = told
        self._key = key
        """Whoever has it not can keep no table here that is believed; 64 bytes at most."""
        self._db: sqlite3.Connection | None = None

    def elsewhere(self) -> Callable[[], Snapshots]:
        """What opens the same cache, with its key, in another process; its failures are told to nobody."""
        return partial(Snapshots, self.path, key=self._key)

    def _tell(self, sentence: str) -> None:
        if self._told is not None:
            self._told(sentence)

    def database(self) -> sqlite3.Connection:
        """The cache file, open; sqlite3.Error or OSError where it cannot be."""
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(0o600)  # it holds what is for some eyes only
            # Which thread asks is the caller's to say, as of the record.
            db = sqlite3.connect(self.path, isolation_level=None, timeout=1.0, check_same_thread=False)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = OFF")
                db.execute(_DDL)
            except sqlite3.Error:
                db.close()
                raise
            self._db = db
        return self._db

    def seal(self, line: int, position: int, hash_: bytes, what: str) -> Seal:
        """The seal of what else is kept of a moment."""
        return Seal(self._key, line, position, hash_, what)

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Where snapshots of a stored line lie and the hash each was taken at, the latest first."""
        if not self.path.exists() and self._db is None:
            return
        try:
            yield from self.database().execute(
                "SELECT position, hash FROM snapshot WHERE line = ? AND code = ? AND position <= ?"
                " ORDER BY position DESC",
                (line, code_digest(), 2**62 if upto is None else upto),
            )
        except sqlite3.Error as error:
            self._tell(self.unusable(error))

    def load(self, line: int, position: int, hash_: bytes) -> Table | None:
        """The table kept there, of the event with this hash, or None if there is none that can be trusted."""
        try:
            found = (
                self.database()
                .execute(
                    "SELECT state FROM snapshot WHERE line = ? AND position = ? AND code = ?",
                    (line, position, code_digest()),
                )
                .fetchone()
            )
            return None if found is None else _unsealed(found[0], Seal(self._key, line, position, hash_))
        except Exception as error:  # noqa: BLE001 -- whatever a spoilt cache raises, it is not trusted
            self._tell(_refused(line, position, error))
            return None

    def keep(self, line: int, position: int, hash_: bytes, table: Table) -> None:
        """Keeps a table; a disk that will not have it is no matter.

        One with a state of a guest is folded anew each time: nobody here knows when the code of that changes.
        """
        if not table.games().issubset(OURS):
            return
        try:
            self.database().execute(
                "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)",
                (
                    line,
                    position,
                    hash_,
                    code_digest(),
                    _sealed(table, Seal(self._key, line, position, hash_)),
                ),
            )
        except (sqlite3.Error, OSError) as error:
            self._tell(self.unusable(error))
        except (pickle.PickleError, AttributeError, TypeError) as error:
            self._tell(_unfit(error))

    def troubles(self, table: Table) -> Iterator[str]:
        """What keeps snapshots from being used on this computer; `table` is sealed and opened as a trial."""
        try:
            trial = Seal(self._key, 1, table.position, b"")
            if _unsealed(_sealed(table, trial), trial) != table:
                yield _unfit(_Spoilt("it comes back as another"))
        except Exception as error:  # noqa: BLE001 -- any failure is the finding
            yield _unfit(error)
        try:
            rows = self.database().execute(
                "SELECT line, position, hash, state FROM snapshot WHERE code = ? ORDER BY line, position",
                (code_digest(),),
            )
            for line, position, hash_, state in rows:
                yield from _trouble(state, Seal(self._key, line, position, hash_))
        except (sqlite3.Error, OSError) as error:
            yield self.unusable(error)

    def unusable(self, error: Exception) -> str:
        """That this cache file cannot be used, and why, in a sentence."""
        return f"The cache {self.path} cannot be used ({error}); it may be deleted, nothing depends on it."

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


def _trouble(state: bytes, seal: Seal) -> Iterator[str]:
    try:
        _unsealed(state, seal)
    except Exception as error:  # noqa: BLE001 -- any failure is the finding
        yield _refused(seal.line, seal.position, error)


def _refused(line: int, position: int, error: Exception) -> str:
    return f"The snapshot of line {line} at position {position} is not used: {error}."


def _unfit(error: Exception) -> str:
    return f"No snapshot of this table can be used, so it is folded from its beginning each time: {error}."
