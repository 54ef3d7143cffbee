"""R13 and R14: somebody reads on while others record, and two come and go, each folding the log in."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from journal.store.campaign import Campaign
from journal.store.sqlite.file import File
from journal.store.verify import receipts, verify
from tests.journal.store.played import notes
from tests.survival.attacks import Found, attacked, rows, whole
from tests.survival.nursery import Nursery, say

AT_ONCE = 50
"""So many acts before a copy of the file alone is looked at."""


def read_on(folder: Path, rounds: int, protected: bool) -> Found:
    """R13: somebody stays in the middle of the record while so many acts come; both have what is theirs."""
    path, copy, found = folder / "a.retold", folder / "copy.retold", Found()
    attacked(path)
    before = len(rows(path))
    with ExitStack() as off, Campaign.open(path, read_only=True) as reader:
        if not protected:  # whoever leaves lets the log lie
            off.enter_context(patch.object(File, "settle", lambda *_: ()))
        for number in range(0, rounds, AT_ONCE):
            then = rows(path)
            reading = reader.record.everything()
            read = [next(reading)]
            with Campaign.open(path) as camp:
                notes(
                    camp.writer(1), *(f"number {one}" for one in range(number, min(number + AT_ONCE, rounds)))
                )
            found.tried += min(AT_ONCE, rounds - number)
            read += reading
            found.untrue += read != then
            with Campaign.open(path) as camp:
                ends = receipts(camp.record)
            shutil.copyfile(path, copy)
            with Campaign.open(copy, read_only=True) as alone:
                found.lost += not verify(alone.record, receipts=ends).whole
    found.acknowledged += rounds
    found.lost += len(rows(path)) != before + rounds
    found.damaged += not whole(path)
    return found


# --- two who come and go ------------------------------------------------------------------------------------


def come_and_go(path: str, name: str, acts: int, protected: bool) -> None:
    """A child's life: for each act the campaign is opened, and left with its log folded in."""
    for number in range(acts):
        with Campaign.open(Path(path)) as camp:
            notes(camp.writer(1), f"{name} {number}")
        say(number)
        if not protected:  # as somebody might who finds it in the way
            for beside in ("-wal", "-shm"):
                Path(f"{path}{beside}").unlink(missing_ok=True)


def fold_at_once(folder: Path, rounds: int, protected: bool) -> Found:
    """R14: two open the campaign for each of so many acts, and fold its log in when they leave."""
    path, found = folder / "a.retold", Found()
    attacked(path)
    before = len(rows(path))
    with Nursery(come_and_go) as one, Nursery(come_and_go) as other, ThreadPoolExecutor() as at_once:
        lives = [
            at_once.submit(nursery.child, path, name, rounds, protected)
            for nursery, name in ((one, "one"), (other, "other"))
        ]
    for life in lives:
        found.acknowledged += sum(line.isdecimal() for line in life.result().said)
    found.tried = 2 * rounds
    found.untrue += found.acknowledged != 2 * rounds
    found.damaged += not whole(path)
    found.lost += found.damaged == 0 and len(rows(path)) - before != found.acknowledged
    return found
