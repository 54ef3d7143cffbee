"""The `search` verb: finds recorded texts by their words."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import index_of, opened, place_meant
from retold.cli.invocation import DONE, FAILED, UsageError
from retold.cli.output.drawing import draw
from retold.cli.output.printing import progress, write_json
from retold.journal.language.moments import LinePosition
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView, known_by, line_name
from retold.projections.texts import safe
from retold.projections.views.search import KINDS, Wanted, search

FEW = 20


def command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD…", help="All of them; quoted, next to each other.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="On every line, not one alone.")] = False,
    at: o.At = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="By them, or about them.")] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="WORD", help=f"One of: {', '.join(KINDS)}.")
    ] = None,
    session: Annotated[int | None, typer.Option("--session", metavar="N", help="Of session N.")] = None,
    undone: Annotated[bool, typer.Option("--all", help="Also what was undone, between ~~.")] = False,
    viewer: o.For = "gm",
    number: Annotated[
        int, typer.Option("-n", "--limit", metavar="N", min=0, help="The last N matches; 0 is all of them.")
    ] = FEW,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Make the index anew from the record.")] = False,
    json: o.Json = False,
) -> int:
    """Find what was said, by its words: narration, speech, notes, names, all that is free text.

    A word finds those that begin with it, accents and case aside; if there is none, it is looked for within
    words. Exit code 1 if nothing is found.

    Examples: retold search captain stair --kind narration · retold search lantern --who Zel
    """
    options = o.merged(ctx, campaign, branch, json)
    if not words and not rebuild:
        raise UsageError("search wants a word to look for, such as retold search captain.")
    with opened(options, read_only=True) as (found, settings):
        here = place_meant(found, settings, options, at, viewer)
        index = index_of(found, settings)
        try:
            with progress("Indexing") as tell:
                known = index.catch_up(found.record, found.id, anew=rebuild, progress=tell)
            if not words:
                sys.stdout.write(f"The index knows {known:,} texts.\n")
                return DONE
            wanted = Wanted(tuple(words), who, kind, session, viewer, undone)
            places = _everywhere(found, here, viewer) if everywhere else [here]
            readings = [LineView(found, *place) for place in places]
            matches = search(index, readings, wanted, number or None)
        finally:
            index.close()
        if options.json:
            write_json(matches.to_json())
        elif matches.found:
            draw(matches.sheet(line_name(LineView(found, *here).called(viewer))))
    if not matches.found and not options.json:
        sys.stderr.write(f"{_nothing(words, everywhere=everywhere)}\n")
    return DONE if matches.found else FAILED


def _everywhere(campaign: CampaignStore, here: LinePosition, viewer: str) -> list[LinePosition]:
    """Returns the places to search: `here`, and the ends of the other branches known to `viewer`."""
    others = [line for line in known_by(campaign, here.line, viewer) if line != here.line]
    return [here, *(LinePosition(line, campaign.record.head(line).position) for line in others)]


def _nothing(words: list[str], *, everywhere: bool) -> str:
    where = "on any line" if everywhere else "on this line"
    return f"Nothing {where} says {safe.line(' '.join(words))}."
