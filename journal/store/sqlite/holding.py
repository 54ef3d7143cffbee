"""Who holds the lock on a campaign's file, where the system says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from journal.store.sqlite.places import beside

_PROC: Final = Path("/proc")
_LOCK: Final = re.compile(r"(?m)^\d+: \S+ +\S+ +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) +(\d+) ")

WRITING: Final = 120
"""The byte of a log's shared memory that whoever writes has locked: SQLite's WAL_WRITE_LOCK."""

LONGEST: Final = 60
"""Characters of a command that are told."""


def holder(path: Path, proc: Path = _PROC) -> str | None:
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
            if (int(file), int(first)) == (inode, WRITING) and int(number):
                yield int(number)


def _command(process: Path) -> str:
    """What a process was called with, for one line; empty where that is not to be known."""
    try:
        words = (process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return ""
    told = " ".join([Path(words[0]).name, *words[1:]]).strip()
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
