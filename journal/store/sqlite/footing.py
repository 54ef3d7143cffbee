"""What a campaign's file stands on: the SQLite that writes it, and the disk it lies on."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path
from typing import Final, NamedTuple

from journal.store.sqlite.places import log_of

VERSION: Final = sqlite3.sqlite_version_info
"""The SQLite there is here."""

_SOUND: Final = (3, 51, 3)
_ALSO_SOUND: Final = {(3, 50): 7, (3, 44): 6}
"""Older versions, and the first of each that was mended as well."""

_SHARED: Final = re.compile(
    r"nfs\d?|cifs|smb\w*|9p|afs|ceph|glusterfs|lustre|ncpfs|fuse\.(?:sshfs|rclone|s3fs|glusterfs|davfs\w*|smb\w*)"
)
_SYNCED: Final = ("dropbox", "onedrive", "google drive", "googledrive", "mobile documents", "nextcloud")
"""Folders that a program copies elsewhere, file by file, by what stands in their names."""

_MOUNTS: Final = Path("/proc/self/mounts")

LARGE_LOG: Final = 32 * 2**20
"""Bytes of a log that is folded into the file too seldom: twice what it is folded in at."""


def surely_sound(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite is without the WAL-reset bug, of which two that write at once may damage a file."""
    return version >= _SOUND or version[2] >= _ALSO_SOUND.get(version[:2], sys.maxsize)


class Shared(NamedTuple):
    """Where a file lies that others than this computer's programs may write to."""

    kind: str
    is_network: bool
    """A disk of another computer, where locks do not always hold; else a folder that is copied elsewhere."""

    def sentence(self, path: Path) -> str:
        """What may happen there, and what to do."""
        if self.is_network:
            return (
                f"{path} lies on {self.kind}, where locks do not always hold: two programs that write to it"
                " at once may damage it. Keep it on a disk of this computer, and take it elsewhere with"
                " backup."
            )
        return (
            f"{path} lies in {self.kind}. Let one computer at a time have it open, and wait until all is"
            " copied before another opens it; or keep it elsewhere, and put a backup there."
        )


def shared_disk(path: Path, mounts: Path = _MOUNTS) -> Shared | None:
    """What sort of shared disk or folder a file lies on; None for a disk of this computer.

    Network disks are known on Linux, and by their names on Windows.
    """
    place = path.absolute()
    if place.drive.startswith("\\\\"):
        return Shared("a network disk", is_network=True)
    kind = _mounted(place.resolve(), mounts)
    if kind is not None and _SHARED.fullmatch(kind):
        return Shared(f"a network disk ({kind})", is_network=True)
    for part in place.parent.parts:
        if part.casefold().startswith(_SYNCED):
            return Shared(f"a folder that is copied elsewhere ({part})", is_network=False)
    return None


def large_log(path: Path) -> str | None:
    """That the log beside a campaign has grown large, in a sentence; None where it has not, or is none."""
    log = log_of(path)
    try:
        size = log.stat().st_size
    except OSError:
        return None
    if size < LARGE_LOG:
        return None
    return (
        f"{log.name} has grown to {size / 2**20:,.0f} MB, for somebody has had {path.name} open all along"
        " and reads an early state of it. Nothing is wrong, but a copy of the one file lacks what is in"
        " there, and reading grows slower: close what else has it open, and it is folded in."
    )


def _mounted(path: Path, mounts: Path) -> str | None:
    """The sort of file system at `path`, as Linux lists them."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    found = [(Path(point), kind) for _, point, kind, *_ in map(str.split, lines)]
    held = [(len(point.parts), kind) for point, kind in found if path.is_relative_to(point)]
    return max(held, default=(0, None))[1]
