"""Writes files so that a reader finds the old or the new content, never half; or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

from retold.journal.refused import Refused
from retold.projections.texts import safe


def output_meant(output: str | None) -> Path | None:
    """Returns the path given with -o; None for standard output (no -o, or `-o -`)."""
    return None if output in (None, "-") else Path(str(output))


def write_bytes(data: bytes, path: Path | None, *, force: bool = False) -> None:
    """Writes bytes to a new file, or to standard output if `path` is None.

    Raises Refused if the file exists, unless `force`, or if it cannot be written.
    """
    write_parts([data], path, force=force)


def write_parts(parts: Iterable[bytes], path: Path | None, *, force: bool = False) -> None:
    """Writes chunks of bytes, in order, to a new file, or to standard output if `path` is None.

    Raises Refused if the file exists, unless `force`, or if it cannot be written.
    """
    if path is None:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.flush()
        return
    _write(path, parts, force=force)


@contextmanager
def beside(path: Path | None) -> Iterator[IO[bytes]]:
    """Context manager: yields an empty temporary file in the folder of `path`, deleted afterwards.

    Raises Refused if the disk takes no more data; errors of standard output (`path` None) pass unchanged.
    """
    from tempfile import TemporaryFile

    folder = None if path is None else path if path.is_dir() else path.absolute().parent
    try:
        with TemporaryFile(dir=folder if folder is not None and folder.is_dir() else None) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        if path is None:
            raise
        raise _unwritten(path, error) from None


def write_lines(
    lines: Iterable[str], path: Path | None, *, force: bool = False, lasting: bool = False
) -> None:
    """Writes text lines, in order, to a new file, or to standard output if `path` is None.

    `lasting` flushes the file to disk. Raises Refused if the file exists, unless `force`, or if it cannot be
    written.
    """
    if path is None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        return
    _write(path, (f"{line}\n".encode() for line in lines), force=force, lasting=lasting)


def written_to(path: Path | None) -> None:
    """Prints `Written to PATH.` on standard error; nothing if `path` is None (standard output)."""
    if path is not None:
        sys.stderr.write(f"Written to {safe.line(str(path))}.\n")


def close_stdout() -> None:
    """Redirects standard output to the null device, so that Python reports no closed pipe at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def replaced(path: Path, parts: Iterable[bytes], mode: int, *, lasting: bool = False) -> None:
    """Writes chunks of bytes to a file, replacing an existing one all at once; `mode` is its permissions.

    With `lasting` that holds after a power cut too, and the new content is on the disk at the end. If
    anything is raised (OSError if the disk refuses), an existing file is unchanged and no temporary file
    remains.
    """
    from retold.journal.store.disk.flushing import flush, flush_path
    from retold.journal.store.disk.unfinished_files import create_part, discard, patiently

    part = create_part(path, mode)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)), "wb") as out:
            out.writelines(parts)
            if lasting:
                out.flush()
                flush(out.fileno())
        patiently(partial(part.replace, path))
        if lasting:
            with suppress(OSError):  # some systems cannot open a folder
                flush_path(path.absolute().parent)
    except OSError as error:
        error.filename = error.filename or str(path)  # the error of a full disk has no file name
        raise
    finally:
        discard(part)


def _write(path: Path, parts: Iterable[bytes], *, force: bool, lasting: bool = False) -> None:
    if path.is_dir():
        raise Refused(f"{path} is a folder: name a file in it.")
    if path.exists() and not path.is_file():  # a file must not replace a device or a pipe
        raise Refused(f"{path} is no file: name another, or leave out -o for standard output.")
    if not force and (path.exists() or path.is_symlink()):
        raise Refused(f"{path} is there already: choose another name, or say --force.")
    try:
        replaced(path, parts, 0o644, lasting=lasting)
    except OSError as error:
        raise _unwritten(path, error) from None


def _unwritten(path: Path, error: OSError) -> Refused:
    from retold.journal.store.disk.unfinished_files import reason

    return Refused(f"{path} cannot be written: {reason(error)}.")
