"""The `recap` verb: prints how the last session ended, what changed, open threads, and the cast."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant, reading_at
from retold.cli.campaigns.settings import Settings
from retold.cli.output.drawing import write_hung
from retold.cli.output.printing import write_json
from retold.cli.verbs.voices import voice_meant
from retold.projections.prose import VOICES


def command(
    ctx: typer.Context,
    part: Annotated[
        str | None, typer.Argument(metavar="[s3|s3..s7]", help="Which sessions; else the last.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    voice: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Whose phrases: {', '.join(VOICES)}, or your own (retold voices)."
        ),
    ] = "report",
    lang: o.Lang = None,
    length: Annotated[
        str | None,
        typer.Option(metavar="sentence|paragraph|page", help="How long; else a minute, read aloud."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Say how the last session ended, what changed, what is open and who is who: a minute, read aloud.

    In the table's own words, and nothing that is for some people only unless --for names who may know it.

    Examples: retold recap s3..s7 · retold recap
    """
    options = o.merged(ctx, campaign, branch, json)
    speaks = voice_meant(Settings.of_user(), voice, lang)
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at, viewer)
        recap = reading_at(found, settings, place, viewer).recap(part, speaks, length)
    if options.json:
        write_json(recap.to_json())
    else:
        write_hung(recap.lines(), sys.stdout)
