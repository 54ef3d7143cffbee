"""Opens SQLite connections to a campaign file with Retold's settings; explains failures in sentences."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePath, PureWindowsPath
from typing import Final, TypeVar

from retold.journal.store.contract.errors import (
    CannotWrite,
    Damaged,
    Foreign,
    NotACampaign,
    StoreError,
    TooNew,
)
from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.sqlite import schema
from retold.journal.store.sqlite.location import beside

BUSY_SECONDS = 30.0
"""Seconds to wait for another process's lock."""

WAIT_SLICE = 0.1
"""Seconds waited at a time: Ctrl-C is not noticed inside SQLite."""

SHORT_PATH: Final = 240
"""Characters of a path that SQLite opens on Windows without being told that it is long."""

LITTLE_SPACE: Final = 64 * 2**20
"""Free bytes below which a failed write is blamed on a full disk."""

_NO_SHARED_MEMORY: Final = (sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE)
"""Errors of SQLite if the disk has no room for its shared-memory file."""

T = TypeVar("T")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Returns an SQLite connection to the existing file at `path`; `mode` is SQLite's (`ro`, `rw`)."""
    # The caller serialises threads: a user of the library may have several.
    return sqlite3.connect(
        file_uri(path.absolute(), mode),
        uri=True,
        isolation_level=None,
        timeout=min(WAIT_SLICE, BUSY_SECONDS),
        cached_statements=64,
        check_same_thread=False,
    )


def file_uri(path: PurePath, mode: str) -> str:
    r"""Returns SQLite's URI of the file at an absolute path; `mode` is SQLite's (`ro`, `rw`).

    On Windows the path may begin with a drive (`C:`), a server (`\\server\share`), or `\\?\`, after which
    Windows takes every character as it is.
    """
    is_windows = isinstance(path, PureWindowsPath)
    is_verbatim = is_windows and str(path).startswith("\\\\?\\")
    where = (str(path) if is_verbatim else path.as_posix()).replace("%", "%25")
    where = where.replace("?", "%3f").replace("#", "%23")
    if is_verbatim:
        where = where.replace("\\", "%5c")
    # Without the third slash SQLite takes a drive for the name of a host.
    slash = "" if where.startswith("/") else "/"
    long = "&vfs=win32-longpath" if is_windows and len(str(path)) > SHORT_PATH else ""
    return f"file://{slash}{where}?mode={mode}{long}"


def waited(do: Callable[[], T]) -> T:
    """Returns `do()`, called again for up to BUSY_SECONDS while the file is locked; Ctrl-C interrupts."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return do()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= until:
                raise


def is_busy(error: sqlite3.Error) -> bool:
    """True if the error means that another process holds a lock."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Returns a connection to the campaign file at `path`, with Retold's settings; waits while it is locked.

    With `read_only`, a file where SQLite cannot create its own files (a read-only folder, a full disk) is
    copied into memory. Raises sqlite3.Error or StoreError if opening fails.
    """
    return waited(lambda: _opened(path, read_only=read_only))


def _opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    try:
        connection = connect(path, _mode(path) if read_only else "rw")
        _check(connection, path, read_only=read_only)
    except sqlite3.OperationalError as error:
        # SQLite gives either message if it cannot create its shared-memory file.
        is_full = getattr(error, "sqlite_errorcode", 0) in _NO_SHARED_MEMORY
        if "unable to open" not in str(error) and not (read_only and (is_full or "readonly" in str(error))):
            raise
        if not read_only:
            raise CannotWrite(f"{path} cannot be written: {_no_room_beside(path, error)}.") from None
        try:
            connection = in_memory(path)
        except OSError:  # its log has no room in the temporary folder either
            raise error from None
        _check(connection, path, read_only=read_only)
    if read_only:
        connection.execute("PRAGMA query_only = ON")
    else:
        prepare(connection)
    return connection


def _mode(path: Path) -> str:
    """Returns the SQLite mode for reading: `ro`, or `ro&immutable=1` for a write-protected file not in use.

    Without `immutable`, SQLite would create a shared-memory file with the same permissions. It would outlast
    the reading, and block a user who later may write in that folder.
    """
    mode, left = path.stat().st_mode, (beside(path, suffix).exists() for suffix in ("-wal", "-shm"))
    return "ro" if mode & 0o222 or any(left) else "ro&immutable=1"


def _no_room_beside(path: Path, error: sqlite3.Error) -> str:
    """Returns a clause with the reason why SQLite cannot create its own files beside a campaign file."""
    import os  # noqa: PLC0415 -- seldom needed, and who starts must start at once

    if not os.access(path.absolute().parent, os.W_OK):
        return "its folder is read-only"
    return f"SQLite can make no file of its own beside it ({reason(error)})"


def in_memory(path: Path) -> sqlite3.Connection:
    """Returns a connection to a copy in memory of the file at `path`, its write-ahead log included.

    For where SQLite cannot create its own files. Only a copy with a log needs room in the temporary folder.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    log = beside(path, "-wal")
    if not log.exists() or not log.stat().st_size:
        with closing(connect(path, "ro&immutable=1")) as source:
            source.backup(connection)
        return connection
    import shutil  # noqa: PLC0415 -- seldom needed, and slow to load for who must start at once
    import tempfile  # noqa: PLC0415 -- as above

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-wal"):
            source_file = beside(path, suffix)
            if source_file.exists():
                shutil.copyfile(source_file, f"{copy}{suffix}")
        with closing(connect(copy, "rw")) as source:
            source.backup(connection)
    return connection


def _check(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != schema.APPLICATION_ID:
        connection.close()
        raise NotACampaign(f"{path} is not a Retold campaign.")
    if version > FORMAT:
        connection.close()
        raise TooNew(f"{path} has format {version}, and this Retold reads up to {FORMAT}: take a later one.")
    # Before any query: code that another program put into the schema must not run.
    connection.execute("PRAGMA trusted_schema = OFF")
    listed = connection.execute("SELECT type, name, sql FROM sqlite_master")
    if found := schema.strangers(listed, read_only=read_only):
        connection.close()
        kind = Foreign if any(stranger.startswith("the view ") for stranger in found) else Damaged
        raise kind(f"{path} is damaged: it holds what no campaign has, {found[0]}, and is not opened.")


def prepare(connection: sqlite3.Connection) -> None:
    """Sets SQLite's options (journal, syncing, checks) on a writable connection as Retold needs them."""
    for statement in schema.CONNECTION:
        connection.execute(statement).fetchall()


class CommitFailed(sqlite3.OperationalError):
    """Raised if the final commit failed after the rows were written: they may be stored or not."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Context manager: takes the write lock; commits at the end, rolls back on any exception.

    Raises CommitFailed if the commit fails, when it is unknown whether the changes were stored.
    """
    committing = False
    try:
        # Inside `try`, so that an interruption here releases the lock.
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
    """Returns a StoreError that says in a sentence why the file at `path` cannot be opened."""
    if "not a database" in str(error):
        return NotACampaign(f"{path} is not a Retold campaign.")
    if "readonly" in str(error):
        return CannotWrite(f"{path} cannot be written: {_read_only(path)}.")
    if "decode to UTF-8" in str(error) or isinstance(error, UnicodeDecodeError):
        return Damaged(f"{path} is damaged: what it says of its own tables cannot be read.")
    if "malformed" in str(error):
        return Damaged(f"{path} is damaged: {reason(error)}.")
    if isinstance(error, sqlite3.Error) and is_busy(error):
        return StoreError(f"Nothing was done: {_holder_clause(path)}. Say it again.")
    return StoreError(f"{path} cannot be opened: {failure_to_open(path, error)}.")


def failure_to_open(path: Path, error: Exception) -> str:
    """Returns a clause saying why SQLite cannot open the file: its disk is full, or the error's own text."""
    if _wants_room(error) and (free := _free(path)) is not None and free < LITTLE_SPACE:
        return f"its disk is full ({free:,} bytes are free); free some space first"
    return reason(error)


def unwritten(path: Path, error: sqlite3.Error) -> str:
    """Returns a sentence for the user: nothing was recorded at `path`, the cause, and often a remedy."""
    text = reason(error)
    if _wants_room(error):
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
        return f"Nothing was recorded: {_holder_clause(path)}. Say it again."
    if "append-only" in text:
        return f"Nothing was recorded: the record of {path} is append-only."
    return f"Nothing was recorded in {path}: {reason(error)}."


def _wants_room(error: Exception) -> bool:
    """True if SQLite's error may come from a full disk."""
    text = reason(error)
    return "full" in text or "disk I/O" in text


def _read_only(path: Path) -> str:
    """Returns a clause naming what is read-only: the file, its folder, or a shared-memory file left there."""
    import os  # noqa: PLC0415 -- as in `_no_room_beside`

    shared = beside(path, "-shm")
    if os.access(path, os.W_OK) and shared.exists() and not os.access(shared, os.W_OK):
        return (
            f"{shared.name} beside it is read-only; nothing is kept there: delete it while nobody has it open"
        )
    if os.access(path, os.W_OK) and not os.access(path.absolute().parent, os.W_OK):
        return "its folder is read-only"
    return "it is read-only"


def _holder_clause(path: Path) -> str:
    """Returns a clause saying which process holds the lock on the file, as far as known."""
    return f"{lock_holder(path) or 'somebody'} has held {path} for {BUSY_SECONDS:.0f} seconds"


def _free(path: Path) -> int | None:
    """Returns the free bytes on the disk that holds `path`; None if unknown."""
    import shutil  # noqa: PLC0415 -- as in `in_memory`

    try:
        return shutil.disk_usage(path.absolute().parent).free
    except OSError:
        return None


def reason(error: Exception) -> str:
    """Returns the error's own text, from the operating system or SQLite, for use inside a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).removesuffix(".")


_PROC: Final = Path("/proc")
_LOCK: Final = r"(?m)^\d+: \S+ +\S+ +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) +(\d+) "

LONG_WRITE: Final = 120
"""The byte of the shared-memory file that a writer locks: SQLite's WAL_WRITE_LOCK."""

LONGEST: Final = 60
"""The most characters of a command line that are shown."""


def lock_holder(path: Path, proc: Path = _PROC) -> str | None:
    """Returns the process that holds the write lock on `path`, such as `process 4711 (retold play)`.

    Returns None if no process does, and on systems other than Linux, which list no locks. A listed process is
    running: the locks of a killed one are released.
    """
    number = next(_holders(path, proc), None)
    if number is None:
        return None
    command = _command(proc / str(number))
    return f"process {number} ({command})" if command else f"process {number}"


def _holders(path: Path, proc: Path) -> Iterator[int]:
    """Yields the ids of processes with the write lock, read from the system's list of locks.

    Opening the locked file itself would not do: closing it again would release this process's own locks.
    """
    with suppress(OSError):
        inode = beside(path, "-shm").stat().st_ino
        for number, file, first in re.findall(_LOCK, (proc / "locks").read_text("ascii")):
            if (int(file), int(first)) == (inode, LONG_WRITE) and int(number):
                yield int(number)


def _command(process: Path) -> str:
    """Returns the command line of a process, at most LONGEST characters of it; "" if unknown."""
    try:
        words = (process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return ""
    shown = " ".join([Path(words[0]).name, *words[1:]]).strip()
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
