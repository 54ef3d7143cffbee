"""The `diff` verb: compares the states of two branches or moments, or tells up to three as stories."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import line_meant, opened
from retold.cli.invocation import DONE, UsageError
from retold.cli.output.drawing import draw
from retold.cli.output.printing import write_json
from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.cli.verbs.voices import voice_meant
from retold.journal.language.moments import LinePosition
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.comparison.diff import compare
from retold.projections.comparison.lines import compare_lines
from retold.projections.comparison.page import STORIES
from retold.projections.exports import MECHANICS, place_called
from retold.projections.prose import Voice
from retold.projections.reading import LineView, find_place, known_by


def command(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="A branch, or a moment such as caught@412.")],
    other: Annotated[
        str | None, typer.Argument(metavar="[B]", help="Another; else the line you write to, as it is now.")
    ] = None,
    third: Annotated[
        str | None, typer.Argument(metavar="[C]", help="A third, told beside them with --story.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    state: Annotated[bool, typer.Option("--state", help="Only what differs in state.")] = False,
    story: Annotated[
        bool, typer.Option("--story", help="Tell them from where they part: Markdown, or -o FILE.html.")
    ] = False,
    output: o.Output = None,
    voice: Annotated[str, typer.Option(metavar="NAME", help="With --story: who tells.")] = "report",
    lang: o.Lang = None,
    mechanics: Annotated[
        str | None,
        typer.Option(metavar="PLACE", help=f"With --story: where numbers stand: {', '.join(MECHANICS)}."),
    ] = None,
    force: o.Force = False,
    json: o.Json = False,
) -> int:
    """Compare two lines: what differs in state, then in story, from where they part.

    Examples: retold diff mainline caught · retold diff mainline caught --story -o caught.html
    """
    options = o.merged(ctx, campaign, branch, json)
    if not story and (third or output or mechanics or lang):
        raise UsageError("Three lines, a file, a language and mechanics are for a story: add --story.")
    if story and (state or options.json):
        raise UsageError("A story is told as Markdown or HTML: leave out --story, or the other.")
    if at and other:
        raise UsageError("--at is the other moment, and there is one already: write it as NAME@412.")
    typed = [one, other or at or "@", *([third] if third else [])]
    with opened(options, read_only=True) as (found, settings):
        here = LineView(found, line_meant(found, settings, options, viewer))
        readings = [
            LineView(found, place.line, _at(found, place)).called(viewer)
            for place in [_place(here, name, viewer) for name in typed]
        ]
        if story:
            return _tell(readings, voice_meant(settings, voice, lang), mechanics, output, force=force)
        difference = compare(readings[0], readings[1])
    if options.json:
        write_json({"retold": "view", **difference.to_json()})
        return DONE
    draw(difference.sheet())
    if not state:
        sys.stdout.write("\n")
        draw(difference.story())
    return DONE


def _tell(
    readings: list[LineView],
    speaks: Voice,
    mechanics: str | None,
    output: str | None,
    *,
    force: bool,
) -> int:
    """Writes the branches side by side as stories, to a .md or .html file or as Markdown to standard output.

    Returns the exit code.
    """
    path = output_meant(output)
    suffix = ".md" if path is None else path.suffix.casefold()
    if suffix not in STORIES:
        wrong = f", not {suffix}." if suffix else ": give the file that ending."
        raise Refused(f"A story of several lines is .md or .html{wrong}")
    place = place_called(mechanics or speaks.mechanics)
    parting = compare_lines(readings, voice=speaks)
    write_bytes(STORIES[suffix](parting, place), path, force=force)
    written_to(path)
    return DONE


def _place(here: LineView, typed: str, viewer: str) -> LinePosition:
    """Returns branch and event position of `typed`: the end of a branch of that name, else a moment.

    Only branches and moments that `viewer` may know are found; Refused for others.
    """
    known = known_by(here.campaign, here.line, viewer)
    for line, name in known.items():
        if normalise(name) == normalise(typed):
            return LinePosition(line, here.on(line).head)
    try:
        return find_place(here, typed, viewer)
    except Refused as refusal:
        lines = ", ".join(known.values())
        raise Refused(f"{refusal} It is not a branch either: there are {lines}.") from None


def _at(campaign: CampaignStore, place: LinePosition) -> int | None:
    """Returns the event position of a place; None if it is the branch's end."""
    return None if place.position == campaign.record.head(place.line).position else place.position
