"""A campaign's file, open: read stretch by stretch, and appended to under one lock."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

from journal.store.errors import (
    CannotWrite,
    Damaged,
    Doubtful,
    Foreign,
    NotACampaign,
    SeveralNames,
    StoreError,
)
from journal.store.event_store import EMPTY_HEAD, FORMAT, SIGNPOSTS, Head, Row, SweptFiles
from journal.store.sqlite import integrity, schema
from journal.store.sqlite.connection import (
    WAIT_SLICE,
    CommitFailed,
    connect,
    doubtful,
    not_opened,
    opened,
    prepare,
    reason,
    transaction,
    unwritten,
)
from journal.store.sqlite.location import find_file_names, wal_path
from journal.store.sqlite.unfinished_files import part_of, publish, sweep

SUFFIX = ".retold"

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What is raised where a file is damaged; SQLite's sentence about it may quote bytes that are no text."""

T = TypeVar("T")


class CampaignFile:
    """An open campaign file: an `EventStore`. Use as a context manager, or close it."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, *, read_only: bool, faults: Sequence[str] = ()
    ) -> None:
        self.path = path
        self._faults = faults
        """What is wrong with the file, where this is a copy in memory in which it was put right."""
        self._read_only = read_only
        self._db = connection
        self._process = os.getpid()
        self._last: Row | None = None
        """The last row appended by whoever writes."""

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool = False, by_any_name: bool = False, mended: bool = False
    ) -> Self:
        """The campaign at `path`; NotACampaign, TooNew or StoreError with the reason if it cannot be.

        A file that has other names (hard links) is never written to, for each name has a log of its own; it
        is read where no log lies beside another name, or `by_any_name`, as that name alone shows it.
        One with a damaged schema is read in a copy where that is `mended`.
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
        """Folds the write-ahead log into the file, so that a copy of it is whole, and lets go."""
        if not self._read_only:
            with suppress(CannotWrite):
                self.settle()
        self._db.close()
        if self._read_only:
            self._tidy()

    def _tidy(self) -> None:
        """Takes away the empty log that a connection for reading leaves; whoever has the file open keeps it.

        SQLite does so by itself for the last to let go, if that is one that may write.
        """
        with suppress(sqlite3.Error, OSError):
            if self._log_file().stat().st_size == 0:
                with closing(connect(self.path, "rw")) as last:
                    last.execute("PRAGMA user_version").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    # --- reading ------------------------------------------------------------------------------------------

    def streams(self) -> tuple[int, ...]:
        """Every stored line, in order; found by leaps, without reading what lies between."""
        return tuple(line for (line,) in self._ask(_LEAPS) if line is not None)

    def head(self, line: int) -> Head:
        """Where a stream ends."""
        found = self._one(
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
        """The rows of a stream with positions after+1..upto, one by one; of these kinds, if any are named."""
        asked, known = _of_kinds(kinds)
        limit = "" if upto is None else f" AND position <= {upto:d}"
        order = " DESC" if backwards else ""
        sql = f"{_ROW} {known} WHERE line = ? AND position > ?{limit}{asked} ORDER BY position{order}"
        return map(_made, self._ask(sql, (line, after, *kinds)))

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Rows of every line in the order they were recorded, each with its number in that order, from 1."""
        asked, known = _of_kinds(kinds)
        end = "" if upto is None else f" AND seq <= {upto:d}"
        sql = f"{_NUMBERED} {known} WHERE seq > ?{end}{asked} ORDER BY seq"
        return map(_numbered, self._ask(sql, (after, *kinds)))

    def size(self) -> int:
        """How many events the file holds, as its own counter has it."""
        found = self._one("SELECT max(seq) FROM event")
        return 0 if found is None or found[0] is None else int(found[0])

    def changes(self) -> int:
        """A number that is another one once some other connection has written."""
        (found,) = self._one("PRAGMA data_version")
        return int(found)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """What is read inside is the record of one moment: one transaction, whatever others record."""
        self._one("BEGIN")
        try:
            yield
        finally:
            with suppress(StoreError):
                self._one("ROLLBACK")

    def elsewhere(self) -> Callable[[], CampaignFile] | None:
        """What opens the file once more, for reading; None where it had to be read whole into memory."""
        (_, _, stored) = self._one("PRAGMA database_list")
        return partial(CampaignFile.open, self.path.absolute(), read_only=True) if stored else None

    def unsound(self) -> Iterator[str]:
        """What SQLite itself finds wrong with the file, and where it is not the one Retold makes."""
        yield from self._faults or (f"SQLite finds: {one}." for one in integrity.integrity_faults(self._db))
        yield from self._looked_over(integrity.format_faults)

    def _ask(self, sql: str, given: Sequence[int | str] = ()) -> Iterator[Any]:
        """What SQLite answers, row by row; `Damaged` where it cannot read on."""
        told, some = 0, 1
        try:
            # Not the cursor itself: left half read, it would be closed when its connection is closed already.
            asked = self._db.execute(sql, given)
            while rows := asked.fetchmany(some):  # ever more, for many want the first alone
                yield from rows
                told, some = told + len(rows), min(2 * some, _TOGETHER)
        except UNREADABLE:
            yield from self._singly(sql, given, told)

    def _singly(self, sql: str, given: Sequence[int | str], told: int) -> Iterator[Any]:
        """What SQLite answers beyond the rows `told` already, as far as it can read."""
        try:
            yield from islice(iter(self._db.execute(sql, given).fetchone, None), told, None)
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _one(self, sql: str, given: Sequence[int | str] = ()) -> Any:  # noqa: ANN401 -- a row of any shape
        try:
            return self._db.execute(sql, given).fetchone()
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _looked_over(self, look: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return look(self._db)
        except UNREADABLE as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> StoreError:
        if isinstance(error, sqlite3.ProgrammingError):  # let go of after a failure, and not opened again
            return StoreError(f"{self.path} cannot be read any more: open it again once its disk works.")
        return Damaged(f"{self.path} is damaged: {reason(error)}. verify says how far it is good.")

    # --- writing ------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one lock: what is appended inside is recorded together when it ends, or not at all."""
        if self._read_only:
            raise CannotWrite(f"{self.path} was opened for reading only.")
        if os.getpid() != self._process:  # whoever was forked has none of the locks, and may think so
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

    def give_up(self) -> None:
        """Takes back what `writing` began and has not ended: it was interrupted while it was ending."""
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def append(self, rows: Iterable[Row]) -> None:
        """Stores rows that are chained already, inside `writing`."""
        rows = tuple(rows)
        self._db.executemany(
            "INSERT INTO event (line, position, kind, body, words, hash) VALUES (?, ?, ?, ?, ?, ?)", rows
        )
        self._last = rows[-1] if rows else self._last

    def _read_back(self, error: CommitFailed) -> StoreError:
        """What is to be said after the last step failed: what the next to open the file would find.

        The log may hold a whole act that this connection takes for none. So it is emptied, or the file is
        opened anew, which reads the log from its beginning; where neither shows it, it came to nothing.
        """
        last = self._last
        if last is None or "full" in str(error):  # the mark of the end, which is written last, found no room
            return CannotWrite(unwritten(self.path, error))
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
            emptied = emptied or not log.exists() or log.stat().st_size == 0
        except (sqlite3.Error, StoreError, OSError):
            return Doubtful(doubtful(self.path, error, None))
        if found is not None and found.hash == last.hash:
            return Doubtful(doubtful(self.path, error, last.position))
        return (
            CannotWrite(unwritten(self.path, error))
            if emptied
            else Doubtful(doubtful(self.path, error, None))
        )

    def _log_file(self) -> Path:
        return wal_path(self.path)

    def take_words(self, line: int, position: int, words: Sequence[int]) -> None:
        """Takes these words of a stored event away for good, inside `writing`: what a redaction does.

        The trigger that allows this and nothing else asks SQLite's JSON functions, which SQLite runs only for
        a schema it is told to trust: that is done for this one statement, after a look at the schema.
        """
        if strange := self._looked_over(integrity.schema_faults):
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

    def settle(self, seconds: float = 0.1) -> tuple[Path, ...]:
        """Folds the write-ahead log into the file and empties it; waits so long for those who still read it.

        Returns the file and its log where they did not let it: then both may hold what was there before.
        """
        try:
            with _patient(self._db, seconds):
                ((busy, *_),) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise CannotWrite(f"{self.path} cannot be written: {reason(error)}.") from None
        return (self.path, self._log_file()) if busy else ()

    def sweep(self) -> SweptFiles:
        """Takes away what killed programs left in the file's folder on their way to another."""
        return sweep(Path(os.path.realpath(self.path)).parent)

    # --- copying ------------------------------------------------------------------------------------------

    def backup(self, path: Path) -> None:
        """A whole copy in another place, also while somebody writes; never over something that is there."""
        with part_of(path) as part:
            try:
                with closing(connect(part, "rw")) as target:
                    self._db.backup(target)
            except sqlite3.Error as error:
                raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None
            publish(part, path)

    def follow(self, path: Path) -> None:
        """Goes on in the same file under the name it has been given."""
        self._db.close()
        self._db = opened(path, read_only=self._read_only)
        self.path = path


@contextmanager
def _patient(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """So long others are waited for inside."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(WAIT_SLICE * 1000)}")


_TOGETHER = 128
"""So many rows at the most are fetched at once."""

_COLUMNS = "line, position, kind, body, words, hash"
_ROW = f"SELECT {_COLUMNS} FROM event"  # noqa: S608 -- our own columns
_NUMBERED = f"SELECT seq, {_COLUMNS} FROM event"  # noqa: S608 -- as above
_LEAPS = """
WITH RECURSIVE leap (line) AS (
  SELECT min(line) FROM event
  UNION ALL SELECT (SELECT min(line) FROM event WHERE line > leap.line) FROM leap WHERE line IS NOT NULL)
SELECT line FROM leap
"""


_made: Callable[[Iterable[Any]], Row] = partial(tuple.__new__, Row)
"""As `Row._make`, which counts again the columns that were asked for."""


def _numbered(found: tuple[Any, ...]) -> tuple[int, Row]:
    return found[0], _made(found[1:])


def _of_kinds(kinds: Sequence[str]) -> tuple[str, str]:
    """The condition for rows of these kinds, and the index that finds them.

    SQLite takes a partial index only where the query repeats the index's own condition word for word.
    """
    if not kinds:
        return "", ""
    asked = " AND kind = ?" if len(kinds) == 1 else f" AND kind IN ({', '.join('?' * len(kinds))})"
    if set(kinds) <= set(SIGNPOSTS):
        return f" AND {schema.IS_SIGNPOST}{asked}", "INDEXED BY signpost"
    return asked, ""


Filled = TypeVar("Filled")


def create(path: Path, fill: Callable[[CampaignFile], Filled]) -> Filled:
    """A new campaign file, open, with what `fill` appends to it, in one transaction; what `fill` returns.

    AlreadyThere, if something stands at `path` before or after; whatever goes wrong, no file is left.
    """
    with part_of(path) as part, _named(path):
        with closing(connect(part, "rw")) as connection:
            file = CampaignFile(connection, part, read_only=False)
            with transaction(connection):
                _lay_out(connection)
                filled = fill(file)
            prepare(connection)
        publish(part, path)
        file.follow(path)
    return filled


def restore(path: Path, fill: Callable[[CampaignFile], Filled]) -> Filled:
    """A new campaign file, closed, with what `fill` appends to it inside `writing`; what `fill` returns.

    It is written without a log, which is quick, and gets its name once it is safe on the disk. AlreadyThere,
    if something stands at `path` before or after; whatever goes wrong, no file is left.
    """
    with part_of(path) as part, _named(path):
        with closing(connect(part, "rw")) as connection:
            _lay_out(connection, but=(schema.INDEX,))
            _hasten(connection)
            filled = fill(CampaignFile(connection, part, read_only=False))
            connection.execute(schema.INDEX)
        with closing(connect(part, "rw")) as connection:
            prepare(connection)
        publish(part, path)
    return filled


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Says what SQLite could not do of the file as it is to be called."""
    try:
        yield
    except sqlite3.Error as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None


def _lay_out(connection: sqlite3.Connection, but: Collection[str] = ()) -> None:
    """The marks and tables of a campaign, `but` for some of its statements."""
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in schema.DDL:
        if statement not in but:
            connection.execute(statement)


def _hasten(connection: sqlite3.Connection) -> None:
    """The settings for a file that is thrown away if anything goes wrong."""
    prepare(connection)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
