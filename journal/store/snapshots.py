"""Tables folded before, kept in a cache file that may be deleted at any time."""

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

import journal
from journal.copying import copied
from journal.games import BUILT_IN
from journal.games import guest as guest_called
from journal.store import line_events
from journal.store.amendments import Amendments
from journal.store.event_store import Head
from journal.store.record import Record
from journal.systems import SYSTEMS
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


@lru_cache(maxsize=16)
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


def code_of(games: Collection[str]) -> bytes | None:
    """A digest of the code that folds a table of these games, and which guests are among them, by name.

    None where one of them is not here. The code of a guest is its package, and its release.
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
    """Where a package that is loaded has its files."""
    return str(Path(sys.modules[package].__file__ or "").parent)


def _guests_in(code: bytes) -> list[str] | None:
    """The guests whose code folded with that one, where all of it is today's; None where any is another."""
    base = code_digest()
    if code == base:
        return []
    names = code[len(base) + hashlib.sha256().digest_size :].decode(errors="replace").split(",")
    return names if code.startswith(base) and code_of(names) == code else None


_PARTS_OF_A_TABLE = (
    "journal.table",
    "journal.vocabulary.base",
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
    """Opens nothing but what a table is made of, so that a strange cache file cannot run code.

    Of the guests that play at the table it opens the classes, and nothing of any other package.
    """

    def __init__(self, state: BinaryIO, guests: Collection[str] = ()) -> None:
        super().__init__(state)
        known = (guest_called(name) for name in guests if name in SYSTEMS)
        self._packages = {guest.package for guest in known if guest is not None}

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 -- pickle's own signature
        theirs = any(module == one or module.startswith(f"{one}.") for one in self._packages)
        if (theirs or module.startswith(_PARTS_OF_A_TABLE)) and "." not in name:
            found = super().find_class(module, name)
            if getattr(found, "__module__", None) == module and (isinstance(found, type) or not theirs):
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
    code: bytes = b""
    """By which code it was worked out, where guests have a part in it; empty for ours."""

    def of(self, state: bytes) -> bytes:
        """The seal of a table that has been written."""
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
    _Sealer(written, pickle.HIGHEST_PROTOCOL).dump(table)
    state = written.getvalue()
    return seal.of(state) + state


def _unsealed(kept: bytes, seal: Seal, guests: Collection[str] = ()) -> Table:
    """The table in a sealed state; raises whatever a spoilt one makes pickle raise."""
    state = kept[_SEAL:]
    if seal.of(state) != kept[:_SEAL]:
        raise _Spoilt("its seal is broken")
    table = _Tables(io.BytesIO(state), guests).load()
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
            rows = self.database().execute(
                "SELECT position, hash, code FROM snapshot WHERE line = ? AND position <= ?"
                " ORDER BY position DESC",
                (line, 2**62 if upto is None else upto),
            )
            yield from ((position, hash_) for position, hash_, code in rows if _guests_in(code) is not None)
        except sqlite3.Error as error:
            self._tell(self.unusable(error))

    def load(self, line: int, position: int, hash_: bytes) -> Table | None:
        """The table kept there, of the event with this hash, or None if there is none that can be trusted."""
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
            self._tell(_refused(line, position, error))
            return None

    def keep(self, line: int, position: int, hash_: bytes, table: Table) -> None:
        """Keeps a table; a disk that will not have it is no matter.

        One of a guest that is not here, or whose state cannot be opened again, is folded anew each time.
        """
        code = code_of(table.games())
        if code is None:
            return
        if code != code_digest() and (unfit := self.unfit(table)) is not None:
            self._tell(unfit)
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
            self._tell(self.unusable(error))
        except (pickle.PickleError, AttributeError, TypeError) as error:
            self._tell(_unfit(error))

    def _seal_of(self, line: int, position: int, hash_: bytes, code: bytes) -> Seal:
        return Seal(self._key, line, position, hash_, code=b"" if code == code_digest() else code)

    def unfit(self, table: Table) -> str | None:
        """Why no snapshot of a table can be used on this computer, after a trial; None where one can."""
        try:
            trial = Seal(self._key, 1, table.position, b"")
            again = _unsealed(_sealed(table, trial), trial, table.games().difference(BUILT_IN))
            return None if again == table else _unfit(_Spoilt("it comes back as another"))
        except Exception as error:  # noqa: BLE001 -- any failure is the finding
            return _unfit(error)

    def troubles(self, table: Table) -> Iterator[str]:
        """What keeps snapshots from being used on this computer; `table` is sealed and opened as a trial."""
        unfit = self.unfit(table)
        if unfit is not None:
            yield unfit
        yield from self.spoilt()

    def spoilt(self) -> Iterator[str]:
        """Which snapshots are not used and should be, each in a sentence."""
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
    """What was worked out at some moments of stored lines, and kept."""

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Where something of a stored line is kept and the hash it was kept at, the latest first."""

    def load(self, line: int, position: int, hash_: bytes) -> T_co | None:
        """What is kept there, or None if it cannot be trusted."""


def nearest(
    record: Record,
    line: int,
    upto: int | None,
    holds: Callable[[int], bool],
    cache: Cache[T],
    *,
    beyond: int = 0,
) -> tuple[int, T | None]:
    """The latest that is kept on the way to `upto` of a line and still `holds`, and its position.

    Else `beyond`, at and before which nothing is looked for.
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
    """The tables of a record, and the snapshots that spare folding them anew, if there are any."""

    record: Record
    snapshots: Snapshots | None

    def at(self, line: int, upto: int | None, stands: Amendments, known: Table | None = None) -> Table:
        """The table at `upto` of `line` (its head if None), which says of itself `stands` up to there.

        From the nearest snapshot, or from a table that is `known` where that is nearer; it stays as it is.
        """
        after, table = self._nearest(line, upto, stands, 0 if known is None else known.position)
        if table is None:
            table = Table() if known is None else copied(known)
        due = after + EVERY
        for live in line_events.live_events(self.record, line, after, upto, stands):
            if live.position > due:
                self._keep_passing(line, table, stands)
                due = live.position + EVERY
            line_events.apply_event(table, live)
        if upto is None and table.position > after + KEPT_AT_THE_HEAD:
            self._keep_passing(line, table, stands)
        return table

    def keep(self, line: int, head: Head, table: Table) -> None:
        """Keeps a snapshot of `table`, which stands at `head` of `line`."""
        home = self.record.home(line, head.position)
        if self.snapshots is not None and home is not None:
            self.snapshots.keep(home, head.position, head.hash, table)

    def _nearest(
        self, line: int, upto: int | None, stands: Amendments, beyond: int
    ) -> tuple[int, Table | None]:
        """The latest table kept on the way to `upto` that nothing recorded since has changed."""
        if self.snapshots is None:
            return beyond, None
        return nearest(self.record, line, upto, stands.holds, self.snapshots, beyond=beyond)

    def _keep_passing(self, line: int, table: Table, stands: Amendments) -> None:
        """Keeps a table met on the way, if it is as it was when play stood there."""
        if self.snapshots is not None and stands.holds(table.position):
            row = self.record.row(line, table.position)
            if row is not None:
                self.keep(line, row.head, table)
