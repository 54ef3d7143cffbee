"""A campaign's file: made, opened, refused kindly, read row by row, appended to under one lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

from pydantic_core import from_json

from journal.store import schema
from journal.store.chain import ROOT, link
from journal.store.codec import Draft, Row
from journal.store.errors import CannotWrite, Damaged, NotACampaign, StoreError, TooNew

BUSY_SECONDS = 30.0
SUFFIX = ".retold"


class Head(NamedTuple):
    """Where a line ends: its last position (0 for none yet) and that event's hash."""

    position: int
    hash: bytes


class Segment(NamedTuple):
    """Positions `after`+1 to `upto` of a line are stored on stream `line`; None is as far as it goes."""

    line: int
    after: int
    upto: int | None


class File:
    """An open campaign file. Use as a context manager, or close it."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._db = connection
        self._lineages: dict[int, tuple[Segment, ...]] = {}

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new, empty campaign file; StoreError if something stands there already."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            raise StoreError(f"{path} is there already: choose another name.") from None
        except OSError as error:
            raise CannotWrite(f"{path} cannot be made: {_reason(error)}.") from None
        try:
            connection = _connect(path, "rw")
            connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {schema.FORMAT}")
            _settle(connection)
            with _transaction(connection):
                for statement in schema.DDL:
                    connection.execute(statement)
        except sqlite3.Error as error:
            path.unlink(missing_ok=True)
            raise CannotWrite(f"{path} cannot be written: {_reason(error)}.") from None
        return cls(connection, path, read_only=False)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """The campaign at `path`; NotACampaign, TooNew or StoreError with the reason if it cannot be."""
        if path.is_dir():
            raise NotACampaign(f"{path} is a folder; a campaign is a file such as salt-road{SUFFIX}.")
        if not path.exists():
            raise NotACampaign(f"There is no campaign {path}: make one with new, or name it with -c FILE.")
        try:
            connection = _open(path, read_only=read_only)
        except sqlite3.Error as error:
            raise _not_opened(path, error) from None
        return cls(connection, path, read_only=read_only)

    def close(self) -> None:
        """Folds the write-ahead log into the file, so that a copy of it is whole, and lets go."""
        if not self.read_only:
            with suppress(sqlite3.Error):
                self.checkpoint()
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def checkpoint(self) -> None:
        """Folds the write-ahead log into the file, as far as other readers let it."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # --- reading ------------------------------------------------------------------------------------------

    def changes(self) -> int:
        """A number that is another one once some other connection has written."""
        found: int = self._db.execute("PRAGMA data_version").fetchone()[0]
        return found

    def streams(self) -> tuple[int, ...]:
        """Every stored line, the oldest first."""
        return tuple(line for (line,) in self._db.execute("SELECT DISTINCT line FROM event ORDER BY line"))

    def lineage(self, line: int) -> tuple[Segment, ...]:
        """The stretches a line is made of, oldest first; kept, because a fork never changes."""
        if line not in self._lineages:
            self._lineages[line] = self._trace(line)
        return self._lineages[line]

    def _trace(self, line: int) -> tuple[Segment, ...]:
        first = self._db.execute(
            "SELECT kind, body FROM event WHERE line = ? ORDER BY position LIMIT 1", (line,)
        ).fetchone()
        if first is None:
            raise StoreError(f"There is no line {line} in {self.path}.")
        if first[0] != "table.forked":
            return (Segment(line, 0, None),)
        fork = from_json(first[1])["data"]
        at = fork["at"]
        above = (
            Segment(segment.line, segment.after, at if segment.upto is None else min(at, segment.upto))
            for segment in self.lineage(fork["parent"])
            if segment.after < at
        )
        return (*above, Segment(line, at, None))

    def rows(
        self, line: int, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Row]:
        """The rows of a line with positions after+1..upto, one at a time; only of these kinds if any are named."""
        for segment in self.lineage(line):
            low = max(after, segment.after)
            ends = [end for end in (upto, segment.upto) if end is not None]
            yield from self._stretch(segment.line, low, min(ends) if ends else None, kinds)

    def _stretch(self, line: int, after: int, upto: int | None, kinds: Sequence[str]) -> Iterator[Row]:
        sql = "SELECT line, position, kind, body, words, hash FROM event WHERE line = ? AND position > ?"
        given: list[int | str] = [line, after]
        if upto is not None:
            if upto <= after:
                return
            sql += " AND position <= ?"
            given.append(upto)
        if kinds:
            sql += f" AND kind IN ({', '.join('?' * len(kinds))})"
            given += kinds
        try:
            for found in self._db.execute(sql + " ORDER BY position", given):
                yield Row(*found)
        except sqlite3.DatabaseError as error:
            raise Damaged(
                f"{self.path} is damaged: {_reason(error)}. verify says how far it is good."
            ) from None

    def signposts(self, line: int, upto: int | None = None) -> Iterator[Row]:
        """The rows that say who is called what and what still counts, without reading the rest."""
        yield from self.rows(line, 0, upto, schema.SIGNPOSTS)

    def backwards(self, line: int, before: int) -> Iterator[Row]:
        """The rows of a line from position before-1 down to 1."""
        for segment in reversed(self.lineage(line)):
            upto = before - 1 if segment.upto is None else min(segment.upto, before - 1)
            if upto > segment.after:
                for found in self._db.execute(
                    "SELECT line, position, kind, body, words, hash FROM event"
                    " WHERE line = ? AND position > ? AND position <= ? ORDER BY position DESC",
                    (segment.line, segment.after, upto),
                ):
                    yield Row(*found)

    def row(self, line: int, position: int) -> Row | None:
        """The row at a position of a line, if there is one."""
        return next(self.rows(line, position - 1, position), None)

    def head(self, line: int) -> Head:
        """Where a line ends."""
        for segment in reversed(self.lineage(line)):
            limit = "" if segment.upto is None else f" AND position <= {segment.upto:d}"
            found = self._db.execute(
                f"SELECT position, hash FROM event WHERE line = ?{limit} ORDER BY position DESC LIMIT 1",  # noqa: S608 -- a number of ours
                (segment.line,),
            ).fetchone()
            if found is not None:
                return Head(*found)
        return Head(0, ROOT)

    def everything(self) -> Iterator[Row]:
        """Every row of every line in the order they were recorded."""
        for found in self._db.execute(
            "SELECT line, position, kind, body, words, hash FROM event ORDER BY seq"
        ):
            yield Row(*found)

    def everything_of(self, kinds: Sequence[str]) -> Iterator[Row]:
        """The rows of these kinds on any line, in the order they were recorded."""
        for found in self._db.execute(
            "SELECT line, position, kind, body, words, hash FROM event"
            f" WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY seq",  # noqa: S608 -- only marks
            kinds,
        ):
            yield Row(*found)

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty if nothing."""
        try:
            found = [line for (line,) in self._db.execute("PRAGMA integrity_check(20)")]
        except sqlite3.DatabaseError as error:
            return [_reason(error)]
        return [] if found == ["ok"] else found

    def backup(self, path: Path) -> None:
        """A whole copy in another place, also while somebody writes; never over something that is there."""
        if path.exists():
            raise StoreError(f"{path} is there already: choose another name.")
        part = path.with_name(path.name + ".part")
        try:
            target = sqlite3.connect(part)
            try:
                self._db.backup(target)
            finally:
                target.close()
            part.rename(path)
        except (sqlite3.Error, OSError) as error:
            part.unlink(missing_ok=True)
            raise CannotWrite(f"{path} cannot be written: {_reason(error)}.") from None

    # --- writing ------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one lock: what is appended inside is recorded together when it ends, or not at all."""
        if self.read_only:
            raise CannotWrite(f"{self.path} was opened for reading only.")
        try:
            with _transaction(self._db):
                yield
        except sqlite3.Error as error:
            raise CannotWrite(_unwritten(self.path, error)) from None

    def append(self, line: int, head: Head, drafts: Iterable[Draft]) -> list[Row]:
        """Chains the drafts to `head`, which the caller has read inside `writing`, and stores them."""
        rows = []
        position, parent = head
        for draft in drafts:
            position += 1
            parent = link(parent, line, position, draft.kind, draft.body)
            rows.append(Row(line, position, draft.kind, draft.body, draft.words, parent))
        self.insert(rows)
        return rows

    def insert(self, rows: Iterable[Row]) -> None:
        """Stores rows that are chained already, inside `writing`."""
        self._db.executemany(
            "INSERT INTO event (line, position, kind, body, words, hash) VALUES (?, ?, ?, ?, ?, ?)", rows
        )


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS, cached_statements=64)


def _open(path: Path, *, read_only: bool) -> sqlite3.Connection:
    try:
        connection = _connect(path, "ro" if read_only else "rw")
        _check(connection, path)
    except sqlite3.OperationalError as error:
        if "unable to open" not in str(error):
            raise
        connection = _in_memory(path, read_only=read_only)
        _check(connection, path)
    if read_only:
        connection.execute("PRAGMA query_only = ON")
    else:
        _settle(connection)
    return connection


def _in_memory(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """The file read whole: a folder that cannot be written to has no room for SQLite's own shared memory."""
    if not read_only:
        raise CannotWrite(f"{path} cannot be written: its folder is read-only.")
    image = bytearray(path.read_bytes())
    image[18:20] = b"\x01\x01"  # a rollback-journal header: there is no log beside what was read
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bytes(image))
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != schema.APPLICATION_ID:
        connection.close()
        raise NotACampaign(f"{path} is no campaign of Retold.")
    if version > schema.FORMAT:
        connection.close()
        raise TooNew(
            f"{path} has format {version} and this Retold reads up to {schema.FORMAT}: it needs a later Retold."
        )


def _settle(connection: sqlite3.Connection) -> None:
    for statement in schema.CONNECTION:
        connection.execute(statement).fetchall()


def _not_opened(path: Path, error: sqlite3.Error) -> StoreError:
    if "not a database" in str(error):
        return NotACampaign(f"{path} is no campaign of Retold.")
    if "readonly" in str(error):
        return CannotWrite(f"{path} cannot be written: it is read-only.")
    if "malformed" in str(error):
        return Damaged(f"{path} is damaged: {_reason(error)}.")
    return StoreError(f"{path} cannot be opened: {_reason(error)}.")


def _unwritten(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text or "disk I/O" in text:
        return f"Nothing was recorded: no room is left for {path}. Free some space and say it again."
    if "readonly" in text:
        return f"Nothing was recorded: {path} is read-only."
    if "locked" in text or "busy" in text:
        return f"Nothing was recorded: somebody has held {path} for {BUSY_SECONDS:.0f} seconds. Say it again."
    if "append-only" in text:
        return f"Nothing was recorded: the record of {path} is append-only."
    return f"Nothing was recorded in {path}: {_reason(error)}."


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)
