"""The `who` verb: prints what the record says about a person, thread, place or thing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from retold.cli import app as o
from retold.cli.campaigns.opening import opened, place_meant, reading_at
from retold.cli.invocation import UsageError
from retold.cli.output.printing import progress, text_width, write_json
from retold.projections.dossiers import MENTIONED, MatterKnown, PersonKnown, heading, sections
from retold.projections.prose.phrases import Phrases
from retold.projections.texts import safe
from retold.projections.texts.wrapping import wrap

FEW = 5
"""How many mentions are shown: the last ones."""


def command(
    ctx: typer.Context,
    name: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="A person, a thread, a place or a thing.")
    ] = None,
    campaign: o.Campaign = None,
    branch: o.Branch = None,
    at: o.At = None,
    viewer: o.For = "gm",
    json: o.Json = False,
) -> None:
    """Show everything about a person, thread, place or thing: sessions, changes, state, quotes, players.

    Examples: retold who Zel --for Jon · retold who
    """
    options = o.merged(ctx, campaign, branch, json)
    if not name:
        raise UsageError("who wants a name, such as retold who Zel.")
    with opened(options, read_only=True) as (found, settings):
        place = place_meant(found, settings, options, at, viewer)
        with progress("Looking through the record") as looked:
            last = None if options.json else FEW
            known = reading_at(found, settings, place, viewer).who(" ".join(name), looked, last=last)
    if options.json:
        write_json(known.to_json())
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(known))


def _lines(known: PersonKnown | MatterKnown) -> Iterator[str]:
    """Yields the page's text lines, wrapped to the terminal's width."""
    most = text_width(sys.stdout)
    yield from wrap(safe.line(heading(known)), most, hanging="  ").split("\n")
    mentioned = Phrases().say(MENTIONED)
    for title, lines in sections(known):
        yield from ("", title)
        if title == mentioned and known.earlier:
            yield f"  in {known.earlier + len(lines)} places; the last {len(lines)}:"
        for line in lines:
            yield from wrap(safe.line(line.text), most, "  ", "    ").split("\n")
