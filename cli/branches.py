"""`branches`: the lines there are, where each leaves, and which is written to."""

from __future__ import annotations

import sys

import typer

from cli import options as o
from cli.dispatch import DONE
from cli.opening import line_meant, opened
from cli.telling import say_json
from projections import safe


def command(
    ctx: typer.Context, campaign: o.Campaign = None, branch: o.Branch = None, json: o.Json = False
) -> int:
    """List the lines of the campaign: name, where it leaves its parent, where it ends.

    Fork with branch NAME [MOMENT], write to another with switch NAME, play on with branch promote NAME.
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        here = line_meant(found, settings, options)
        names = found.lines()
        rows = []
        for line, name in names.items():
            lineage = found.file.lineage(line)
            parent = names.get(lineage[-2].line) if len(lineage) > 1 else None
            rows.append(
                {
                    "line": line,
                    "name": name,
                    "parent": parent,
                    "forked_at": lineage[-1].after if parent else None,
                    "head": found.file.head(line).position,
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
