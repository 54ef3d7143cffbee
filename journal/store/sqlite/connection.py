"""SQLite as a campaign is kept in it: a connection with our settings, and what is said when it fails."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from journal.store.errors import CannotWrite, Damaged, Foreign, NotACampaign, StoreError, TooNew
from journal.store.event_store import FORMAT
from journal.store.sqlite import schema
from journal.store.sqlite.location import beside

BUSY_SECONDS = 30.0
"""How long somebody else's lock is waited for."""

WAIT_SLICE = 0.1
"""Seconds of that at a time: within SQLite nobody hears Ctrl-C."""

LITTLE_SPACE: Final = 64 * 2**20
"""With fewer bytes free it is for want of room that a disk does not take something."""

T = TypeVar("T")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to the file at `path`, in SQLite's mode (`ro`, `rw`, …); it makes no file."""
    where = path.absolute().as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file://{where}?mode={mode}"
    # Which thread asks is the caller's to say: a library's user has several, and lets one in at a time.
    return sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        timeout=min(WAIT_SLICE, BUSY_SECONDS),
        cached_statements=64,
        check_same_thread=False,
    )


def waited(do: Callable[[], T]) -> T:
    """What `do` comes to, tried again while somebody else's lock is in its way; Ctrl-C ends it at once."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return do()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise


def is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else's lock was in the way."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection to the campaign at `path`, with our settings; sqlite3.Error or StoreError if it is none.

    A file in a folder that SQLite cannot use is read whole, where it is only to be read.
    """
    return waited(lambda: _opened(path, read_only=read_only))


def _opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    try:
        connection = connect(path, _mode(path) if read_only else "rw")
        _check(connection, path, read_only=read_only)
    except sqlite3.OperationalError as error:
        # SQLite says either, where a folder has no room for its shared memory.
        if "unable to open" not in str(error) and not (read_only and "readonly" in str(error)):
            raise
        if not read_only:
            raise CannotWrite(f"{path} cannot be written: {_no_room_beside(path, error)}.") from None
        connection = in_memory(path)
        _check(connection, path, read_only=read_only)
    if read_only:
        connection.execute("PRAGMA query_only = ON")
    else:
        prepare(connection)
    return connection


def _mode(path: Path) -> str:
    """How SQLite opens a file that is only to be read.

    One that nobody may write, and nobody has open, it takes as what never changes. Else it would make shared
    memory beside it, with the file's own permissions, which outlasts the reading and keeps out whoever may
    write there one day.
    """
    mode, left = path.stat().st_mode, (beside(path, suffix).exists() for suffix in ("-wal", "-shm"))
    return "ro" if mode & 0o222 or any(left) else "ro&immutable=1"


def _no_room_beside(path: Path, error: sqlite3.Error) -> str:
    """Why SQLite can make no file of its own beside a campaign."""
    import os  # noqa: PLC0415 -- seldom needed, and who starts must start at once

    if not os.access(path.absolute().parent, os.W_OK):
        return "its folder is read-only"
    return f"SQLite can make no file of its own beside it ({reason(error)})"


def in_memory(path: Path) -> sqlite3.Connection:
    """The file read whole, with its log: as where its folder has no room for SQLite's own shared memory."""
    import shutil  # noqa: PLC0415 -- seldom needed, and slow to load for who must start at once
    import tempfile  # noqa: PLC0415 -- as above

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            if (source_file := beside(path, suffix)).exists():
                shutil.copyfile(source_file, f"{copy}{suffix}")
        connection = sqlite3.connect(":memory:", isolation_level=None)
        source = connect(copy, "rw")
        try:
            source.backup(connection)
        finally:
            source.close()
    return connection


def _check(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != schema.APPLICATION_ID:
        connection.close()
        raise NotACampaign(f"{path} is no campaign of Retold.")
    if version > FORMAT:
        connection.close()
        raise TooNew(f"{path} has format {version}, and this Retold reads up to {FORMAT}: take a later one.")
    # Before anything is asked of its tables: what somebody else put there must not be run.
    connection.execute("PRAGMA trusted_schema = OFF")
    listed = connection.execute("SELECT type, name, sql FROM sqlite_master")
    if found := schema.strangers(listed, read_only=read_only):
        connection.close()
        kind = Foreign if any(one.startswith("the view ") for one in found) else Damaged
        raise kind(f"{path} is damaged: it holds what no campaign has, {found[0]}, and is not opened.")


def prepare(connection: sqlite3.Connection) -> None:
    """Gives a connection that may write the settings each of them has."""
    for statement in schema.CONNECTION:
        connection.execute(statement).fetchall()


class CommitFailed(sqlite3.OperationalError):
    """Everything was written, and the last step, which makes it count, failed."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """The lock for writing: what is written inside is kept together when it ends, or not at all.

    `CommitFailed` leaves open which of the two came about.
    """
    committing = False
    try:
        # Inside, for whoever is interrupted here must not keep the lock.
        waited(lambda: connection.execute("BEGIN IMMEDIATE"))
        yield
        committing = True
        connection.execute("COMMIT")
    except BaseException as error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        if committing and isinstance(error, sqlite3.Error):
            raise CommitFailed(str(error)) from error
        raise


def not_opened(path: Path, error: Exception) -> StoreError:
    """Why the file at `path` cannot be opened."""
    if "not a database" in str(error):
        return NotACampaign(f"{path} is no campaign of Retold.")
    if "readonly" in str(error):
        return CannotWrite(f"{path} cannot be written: {_read_only(path)}.")
    if "decode to UTF-8" in str(error) or isinstance(error, UnicodeDecodeError):
        return Damaged(f"{path} is damaged: what it says of its own tables cannot be read.")
    if "malformed" in str(error):
        return Damaged(f"{path} is damaged: {reason(error)}.")
    if isinstance(error, sqlite3.Error) and is_busy(error):
        return StoreError(f"Nothing was done: {_held(path)}. Say it again.")
    return StoreError(f"{path} cannot be opened: {reason(error)}.")


def unwritten(path: Path, error: sqlite3.Error) -> str:
    """Why nothing was recorded in the file at `path`, and what to do, in a sentence."""
    text = str(error)
    if "full" in text or "disk I/O" in text:
        free = _free(path)
        if "full" in text or free is None or free < LITTLE_SPACE:
            room = "no bytes we know of" if free is None else f"{free:,} bytes"
            return (
                f"Nothing was recorded: the disk does not take it ({room} are free for {path})."
                " Free some space and say it again."
            )
        return (
            f"Nothing was recorded: the disk does not take it ({text}), though {free:,} bytes are free for"
            f" {path}. Something is wrong with the disk: make a backup on another one, and play on there."
        )
    if "readonly" in text:
        return f"Nothing was recorded in {path}: {_read_only(path)}."
    if is_busy(error):
        return f"Nothing was recorded: {_held(path)}. Say it again."
    if "append-only" in text:
        return f"Nothing was recorded: the record of {path} is append-only."
    return f"Nothing was recorded in {path}: {reason(error)}."


def _read_only(path: Path) -> str:
    """What is read-only: the file, its folder, or what was left beside it by who could only read it."""
    import os  # noqa: PLC0415 -- as in `_no_room_beside`

    shared = beside(path, "-shm")
    if os.access(path, os.W_OK) and shared.exists() and not os.access(shared, os.W_OK):
        return (
            f"{shared.name} beside it is read-only; nothing is kept there: delete it while nobody has it open"
        )
    if os.access(path, os.W_OK) and not os.access(path.absolute().parent, os.W_OK):
        return "its folder is read-only"
    return "it is read-only"


def _held(path: Path) -> str:
    """That somebody holds the lock on the file at `path`, and who, if that can be said."""
    return f"{lock_holder(path) or 'somebody'} has held {path} for {BUSY_SECONDS:.0f} seconds"


def doubtful(path: Path, error: sqlite3.Error, position: int | None) -> str:
    """What is said where the last step of recording failed: it stands at `position`, or nobody knows."""
    failed = f"The disk failed at the very last ({reason(error)})"
    if position is None:
        return (
            f"{failed}, and nobody can say yet whether it was recorded in {path}:"
            " look with log -n 1 before you say it again."
        )
    return (
        f"{failed}, but it is recorded in {path}, at {position}: do not say it again."
        " Make a backup on another disk."
    )


def _free(path: Path) -> int | None:
    """The bytes left where `path` lies; None where that is not to be known."""
    import shutil  # noqa: PLC0415 -- as in `_in_memory`

    try:
        return shutil.disk_usage(path.absolute().parent).free
    except OSError:
        return None


def reason(error: Exception) -> str:
    """What the system or SQLite gives as the reason, to stand within a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


_PROC: Final = Path("/proc")
_LOCK: Final = re.compile(r"(?m)^\d+: \S+ +\S+ +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) +(\d+) ")

LONG_WRITE: Final = 120
"""The byte of a log's shared memory that whoever writes has locked: SQLite's WAL_WRITE_LOCK."""

LONGEST: Final = 60
"""Characters of a command that are told."""


def lock_holder(path: Path, proc: Path = _PROC) -> str | None:
    """The process that has locked the file at `path` for writing: `process 4711 (retold play)`.

    None where none has, and where the system lists no locks: only Linux does. What it lists runs, for whoever
    is killed holds no lock any more.
    """
    number = next(_holders(path, proc), None)
    if number is None:
        return None
    command = _command(proc / str(number))
    return f"process {number} ({command})" if command else f"process {number}"


def _holders(path: Path, proc: Path) -> Iterator[int]:
    """Not by a look at the lock itself: to close that file lets go of every lock this process has on it."""
    with suppress(OSError):
        inode = beside(path, "-shm").stat().st_ino
        for number, file, first in _LOCK.findall((proc / "locks").read_text("ascii")):
            if (int(file), int(first)) == (inode, LONG_WRITE) and int(number):
                yield int(number)


def _command(process: Path) -> str:
    """What a process was called with, for one line; empty where that is not to be known."""
    try:
        words = (process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return ""
    told = " ".join([Path(words[0]).name, *words[1:]]).strip()
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
