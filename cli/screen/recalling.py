"""A recap on the screen: all of it, or its first lines where somebody comes back to a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from cli.screen.columns import hung, room
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections import safe
from projections.reading import Reading


def write(lines: Iterable[str], out: TextIO) -> None:
    """Writes lines, in columns that are easily read where `out` is a terminal."""
    for line in map(safe.line, lines):
        shown = hung(line, room(out)) if out.isatty() else [line]
        out.writelines(f"{one}\n" for one in shown)


def write_recap(campaign: Campaign, line: int, out: TextIO, *, short: bool) -> None:
    """Writes how it went on a line up to now, with an empty line around it; nothing where nothing did."""
    lines = list(_recapped(campaign, line, short=short))
    if lines:
        write(("", *lines, ""), out)


def _recapped(campaign: Campaign, line: int, *, short: bool) -> Iterator[str]:
    reading = Reading(campaign, line)
    if not reading.evenings.opened:
        return
    from projections import recap  # which loads all that tells

    if not recap.has_gone_before(reading):
        return
    try:
        found = recap.of_line(reading, whole=not short)
    except Refused:
        return  # nothing has been told: there is nothing to remember
    if not short:
        yield from found.lines()
        return
    yield found.title
    yield from found.first_lines()
    yield "All of it: recap"
