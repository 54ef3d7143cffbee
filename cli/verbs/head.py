"""The `head` verb: prints each branch's receipt, with which a later loss of events can be detected."""

from __future__ import annotations

import sys
from contextlib import closing

import typer

from retold.cli import app as o
from retold.cli.campaigns.settings import Settings
from retold.cli.output.printing import write_json
from retold.journal.store import places
from retold.journal.store.events.record import Record
from retold.journal.store.verify import Receipt, receipts


def command(ctx: typer.Context, campaign: o.Campaign = None, json: o.Json = False) -> None:
    """Print a receipt for each line: its last position, and the hash of everything before.

    Keep it elsewhere: it shows even a cut-off end: verify --head RECEIPT.

    Examples: retold head · retold head --json
    """
    options = o.merged(ctx, campaign, None, json)
    with closing(places.opened(Settings.of_user().campaign(options.campaign), read_only=True)) as store:
        found = receipts(Record(store))
    if options.json:
        write_json({"retold": "head", "version": 1, "receipts": [receipt._asdict() for receipt in found]})
    else:
        sys.stdout.writelines(f"{line}\n" for line in map(Receipt.__str__, found))
