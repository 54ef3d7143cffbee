"""Unfinished files: created beside their target under a temporary name, then given its name or deleted."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

from retold.journal.file_names import unfit
from retold.journal.store.contract.errors import AlreadyThere, CannotWrite
from retold.journal.store.contract.event_store import SweptFiles
from retold.journal.store.disk.flushing import flush_path

PART: Final = re.compile(r"\.retold-(\d+)-\d+\.part")
"""The name of an unfinished file, which is never opened as a campaign."""

IS_WINDOWS: Final = os.name == "nt"
"""True on Windows, where an open file can be neither renamed nor deleted."""

HELD_SECONDS: Final = 2.0
"""Seconds for which Windows is asked again for a file that another program has open."""

MOST_CHARACTERS: Final = 259
"""Characters of a path on Windows, unless its long paths are turned on."""

_OWN_PARTS: Final[set[Path]] = set()
"""Unfinished files that this process is writing."""
_SWEPT: Final[set[Path]] = set()
"""Folders in which this process has deleted the unfinished files of killed programs."""

T = TypeVar("T")

BESIDE: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files SQLite keeps beside a database."""


@contextmanager
def part_of(path: Path) -> Iterator[Path]:
    """Context manager: creates an empty temporary file beside `path`, gives its path, deletes it at the end.

    Temporary files of killed programs in that folder are deleted first. Raises AlreadyThere if `path` exists;
    an empty file there does not count.
    """
    if _is_occupied(path):
        raise AlreadyThere(path)
    sweep(path.absolute().parent)
    try:
        part = create_part(path)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be made: {reason(error)}.") from None
    try:
        yield part
    finally:
        discard(part)


def create_part(path: Path, mode: int = 0o644) -> Path:
    """Creates an empty temporary file beside `path`, which no other process uses; returns its path.

    Its name has this process's id and a counter: in a container every process may have the same id. The first
    time in a folder, temporary files of killed programs are deleted there. Raises OSError if the disk
    refuses, and on Windows for a name that no file there has (`a:b` would be another stream of `a`).
    """
    if IS_WINDOWS and (why := unfit(path.name)):
        raise OSError(errno.EINVAL, why, str(path))
    folder = path.absolute().parent
    if folder not in _SWEPT:
        sweep(folder)
    numbers = count()
    while True:
        part = path.with_name(f".retold-{os.getpid()}-{next(numbers)}.part")
        with suppress(FileExistsError):
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
            _OWN_PARTS.add(part)
            return part


def discard(part: Path) -> None:
    """Deletes a temporary file of this process, and the files that SQLite keeps beside it."""
    remove(part)
    _OWN_PARTS.discard(part)


def leftovers(folder: Path) -> Iterator[Path]:
    """Yields the temporary files in a folder whose processes are gone."""
    yield from (path for path in _parts_in(folder) if not _is_written(path))


def sweep(folder: Path) -> SweptFiles:
    """Deletes the temporary files in a folder whose processes are gone; returns deleted and left ones."""
    _SWEPT.add(folder)
    gone: list[Path] = []
    left: list[Path] = []
    for path in _parts_in(folder):
        if not _is_written(path):
            remove(path)
        (left if path.exists() else gone).append(path)
    return SweptFiles(tuple(gone), tuple(left))


def _parts_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in folder.iterdir() if PART.fullmatch(path.name))
    return []


def _is_written(part: Path) -> bool:
    """True if the process that created the temporary file may still be writing to it."""
    found = PART.fullmatch(part.name)
    return part in {ours.absolute() for ours in _OWN_PARTS} or (
        found is not None and _is_running(int(found[1]))
    )


def publish(part: Path, path: Path) -> None:
    """Writes a finished temporary file through to the disk, and gives it the name `path` instead of its own.

    On Windows no process may have it open. Raises AlreadyThere if a file has that name (an empty one is
    replaced), CannotWrite if the disk refuses.
    """
    with _written_through(part, path, "made", taken=path):
        if path.exists() and not _is_occupied(path):  # an empty file, perhaps left by a killed process
            patiently(path.unlink)
        _name(part, path)
        remove(part)


def exchange(part: Path, path: Path, kept: Path) -> None:
    """Gives a finished temporary file the name `path`; the file that had it is called `kept` from then on.

    At any moment a file is called `path`, on a disk with hard links. Raises AlreadyThere if `kept` exists,
    CannotWrite if the disk refuses; then every file has the name it had.
    """
    with _written_through(part, path, "made anew", taken=kept):
        _link(path, kept)
        try:
            patiently(partial(part.replace, path))
        except OSError:
            if path.exists():
                kept.unlink()
            else:
                kept.rename(path)
            raise


@contextmanager
def _written_through(part: Path, path: Path, done: str, *, taken: Path) -> Iterator[None]:
    """Context manager: writes `part` through to the disk, and after the names are given, their folder.

    Raises AlreadyThere for the name `taken` if the block raises FileExistsError, CannotWrite if the disk
    refuses (`PATH cannot be DONE: …`).
    """
    try:
        flush_path(part)
        yield
    except FileExistsError:
        raise AlreadyThere(taken) from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be {done}: {reason(error)}.") from None
    with suppress(OSError):  # some systems cannot open a folder
        flush_path(path.absolute().parent)


def _name(part: Path, path: Path) -> None:
    """Gives the file `part` the name `path`; raises FileExistsError if a file has it."""
    if IS_WINDOWS:  # a rename there never replaces a file
        patiently(partial(part.rename, path))
    else:
        _link(part, path)


def _link(file: Path, name: Path) -> None:
    """Gives a file a second name, or on a disk without hard links another; FileExistsError if it is taken."""
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if name.exists():
            raise FileExistsError(name) from None
        patiently(partial(file.rename, name))


def patiently(do: Callable[[], T]) -> T:
    """Returns `do()`, which renames, deletes or opens a file; on Windows again while another has it open.

    Virus scanners and indexers open a new file for a moment. Raises PermissionError after HELD_SECONDS.
    """
    until = time.monotonic() + HELD_SECONDS
    while True:
        try:
            return do()
        except PermissionError:
            if not IS_WINDOWS or time.monotonic() >= until:
                raise
            time.sleep(HELD_SECONDS / 40)


def reason(error: OSError) -> str:
    """Returns why a file cannot be made or replaced, as a clause; on Windows often with a remedy."""
    if IS_WINDOWS and isinstance(error, PermissionError):
        return "another program has it open, or you may not write there: close it there, and say it again"
    if IS_WINDOWS and isinstance(error, FileNotFoundError) and error.filename is not None:
        long = len(str(Path(error.filename).absolute()))
        if long > MOST_CHARACTERS:
            return (
                f"its path would have {long} characters, and without long paths Windows takes"
                f" {MOST_CHARACTERS}: choose a shorter one"
            )
    said = error.strerror or str(error)
    return said[:1].lower() + said[1:]


def _is_occupied(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not (path.is_file() and path.stat().st_size == 0))


def _is_running(number: int) -> bool:
    """True if another process has the id `number`."""
    return number != os.getpid() and _is_there(number)


if sys.platform == "win32":  # where os.kill would end it

    def _is_there(number: int) -> bool:
        import ctypes  # noqa: PLC0415 -- who starts must start at once

        synchronize, no_such_process, still_running = 0x100000, 87, 0x102
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        process = ctypes.c_void_p(kernel.OpenProcess(synchronize, False, ctypes.c_ulong(number)))
        if not process.value:
            return ctypes.get_last_error() != no_such_process
        try:
            return bool(kernel.WaitForSingleObject(process, 0) == still_running)
        finally:
            kernel.CloseHandle(process)

else:

    def _is_there(number: int) -> bool:
        try:
            os.kill(number, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except OSError:
            return True
        return True


def remove(path: Path) -> None:
    """Deletes a file and the files that SQLite keeps beside it, ignoring errors."""
    for suffix in (*BESIDE, ""):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
