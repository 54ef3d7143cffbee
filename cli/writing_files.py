"""Writes files: a new one, or one in the place of another, whole or not at all; or to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from journal.refused import Refused
from projections import safe


def output_meant(output: str | None) -> Path | None:
    """The file that -o names; None is standard output, which is also -."""
    return None if output in (None, "-") else Path(str(output))


def write_bytes(data: bytes, path: Path | None, *, force: bool = False) -> None:
    """Writes to a file that is not there yet, or to standard output; never over something unasked."""
    write_parts([data], path, force=force)


def write_parts(parts: Iterable[bytes], path: Path | None, *, force: bool = False) -> None:
    """Writes parts one after another, as `write_bytes` does."""
    if path is None:
        sys.stdout.buffer.writelines(parts)
        sys.stdout.flush()
        return
    _write(path, parts, force=force)


@contextmanager
def beside(path: Path | None) -> Iterator[IO[bytes]]:
    """A file without a name beside another, in a folder, or (None) among temporary ones.

    It is empty, and gone when the block ends. Refused where the disk does not take what is written to it;
    what standard output does not take in the block is raised as it is.
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


def write_lines(lines: Iterable[str], path: Path | None, *, force: bool = False) -> None:
    """Writes lines one after another, as `write_bytes` does."""
    if path is None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        return
    _write(path, (f"{line}\n".encode() for line in lines), force=force)


def written_to(path: Path | None) -> None:
    """Says on standard error which file was written; nothing of standard output."""
    if path is not None:
        sys.stderr.write(f"Written to {safe.line(str(path))}.\n")


def close_stdout() -> None:
    """Points standard output at nothing, so that nothing complains about a pipe that was closed."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())


def replaced(path: Path, parts: Iterable[bytes], mode: int, *, lasting: bool = False) -> None:
    """Puts a file with these bytes and this mode where `path` is, whether or not one is there.

    A `lasting` one is safe on the disk by then. Raises OSError where that cannot be done. Whatever is raised,
    the file is as it was and nothing is left.
    """
    from journal.store.sqlite.unfinished_files import create_part, discard

    part = create_part(path, mode)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)), "wb") as out:
            out.writelines(parts)
            if lasting:
                out.flush()
                os.fsync(out.fileno())
        part.replace(path)
    except OSError as error:
        error.filename = error.filename or str(path)  # a full disk names no file
        raise
    finally:
        discard(part)


def _write(path: Path, parts: Iterable[bytes], *, force: bool) -> None:
    if path.is_dir():
        raise Refused(f"{path} is a folder: name a file in it.")
    if path.exists() and not path.is_file():  # whose place a file would take, for everybody
        raise Refused(f"{path} is no file: name another, or leave out -o for standard output.")
    if not force and (path.exists() or path.is_symlink()):
        raise Refused(f"{path} is there already: choose another name, or say --force.")
    try:
        replaced(path, parts, 0o644)
    except OSError as error:
        raise _unwritten(path, error) from None


def _unwritten(path: Path, error: OSError) -> Refused:
    return Refused(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")
