"""The `dump` verb: writes the whole record as text, or one branch as a script."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant
from retold.cli.invocation import UsageError
from retold.cli.output.writing_files import output_meant, write_lines, written_to
from retold.journal.language.scripting import script_of
from retold.journal.store.copies.dump import dump
from retold.projections.texts import safe


def command(
    ctx: typer.Context,
    *,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    script: Annotated[
        bool, typer.Option("--script", help="One line's live acts, as the lines that say them.")
    ] = False,
    at: o.At = None,
    output: o.Output = None,
    force: o.Force = False,
) -> None:
    """Write the whole record as text (JSON Lines), or with --script one line as a script that plays it again.

    Examples: retold dump -o salt-road.jsonl · retold dump --script -o salt-road.session
    """
    options = o.merged(ctx, campaign, branch)
    if at is not None and not script:
        raise UsageError("--at belongs to --script: a dump is the whole record, whatever the moment.")
    path = output_meant(output)
    with opened(options, read_only=True) as (found, settings):
        lines: Iterable[str]
        if script:
            place = place_meant(found, settings, options, at)
            lines = list(script_of(found, place.line, 0, place.position))  # all of it, or a refusal
            if path is None and sys.stdout.isatty():  # to be looked at, not to be played again
                lines = map(safe.text, lines)
        else:
            lines = map(safe.in_json, dump(found.record))
        write_lines(lines, path, force=force, lasting=True)
    written_to(path)
