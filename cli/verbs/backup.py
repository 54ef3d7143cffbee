"""The `backup` verb: copies the campaign to a new file, even while another program writes to it."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.settings import Settings, copy_place
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.events.record import Record
from retold.journal.store.verify import Receipt, receipts
from retold.projections.texts import safe


def command(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    campaign: o.Campaign = None,
) -> None:
    """Copy the campaign whole, also in the middle of a session.

    Examples: retold backup ~/backups/salt-road-2026-03-14 · retold backup /media/stick/salt-road.retold
    """
    target = copy_place(path)
    if target.file is None:
        raise Refused(f"backup writes a file, and {target} is on a server. For a file, say ./{target}.")
    named = Settings.of_user().campaign(o.merged(ctx, campaign, None).campaign)
    places.copy_to_file(named, target.file, by_any_name=True)
    with closing(places.opened(target, read_only=True)) as copy:
        ends = receipts(Record(copy))
    sys.stdout.write(f"{safe.line(str(target))}\n")
    sys.stderr.writelines(f"Receipt {receipt}\n" for receipt in map(Receipt.__str__, ends))
