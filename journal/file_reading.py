"""Reading of a file whose path the user gave, without hanging on pipes or devices."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_regular_file(path: Path, most: int) -> bytes:
    """Returns up to `most` bytes of a regular file.

    Raises OSError for a pipe, a device, a folder, or an unreadable file.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    )
    descriptor = os.open(path, flags)  # non-blocking: a pipe without a writer would block
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
        return file.read(most)
