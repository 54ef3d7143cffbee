"""What a campaign's file stands on: the SQLite that writes it, and the disk it lies on."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path
from typing import Final

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


def surely_sound(version: tuple[int, int, int]) -> bool:
    """Whether this SQLite is without the WAL-reset bug, of which two that write at once may damage a file."""
    return version >= _SOUND or version[2] >= _ALSO_SOUND.get(version[:2], sys.maxsize)


def shared_disk(path: Path, mounts: Path = _MOUNTS) -> str | None:
    """What sort of shared disk or folder a file lies on; None for a disk of this computer."""
    place = path.absolute()
    for part in place.parent.parts:
        if part.casefold().startswith(_SYNCED):
            return f"a folder that is copied elsewhere ({part})"
    kind = _mounted(place.resolve(), mounts)
    return f"a network disk ({kind})" if kind is not None and _SHARED.fullmatch(kind) else None


def _mounted(path: Path, mounts: Path) -> str | None:
    """The sort of file system at `path`, as Linux lists them."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    found = [(Path(point), kind) for _, point, kind, *_ in map(str.split, lines)]
    held = [(len(point.parts), kind) for point, kind in found if path.is_relative_to(point)]
    return max(held, default=(0, None))[1]
