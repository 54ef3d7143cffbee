"""The floors: what has to be done for each event at the very least, and nothing around it.

No program that keeps its promises can be quicker: a row that is shown is fetched and taken apart, what is
told is written, a chain is hashed, and what is acknowledged is on the disk.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.measuring import Task
from benchmarks.peers import SELECT, bare, insert_each
from retold.journal.store.contract.event_store import Row


def fetched(path: Path) -> Task:
    """Each row out of the file."""

    def task() -> None:
        with closing(sqlite3.connect(path)) as db:
            deque(db.execute(SELECT), maxlen=0)

    return task


def parsed(path: Path) -> Task:
    """Each row out of the file, its body taken apart."""

    def task() -> None:
        deque(_bodies(path), maxlen=0)

    return task


def told(path: Path, to: Path) -> Task:
    """Each row out of the file, its body taken apart, and a line written about it."""

    def task() -> None:
        with to.open("w", encoding="utf-8") as page:
            for body in _bodies(path):
                page.write(f"{body['data']}\n")

    return task


def hashed(path: Path) -> Task:
    """Each row out of the file, chained to the one before."""

    def task() -> None:
        link = b""
        with closing(sqlite3.connect(path)) as db:
            for row in db.execute(SELECT):
                link = hashlib.sha256(link + row[3].encode()).digest()

    return task


def loaded(lines: Sequence[str], rows: Sequence[Row], path: Path) -> Task:
    """Each line taken apart and chained, and all of them inserted at once."""

    def task() -> None:
        link = b""
        for line in lines:
            json.loads(line)
            link = hashlib.sha256(link + line.encode()).digest()
        db = bare(path)
        insert_each(db, [rows])
        db.close()
        path.unlink()

    return task


def synced(path: Path, pages: int) -> Task:
    """So many pages of 4 KiB, each on the disk before the next."""

    def task() -> None:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for _ in range(pages):
            os.write(file, b"\0" * 4096)
            os.fdatasync(file)
        os.close(file)

    return task


def _bodies(path: Path) -> Iterator[Any]:
    with closing(sqlite3.connect(path)) as db:
        for row in db.execute(SELECT):
            yield json.loads(row[3])
