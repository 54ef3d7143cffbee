"""A campaign's file made: whole and safe on the disk, or not there at all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from journal.store.errors import AlreadyThere, CannotWrite
from journal.store.format import FORMAT
from journal.store.sqlite import schema
from journal.store.sqlite.connection import connect, prepare, reason, transaction
from journal.store.sqlite.file import File

T = TypeVar("T")


def create(path: Path, fill: Callable[[File], T]) -> T:
    """A new campaign file, open, with what `fill` appends to it, in one transaction; what `fill` returns.

    StoreError if something stands there already; a file of no bytes, as a killed process may leave, is
    nothing. Whatever goes wrong, no file is left.
    """
    return _create(path, fill, prepare)


def restore(path: Path, fill: Callable[[File], T]) -> T:
    """A new campaign file, closed, with what `fill` appends to it inside `writing`; what `fill` returns.

    It is written without a log under another name, which is quick, and gets its own once it is safe on the
    disk. AlreadyThere, if something stands there before or after; whatever goes wrong, no file is left.
    """
    if path.exists():
        raise AlreadyThere(path)
    part = path.with_name(f"{path.name}.part-{os.getpid()}")
    try:
        with _create(part, lambda file: file, _hasten) as file:
            filled = fill(file)
        _make_safe(part)
        _publish(part, path)
    finally:
        remove(part)
    return filled


def remove(path: Path) -> None:
    """Takes a file away with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _create(path: Path, fill: Callable[[File], T], settings: Callable[[sqlite3.Connection], object]) -> T:
    _reserve(path)
    connection = None
    try:
        connection = connect(path, "rw")
        with transaction(connection):
            _lay_out(connection, path)
            filled = fill(File(connection, path, read_only=False))
        settings(connection)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if not isinstance(error, AlreadyThere):
            remove(path)
        if isinstance(error, sqlite3.Error):
            raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None
        raise
    return filled


def _reserve(path: Path) -> None:
    """A file of no bytes at `path`, made or found there; AlreadyThere for any other."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError:
        if not path.is_file() or path.stat().st_size:
            raise AlreadyThere(path) from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be made: {reason(error)}.") from None


def _lay_out(connection: sqlite3.Connection, path: Path) -> None:
    """The marks and tables of a campaign, inside a transaction; AlreadyThere if the file has any."""
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
        raise AlreadyThere(path)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in schema.DDL:
        connection.execute(statement)


def _hasten(connection: sqlite3.Connection) -> None:
    """The settings for a file that is thrown away if anything goes wrong."""
    prepare(connection)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")


def _make_safe(path: Path) -> None:
    """Brings what was written so far safely to disk, and gives the file the settings every other has."""
    try:
        with closing(connect(path, "rw")) as connection:
            prepare(connection)
        descriptor = os.open(path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except (sqlite3.Error, OSError) as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None


def _publish(part: Path, path: Path) -> None:
    """Gives the finished file its name, never over another."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise AlreadyThere(path) from None
    except OSError:  # a disk without hard links
        if path.exists():
            raise AlreadyThere(path) from None
        try:
            part.rename(path)
        except OSError as error:
            raise CannotWrite(f"{path} cannot be made: {reason(error)}.") from None
    with suppress(OSError):
        folder = os.open(path.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
