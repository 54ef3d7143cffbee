"""Location of a campaign file: files beside it, hard links to it, shared disks, and risks to it there."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from retold.journal.shell_words import shell_word
from retold.journal.store.disk.unfinished_files import PART, leftovers


def beside(path: Path, suffix: str) -> Path:
    """Returns the path of the file that SQLite keeps beside a database, by suffix: `-wal`, `-shm`.

    For a symbolic link, that is beside the file it points to.
    """
    file = os.path.realpath(path) if path.is_symlink() else path
    return Path(f"{file}{suffix}")


def wal_path(path: Path) -> Path:
    """Returns the path of a campaign's write-ahead log."""
    return beside(path, "-wal")


class FileNames(NamedTuple):
    """The names of a file that has several: hard links to the same bytes."""

    path: Path
    how_many: int
    """The number of its names."""
    others: tuple[Path, ...]
    """The other names that were found."""

    @property
    def logs(self) -> tuple[Path, ...]:
        """The other names that have a non-empty write-ahead log."""
        return tuple(name for name in self.others if _holds_something(wal_path(name)))

    def sentence(self) -> str:
        """Returns the message that refuses to write to a file with several names, with a remedy.

        What is recorded under one name is lost under another.
        """
        return (
            f"{self._names()} Nothing is recorded in it, for what is recorded under one name is lost under"
            f" another. {self._remedy()}"
        )

    def stale(self) -> str:
        """Returns the message that refuses to read the file under this name, since another has a log."""
        return (
            f"{self._names()} Acts that this one does not show may be in {wal_path(self.logs[0])}:"
            f" read {self.logs[0]}. {self._remedy()}"
        )

    def _names(self) -> str:
        names = f"{self.path} is one file under {self.how_many} names"
        if not self.others:
            return f"{names}, and the others are in other folders ({_find_command(self.path)} lists them)."
        more = self.how_many - 1 - len(self.others)
        found = ", ".join(map(str, self.others))
        rest = f", and {more} in other folders ({_find_command(self.path)} lists them)" if more else ""
        return f"{names}: {self.path}, {found}{rest}."

    def _remedy(self) -> str:
        logs = self.logs
        if logs and _holds_something(wal_path(self.path)):
            every = (self.path, *logs)
            return (
                f"A log lies beside {' and '.join(map(str, every))}, each with acts of its own: copy each"
                f" ({', '.join(map(_backup_to, every))}), look at both, and play on with the one you want."
            )
        keep = logs[0] if logs else self.path
        others = [name for name in (self.path, *self.others) if name != keep]
        gone = str(others[0]) if len(others) == 1 == self.how_many - 1 else f"every name but {keep}"
        return f"Play on with a copy ({_backup_to(keep)}), or delete {gone}."


def find_file_names(path: Path) -> FileNames | None:
    """Finds the other names (hard links) of the file at `path`; returns None if there are none.

    Looks in its folder, and at the files in which this computer recorded before. Unfinished files (`.part`)
    do not count.
    """
    file = Path(os.path.realpath(path))
    with suppress(OSError):
        found = file.stat()
        if found.st_nlink > 1:
            from retold.journal.store.disk.last_seen import files_seen  # noqa: PLC0415 -- hardly ever needed, and slow to load

            names = list(_in_folder(file, found))
            names += [name for name in files_seen() if name.parent != file.parent and _is(name, found)]
            parts = [name for name in names if PART.fullmatch(name.name)]
            others = tuple(dict.fromkeys(name for name in names if name not in parts))
            if (count := found.st_nlink - len(parts)) > 1:
                return FileNames(path, count, tuple(_shown(name, path, file) for name in others))
    return None


def _in_folder(file: Path, found: os.stat_result) -> Iterator[Path]:
    with os.scandir(file.parent) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name != file.name and entry.inode() == found.st_ino and _is(Path(entry.path), found):
                yield Path(entry.path)


def _is(path: Path, found: os.stat_result) -> bool:
    with suppress(OSError, ValueError):
        return os.path.samestat(path.stat(follow_symlinks=False), found)
    return False


def _shown(other: Path, path: Path, file: Path) -> Path:
    """Returns `other`, a name of the same file, in the form in which the user typed `path`."""
    return path.with_name(other.name) if other.parent == file.parent and not path.is_symlink() else other


def _holds_something(log: Path) -> bool:
    with suppress(OSError):
        return log.stat().st_size > 0
    return False


def _backup_to(path: Path) -> str:
    return f"retold backup -c {shell_word(str(path))} NEW"


def _find_command(path: Path) -> str:
    command = "fsutil hardlink list" if sys.platform == "win32" else "find / -xdev -samefile"
    return f"{command} {shell_word(str(path))}"


SQLITE_VERSION: Final = sqlite3.sqlite_version_info
"""The version of the installed SQLite."""

_FIRST_SAFE: Final = (3, 51, 3)
_SAFE_BACKPORTS: Final = {(3, 50): 7, (3, 44): 6}
"""Older minor versions, each with the first patch release that has the fix."""

_SHARED: Final = (
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|ncpfs"
    r"|fuse\.(?:sshfs|rclone|s3fs|glusterfs|davfs\w*|smb\w*)"
)
_SYNCED: Final = ("dropbox", "onedrive", "google drive", "googledrive", "mobile documents", "nextcloud")
"""How the names of synchronised folders begin."""

_MOUNTS: Final = Path("/proc/self/mounts")

LARGE_LOG: Final = 32 * 2**20
"""Bytes of a write-ahead log that is merged too seldom: twice the size at which SQLite merges it."""


def is_safe_version(version: tuple[int, int, int]) -> bool:
    """True if this SQLite version is free of the WAL-reset bug, by which two writers may damage a file."""
    return version >= _FIRST_SAFE or version[2] >= _SAFE_BACKPORTS.get(version[:2], sys.maxsize)


class SharedDisk(NamedTuple):
    """A network disk, or a folder that another program synchronises."""

    kind: str
    is_network: bool
    """True for another computer's disk, where locks may fail; False for a synchronised folder."""

    def sentence(self, place: object) -> str:
        """Returns a warning about a campaign at `place` on this disk, with a remedy."""
        if self.is_network:
            return (
                f"{place} lies on {self.kind}, where locks do not always hold: two programs that write to it"
                " at once may damage it. Keep it on a disk of this computer, and take it elsewhere with"
                " backup."
            )
        return (
            f"{place} lies in {self.kind}. Let one computer at a time have it open, and wait until all is"
            " copied before another opens it; or keep it elsewhere, and put a backup there."
        )


def shared_disk(path: Path, mounts: Path = _MOUNTS) -> SharedDisk | None:
    """Returns the network disk or synchronised folder that `path` lies on; None for a local disk.

    Network disks are recognised on Linux and Windows; synchronised folders by their names, or
    by the mark of Syncthing.
    """
    there = path.absolute()
    resolved = there.resolve()
    if is_of_server(there) or is_of_server(resolved):  # or a Windows drive mapped to a server's folder
        return SharedDisk("a network disk", is_network=True)
    kind = _mounted(resolved, mounts)
    if kind is not None and re.fullmatch(_SHARED, kind):
        return SharedDisk(f"a network disk ({kind})", is_network=True)
    for part in there.parent.parts:
        if part.casefold().startswith(_SYNCED):
            return SharedDisk(f"a folder that is copied elsewhere ({part})", is_network=False)
    if any((folder / ".stfolder").exists() for folder in there.parents):
        return SharedDisk("a folder that is copied elsewhere (Syncthing)", is_network=False)
    return None


def is_of_server(path: PurePath) -> bool:
    r"""True for a path of Windows on another computer: `\\server\share\x`, `\\?\UNC\server\share\x`."""
    drive = path.drive.casefold()
    return drive.startswith("\\\\?\\unc") or (
        drive.startswith("\\\\") and not drive.startswith(("\\\\?\\", "\\\\.\\"))
    )


def large_log(path: Path) -> str | None:
    """Returns a warning if the campaign's write-ahead log has LARGE_LOG bytes or more; else None."""
    log = wal_path(path)
    try:
        size = log.stat().st_size
    except OSError:
        return None
    if size < LARGE_LOG:
        return None
    return (
        f"{log.name} has grown to {size / 2**20:,.0f} MB, for a process has had {path.name} open all along"
        " and reads an early state of it. Nothing is wrong, but a copy of the one file lacks what is in"
        " there, and reading grows slower: close what else has it open, and it is folded in."
    )


def _mounted(path: Path, mounts: Path) -> str | None:
    """Returns the type of the file system that holds `path`, by Linux's mount table; None if unknown."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    found = [(Path(point), kind) for _, point, kind, *_ in map(str.split, lines)]
    held = [(len(point.parts), kind) for point, kind in found if path.is_relative_to(point)]
    return max(held, default=(0, None))[1]


def footing(path: Path) -> Iterator[str]:
    """Yields sentences about risks to the file at `path`, each with a remedy."""
    if not is_safe_version(SQLITE_VERSION):
        version = ".".join(map(str, SQLITE_VERSION))
        yield (
            f"SQLite {version} has a rare fault: two programs that tidy up one file in the same instant may"
            " damage it (the WAL-reset bug, mended in 3.51.3). A newer one comes with a newer Python or"
            " system; until then keep backups."
        )
    if (shared := shared_disk(path)) is not None:
        yield shared.sentence(path)
    if (large := large_log(path)) is not None:
        yield large
    left = list(leftovers(path.absolute().parent))
    if left:
        yield (
            f"Files that killed programs left beside it are deleted by the next file that Retold makes there:"
            f" {', '.join(file.name for file in left)}."
        )
