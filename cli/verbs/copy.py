"""The `copy` verb: copies a campaign from any place into a new one, checked as `load` checks a dump."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import check_disk
from retold.cli.campaigns.settings import Settings, copy_place
from retold.cli.output.printing import count_streams, progress, write_json
from retold.journal.counting import counted
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.copies.sync import copy_into
from retold.journal.store.events.record import Record
from retold.journal.store.verify import receipt_of
from retold.projections.texts import safe


def command(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="The campaign to copy.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The campaign to make, or a folder for it.")],
    shared_disk: o.SharedDisk = False,
    json: o.Json = False,
) -> None:
    """Copy a campaign into a new place, identical to the last hash; nothing is ever written over.

    What was recorded at both places later is brought together with sync.

    Examples: retold copy salt-road.retold /media/stick · retold copy salt-road club:salt-road
    """
    found = Settings.of_user().other_place(source, source)
    made = _target(target, found)
    check_disk(made, allowed=shared_disk)
    with closing(places.opened(found, read_only=True)) as store, progress("Copying") as tell:
        record = Record(store)
        copied = places.restored(made, lambda new: copy_into(new, record, tell))
    if o.merged(ctx, None, None, json).json:
        ends = [receipt_of(line, end)._asdict() for line, end in copied.heads.items()]
        write_json(
            {"retold": "copy", "version": 1, "path": str(made), "events": copied.events, "receipts": ends}
        )
        return
    sys.stdout.write(f"{safe.line(str(made))}\n")
    events = f"{counted(copied.events, 'event')} on {count_streams(copied.heads)}"
    receipt = receipt_of(copied.mainline, copied.heads[copied.mainline]).short
    sys.stderr.write(f"{events}, the same to the last: {receipt}\n")


def _target(typed: str, source: Address) -> Address:
    """Returns the address of the new campaign; in a folder it has the source's name."""
    made = Address.read(typed)
    if made.file is not None and made.file.is_dir():
        return copy_place(str(made.file / source.stem))
    return copy_place(typed)
