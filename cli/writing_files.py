"""Writes what is exported: to a new file, whole or not at all, or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from journal.refused import Refused


def write_bytes(data: bytes, path: Path | None, *, force: bool = False) -> None:
    """Writes to a file that is not there yet, or to standard output; never over something unasked."""
    if path is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    _write(path, [data], force=force)


def write_lines(lines: Iterable[str], path: Path | None, *, force: bool = False) -> None:
    """Writes lines one after another, as `write_bytes` does."""
    if path is None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        return
    _write(path, (f"{line}\n".encode() for line in lines), force=force)


def _write(path: Path, parts: Iterable[bytes], *, force: bool) -> None:
    if not force and (path.exists() or path.is_symlink()):
        raise Refused(f"{path} is there already: choose another name, or say --force.")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise _unwritten(path, error) from None
    try:
        with os.fdopen(descriptor, "wb") as out:
            for data in parts:
                out.write(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _unwritten(path, error) from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _unwritten(path: Path, error: OSError) -> Refused:
    return Refused(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")
