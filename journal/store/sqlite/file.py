"""The campaign file: reads events from an SQLite database, and appends events under a lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import (
    CannotWrite,
    Damaged,
    Doubtful,
    Foreign,
    NotACampaign,
    SeveralNames,
    StoreError,
)
from retold.journal.store.contract.event_store import EMPTY_HEAD, FORMAT, SIGNPOSTS, Head, Row, SweptFiles
from retold.journal.store.contract.unknown_outcome import FailedCommit, Look
from retold.journal.store.disk.unfinished_files import exchange, part_of, publish, sweep
from retold.journal.store.sqlite import integrity, schema
from retold.journal.store.sqlite.connection import (
    WAIT_SLICE,
    CommitFailed,
    connect,
    failure_to_open,
    is_busy,
    not_opened,
    opened,
    prepare,
    reason,
    transaction,
    unwritten,
)
from retold.journal.store.sqlite.location import find_file_names, wal_path

SUFFIX = ".retold"

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors of a damaged file; SQLite's message may quote bytes that are not UTF-8."""

T = TypeVar("T")


class CampaignFile:
    """An open campaign file, an `EventStore` in SQLite. Use as a context manager, or close it."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, *, read_only: bool, faults: Sequence[str] = ()
    ) -> None:
        self.path = path
        self._faults = faults
        """Faults of the file, if this is a repaired copy in memory."""
        self._read_only = read_only
        self._db = connection
        self._process = os.getpid()
        self._last: Row | None = None
        """The last row appended in the running transaction."""

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool = False, by_any_name: bool = False, mended: bool = False
    ) -> Self:
        """Opens the campaign file at `path`; NotACampaign, TooNew or another StoreError if that fails.

        A file with several names (hard links) is never written to, for each name has a write-ahead log of its
        own. It is read if no other name has such a log, or with `by_any_name`; then it shows what this name
        holds. A file with a damaged schema is read from a repaired copy in memory if `mended` is set.
        """
        if path.is_dir():
            raise NotACampaign(f"{path} is a folder; a campaign is a file such as salt-road{SUFFIX}.")
        if path.exists() and not path.is_file():
            raise NotACampaign(f"{path} is no file: a campaign is one, such as salt-road{SUFFIX}.")
        if not path.exists():
            raise NotACampaign(f"There is no campaign {path}: make one with new, or name it with -c FILE.")
        if (names := find_file_names(path)) is not None:
            if not read_only:
                raise SeveralNames(names.sentence())
            if names.logs and not by_any_name:
                raise SeveralNames(names.stale())
        try:
            connection = opened(path, read_only=read_only)
        except (sqlite3.Error, UnicodeDecodeError, Damaged) as error:
            if mended and (found := integrity.open_mended(path)) is not None:
                return cls(found[0], path, read_only=True, faults=found[1])
            why = error if isinstance(error, Damaged) else not_opened(path, error)
            if mended or isinstance(why, Foreign) or not isinstance(why, Damaged):
                raise why from None
            raise Damaged(f"{why} What can be done: retold doctor.") from None
        return cls(connection, path, read_only=read_only)

    def close(self) -> None:
        """Closes the file; first merges the write-ahead log into it, so that a copy is complete."""
        if not self._read_only:
            with suppress(CannotWrite):
                self.settle()
        self._db.close()
        if self._read_only:
            self._delete_empty_log()

    def _delete_empty_log(self) -> None:
        """Deletes the empty log that a read-only connection leaves, unless another process has the file open.

        SQLite does this by itself when the last writable connection closes.
        """
        with suppress(sqlite3.Error, OSError):
            if self._log_file().stat().st_size == 0:
                with closing(connect(self.path, "rw")) as last:
                    last.execute("PRAGMA user_version").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    @property
    def place(self) -> Address:
        """The address of the file."""
        return Address.of_file(self.path)

    # --- reading ------------------------------------------------------------------------------------------

    def streams(self) -> tuple[int, ...]:
        """Returns the sorted numbers of the branches with events; fast, since it skips through an index."""
        return tuple(line for (line,) in self._query(_SKIP_SCAN) if line is not None)

    def head(self, line: int) -> Head:
        """Returns the last position and hash stored for branch `line`; `EMPTY_HEAD` if there is none."""
        found = self._query_first(
            "SELECT position, hash FROM event WHERE line = ? ORDER BY position DESC LIMIT 1", (line,)
        )
        return EMPTY_HEAD if found is None else Head(*found)

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        """Yields the rows stored for branch `line` at positions `after`+1..`upto`, in order of position.

        Restricted to `kinds` if any are given; `backwards` reverses the order.
        """
        asked, known = _of_kinds(kinds)
        limit = "" if upto is None else f" AND position <= {upto:d}"
        order = " DESC" if backwards else ""
        sql = f"{_ROW} {known} WHERE line = ? AND position > ?{limit}{asked} ORDER BY position{order}"
        return map(_made, self._query(sql, (line, after, *kinds)))

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Yields (sequence number, row) of every branch in the order recorded, numbers `after`+1..`upto`.

        Restricted to `kinds` if any are given.
        """
        asked, known = _of_kinds(kinds)
        end = "" if upto is None else f" AND seq <= {upto:d}"
        sql = f"{_NUMBERED} {known} WHERE seq > ?{end}{asked} ORDER BY seq"
        return map(_numbered, self._query(sql, (after, *kinds)))

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """Returns the hash of the event at `position` of branch `line`; None if no such event is stored."""
        found = self._query_first("SELECT hash FROM event WHERE line = ? AND position = ?", (line, position))
        return None if found is None else found[0]

    def size(self) -> int:
        """Returns the number of events in the file, by its highest sequence number."""
        found = self._query_first("SELECT max(seq) FROM event")
        return 0 if found is None or found[0] is None else int(found[0])

    def changes(self) -> int:
        """Returns SQLite's data version, a number that changes when another connection writes."""
        (found,) = self._query_first("PRAGMA data_version")
        return int(found)

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        """Context manager: reads inside see the file at one moment, even if others write meanwhile."""
        if self._db.in_transaction:  # it is one moment already
            yield
            return
        self._query_first("BEGIN")
        try:
            yield
        finally:
            with suppress(StoreError):
                self._query_first("ROLLBACK")

    def reopener(self) -> Callable[[], CampaignFile] | None:
        """Returns a picklable function that opens the file for reading; None if it is a copy in memory."""
        (_, _, stored) = self._query_first("PRAGMA database_list")
        return partial(CampaignFile.open, self.path.absolute(), read_only=True) if stored else None

    def storage_faults(self) -> Iterator[str]:
        """Yields a sentence for each fault SQLite finds, and each difference from a file Retold makes."""
        yield from self._faults or (
            f"SQLite finds: {fault}." for fault in integrity.integrity_faults(self._db)
        )
        yield from self._checked(integrity.format_faults)

    def _query(self, sql: str, given: Sequence[int | str] = ()) -> Iterator[Any]:
        """Yields the rows of a query as tuples; Damaged when a row cannot be read."""
        count, size = 0, 1
        try:
            # The cursor is not returned: half read, it might be closed after its connection.
            asked = self._db.execute(sql, given)
            while rows := asked.fetchmany(size):  # ever larger: many want one row
                yield from rows
                count, size = count + len(rows), min(2 * size, _MOST_FETCHED)
        except UNREADABLE:
            yield from self._query_singly(sql, given, count)

    def _query_singly(self, sql: str, given: Sequence[int | str], count: int) -> Iterator[Any]:
        """Repeats a query after an error; yields its rows from number `count` on, one by one.

        So the rows before a damaged row are read; raises Damaged at that row.
        """
        try:
            yield from islice(iter(self._db.execute(sql, given).fetchone, None), count, None)
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _query_first(self, sql: str, given: Sequence[int | str] = ()) -> Any:  # noqa: ANN401 -- a row of any shape
        try:
            return self._db.execute(sql, given).fetchone()
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _checked(self, look: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return look(self._db)
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> StoreError:
        if isinstance(error, sqlite3.ProgrammingError):  # closed after a failure, and not opened again
            return StoreError(f"{self.path} cannot be read any more: open it again once its disk works.")
        return Damaged(f"{self.path} is damaged: {reason(error)}. verify says how far it is good.")

    # --- writing ------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Context manager: takes the write lock; rows appended inside are stored together or not at all.

        Raises CannotWrite, or Doubtful if only the commit failed; also if opened read-only or in a forked
        process.
        """
        if self._read_only:
            raise CannotWrite(f"{self.path} was opened for reading only.")
        if os.getpid() != self._process:  # SQLite's locks do not survive a fork
            raise CannotWrite(
                f"{self.path} was opened by the process that this one was forked from: open it here again."
            )
        self._last = None
        try:
            with transaction(self._db):
                yield
        except CommitFailed as error:
            raise self._read_back(error) from None
        except sqlite3.Error as error:
            raise CannotWrite(unwritten(self.path, error)) from None

    def roll_back(self) -> None:
        """Takes back the changes of a `writing` block that was interrupted before its end."""
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def append(self, rows: Iterable[Row]) -> None:
        """Stores rows, with positions and hashes given; call inside `writing`."""
        rows = tuple(rows)
        self._db.executemany(
            "INSERT INTO event (line, position, kind, body, words, hash) VALUES (?, ?, ?, ?, ?, ?)", rows
        )
        self._last = rows[-1] if rows else self._last

    def _read_back(self, error: CommitFailed) -> StoreError:
        """Returns the error to raise after a failed commit; Doubtful unless surely nothing was stored."""
        last = self._last
        if last is None or "full" in str(error):  # no room for the commit record, which is written last
            return CannotWrite(unwritten(self.path, error))
        failed = FailedCommit(
            f"The disk failed at the very last ({reason(error)})",
            f"it is recorded in {self.path}",
            f"nobody can say yet whether it was recorded in {self.path}",
            CannotWrite(unwritten(self.path, error)),
            "Make a backup on another disk.",
        )
        return failed.error(last, partial(self._look_for, last))

    def _look_for(self, last: Row) -> Look | None:
        """Returns what the file holds of an act that ends with `last`; None if it cannot be read.

        The write-ahead log may hold a complete act that this connection considers absent. So the log is
        merged into the file, or the file is opened again, which reads the log from its beginning; if neither
        shows the rows, nothing was stored.
        """
        try:
            emptied = not self.settle()
        except CannotWrite:
            emptied = False
        try:
            if not emptied:
                self._db.close()
                self._db = opened(self.path, read_only=False)
            found = next(self.stretch(last.line, last.position - 1, last.position), None)
            log = self._log_file()
            return Look(found, emptied or not log.exists() or log.stat().st_size == 0)
        except (sqlite3.Error, StoreError, OSError):
            return None

    def _log_file(self) -> Path:
        return wal_path(self.path)

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        """Deletes for good the texts numbered `words` of a stored event; call inside `writing`.

        The trigger that permits this and nothing else uses SQLite's JSON functions, which SQLite runs only
        for a trusted schema: the schema is checked, and trusted for this one statement. Raises Damaged if the
        schema is not Retold's.
        """
        if strange := self._checked(integrity.schema_faults):
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

    def settle(self, seconds: float = 0.1) -> tuple[str, ...]:
        """Merges the write-ahead log into the file and empties it, waiting up to `seconds` for readers.

        If readers prevented it, returns a sentence: file and log may both still hold redacted text.
        """
        try:
            with _lock_timeout(self._db, seconds):
                ((busy, *_),) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise CannotWrite(f"{self.path} cannot be written: {reason(error)}.") from None
        if not busy:
            return ()
        remains = (
            f"A copy remains in {self.path} and {self._log_file()}, because another program is reading the"
            " campaign: it goes with the next line recorded once that has ended."
        )
        return (remains,)

    def sweep(self) -> SweptFiles:
        """Deletes unfinished files that killed programs left in the campaign's folder.

        Returns the deleted files, and those that remain.
        """
        return sweep(Path(os.path.realpath(self.path)).parent)

    # --- being replaced -----------------------------------------------------------------------------------

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Context manager: merges the log into the file, and keeps all other programs out of the file.

        Raises CannotWrite if another program has it open.
        """
        number = self.path.stat().st_ino
        try:
            # Leaving WAL mode needs a lock that SQLite refuses while any other connection is open.
            self._db.execute("PRAGMA journal_mode = DELETE").fetchall()
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            self._run_quietly("PRAGMA journal_mode = WAL")
            why = (
                "another program has it open: close it there, then say it again"
                if is_busy(error)
                else reason(error)
            )
            raise CannotWrite(f"{self.place} cannot be made anew: {why}.") from None
        try:
            yield
        finally:
            self._run_quietly("ROLLBACK")
            with suppress(OSError):
                if self.path.stat().st_ino == number:  # a log would belong to the file of that name
                    self._run_quietly("PRAGMA journal_mode = WAL")

    def give_way(self, draft: CampaignFile, kept: Path) -> None:
        """Renames this file to `kept`, and gives its name to the unfinished file `draft`; closes both.

        Call inside `alone`. Raises AlreadyThere if `kept` exists, CannotWrite if the disk refuses.
        """
        draft.close()
        if os.name == "nt":  # an open file cannot be renamed there
            self._db.close()
        try:
            exchange(draft.path, Path(os.path.realpath(self.path)), kept)
        finally:
            self._db.close()

    def _run_quietly(self, statement: str) -> None:
        with suppress(sqlite3.Error):
            self._db.execute(statement).fetchall()

    # --- copying ------------------------------------------------------------------------------------------

    def backup(self, path: Path) -> None:
        """Copies the whole campaign to a new file at `path`, even while others write.

        Raises AlreadyThere if the path exists, CannotWrite if the disk fails.
        """
        with part_of(path) as part:
            try:
                with closing(connect(part, "rw")) as target:
                    self._db.backup(target)
            except sqlite3.Error as error:
                raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None
            publish(part, path)

    def follow(self, path: Path) -> None:
        """Closes the connection and opens the same file again under its new name `path`."""
        self._db.close()
        self._db = opened(path, read_only=self._read_only)
        self.path = path


@contextmanager
def _lock_timeout(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Context manager: inside, SQLite waits up to `seconds` for a lock, then as before."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(WAIT_SLICE * 1000)}")


_MOST_FETCHED = 128
"""The most rows fetched at once."""

_COLUMNS = "line, position, kind, body, words, hash"
_ROW = f"SELECT {_COLUMNS} FROM event"  # noqa: S608 -- our own columns
_NUMBERED = f"SELECT seq, {_COLUMNS} FROM event"  # noqa: S608 -- as above
_SKIP_SCAN = """
WITH RECURSIVE leap (line) AS (
  SELECT min(line) FROM event
  UNION ALL SELECT (SELECT min(line) FROM event WHERE line > leap.line) FROM leap WHERE line IS NOT NULL)
SELECT line FROM leap
"""


_made: Callable[[Iterable[Any]], Row] = partial(tuple.__new__, Row)
"""Like `Row._make`, without its check of the number of columns."""


def _numbered(found: tuple[Any, ...]) -> tuple[int, Row]:
    return found[0], _made(found[1:])


def _of_kinds(kinds: Sequence[str]) -> tuple[str, str]:
    """Returns two SQL parts: a condition for rows of these kinds, and the index to use; "" for no need.

    SQLite uses a partial index only if the query repeats the index's own condition word for word.
    """
    if not kinds:
        return "", ""
    asked = " AND kind = ?" if len(kinds) == 1 else f" AND kind IN ({', '.join('?' * len(kinds))})"
    if set(kinds) <= set(SIGNPOSTS):
        return f" AND {schema.IS_SIGNPOST}{asked}", "INDEXED BY signpost"
    return asked, ""


def create(path: Path, fill: Callable[[CampaignFile], T]) -> T:
    """Creates a campaign file at `path` with the rows that `fill` appends; returns the result of `fill`.

    One transaction; the file stays open. Raises AlreadyThere if `path` exists before or after; on any failure
    no file is left, except that a disk may have room for the file and none to open it: Doubtful.
    """
    with part_of(path) as part, _errors_for_path(path):
        with closing(connect(part, "rw")) as connection:
            file = CampaignFile(connection, part, read_only=False)
            with transaction(connection):
                _create_schema(connection)
                filled = fill(file)
            prepare(connection)
        publish(part, path)  # closed before: Windows renames no open file
        try:
            file.follow(path)
        except sqlite3.Error as error:  # the file stays: another program may have it open by now
            raise Doubtful(f"{path} is made, but cannot be opened: {failure_to_open(path, error)}.") from None
    return filled


def restore(path: Path, fill: Callable[[CampaignFile], T]) -> T:
    """Creates a campaign file with the rows that `fill` appends, and closes it; returns the result of `fill`.

    It is written without a journal, which is fast, and named only once it is safe on the disk. Raises
    AlreadyThere if `path` exists before or after; on any failure no file is left.
    """
    with part_of(path) as part, _errors_for_path(path):
        with closing(connect(part, "rw")) as connection:
            _create_schema(connection, but=(schema.INDEX,))
            _turn_off_journal(connection)
            filled = fill(CampaignFile(connection, part, read_only=False))
            connection.execute(schema.INDEX)
        with closing(connect(part, "rw")) as connection:
            prepare(connection)
        publish(part, path)
    return filled


@contextmanager
def unfinished(path: Path, fill: Callable[[CampaignFile], object]) -> Iterator[CampaignFile]:
    """Context manager: gives an open file with the rows that `fill` appends, under a temporary name.

    It lies beside `path`, which must not exist yet, and is deleted at the end.
    """
    with part_of(path) as part, _errors_for_path(path):
        with closing(connect(part, "rw")) as connection:
            _create_schema(connection, but=(schema.INDEX,))
            _turn_off_journal(connection)
            fill(CampaignFile(connection, part, read_only=False))
            connection.execute(schema.INDEX)
        with CampaignFile.open(part) as file:
            yield file


@contextmanager
def _errors_for_path(path: Path) -> Iterator[None]:
    """Context manager: turns SQLite errors about a temporary name into CannotWrite about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None


def _create_schema(connection: sqlite3.Connection, but: Collection[str] = ()) -> None:
    """Writes application id, format version, table and triggers into a new file.

    Statements of the schema listed in `but` are left out.
    """
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in schema.DDL:
        if statement not in but:
            connection.execute(statement)


def _turn_off_journal(connection: sqlite3.Connection) -> None:
    """Turns off SQLite's journal and syncing: fast, for a new file that is deleted if anything goes wrong."""
    prepare(connection)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
