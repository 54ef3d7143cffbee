"""The `load` verb: makes a campaign from a dump (the record as text), with the same hashes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import check_disk
from retold.cli.campaigns.settings import new_place
from retold.cli.output.printing import count_streams, progress
from retold.journal.refused import Refused
from retold.journal.store.copies.dump import load
from retold.projections.texts import safe


def command(
    dump: Annotated[str, typer.Argument(metavar="DUMP", help="What dump wrote, or - for standard input.")],
    campaign: Annotated[str, typer.Argument(metavar="FILE", help="The campaign to make.")],
    shared_disk: o.SharedDisk = False,
) -> None:
    """Make a campaign from a dump, identical to the last hash; if anything is wrong, nothing is made.

    Examples: retold load salt-road.jsonl salt-road-again · retold load - salt-road-again
    """
    target = new_place(campaign)
    check_disk(target, allowed=shared_disk)
    with ExitStack() as stack:
        lines: Iterable[bytes] = sys.stdin.buffer
        if dump != "-":
            source = Path(dump)
            if source.exists() and not source.is_file():
                raise Refused(f"{dump} is no file; a dump is one, or - for standard input.")
            if not source.is_file():
                raise Refused(f"There is no dump {dump}.")
            lines = stack.enter_context(source.open("rb"))
        loaded = load(lines, target, stack.enter_context(progress("Loading")))
    sys.stdout.write(f"{safe.line(str(target))}\n")
    sys.stderr.write(f"{loaded.events} events on {count_streams(loaded.heads)}.\n")
