"""A campaign's file: made, opened, refused kindly, read row by row, appended to under one lock."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from journal.store import schema, soundness
from journal.store.connection import (
    BUSY_SECONDS,
    connect,
    not_opened,
    opened,
    reason,
    settle,
    transaction,
    unwritten,
)
from journal.store.errors import AlreadyThere, CannotWrite, Damaged, NotACampaign, StoreError
from journal.store.rows import Draft, Row

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
        self._forks: dict[int, Row] = {}

    @classmethod
    def create(
        cls, path: Path, *, begin: Callable[[Self], object] | None = None, unsafe: bool = False
    ) -> Self:
        """A new campaign file with what `begin` appends to it, all of it in one transaction, or none.

        StoreError if something stands there already; a file of no bytes, as a killed process may leave, is
        nothing. An `unsafe` one is written without a log, for somebody who throws it away if anything goes
        wrong; it becomes like any other with `make_safe`.
        """
        _reserve(path)
        connection = None
        try:
            connection = connect(path, "rw")
            file = cls(connection, path, read_only=False)
            with transaction(connection):
                _lay_out(connection, path)
                if begin is not None:
                    begin(file)
            settle(connection)
            if unsafe:
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
        except BaseException as error:
            if connection is not None:
                connection.close()
            if not isinstance(error, AlreadyThere):
                remove(path)
            if isinstance(error, sqlite3.Error):
                raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None
            raise
        return file

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """The campaign at `path`; NotACampaign, TooNew or StoreError with the reason if it cannot be."""
        if path.is_dir():
            raise NotACampaign(f"{path} is a folder; a campaign is a file such as salt-road{SUFFIX}.")
        if not path.exists():
            raise NotACampaign(f"There is no campaign {path}: make one with new, or name it with -c FILE.")
        try:
            connection = opened(path, read_only=read_only)
        except sqlite3.Error as error:
            raise not_opened(path, error) from None
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

    def make_safe(self) -> None:
        """Brings what was written so far safely to disk, and gives the file the settings every other has."""
        try:
            settle(self._db)
            descriptor = os.open(self.path, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except (sqlite3.Error, OSError) as error:
            raise CannotWrite(f"{self.path} cannot be written: {reason(error)}.") from None

    def checkpoint(self, seconds: float = 0.1) -> bool:
        """Folds the write-ahead log into the file and empties it; waits so long for those who still read it.

        False where they did not let it: then the log, and the file, may hold what was there before.
        """
        self._db.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        try:
            ((busy, *_),) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
        return bool(busy == 0)

    # --- reading ------------------------------------------------------------------------------------------

    def changes(self) -> int:
        """A number that is another one once some other connection has written."""
        found: int = self._db.execute("PRAGMA data_version").fetchone()[0]
        return found

    def streams(self) -> tuple[int, ...]:
        """Every stored line, the oldest first; found by leaps, without reading what lies between."""
        return tuple(line for (line,) in self._ask(_LEAPS) if line is not None)

    def next_line(self) -> int:
        """The number the next branch gets."""
        found = self._one("SELECT max(line) FROM event")
        return 1 if found is None or found[0] is None else int(found[0]) + 1

    def lineage(self, line: int) -> tuple[Segment, ...]:
        """The stretches a line is made of, oldest first; kept, because a fork never changes."""
        if line not in self._lineages:
            self._lineages[line] = self._trace(line)
        return self._lineages[line]

    def _trace(self, line: int) -> tuple[Segment, ...]:
        """Climbs from a line to the root, or to one known already; a stretch ends where a line left it."""
        below: list[Segment] = []
        upto: int | None = None
        while line not in self._lineages:
            fork = self._fork(line)
            after = fork[1] if fork else 0
            if upto is None or after < upto:
                below.insert(0, Segment(line, after, upto))
                upto = after
            if fork is None:
                return tuple(below)
            line = fork[0]
        above = [segment for segment in self._lineages[line] if upto is None or segment.after < upto]
        if above and upto is not None:
            last = above.pop()
            above.append(Segment(last.line, last.after, upto if last.upto is None else min(upto, last.upto)))
        return (*above, *below)

    def _fork(self, line: int) -> tuple[int, int] | None:
        """The parent of a line and the position where it left it; None for the first line."""
        first = self._one("SELECT kind, body FROM event WHERE line = ? ORDER BY position LIMIT 1", (line,))
        if first is None:
            raise StoreError(f"There is no line {line} in {self.path}.")
        if first[0] != "table.forked":
            return None
        try:
            fork = json.loads(first[1])["data"]
            parent, at = int(fork["parent"]), int(fork["at"])
        except (ValueError, KeyError, TypeError):
            raise Damaged(f"The beginning of line {line} in {self.path} is broken.") from None
        if parent >= line:
            raise Damaged(f"Line {line} in {self.path} forks from line {parent}, which is no older.")
        return parent, at

    def rows(
        self, line: int, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Row]:
        """The rows of a line with positions after+1..upto, one by one; of these kinds, if any are named."""
        for segment in self.lineage(line):
            low = max(after, segment.after)
            ends = [end for end in (upto, segment.upto) if end is not None]
            yield from self._stretch(segment.line, low, min(ends) if ends else None, kinds)

    def _stretch(self, line: int, after: int, upto: int | None, kinds: Sequence[str]) -> Iterator[Row]:
        if upto is not None and upto <= after:
            return
        asked, known = _of_kinds(kinds)
        limit = "" if upto is None else f" AND position <= {upto:d}"
        yield from map(
            Row._make,
            self._ask(
                f"{_ROW} {known} WHERE line = ? AND position > ?{limit}{asked} ORDER BY position",
                (line, after, *kinds),
            ),
        )

    def _ask(self, sql: str, given: Sequence[int | str] = ()) -> Iterator[Any]:
        """What SQLite answers, row by row; `Damaged` where it cannot read on."""
        try:
            # Not the cursor itself: left half read, it would be closed when its connection is closed already.
            yield from iter(self._db.execute(sql, given).fetchone, None)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def _one(self, sql: str, given: Sequence[int | str] = ()) -> Any:  # noqa: ANN401 -- a row of any shape
        try:
            return self._db.execute(sql, given).fetchone()
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: sqlite3.Error) -> Damaged:
        return Damaged(f"{self.path} is damaged: {reason(error)}. verify says how far it is good.")

    def signposts(self, line: int, upto: int | None = None) -> Iterator[Row]:
        """The rows that say who is called what and what still counts, without reading the rest."""
        yield from self.rows(line, 0, upto, schema.SIGNPOSTS)

    def backwards(self, line: int, before: int) -> Iterator[Row]:
        """The rows of a line from position before-1 down to 1."""
        for segment in reversed(self.lineage(line)):
            upto = before - 1 if segment.upto is None else min(segment.upto, before - 1)
            if upto > segment.after:
                yield from map(
                    Row._make,
                    self._ask(
                        f"{_ROW} WHERE line = ? AND position > ? AND position <= ? ORDER BY position DESC",
                        (segment.line, segment.after, upto),
                    ),
                )

    def row(self, line: int, position: int) -> Row | None:
        """The row at a position of a line, if there is one."""
        return next(self.rows(line, position - 1, position), None)

    def head(self, line: int) -> Head:
        """Where a line ends; every line has an event of its own, save the first of a new file."""
        found = self._one(
            "SELECT position, hash FROM event WHERE line = ? ORDER BY position DESC LIMIT 1", (line,)
        )
        return Head(0, b"") if found is None else Head(*found)

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """The hash of the event stored on this very line at a position, if there is one."""
        found = self._one("SELECT hash FROM event WHERE line = ? AND position = ?", (line, position))
        return None if found is None else found[0]

    def everything(self) -> Iterator[Row]:
        """Every row of every line in the order they were recorded."""
        yield from map(Row._make, self._ask(f"{_ROW} ORDER BY seq"))

    def log(
        self, after: int, upto: int | None, limit: int, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Rows of every line in the order they were recorded, each with its number in that order, from 1."""
        asked = f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        end = "" if upto is None else f" AND seq <= {upto:d}"
        sql = f"SELECT seq, line, position, kind, body, words, hash FROM event WHERE seq > ?{end}{asked}"  # noqa: S608 -- marks and numbers
        for seq, *row in self._ask(f"{sql} ORDER BY seq LIMIT ?", (after, *kinds, limit)):
            yield seq, Row(*row)

    def everything_of(self, kinds: Sequence[str]) -> Iterator[Row]:
        """The rows of these kinds on any line, in the order they were recorded."""
        asked, known = _of_kinds(kinds)
        yield from map(Row._make, self._ask(f"{_ROW} {known} WHERE TRUE{asked} ORDER BY seq", kinds))

    def forks(self) -> Iterable[Row]:
        """The first row of every branch in the order they were made; kept, and only newer ones looked for."""
        newer = self._ask(
            f"{_ROW} INDEXED BY signpost"
            f" WHERE {schema.IS_SIGNPOST} AND kind = 'table.forked' AND line > ? ORDER BY line",
            (max(self._forks, default=0),),
        )
        self._forks |= {row.line: row for row in map(Row._make, newer)}
        return self._forks.values()

    def size(self) -> int:
        """How many events the file holds, as its own counter has it."""
        found = self._one("SELECT max(seq) FROM event")
        return 0 if found is None or found[0] is None else int(found[0])

    def oddities(self) -> list[str]:
        """Where the file is not the one Retold makes: its marks, its tables, its count of all ever stored."""
        return self._looked_over(soundness.oddities)

    def _looked_over(self, look: Callable[[sqlite3.Connection], list[str]]) -> list[str]:
        try:
            return look(self._db)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty if nothing."""
        return soundness.integrity(self._db)

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
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None

    # --- writing ------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one lock: what is appended inside is recorded together when it ends, or not at all."""
        if self.read_only:
            raise CannotWrite(f"{self.path} was opened for reading only.")
        try:
            with transaction(self._db):
                yield
        except BaseException as error:
            self._forks.clear()  # a branch may have been read that is not there now
            self._lineages.clear()
            if isinstance(error, sqlite3.Error):
                raise CannotWrite(unwritten(self.path, error)) from None
            raise

    def append(self, line: int, head: Head, drafts: Iterable[Draft]) -> list[Row]:
        """Chains the drafts to `head`, which the caller has read inside `writing`, and stores them."""
        from journal.store.chain import link  # noqa: PLC0415 -- reading needs no hashing, and must start at once

        rows = []
        position, parent = head
        for draft in drafts:
            position += 1
            parent = link(parent, line, position, draft.kind, draft.body)
            rows.append(Row(line, position, draft.kind, draft.body, draft.words, parent))
        self.insert(rows)
        return rows

    def take_words(self, line: int, position: int, words: Sequence[int]) -> None:
        """Takes these words of a stored event away for good, inside `writing`: what a redaction does.

        The trigger that allows this and nothing else asks SQLite's JSON functions, which SQLite runs only for
        a schema it is told to trust: that is done for this one statement, after a look at the schema.
        """
        if strange := self._looked_over(soundness.strange_schema):
            raise Damaged(f"{self.path} is not as Retold makes it: {strange[0]}")
        paths = [f"$[{word:d}]" for word in words]
        nulls = ", ".join("?, NULL" for _ in paths)
        self._db.execute("PRAGMA trusted_schema = ON")
        try:
            self._db.execute(
                f"UPDATE event SET words = json_set(words, {nulls}) WHERE line = ? AND position = ?",  # noqa: S608 -- only marks
                (*paths, line, position),
            )
        finally:
            self._db.execute("PRAGMA trusted_schema = OFF")
            self._forks.clear()

    def insert(self, rows: Iterable[Row]) -> None:
        """Stores rows that are chained already, inside `writing`."""
        self._db.executemany(
            "INSERT INTO event (line, position, kind, body, words, hash) VALUES (?, ?, ?, ?, ?, ?)", rows
        )


_ROW = "SELECT line, position, kind, body, words, hash FROM event"
_LEAPS = """
WITH RECURSIVE leap (line) AS (
  SELECT min(line) FROM event
  UNION ALL SELECT (SELECT min(line) FROM event WHERE line > leap.line) FROM leap WHERE line IS NOT NULL)
SELECT line FROM leap
"""


def _of_kinds(kinds: Sequence[str]) -> tuple[str, str]:
    """The condition for rows of these kinds, and the index that finds them.

    SQLite takes a partial index only where the query repeats the index's own condition word for word.
    """
    if not kinds:
        return "", ""
    asked = f" AND kind IN ({', '.join('?' * len(kinds))})"
    if set(kinds) <= set(schema.SIGNPOSTS):
        return f" AND {schema.IS_SIGNPOST}{asked}", "INDEXED BY signpost"
    return asked, ""


def _reserve(path: Path) -> None:
    """A file of no bytes at `path`, made or found there; AlreadyThere for any other."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError:
        if not path.is_file() or path.stat().st_size:
            raise AlreadyThere(path) from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be made: {reason(error)}.") from None


def _lay_out(connection: sqlite3.Connection, path: Path) -> None:
    """The marks and tables of a campaign, inside a transaction; AlreadyThere if the file has any."""
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
        raise AlreadyThere(path)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {schema.FORMAT}")
    for statement in schema.DDL:
        connection.execute(statement)


def remove(path: Path) -> None:
    """Takes a file away with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
