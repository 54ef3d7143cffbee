"""R53: a disk of its own that is really full, for a campaign file and all that Retold writes beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from sqlite3 import Connection, Error
from typing import Final
from unittest.mock import patch

from retold.cli.verbs import backup, dump, export, log, new, show, verify
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.sqlite import file
from retold.journal.store.sqlite.connection import transaction
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.exports import html, markdown
from tests.journal.store.played import notes
from tests.survival.attacks import Found, NotRun, attacked, rows, whole
from tests.survival.disks import judge
from tests.survival.nursery import Nursery
from tests.survival.nursery import say as tell
from tests.survival.saying import Said, say

BLOCK: Final = 4096
"""Bytes of a block of the disk. On smaller blocks SQLite is killed where its shared memory finds no room."""

SIZE: Final = 8 * 2**20
"""Bytes of the disk."""

MOST: Final = 160_000
"""Free bytes with which every verb finds room."""

RECORDING: Final = (
    ("note:", "Once."),
    ("--branch", "kinder", "undo"),
    ("branch", "elsewhere"),
    ("branch", "promote", "kinder"),
    ("--yes", "redact", "4"),
)
LARGE: Final = 9000
"""Random bytes of the largest text that is recorded."""

READING: Final = (("log", "-n", "0"), ("show", "cast"), ("verify",), ("export", "-f", "md"))
MAKING: Final = (
    ("backup", "b.retold"),
    ("dump", "-o", "b.jsonl"),
    ("export", "-f", "html", "-o", "b.html"),
    ("new", "b.retold"),
)


LOADED: Final = (backup, dump, export, log, new, show, verify, html, markdown)
"""What children find loaded."""

FULL: Final = (" are free", "no space left", "is full")
"""Words of which one stands in every refusal."""


@contextmanager
def disk(folder: Path) -> Iterator[Path]:
    """Context manager: a small disk with a file system of its own; raises NotRun where none can be made."""
    if os.name == "nt" or os.getuid():
        raise NotRun("a small disk is mounted by root")
    if (mkfs := shutil.which("mkfs.ext4", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")) is None:
        raise NotRun("there is no mkfs.ext4 here")
    image, mounted = folder / "image", folder / "disk"
    image.touch()
    os.truncate(image, SIZE)
    mounted.mkdir()
    subprocess.run([mkfs, "-q", "-m", "0", "-b", str(BLOCK), image], check=True)
    made = subprocess.run(["mount", "-o", "loop", image, mounted], capture_output=True, check=False)
    if made.returncode:
        raise NotRun(f"no small disk can be mounted here ({made.stderr.decode().strip()})")
    try:
        yield mounted
    finally:
        subprocess.run(["umount", "-l", mounted], check=False)


@contextmanager
def filled(on: Path, free: int) -> Iterator[None]:
    """Context manager: a disk has so many free bytes."""
    filler = on / "filler"
    with filler.open("wb") as taken:
        size = shutil.disk_usage(on).free
        while size > free:
            try:
                os.posix_fallocate(taken.fileno(), 0, size - free)
                break
            except OSError:
                size -= BLOCK
    try:
        yield
    finally:
        filler.unlink(missing_ok=True)


def fill_up(folder: Path, rounds: int, protected: bool) -> Found:
    """R53: so many verbs on a disk with no room, or a little; and an evening in which the disk fills up."""
    found = Found()
    with disk(folder) as full:
        base = folder / "a.retold"
        attacked(base)
        verbs = (*RECORDING, *READING, *MAKING)
        with Nursery(live) as nursery:
            table = Table(nursery, base, full, protected)
            for free in range(0, MOST, MOST // (rounds // len(verbs))):
                for verb in verbs:
                    table.say_without_room(verb, free, found)
        with patch.object(file, "transaction", transaction if protected else unheard):
            _play_on(base, full, rounds, found)
    return found


def live(folder: str, words: Sequence[str], protected: bool) -> None:
    """A child's life: it says one line, and how that ended."""
    if not protected:
        patch.object(file, "transaction", unheard).start()
    said = say(Path(folder), *([] if words[0] == "new" else ["-c", "a.retold"]), *words)
    tell(json.dumps([said.code, said.out.decode(), said.err]))


@contextmanager
def unheard(connection: Connection) -> Iterator[None]:
    """The control: nobody hears that the end of an act failed."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    try:
        connection.execute("COMMIT")
    except Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@dataclass(frozen=True)
class Table:
    """A campaign on a small disk, and children that say lines there."""

    nursery: Nursery
    base: Path
    """The campaign's file as it is at first."""
    full: Path
    protected: bool

    def say_without_room(self, verb: Sequence[str], free: int, found: Found) -> None:
        """Says a line while there is so much room, and another once there is more."""
        path = self._begin()
        there = len(rows(path))
        expected = self._said(verb) if verb in READING else None
        with filled(self.full, free):
            said = self._said(verb)
        found.tried += 1
        if said is None:  # it was killed by what it could not write
            found.damaged += 1
            return
        refused = said.code != 0
        found.untrue += not said.is_foreseen
        found.untrue += refused and not any(why in said.err for why in FULL)
        if verb in RECORDING:
            judge(path, there, said.code, said.err, found)
        elif expected is not None:  # verify also names a cache that has no room
            found.untrue += not said.out.startswith(expected.out)
        else:
            made = self.full / next(one for one in verb if one.startswith("b."))
            is_made = not refused or " is made, but cannot be opened" in said.err
            found.damaged += made.exists() != is_made
            found.damaged += is_made and made.suffix == ".retold" and not whole(made)
            found.untrue += any(one.suffix == ".part" for one in self.full.iterdir())
        after = self._said(("note:", "There is room."))
        found.damaged += after is None or after.code != 0 or not whole(path)

    def _begin(self) -> Path:
        """Makes the disk empty but for the campaign; returns its path."""
        for left in self.full.iterdir():
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()
        return Path(shutil.copy(self.base, self.full))

    def _said(self, words: Sequence[str]) -> Said | None:
        """What became of a line; None if the child was killed."""
        life = self.nursery.child(self.full, words, self.protected)
        if life.code:
            return None
        code, out, err = json.loads(life.said[-1])
        return Said(code, out.encode(), err)


def _play_on(base: Path, full: Path, rounds: int, found: Found) -> None:
    """Records large texts into a campaign that is open while its disk fills up, and once there is room."""
    path, random = Path(shutil.copy(base, full / "evening.retold")), Random(53)
    with CampaignStore.open(path) as camp:
        writer = camp.writer(1)
        with filled(full, rounds * LARGE // 2):
            for _ in range(rounds):
                before, is_told = len(rows(path)), True
                text = random.randbytes(random.randrange(LARGE)).hex()
                try:
                    writer.record(c.Note(text=Words(f"x{text}")))
                except StoreError as error:
                    is_told = False
                    found.untrue += " are free" not in str(error)
                came = len(rows(path)) - before
                found.tried += 1
                found.acknowledged += is_told
                found.lost += is_told and not came
                found.untrue += not is_told and came > 0
        try:
            notes(writer, "and on")
        except StoreError:
            found.damaged += 1
    found.damaged += not whole(path)
