"""`diff`: two lines, or two moments, side by side."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli import options as o
from cli.dispatch import DONE
from cli.drawing import draw
from cli.moments import Place, find_place
from cli.opening import line_meant, opened
from cli.show import seen_by
from cli.telling import say_json
from journal.names import fold
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections.diff import compare
from projections.views.asked import Asked


def command(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="A branch, or a moment such as caught@412.")],
    other: Annotated[
        str | None, typer.Argument(metavar="[B]", help="Another; else the line you write to, as it is now.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    eyes: o.For = "gm",
    state: Annotated[bool, typer.Option("--state", help="Only what differs in state.")] = False,
    story: Annotated[bool, typer.Option("--story", help="Only what differs in story.")] = False,
    json: o.Json = False,
) -> int:
    """Compare two lines: what differs in state, then in story, from where they part.

    Example: retold diff mainline caught
    """
    options = o.merged(ctx, campaign, branch, json)
    with opened(options, read_only=True) as (found, settings):
        here = line_meant(found, settings, options)
        first, second = _place(found, here, one), _place(found, here, other or "@")
        asked = [
            Asked(found, place.line, _at(found, place), seen_by(found, place, eyes))
            for place in (first, second)
        ]
        difference = compare(found, asked[0], asked[1])
    if options.json:
        say_json({"retold": "view", **difference.to_json()})
        return DONE
    if not story:
        draw(difference.sheet())
    if not state:
        if not story:
            sys.stdout.write("\n")
        draw(difference.story())
    return DONE


def _place(campaign: Campaign, here: int, typed: str) -> Place:
    """The head of a line by its name, else a moment."""
    for line, name in campaign.lines().items():
        if fold(name) == fold(typed):
            return Place(line, campaign.file.head(line).position)
    try:
        return find_place(campaign, here, typed)
    except Refused as refusal:
        lines = ", ".join(campaign.lines().values())
        raise Refused(f"{refusal} It is no branch either: there are {lines}.") from None


def _at(campaign: Campaign, place: Place) -> int | None:
    """The position, or None for a line's head."""
    return None if place.position == campaign.file.head(place.line).position else place.position
