"""Flushes files to the disk: the one place that asks the system to do so."""

from __future__ import annotations

import os
import sys
from errno import EIO
from pathlib import Path


def flush(descriptor: int) -> None:
    """Returns once everything written to the open file is on the disk; OSError if the disk refuses.

    On macOS, `fsync` leaves it in the drive's cache, which a power cut loses; F_FULLFSYNC writes that cache
    out. A file system that does not know F_FULLFSYNC (a share) is asked with `fsync`.
    """
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415 -- Windows has none

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno == EIO:  # the disk failed: `fsync` might not report it again
                raise
        else:
            return
    os.fsync(descriptor)


def flush_path(path: Path) -> None:
    """Flushes a file, or the names in a folder; OSError if the disk refuses or `path` cannot be opened."""
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)
