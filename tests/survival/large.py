"""R18 and R36: more than anybody types, in a text, a line or a dump; and little memory to read it in."""

from __future__ import annotations

import os
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

from retold.__main__ import main
from retold.cli.verbs import record
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.events import acts
from retold.journal.store.events.acts import MOST_TEXT, Manner, draft_rows
from retold.journal.store.events.codec import decode
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.events import Noted
from tests.survival.attacks import Found, NotRun, rows, whole
from tests.survival.nursery import Nursery
from tests.survival.saying import say

MEGABYTE = 2**20


def say_much(folder: Path, rounds: int, protected: bool) -> Found:
    """R18: texts of each size, many values on a line, so many events in a dump: taken whole, or refused."""
    found, path = Found(), folder / "a.retold"
    CampaignStore.create(path).close()
    most = min(MOST_TEXT, rounds * 2**10)
    with ExitStack() as set_to:
        for module in (acts, record):
            set_to.enter_context(patch.object(module, "MOST_TEXT", most if protected else 2**40))
        for size in (1, most - 1, most, most + 1, 2 * most):
            _one_text(path, size, size <= most, found)
    tags = " ".join(f"tag{number}={number % 9}" for number in range(rounds // 10))
    said = say(folder, "-c", "a", "cast", "Zel", "bruise", *tags.split())
    found.tried += 1
    found.untrue += not said.is_foreseen
    _one_dump(folder, rounds, found)
    found.damaged += not whole(path)
    return found


def _one_text(path: Path, size: int, fits: bool, found: Found) -> None:
    before = len(rows(path))
    said = say(path.parent, "-c", path.name, "note:", "-", stdin=b"x" * size)
    came = rows(path)[before:]
    found.tried += 1
    found.acknowledged += said.code == 0
    found.untrue += not said.is_foreseen or (said.code == 0) != fits
    found.lost += said.code == 0 and "x" * size not in (came[0].words or "")
    found.damaged += said.code != 0 and bool(came)


def _one_dump(folder: Path, events: int, found: Found) -> None:
    """A dump with so many events, taken in as one."""
    grown(folder / "many.retold", events)
    with CampaignStore.open(folder / "many.retold", read_only=True) as camp:
        lines = list(dump(camp.record))
    load(lines, folder / "again.retold")
    found.tried += 1
    found.damaged += not whole(folder / "again.retold")
    found.lost += len(rows(folder / "again.retold")) != len(lines) - 2


def grown(path: Path, events: int) -> None:
    """A campaign with so many notes, recorded in one go."""
    with CampaignStore.create(path) as camp:
        head = camp.record.head(1)
        with camp.record.writing():
            for number in range(events):
                noted = [Noted(text=Words(f"number {number} of them"))]
                head = camp.record.append(1, head, draft_rows(camp.clock, noted, None, [], Manner()))[-1].head


# --- little memory ------------------------------------------------------------------------------------------

LITTLE = 200 * MEGABYTE
"""As much as a process may have, its program and libraries included."""
ASKED = (("log", "-n", "0"), ("dump",), ("show",), ("verify",), ("stats",), ("note:", "and on"))


def read_in_little(path: str, protected: bool) -> None:
    """A child's life: a long campaign is read, with little memory; each verb in a child of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE))
    os.environ["RETOLD_HOME"] = f"{path}.home"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if not protected:  # all of it is held at once
        with CampaignStore.open(Path(path), read_only=True) as camp:
            held = [decode(row) for row in camp.record.everything()]
            sys.exit(not held)
    for words in ASKED:
        if main(["-c", path, *words]):
            sys.exit(1)


def read_much(folder: Path, rounds: int, protected: bool) -> Found:
    """R36: a campaign of so many events is listed, dumped, shown, checked and counted in 200 MB."""
    path, found = folder / "a.retold", Found()
    if sys.platform != "linux":
        raise NotRun("the memory of a process is limited as on Linux")
    grown(path, rounds)
    with Nursery(read_in_little) as nursery:
        life = nursery.child(path, protected)
    found.tried += rounds
    found.untrue += life.code != 0
    found.damaged += not whole(path)
    return found
