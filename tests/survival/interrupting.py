"""R17: somebody presses Ctrl-C in the middle of recording."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from unittest.mock import patch

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.sqlite import file
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.journal.store.played import notes
from tests.survival.attacks import Found, attacked, whole
from tests.survival.moments import Interrupted, interrupted, moments

AT_ONCE = 100
"""So many rounds are made with one file."""


@contextmanager
def _each_alone(_connection: Connection) -> Iterator[None]:
    yield


_append = CampaignFile.append


def _one_by_one(kept: CampaignFile, given: Iterable[Row]) -> None:
    for row in given:
        _append(kept, [row])
        for _ in range(100):  # in which somebody may be interrupted
            kept.size()


def interrupt(folder: Path, rounds: int, protected: bool) -> Found:
    """R17: so many acts, each interrupted at another step; whole or not there, and play goes on."""
    base, found = folder / "base.retold", Found()
    attacked(base)
    with CampaignStore.open(base) as camp, interrupted(0) as steps:
        _act(camp.writer(1), "the first")
    at = moments(steps.taken, rounds)
    again = 0
    while some := list(islice(at, AT_ONCE)):
        path = folder / f"{again}.retold"
        shutil.copy(base, path)
        with ExitStack() as off:
            if not protected:
                off.enter_context(patch.object(file, "transaction", _each_alone))
                off.enter_context(patch.object(CampaignFile, "append", _one_by_one))
            _interrupted(path, some, found)
        found.damaged += not whole(path)
        path.unlink()
        again += 1
    return found


def _act(writer: LineWriter, text: str) -> None:
    """An act of several events."""
    name = f"Somebody {text}"
    writer.record(c.Cast(who=Words(name), by=Words(f"Player {text}"), text=Words("tall")))


def _interrupted(path: Path, some: Iterable[int], found: Found) -> None:
    with CampaignStore.open(path) as camp:
        writer = camp.writer(1)
        for at in some:
            before = camp.record.head(1).position
            try:
                with interrupted(at):
                    _act(writer, f"at {at}")
                said = True
            except Interrupted:
                said = False
            found.tried += 1
            found.acknowledged += said
            came = list(camp.record.rows(1, before))
            found.lost += said and not came
            found.damaged += bool(came) and f'"n":{len(came)},' not in came[-1].body
            if not _goes_on(writer):
                found.untrue += 1
                return


def _goes_on(writer: LineWriter) -> bool:
    """Whether the next act is recorded, and what is known is what stands there."""
    try:
        notes(writer, "and on")
    except StoreError:
        return False
    return writer.table == writer.campaign.table_at(1)
