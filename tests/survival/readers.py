"""R13 and R14: somebody reads on while others record, and two come and go, each folding the log in."""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.sqlite.location import LARGE_LOG, large_log
from retold.journal.store.verify import receipts, verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes
from tests.survival.attacks import Found, attacked, rows, whole
from tests.survival.nursery import Nursery, say

AT_ONCE = 50
"""So many acts before a copy of the file alone is looked at."""

LONG_TEXT = "A long night. " * 1500
"""Of 20 kB: 2,000 of them are more than a log may grow by without a word."""

MEMORY = Path("/dev/shm")
"""Where this machine has it, files lie in memory: nobody waits for a disk, and more meet."""

ON_DISK = 500
"""So many acts of each of two are recorded on a disk, the others in memory."""


def read_on(folder: Path, rounds: int, protected: bool) -> Found:
    """R13: somebody stays in the middle of the record while so many acts come; both have what is theirs."""
    path, copy, found = folder / "a.retold", folder / "copy.retold", Found()
    attacked(path)
    before = len(rows(path))
    with ExitStack() as off, CampaignStore.open(path, read_only=True) as reader:
        if not protected:  # whoever leaves lets the log lie
            off.enter_context(patch.object(CampaignFile, "settle", lambda *_: ()))
        for number in range(0, rounds, AT_ONCE):
            then = rows(path)
            reading = reader.record.everything()
            read = [next(reading)]
            with CampaignStore.open(path) as camp:
                notes(
                    camp.writer(1), *(f"number {one}" for one in range(number, min(number + AT_ONCE, rounds)))
                )
            found.tried += min(AT_ONCE, rounds - number)
            read += reading
            found.untrue += read != then
            with CampaignStore.open(path) as camp:
                ends = receipts(camp.record)
            shutil.copyfile(path, copy)
            with CampaignStore.open(copy, read_only=True) as alone:
                found.lost += not verify(alone.record, receipts=ends).whole
    found.acknowledged += rounds
    found.lost += len(rows(path)) != before + rounds
    found.damaged += not whole(path)
    _stand(path, rounds, found)
    return found


def _stand(path: Path, rounds: int, found: Found) -> None:
    """Somebody stays at one early moment: the log grows, which is said, and goes once they have left."""
    log = path.with_name(f"{path.name}-wal")
    with CampaignStore.open(path, read_only=True) as reader:
        reading = reader.record.everything()
        read = [next(reading)]
        for _ in range(0, rounds, AT_ONCE):
            with CampaignStore.open(path) as camp:
                notes(camp.writer(1), *[LONG_TEXT] * min(AT_ONCE, rounds))
            found.untrue += (large_log(path) is not None) != (log.stat().st_size >= LARGE_LOG)
        found.untrue += log.stat().st_size < rounds * len(LONG_TEXT)  # else nobody stood in its way
        before = len(rows(path))
        read += reading
        found.untrue += len(read) != before - rounds
    CampaignStore.open(path).close()
    found.damaged += log.exists() or not whole(path)


# --- two who come and go ------------------------------------------------------------------------------------


def come_and_go(path: str, name: str, acts: int, protected: bool) -> None:
    """A child's life: for each act the campaign is opened, and left with its log folded in."""
    for number in range(acts):
        with CampaignStore.open(Path(path)) as camp:
            notes(camp.writer(1), f"{name} {number}")
        say(number)
        if not protected:  # as somebody might who finds it in the way
            for beside in ("-wal", "-shm"):
                Path(f"{path}{beside}").unlink(missing_ok=True)


def fold_at_once(folder: Path, rounds: int, protected: bool) -> Found:
    """R14: two open the campaign for each of so many acts, and fold its log in when they leave."""
    found = Found()
    on_disk = min(rounds, ON_DISK) if MEMORY.is_dir() else rounds
    _fold_at_once(folder, on_disk, protected, found)
    if rounds > on_disk:
        with tempfile.TemporaryDirectory(dir=MEMORY) as memory:
            _fold_at_once(Path(memory), rounds - on_disk, protected, found)
    return found


def _fold_at_once(folder: Path, rounds: int, protected: bool, found: Found) -> None:
    path = folder / "a.retold"
    attacked(path)
    before = len(rows(path))
    with Nursery(come_and_go) as one, Nursery(come_and_go) as other, ThreadPoolExecutor() as at_once:
        lives = [
            at_once.submit(nursery.child, path, name, rounds, protected)
            for nursery, name in ((one, "one"), (other, "other"))
        ]
    acknowledged = sum(line.isdecimal() for life in lives for line in life.result().said)
    is_whole = whole(path)
    found.tried += 2 * rounds
    found.acknowledged += acknowledged
    found.untrue += acknowledged != 2 * rounds
    found.damaged += not is_whole
    found.lost += is_whole and len(rows(path)) - before != acknowledged
