"""`branches`: the lines there are, where each leaves, and which is written to."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import typer

from cli import options as o
from cli.invocation import DONE
from cli.opening import line_meant, opened
from cli.telling import say_json
from journal.language.moments import Place, find_place
from journal.store.campaign import Campaign
from journal.store.rows import Segment
from projections import safe


def _ends(campaign: Campaign, place: Place) -> dict[int, int]:
    """Where each line ends that leads to a moment."""
    lineage = campaign.record.lineage(place.line)
    return {
        one.line: place.position if one.upto is None else min(one.upto, place.position) for one in lineage
    }


def _had_left(lineage: Sequence[Segment], ends: Mapping[int, int]) -> bool:
    """True for a line that leads to the moment, or left one of those that do before it."""
    *parents, own = lineage
    if own.line in ends:
        return True
    return bool(parents) and parents[-1].line in ends and own.after <= ends[parents[-1].line]


def command(
    ctx: typer.Context,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    json: o.Json = False,
) -> int:
    """List the lines of the campaign: name, where it leaves its parent, where it ends.

    With --at, those that lead to that moment, and those that had left them by then.

    Fork with branch NAME [MOMENT], write to another with switch NAME, play on with branch promote NAME.
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        here = line_meant(found, settings, options)
        names = found.lines()
        ends = None if at is None else _ends(found, find_place(found, here, at))
        rows = []
        for line, name in names.items():
            lineage = found.record.lineage(line)
            if ends is not None and not _had_left(lineage, ends):
                continue
            head = found.record.head(line).position
            parent = names.get(lineage[-2].line) if len(lineage) > 1 else None
            rows.append(
                {
                    "line": line,
                    "name": name,
                    "parent": parent,
                    "forked_at": lineage[-1].after if parent else None,
                    "head": head if ends is None else ends.get(line, head),
                    "written_to": line == here,
                }
            )
    if options.json:
        say_json({"retold": "branches", "version": 1, "branches": rows})
        return DONE
    for row in rows:
        star = "*" if row["written_to"] else " "
        leaves = f"  leaves {row['parent']} at {row['forked_at']}" if row["parent"] else ""
        sys.stdout.write(f"{star} {safe.line(str(row['name']))}  to {row['head']}{safe.line(leaves)}\n")
    return DONE
