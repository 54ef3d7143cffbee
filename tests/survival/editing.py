"""R8 and R10: bits that flip in the file, and hands that change it with SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.chain import link
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import Receipt, receipts, verify
from tests.survival.attacks import Found, attacked, rows


def flip_bits(folder: Path, rounds: int, protected: bool) -> Found:
    """R8: a bit of the closed file flips; whatever that changes is found."""
    random, path, other = Random(8), folder / "flipped.retold", folder / "other.retold"
    attacked(path)
    was, data = rows(path), path.read_bytes()
    found = Found()
    for _ in range(rounds):
        bit = random.randrange(len(data) * 8)
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        _fresh(other, bytes(flipped))
        found.tried += 1
        found.untrue += _harmed(other, was) and not _noticed(other, protected)
    return found


def _fresh(path: Path, data: bytes) -> None:
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    path.write_bytes(data)


def _harmed(path: Path, was: list[Row]) -> bool:
    """Whether it reads otherwise than before."""
    try:
        return rows(path) != was
    except StoreError:
        return True


def _noticed(path: Path, protected: bool) -> bool:
    """Whether opening or checking it says that something is wrong; unprotected, SQLite's own check alone."""
    try:
        with CampaignFile.open(path, read_only=True) as file:
            if protected:
                return not verify(Record(file)).whole
            return any(file.storage_faults())
    except StoreError:
        return True


# --- edits ------------------------------------------------------------------------------------------------

Edit = Callable[[sqlite3.Connection, Random, int], None]


def _set(column: str, value: str) -> Edit:
    """One column of one event becomes something else."""
    return lambda db, random, last: _run(
        db, f"UPDATE event SET {column} = {value} WHERE seq = {random.randint(2, last)}"
    )


def _run(db: sqlite3.Connection, *statements: str) -> None:
    for statement in statements:
        db.execute(statement)


def _delete(db: sqlite3.Connection, random: Random, last: int) -> None:
    _run(db, f"DELETE FROM event WHERE seq = {random.randint(2, last - 1)}")


def _close_the_gap(db: sqlite3.Connection, random: Random, last: int) -> None:
    """An event goes, and those after it move up."""
    gone = random.randint(2, last - 1)
    _run(
        db,
        f"DELETE FROM event WHERE seq = {gone}",
        f"UPDATE event SET seq = -seq WHERE seq > {gone}",
        "UPDATE event SET seq = -seq - 1 WHERE seq < 0",
        f"UPDATE sqlite_sequence SET seq = {last - 1}",
    )


def _cut(db: sqlite3.Connection, random: Random, last: int) -> None:
    """The end goes, whole acts of it, and the count with it."""
    ends = [seq for (seq,) in db.execute("SELECT seq FROM event WHERE body LIKE '%\"i\":1,%'")][2:]
    left = random.choice(ends) - 1
    _run(db, f"DELETE FROM event WHERE seq > {left}", f"UPDATE sqlite_sequence SET seq = {left}")


def _swap(db: sqlite3.Connection, random: Random, last: int) -> None:
    first = random.randint(2, last - 1)
    columns = ("body", "kind", "words", "hash")
    kept = {one: db.execute(f"SELECT {', '.join(columns)} FROM event WHERE seq = {one}").fetchone()
            for one in (first, first + 1)}  # fmt: skip
    for one, other in ((first, first + 1), (first + 1, first)):
        marks = ", ".join(f"{column} = ?" for column in columns)
        db.execute(f"UPDATE event SET {marks} WHERE seq = {one}", kept[other])


def _insert(db: sqlite3.Connection, random: Random, last: int) -> None:
    """One more at the end, said to follow."""
    db.execute(
        "INSERT INTO event (line, position, kind, body, words, hash) SELECT line, position + 1, kind, body,"
        " words, randomblob(32) FROM event WHERE line = 1 ORDER BY position DESC LIMIT 1"
    )


def _reparent(db: sqlite3.Connection, random: Random, last: int) -> None:
    at = random.choice([4, 5, 6, 7])
    _run(db, f"UPDATE event SET body = json_set(body, '$.data.at', {at}) WHERE kind = 'table.forked'")


def _chained_anew(db: sqlite3.Connection, random: Random, last: int) -> None:
    """A time is changed, and everything behind it sealed again by somebody who knows how."""
    seq = random.randint(2, last - 4)
    _run(db, f"UPDATE event SET body = replace(body, '2026-03-14', '2026-03-15') WHERE seq = {seq}")
    parents: dict[int, bytes] = {}
    for one in db.execute("SELECT seq, line, position, kind, body FROM event ORDER BY seq").fetchall():
        number, line, position, kind, body = one
        parent = parents.get(line, b"")
        if kind == "table.forked":
            query = "SELECT hash FROM event WHERE line = 1 AND position = ?"
            ((parent,),) = db.execute(query, (position - 1,))
            db.execute(
                "UPDATE event SET body = json_set(body, '$.data.parent_hash', ?) WHERE seq = ?",
                (parent.hex(), number),
            )
            ((body,),) = db.execute("SELECT body FROM event WHERE seq = ?", (number,))
        parents[line] = link(parent, line, position, kind, body)
        db.execute("UPDATE event SET hash = ? WHERE seq = ?", (parents[line], number))


EDITS: dict[str, Edit] = {
    "a number": _set("body", "replace(body, '\"n\":1', '\"n\":2')"),
    "a time": _set("body", "replace(body, '2026-03', '2027-03')"),
    "a kind": _set("kind", "kind || '@2'"),
    "a text": _set("words", "coalesce(replace(words, 'e', 'i'), '[]')"),
    "a seal": _set("hash", "randomblob(32)"),
    "one gone": _delete,
    "one gone, and no gap": _close_the_gap,
    "the end cut off": _cut,
    "two swapped": _swap,
    "one more": _insert,
    "a branch from elsewhere": _reparent,
    "a time, and all chained anew": _chained_anew,
}
ONLY_BY_RECEIPT = {"the end cut off", "a time, and all chained anew"}
"""What shows nothing by itself: the seal that was noted down elsewhere does."""


def edit(folder: Path, rounds: int, protected: bool) -> Found:
    """R10: each of twelve edits, so many times; found by a receipt, and most without one."""
    random, path, other = Random(10), folder / "edited.retold", folder / "other.retold"
    attacked(path)
    was, data = rows(path), path.read_bytes()
    with CampaignFile.open(path, read_only=True) as file:
        kept = receipts(Record(file))
    found = Found()
    for name, change in EDITS.items():
        for _ in range(rounds):
            _fresh(other, data)
            _behind(other, change, random, len(was))
            if _harmed(other, was):
                found.tried += 1
                found.untrue += not _found(other, kept if protected else ())
                if protected and name not in ONLY_BY_RECEIPT:
                    found.untrue += not _found(other, ())
    return found


def _behind(path: Path, change: Edit, random: Random, last: int) -> None:
    """Makes an edit with the triggers out of the way."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        _run(db, *(f"DROP TRIGGER {name}" for name, _ in triggers))
        change(db, random, last)
        _run(db, *(sql for _, sql in triggers))


def _found(path: Path, kept: tuple[Receipt, ...]) -> bool:
    try:
        with CampaignFile.open(path, read_only=True) as file:
            return not verify(Record(file), receipts=kept).whole
    except StoreError:
        return True
