"""R16: copies made while somebody records, by `backup` and by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.verify import receipts, verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes, on_disk
from tests.survival.attacks import Found, attacked


def copy_meanwhile(folder: Path, rounds: int, protected: bool) -> Found:
    """R16: so many copies, each after an act of somebody who has it open; unprotected, of the file alone."""
    path, copy = folder / "open.retold", folder / "copy.retold"
    attacked(path)
    found = Found()
    with CampaignStore.open(path) as camp, CampaignStore.open(path, read_only=True) as other:
        writer = camp.writer(1)
        for number in range(rounds):
            notes(writer, f"number {number}")
            kept = receipts(camp.record)
            copy.unlink(missing_ok=True)
            if protected:
                on_disk(other).backup(copy)
            else:
                shutil.copyfile(path, copy)
            found.tried += 1
            found.acknowledged += 1
            try:
                with CampaignStore.open(copy, read_only=True) as made:
                    found.lost += not verify(made.record, receipts=kept).whole
            except StoreError:
                found.damaged += 1
    return found
