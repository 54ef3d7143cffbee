"""A campaign's file made: whole and safe on the disk, or not there at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from journal.store.errors import CannotWrite
from journal.store.format import FORMAT
from journal.store.sqlite import schema
from journal.store.sqlite.connection import connect, prepare, reason, transaction
from journal.store.sqlite.file import File
from journal.store.sqlite.parts import part_of, publish

T = TypeVar("T")


def create(path: Path, fill: Callable[[File], T]) -> T:
    """A new campaign file, open, with what `fill` appends to it, in one transaction; what `fill` returns.

    AlreadyThere, if something stands at `path` before or after; whatever goes wrong, no file is left.
    """
    with part_of(path) as part, _named(path):
        with closing(connect(part, "rw")) as connection:
            file = File(connection, part, read_only=False)
            with transaction(connection):
                _lay_out(connection)
                filled = fill(file)
            prepare(connection)
        publish(part, path)
        file.follow(path)
    return filled


def restore(path: Path, fill: Callable[[File], T]) -> T:
    """A new campaign file, closed, with what `fill` appends to it inside `writing`; what `fill` returns.

    It is written without a log, which is quick, and gets its name once it is safe on the disk. AlreadyThere,
    if something stands at `path` before or after; whatever goes wrong, no file is left.
    """
    with part_of(path) as part, _named(path):
        with closing(connect(part, "rw")) as connection:
            _lay_out(connection, but=(schema.INDEX,))
            _hasten(connection)
            filled = fill(File(connection, part, read_only=False))
            connection.execute(schema.INDEX)
        with closing(connect(part, "rw")) as connection:
            prepare(connection)
        publish(part, path)
    return filled


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Says what SQLite could not do of the file as it is to be called."""
    try:
        yield
    except sqlite3.Error as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}.") from None


def _lay_out(connection: sqlite3.Connection, but: Collection[str] = ()) -> None:
    """The marks and tables of a campaign, `but` for some of its statements."""
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in schema.DDL:
        if statement not in but:
            connection.execute(statement)


def _hasten(connection: sqlite3.Connection) -> None:
    """The settings for a file that is thrown away if anything goes wrong."""
    prepare(connection)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
