"""R9 and R25: files that are not campaigns, or one that somebody has made to hurt whoever opens it."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from unittest.mock import patch

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite import connection, schema
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import verify
from tests.survival.attacks import Found, attacked, rows
from tests.survival.nursery import Nursery
from tests.survival.saying import say

VERBS = (("log", "-n", "0"), ("show",), ("export", "-f", "text"), ("dump",), ("note:", "x"), ("undo",))

# --- files that are not campaigns ---------------------------------------------------------------------------


def _shorter(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data))]


def _header(data: bytes, random: Random) -> bytes:
    """One of the fields in SQLite's header is another."""
    at, form = random.choice(
        [(16, ">H"), (18, ">B"), (20, ">B"), (28, ">I"), (44, ">I"), (56, ">I"), (68, ">I")]
    )
    value = struct.pack(form, random.randrange(256 ** struct.calcsize(form)))
    return data[:at] + value + data[at + len(value) :]


def _another_application(data: bytes, random: Random) -> bytes:
    return data[:68] + random.randbytes(4) + data[72:]


def _a_later_one(data: bytes, random: Random) -> bytes:
    return data[:60] + struct.pack(">I", random.randrange(2, 2**31)) + data[64:]


def _noise(data: bytes, random: Random) -> bytes:
    return random.randbytes(random.randrange(1, 8192))


def _begins_well(data: bytes, random: Random) -> bytes:
    return data[:100] + random.randbytes(random.randrange(1, 8192))


def _nothing(_data: bytes, _random: Random) -> bytes:
    return b""


def _pages_about(data: bytes, random: Random) -> bytes:
    """Two pages stand in each other's place."""
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    one, other = random.sample(range(len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def _of_another(data: bytes, _random: Random) -> bytes:
    """A database of some other program."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE event (line, position)")
        db.execute(f"PRAGMA application_id = {len(data)}")
        return db.serialize()


Craft = Callable[[bytes, Random], bytes]
CRAFTED: tuple[Craft, ...] = (
    *(_of_another, _shorter, _header, _another_application, _a_later_one, _noise, _begins_well, _nothing),
    _pages_about,
)


def open_what_is_none(folder: Path, rounds: int, protected: bool) -> Found:
    """R9: so many files are asked all that a campaign is asked; a sentence, and the file is as it was."""
    base, path, random, found = folder / "a.retold", folder / "b.retold", Random(9), Found()
    attacked(base)
    was, data = rows(base), base.read_bytes()
    with ExitStack() as off:
        if not protected:  # whatever file it is, it is taken for a campaign
            off.enter_context(patch.object(connection, "_check", lambda *_, **__: None))
        for number in range(rounds):
            crafted = CRAFTED[number % len(CRAFTED)](data, random)
            for one in folder.glob("b.retold*"):
                one.unlink()
            path.write_bytes(crafted)
            found.tried += 1
            _ask(path, crafted, found)
            found.untrue += _reads_otherwise(path, was) and say(folder, "-c", "b", "verify").code == 0
    return found


def _ask(path: Path, crafted: bytes, found: Found) -> None:
    for words in VERBS:
        said = say(path.parent, "-c", path.name, *words)
        found.untrue += not said.is_foreseen
        if said.code:
            found.damaged += path.read_bytes() != crafted
        elif words[0] in ("note:", "undo"):
            path.write_bytes(crafted)


def _reads_otherwise(path: Path, was: object) -> bool:
    try:
        return rows(path) != was
    except StoreError:
        return False  # which is said


# --- what is made to hurt -----------------------------------------------------------------------------------

BATCH = 50


def read_batch(base: str, first: int, count: int) -> None:
    """A child's life: so many files, spoilt each in its own way, are opened, read and checked."""
    data, path = Path(base).read_bytes(), Path(f"{base}.{first}.retold")
    for number in range(first, first + count):
        path.write_bytes(_spoilt(data, Random(number)))
        try:
            with CampaignFile.open(path, read_only=True) as file:
                list(Record(file).everything())
                verify(Record(file))
        except StoreError:
            pass
    path.unlink()


def _spoilt(data: bytes, random: Random) -> bytes:
    """A file of which some bytes are others; now and then those that say how a page lies."""
    spoilt = bytearray(data)
    for _ in range(random.randrange(1, 9)):
        page = random.randrange(len(data) // 4096) * 4096
        at = page + random.choice([random.randrange(4096), random.randrange(12), random.randrange(200)])
        length = random.choice([1, 1, 1, 2, 4, 64])
        spoilt[at : at + length] = random.choice(
            [random.randbytes(length), b"\xff" * length, bytes(length), bytes(spoilt[page : page + length])]
        )[: len(spoilt) - at]
    return bytes(spoilt)


TRAPS = (
    "CREATE TRIGGER listens AFTER INSERT ON event BEGIN INSERT INTO told VALUES (NEW.body); END",
    "CREATE TRIGGER takes AFTER INSERT ON event BEGIN DELETE FROM told; END",
    "CREATE TRIGGER goes AFTER INSERT ON event BEGIN UPDATE told SET body = NEW.words; END",
)


def open_what_hurts(folder: Path, rounds: int, protected: bool) -> Found:
    """R25: so many files with other bytes in them are read without a crash, and no trigger in one runs."""
    base, found = folder / "a.retold", Found()
    attacked(base)
    with Nursery(read_batch) as nursery:
        for first in range(0, rounds, BATCH):
            life = nursery.child(base, first, min(BATCH, rounds - first))
            found.tried += min(BATCH, rounds - first)
            found.damaged += life.code != 0
    for trap in TRAPS:
        found.tried += 1
        found.untrue += _caught(base, folder / "trap.retold", trap, protected)
    return found


def _caught(base: Path, path: Path, trap: str, protected: bool) -> bool:
    """Whether what somebody else put into a file is done when something is recorded."""
    shutil.copy(base, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in ("CREATE TABLE told (body TEXT)", "INSERT INTO told VALUES ('at first')", trap):
            db.execute(statement)
    with ExitStack() as off:
        if not protected:
            off.enter_context(patch.object(schema, "strangers", lambda *_, **__: []))
        say(path.parent, "-c", path.name, "note:", "x")
    with closing(sqlite3.connect(path)) as db:
        return bool(db.execute("SELECT body FROM told").fetchall() != [("at first",)])
