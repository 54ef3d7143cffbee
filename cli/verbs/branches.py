"""The `branches` verb: lists every branch, its fork, and the branch written to by the user."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import line_meant, opened
from retold.cli.output.printing import write_json
from retold.journal.language.moments import LinePosition
from retold.journal.store.contract.event_store import Segment
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView, find_place, known_by
from retold.projections.texts import safe


def _ends(campaign: CampaignStore, place: LinePosition) -> dict[int, int]:
    """Maps branch number to last event position, for each branch that leads up to the moment `place`."""
    return {
        segment.line: place.position if segment.upto is None else min(segment.upto, place.position)
        for segment in campaign.record.lineage(place.line)
    }


def _had_left(lineage: Sequence[Segment], ends: Mapping[int, int]) -> bool:
    """True if a branch leads up to a moment, or was forked before it from a branch that does.

    `lineage` is the branch's path from the root, `ends` the result of `_ends` for the moment.
    """
    *parents, own = lineage
    left = parents[-1].upto if parents else None
    return own.line in ends or (left is not None and left <= ends.get(parents[-1].line, -1))


def command(
    ctx: typer.Context,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    json: o.Json = False,
) -> None:
    """List the lines of the campaign: name, where it leaves its parent, where it ends.

    With --at, those that lead to that moment, and those that had left them by then. With --for, those that
    they may know of, without positions.

    Fork with branch NAME [MOMENT], write to another with switch NAME, play on with branch promote NAME. A
    branch is the game master's until it is promoted, or shown with branch show NAME.

    Examples: retold branches · retold branches --at s3
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        here = line_meant(found, settings, options, viewer)
        whole = LineView(found, here)
        names = known_by(found, here, viewer)
        ends = None if at is None else _ends(found, find_place(whole, at, viewer))
        counts = whole.called(viewer).viewer.gm  # a position would count what is hidden
        rows: list[dict[str, object]] = []
        for line, name in names.items():
            lineage = found.record.lineage(line)
            if ends is not None and not _had_left(
                [segment for segment in lineage if segment.line in names], ends
            ):
                continue
            head = found.record.head(line).position
            parent = next((segment for segment in reversed(lineage[:-1]) if segment.line in names), None)
            rows.append(
                {
                    "line": line if counts else None,
                    "name": name,
                    "parent": None if parent is None else names[parent.line],
                    "forked_at": parent.upto if parent is not None and counts else None,
                    "head": (head if ends is None else ends.get(line, head)) if counts else None,
                    "written_to": line == here,
                }
            )
    if options.json:
        write_json({"retold": "branches", "version": 1, "branches": rows})
        return
    for row in rows:
        upto = f"  to {row['head']}" if counts else ""
        left = f" at {row['forked_at']}" if counts else ""
        leaves = f"  leaves {row['parent']}{left}" if row["parent"] else ""
        sys.stdout.write(
            f"{'*' if row['written_to'] else ' '} {safe.line(str(row['name']))}{upto}{safe.line(leaves)}\n"
        )
