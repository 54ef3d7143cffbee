"""Snapshots (table states stored at some positions), in a cache file that may be deleted at any time."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import secrets
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from enum import Enum
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from retold import journal
from retold.journal.copying import copied
from retold.journal.games import BUILT_IN, FOLDER
from retold.journal.games import guest as guest_called
from retold.journal.store.contract.event_store import Head
from retold.journal.store.events import line_events
from retold.journal.store.events.amendments import Amendments
from retold.journal.store.events.record import Record
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table

_DDL = """
CREATE TABLE IF NOT EXISTS snapshot (
  line INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL, code BLOB NOT NULL,
  state BLOB NOT NULL,
  PRIMARY KEY (line, position)
) WITHOUT ROWID
"""
EVERY = 1000
"""Number of folded events between two snapshots."""
KEPT_AT_THE_HEAD = 200
"""If opening a line folds more than this many events, its head is stored as well."""


def code_digest() -> bytes:
    """Returns a digest of the code of the record and of our games; other snapshots are never used."""
    folders = Path(journal.__file__).parent, FOLDER
    return hashlib.sha256(b"".join(digest_of(str(folder)) for folder in folders)).digest()


@lru_cache(maxsize=16)
def digest_of(root: str) -> bytes:
    """Returns a SHA-256 digest of the sources below a folder: their names, sizes and times."""
    digest = hashlib.sha256()
    for entry in sorted(_sources(root), key=lambda entry: entry.path):
        stat = entry.stat()
        digest.update(f"{entry.path.removeprefix(root)}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.digest()


_SOURCES: Final = (".py", ".toml", ".j2", ".css", ".js")


def _sources(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yields the sources below a folder; three times faster than with `Path`."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(_SOURCES):
                yield entry
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)


def code_of(games: Collection[str]) -> bytes | None:
    """Returns a digest of the code that computes a table state of these games, with the names of guests.

    A guest is a game installed separately; its code is its package and its release. Returns None if a guest
    is not installed.
    """
    names = sorted(name for name in games if name not in BUILT_IN)
    if not names:
        return code_digest()
    digest = hashlib.sha256()
    for name in names:
        guest = guest_called(name) if name in SYSTEMS else None
        if guest is None:
            return None
        digest.update(f"{name}\0{guest.distribution}\0".encode() + digest_of(_folder(guest.package)))
    return code_digest() + digest.digest() + ",".join(names).encode()


def _folder(package: str) -> str:
    """Returns the folder of an imported package."""
    return str(Path(sys.modules[package].__file__ or "").parent)


def _guests_in(code: bytes) -> list[str] | None:
    """Returns the names of the guest games in a digest made by `code_of`; None if any code differs by now."""
    base = code_digest()
    if code == base:
        return []
    names = code[len(base) + hashlib.sha256().digest_size :].decode(errors="replace").split(",")
    return names if code.startswith(base) and code_of(names) == code else None


_PARTS_OF_A_TABLE = (
    "retold.journal.table",
    "retold.journal.vocabulary.base",
    "retold.journal.decks.",
    "retold.journal.vocabulary.",
    "retold.games.",
)


class _TablePickler(pickle.Pickler):
    """Pickler with the same output on every Python version: some pickle an Enum member through getattr."""

    def reducer_override(self, obj: object) -> Any:  # noqa: ANN401 -- pickle's own signature
        if isinstance(obj, Enum):
            return type(obj), (obj.value,)
        return NotImplemented


class _TableUnpickler(pickle.Unpickler):
    """Unpickler that loads only the classes of a table state, so that a forged cache file cannot run code.

    Classes of the `guests` (games installed separately) are allowed, and nothing of any other package.
    """

    def __init__(self, state: BinaryIO, guests: Collection[str] = ()) -> None:
        super().__init__(state)
        known = (guest_called(name) for name in guests if name in SYSTEMS)
        self._packages = {guest.package for guest in known if guest is not None}

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 -- pickle's own signature
        theirs = any(module == package or module.startswith(f"{package}.") for package in self._packages)
        if (theirs or module.startswith(_PARTS_OF_A_TABLE)) and "." not in name:
            found = super().find_class(module, name)
            if getattr(found, "__module__", None) == module and (isinstance(found, type) or not theirs):
                return found
        if (module, name) in {("builtins", "set"), ("builtins", "frozenset")}:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a table")


class _Broken(Exception):  # noqa: N818 -- like Refused, it is called what it says
    """Raised for a snapshot that is broken or forged."""


KEY_BYTES: Final = 32


def new_key() -> bytes:
    """Returns a new random key (32 bytes) for sealing snapshots against forgery."""
    return secrets.token_bytes(KEY_BYTES)


class Seal(NamedTuple):
    """Computes the keyed digest that proves a cached state genuine.

    Besides the state, the digest covers branch, position and hash of its event, and the code that wrote it.
    """

    key: bytes
    line: int
    position: int
    hash: bytes
    what: str = ""
    """The name of a cached projection value; empty for a table."""
    code: bytes = b""
    """The code digest if guests are in play; empty for Retold's own code."""

    def of(self, state: bytes) -> bytes:
        """Returns the keyed digest (BLAKE2b, 32 bytes) of the bytes of a cached state."""
        made = hashlib.blake2b(key=self.key, digest_size=_SEAL)
        made.update(
            f"{self.line}:{self.position}:{self.hash.hex()}:{code_digest().hex()}{self.what}\n".encode()
        )
        made.update(self.code)
        made.update(state)
        return made.digest()


_SEAL: Final = 32
"""Bytes of a seal."""


def _sealed(table: Table, seal: Seal) -> bytes:
    written = io.BytesIO()
    _TablePickler(written, pickle.HIGHEST_PROTOCOL).dump(table)
    state = written.getvalue()
    return seal.of(state) + state


def _unsealed(kept: bytes, seal: Seal, guests: Collection[str] = ()) -> Table:
    """Returns the table state in `kept`, a digest followed by the pickled state.

    Raises _Broken or any pickle error if it is broken.
    """
    state = kept[_SEAL:]
    if seal.of(state) != kept[:_SEAL]:
        raise _Broken("its seal is broken")
    table = _TableUnpickler(io.BytesIO(state), guests).load()
    if not isinstance(table, Table):
        raise _Broken("it holds no table")
    return table


class Snapshots:
    """The snapshot cache of one campaign.

    Its failures stop nothing, as a table state can be computed without it.

    Each failure is reported to `told` as a sentence, if given.
    """

    def __init__(self, path: Path, told: Callable[[str], object] | None = None, *, key: bytes = b"") -> None:
        self.path = path
        self._report = told
        self._key = key
        """The sealing key, at most 64 bytes: snapshots sealed without it are rejected."""
        self._db: sqlite3.Connection | None = None

    def reopener(self) -> Callable[[], Snapshots]:
        """Returns a function, for use in any process, that opens the same cache without failure reports."""
        return partial(Snapshots, self.path, key=self._key)

    def _report_failure(self, sentence: str) -> None:
        if self._report is not None:
            self._report(sentence)

    def database(self) -> sqlite3.Connection:
        """Returns the connection to the cache file, opened or created on first use.

        Raises sqlite3.Error or OSError if that fails.
        """
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(0o600)  # it holds secrets
            # The caller serialises threads, as for the record.
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
        """Returns the seal for a projection's result at the event with that position and hash.

        `what` names the projection.
        """
        return Seal(self._key, line, position, hash_, what)

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yields (position, hash) of events on `line` with a usable snapshot up to `upto`, latest first."""
        if not self.path.exists() and self._db is None:
            return
        try:
            rows = self.database().execute(
                "SELECT position, hash, code FROM snapshot WHERE line = ? AND position <= ?"
                " ORDER BY position DESC",
                (line, 2**62 if upto is None else upto),
            )
            yield from ((position, hash_) for position, hash_, code in rows if _guests_in(code) is not None)
        except sqlite3.Error as error:
            self._report_failure(self.unusable(error))

    def load(self, line: int, position: int, hash_: bytes) -> Table | None:
        """Returns the table state stored for the event at `position` with that hash.

        Returns None if it is missing or broken; a broken one is reported.
        """
        try:
            found = (
                self.database()
                .execute(
                    "SELECT state, code FROM snapshot WHERE line = ? AND position = ?",
                    (line, position),
                )
                .fetchone()
            )
            guests = None if found is None else _guests_in(found[1])
            return (
                None
                if guests is None
                else _unsealed(found[0], self._seal_of(line, position, hash_, found[1]), guests)
            )
        except Exception as error:  # noqa: BLE001 -- whatever a spoilt cache raises, it is not trusted
            self._report_failure(_refused(line, position, error))
            return None

    def keep(self, line: int, position: int, hash_: bytes, table: Table) -> None:
        """Stores the table state after the event at `position` with that hash.

        States of a guest game that is not installed, not understood, or cannot be loaded again, are not
        stored. Failures are reported and otherwise ignored.
        """
        code = code_of(table.games())
        if code is None or table.faults:
            return
        if code != code_digest() and (unfit := self.unfit(table)) is not None:
            self._report_failure(unfit)
            return
        try:
            self.database().execute(
                "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)",
                (
                    line,
                    position,
                    hash_,
                    code,
                    _sealed(table, self._seal_of(line, position, hash_, code)),
                ),
            )
        except (sqlite3.Error, OSError) as error:
            self._report_failure(self.unusable(error))
        except (pickle.PickleError, AttributeError, TypeError) as error:
            self._report_failure(_unfit(error))

    def _seal_of(self, line: int, position: int, hash_: bytes, code: bytes) -> Seal:
        return Seal(self._key, line, position, hash_, code=b"" if code == code_digest() else code)

    def unfit(self, table: Table) -> str | None:
        """Stores and loads `table` as a trial; returns a sentence if it comes back different, else None."""
        try:
            trial = Seal(self._key, 1, table.position, b"")
            again = _unsealed(_sealed(table, trial), trial, table.games().difference(BUILT_IN))
            return None if again == table else _unfit(_Broken("it comes back as another"))
        except Exception as error:  # noqa: BLE001 -- any failure is the finding
            return _unfit(error)

    def troubles(self, table: Table) -> Iterator[str]:
        """Yields a sentence for each broken snapshot, and one if a trial with the state `table` fails."""
        unfit = self.unfit(table)
        if unfit is not None:
            yield unfit
        yield from self.spoilt()

    def spoilt(self) -> Iterator[str]:
        """Yields a sentence for each snapshot of the current code that is broken."""
        try:
            rows = self.database().execute(
                "SELECT line, position, hash, code, state FROM snapshot ORDER BY line, position"
            )
            for line, position, hash_, code, state in rows:
                guests = _guests_in(code)
                if guests is not None:
                    yield from _trouble(state, self._seal_of(line, position, hash_, code), guests)
        except (sqlite3.Error, OSError) as error:
            yield self.unusable(error)

    def unusable(self, error: Exception) -> str:
        """Returns a sentence saying that the cache file is unusable, and why."""
        return f"The cache {self.path} cannot be used ({error}); it may be deleted, nothing depends on it."

    def drop(self) -> None:
        """Deletes the cache file and its write-ahead log; OSError if that fails."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def close(self) -> None:
        """Closes the connection to the cache file, if it is open."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None


def _trouble(state: bytes, seal: Seal, guests: Collection[str]) -> Iterator[str]:
    try:
        _unsealed(state, seal, guests)
    except Exception as error:  # noqa: BLE001 -- any failure is the finding
        yield _refused(seal.line, seal.position, error)


def _refused(line: int, position: int, error: Exception) -> str:
    return f"The snapshot of line {line} at position {position} is not used: {error}."


def _unfit(error: Exception) -> str:
    return f"No snapshot of this table can be used, so it is folded from its beginning each time: {error}."


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Cache(Protocol[T_co]):
    """A cache of values computed at event positions: table states, or the results of a projection."""

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yields (position, hash) of the events on `line` with a cached value up to `upto`, latest first."""

    def load(self, line: int, position: int, hash_: bytes) -> T_co | None:
        """Returns the value cached for the event at `position` with that hash; None if missing or invalid."""


def nearest(
    record: Record,
    line: int,
    upto: int | None,
    holds: Callable[[int], bool],
    cache: Cache[T],
    *,
    beyond: int = 0,
) -> tuple[int, T | None]:
    """Returns (position, value) of the latest cached value on branch `line` up to position `upto`.

    Positions for which `holds(position)` is false are skipped. The search ends at position `beyond`; if
    nothing is found, returns `beyond` and None.
    """
    for stored, after, end in reversed(record.stretches(line, 0, upto)):
        for position, hash_ in cache.positions(stored, end):
            if position <= max(after, beyond):
                break
            if not holds(position) or record.stored_hash(stored, position) != hash_:
                continue
            kept = cache.load(stored, position, hash_)
            if kept is not None:
                return position, kept
    return beyond, None


class Tables(Struct, frozen=True):
    """Table states of a record, each computed from the nearest snapshot before it."""

    record: Record
    snapshots: Snapshots | None

    def at(self, line: int, upto: int | None, amendments: Amendments, known: Table | None = None) -> Table:
        """Returns the table state of branch `line` after position `upto` (its last event if None).

        `amendments` are the branch's undos and rewordings to apply. Starts from the nearest valid snapshot,
        or from a copy of `known`, an earlier state, if that is nearer; stores snapshots on the way.
        """
        after, table = self._nearest(line, upto, amendments, 0 if known is None else known.position)
        if table is None:
            table = Table() if known is None else copied(known)
        due = after + EVERY
        for live in line_events.live_events(self.record, line, after, upto, amendments):
            if live.position > due:
                self._keep_intermediate(line, table, amendments)
                due = live.position + EVERY
            line_events.apply_event(table, live)
        if upto is None and table.position > after + KEPT_AT_THE_HEAD:
            self._keep_intermediate(line, table, amendments)
        return table

    def keep(self, line: int, head: Head, table: Table) -> None:
        """Stores a snapshot of `table`, the state at `head` of branch `line`."""
        home = self.record.home(line, head.position)
        if self.snapshots is not None and home is not None:
            self.snapshots.keep(home, head.position, head.hash, table)

    def _nearest(
        self, line: int, upto: int | None, amendments: Amendments, beyond: int
    ) -> tuple[int, Table | None]:
        """Returns (position, state) of the latest snapshot up to `upto` that is still valid.

        A later undo or rewording may have made it invalid. If there is none after `beyond`, returns `beyond`
        and None.
        """
        if self.snapshots is None:
            return beyond, None
        return nearest(self.record, line, upto, amendments.holds, self.snapshots, beyond=beyond)

    def _keep_intermediate(self, line: int, table: Table, amendments: Amendments) -> None:
        """Stores a snapshot of `table`, unless a later undo or rewording affects it."""
        if self.snapshots is not None and amendments.holds(table.position):
            row = self.record.row(line, table.position)
            if row is not None:
                self.keep(line, row.head, table)
