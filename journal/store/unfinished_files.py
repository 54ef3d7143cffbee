"""Unfinished files: created beside their target under a temporary name, then given its name or deleted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

from journal.store.errors import AlreadyThere, CannotWrite
from journal.store.event_store import SweptFiles
from journal.store.flushing import flush_path

PART: Final = re.compile(r"\.retold-(\d+)-\d+\.part")
"""The name of an unfinished file, which is never opened as a campaign."""

_OWN_PARTS: Final[set[Path]] = set()
"""Unfinished files that this process is writing."""

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
    for left in leftovers(path.absolute().parent):
        remove(left)
    try:
        part = create_part(path)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be made: {_reason(error)}.") from None
    try:
        yield part
    finally:
        discard(part)


def create_part(path: Path, mode: int = 0o644) -> Path:
    """Creates an empty temporary file beside `path`, which no other process uses; returns its path.

    Its name has this process's id and a counter: in a container every process may have the same id.
    """
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
    """Writes a finished temporary file through to the disk, and gives it the name `path`.

    Raises AlreadyThere if a file has that name (an empty one is replaced), CannotWrite if the disk refuses.
    """
    with _written_through(part, path, "made", taken=path):
        if path.exists() and not _is_occupied(path):  # an empty file, perhaps left by a killed process
            path.unlink()
        _name(part, path)


def exchange(part: Path, path: Path, kept: Path) -> None:
    """Gives a finished temporary file the name `path`; the file that had it is called `kept` from then on.

    At any moment a file is called `path`, on a disk with hard links. Raises AlreadyThere if `kept` exists,
    CannotWrite if the disk refuses.
    """
    with _written_through(part, path, "made anew", taken=kept):
        _name(path, kept)
        part.replace(path)


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
        raise CannotWrite(f"{path} cannot be {done}: {_reason(error)}.") from None
    with suppress(OSError):  # some systems cannot open a folder
        flush_path(path.absolute().parent)


def _name(part: Path, path: Path) -> None:
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)


def _reason(error: OSError) -> str:
    return error.strerror.lower() if error.strerror else str(error)


def _is_occupied(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not (path.is_file() and path.stat().st_size == 0))


def _is_running(number: int) -> bool:
    """True if another process has the id `number`.

    Always False on Windows, where an open file cannot be deleted anyway.
    """
    if number == os.getpid() or os.name == "nt":
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def remove(path: Path) -> None:
    """Deletes a file and the files that SQLite keeps beside it, ignoring errors."""
    for suffix in (*BESIDE, ""):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
