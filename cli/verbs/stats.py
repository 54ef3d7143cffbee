"""The `stats` verb: prints statistics (luck, time, compels …) on the terminal, as HTML or JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant
from retold.cli.output.drawing import draw, draw_charts
from retold.cli.output.printing import progress, write_json
from retold.cli.output.writing_files import output_meant, write_bytes, written_to
from retold.projections.reading import LineView, line_name
from retold.projections.statistics import TOPICS, count, page
from retold.projections.statistics.statistic import Statistic
from retold.projections.texts import safe
from retold.projections.views.sheet import Sheet


def command(
    ctx: typer.Context,
    topic: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(TOPICS)}; else all.")] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    session: Annotated[int | None, typer.Option("--session", metavar="N", help="Session N alone.")] = None,
    viewer: o.For = "gm",
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write a page with charts; - for stdout.")
    ] = None,
    force: o.Force = False,
    json: o.Json = False,
) -> None:
    """Count what can be counted: luck against its exact odds, who told how much, time, compels, counts.

    Examples: retold stats luck --session 3 · retold stats
    """
    options = o.merged(ctx, campaign, branch, json)
    topics = tuple(TOPICS)
    if topic is not None:
        topics = (o.name_among(TOPICS, topic, f"There is nothing to count called “{topic}”."),)
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at, viewer)
        reading = LineView(found, *place).called(viewer)
        with progress("Counting") as looked:
            counted = count(reading, topics, session, looked)
        # A position would count events that others may not know of.
        position = place.position if reading.viewer.gm else None
        name = line_name(reading)
        about = [name if position is None else f"{name} · {position:,} events", *_narrowed(session, viewer)]
        title = f"{reading.title} in numbers"
    if options.json:
        topics_as_json = {name: statistic.to_json() for name, statistic in counted.items()}
        write_json({"retold": "stats", "version": 1, "at": position, "session": session, **topics_as_json})
    elif html is not None:
        path = output_meant(html)
        write_bytes(page(title, about, counted), path, force=force)
        written_to(path)
    else:
        _show(counted)


def _narrowed(session: int | None, viewer: str) -> Iterator[str]:
    if session is not None:
        yield f"session {session}"
    if viewer != "gm":
        yield f"as {viewer} may know it"


def _show(counted: Mapping[str, Statistic]) -> None:
    said = False
    for name, statistic in counted.items():
        sheets, charts = statistic.sheets(), statistic.charts()
        if not sheets and len(counted) == 1:
            sys.stdout.write(f"{name.capitalize()}: nothing to count yet.\n")
            return
        said = said or bool(sheets)
        _draw_all(sheets)
        if sys.stdout.isatty():
            draw_charts(charts)
        else:
            _draw_all(chart.sheet() for chart in charts)
    if not said:
        sys.stdout.write("Nothing to count yet.\n")


def _draw_all(sheets: Iterable[Sheet]) -> None:
    """Prints several sheets (rows and columns); outside a terminal, each title as a `#` comment before it."""
    for sheet in sheets:
        if not sys.stdout.isatty():
            sys.stdout.write(f"# {safe.line(sheet.title)}\n")
        draw(sheet)
