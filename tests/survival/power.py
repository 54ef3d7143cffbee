"""R2: the power is cut at any moment of an evening in which everything that writes is done once."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.verify import Receipt, verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.survival.attacks import Found
from tests.survival.tracing import Disk, traced

EVENING = textwrap.dedent("""
    import json, os, sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.store.copies.dump import dump, load
    from retold.journal.store.writing.redact import plan_redaction, redact
    from retold.journal.store.writing.rewording import reword
    from retold.journal.store.disk import unfinished_files
    from retold.journal.store.sqlite import schema
    from retold.journal.store.writing.undo import redo, undo
    from retold.journal.store.verify import receipts
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words
    from retold.scribe import Scribe

    folder = Path(sys.argv[1])
    if sys.argv[2] != "True":
        unfinished_files.flush_path = lambda path: None
        schema.CONNECTION = tuple(one.replace("FULL", "OFF") for one in schema.CONNECTION)
    told = os.open(folder / "told", os.O_CREAT | os.O_WRONLY)

    def said(camp):
        os.write(told, json.dumps([camp.place.name, receipts(camp.record)]).encode() + b"\\n")

    def note(writer, text):
        writer.record(c.Note(text=Words(text)))
        said(writer.campaign)

    for again in range(2):
        with CampaignStore.create(folder / f"a{again}.retold", title="The Salt Road") as camp:
            said(camp)
            writer = camp.writer(1)
            for number in range(4):
                note(writer, f"number {number} " + "x" * 3000 * number)
            undo(writer); said(camp)
            redo(writer); said(camp)
            reword(writer, 4, Words("other words")); said(camp)
            line = camp.fork(1, 5, Words("kinder")); said(camp)
            note(camp.writer(line), "elsewhere")
            redact(writer, plan_redaction(writer, c.Redact(at=3))); said(camp)
            scribe = Scribe(camp, 1, attended=True)
            scribe.say("roll 2d6 = 3 4"); said(camp)
            scribe.say("note: A seven."); said(camp)
            scribe.say("fix = 5 4"); said(camp)
            camp.promote(line); said(camp)
            camp.record.store.backup(folder / f"b{again}.retold")
            with CampaignStore.open(folder / f"b{again}.retold", read_only=True) as copy:
                said(copy)
            lines = list(dump(camp.record))
        load(lines, folder / f"c{again}.retold")
        with CampaignStore.open(folder / f"c{again}.retold") as copy:
            said(copy)
            note(copy.writer(copy.mainline()), "and on")
""")


def cut_the_power(folder: Path, rounds: int, protected: bool) -> Found:
    """R2: so many images of the disk, each after a power cut at some call of the evening."""
    made, image = folder / "made", folder / "image"
    made.mkdir()
    image.mkdir()
    command = [sys.executable, "-c", EVENING, str(made), str(protected)]
    calls = list(traced(command, made, folder / "trace"))
    random, found, disk = Random(2), Found(), Disk()
    told: dict[str, Any] = {}
    for number, call in enumerate(calls):
        if call.path == "told":
            name, ends = json.loads(call.data)
            told[name] = ends
            found.acknowledged += 1
        else:
            disk.follow(call)
        for _ in range(rounds * (number + 1) // len(calls) - rounds * number // len(calls)):
            _lay_out(image, disk.cut(random))
            found.tried += 1
            _look(image, told, found)
    return found


def _lay_out(image: Path, files: Mapping[str, bytes]) -> None:
    for path in image.iterdir():
        path.unlink()
    for name, data in files.items():
        if not name.endswith("-shm"):
            (image / name).write_bytes(data)


def _look(image: Path, told: Mapping[str, Any], found: Found) -> None:
    """What was acknowledged has to be there, and whatever has its name has to be whole."""
    for name, ends in told.items():
        found.lost += not _has(image / name, [Receipt(*one) for one in ends])
    for path in image.glob("[abc]*.retold"):
        found.damaged += path.name not in told and not _has(path, [])


def _has(path: Path, ends: list[Receipt]) -> bool:
    try:
        with CampaignStore.open(path) as camp:
            return verify(camp.record, receipts=ends).whole
    except StoreError:
        return False
