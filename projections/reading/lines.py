"""Who may know of which line: the one place that says it, whoever asks."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Final

from journal.refused import Refused
from journal.store.branches import called_among
from journal.store.campaign import Campaign
from projections.reading.arrivals import Arrival
from projections.reading.branching import shared
from projections.reading.reading import Reading
from projections.reading.viewers import EVERYBODY, Viewer, is_among, viewer_of

GM: Final = "gm"


def known_lines(reading: Reading, by: str | None = None) -> dict[int, str]:
    """Every line that the viewer of a reading may know of, by number, with its name; the oldest first.

    The game master knows of all. Everybody knows of the first line, of the mainline, of what ever was the
    mainline, and of what was shown to everybody; of what was shown to some people, these know. `by` is a time
    (UTC): what was promoted or shown later is not known yet.
    """
    names = reading.campaign.lines()
    if reading.viewer.gm:
        return names
    found: dict[int, str] = {}
    played = reading.campaign.branches.played(by)
    for line, name in names.items():
        if _is_known(reading, line, by, played):
            # A line whose name is gone is called by its number, and theirs counts only what they know.
            found[line] = f"line-{len(found) + 1}" if name == f"line-{line}" else name
    return found


def may_know(reading: Reading) -> bool:
    """Whether the viewer of a reading may know of the line that is read."""
    return reading.viewer.gm or _is_known(reading, reading.line)


def line_name(reading: Reading) -> str:
    """What the line that is read is called by its viewer."""
    names = reading.campaign.lines()
    name = names[reading.line]
    if reading.viewer.gm or name != f"line-{reading.line}":
        return name
    return known_lines(reading).get(reading.line, name)


def line_played(campaign: Campaign, here: int, whose: str | Arrival) -> int:
    """The line that somebody is shown where `here` is played: the mainline, if they may not know of that."""
    main = campaign.mainline()
    if whose == GM or here == main or campaign.branches.shown_to(here) is None:
        return here
    try:
        # Who leads the game on that line alone is not told its secrets: the mainline says who does.
        leads = Reading(campaign, main).called(whose).viewer.gm
    except Refused:  # nobody is called so there
        leads = False
    return here if leads or _is_for(campaign, here, whose) else main


def line_meant(campaign: Campaign, here: int, name: str, whose: str | Arrival) -> int:
    """The line of that name, asked where `here` is played; Refused where this viewer may know of none."""
    if whose == GM:
        return campaign.line_called(name)
    known = known_by(campaign, line_played(campaign, here, whose), whose)
    with suppress(Refused):
        return called_among(known, name)
    with suppress(Refused):
        line = campaign.line_called(name)
        if _is_for(campaign, line, whose):  # who came in on that line alone
            return line
    return called_among(known, name)


def known_by(campaign: Campaign, here: int, whose: str | Arrival) -> Mapping[int, str]:
    """The lines that somebody may know of, seen from `here`; the table's where nobody there is called so."""
    reading = Reading(campaign, here)
    try:
        return known_lines(reading.called(whose))
    except Refused:
        return known_lines(reading.through(EVERYBODY))


def _is_for(campaign: Campaign, line: int, whose: str | Arrival) -> bool:
    """Whether somebody may know of a line by who they are there, and do not lead the game."""
    try:
        reading = Reading(campaign, line).called(whose)
    except Refused:
        return False
    return not reading.viewer.gm and may_know(reading)


def _is_known(
    reading: Reading, line: int, by: str | None = None, played: Container[int] | None = None
) -> bool:
    """Whether a viewer who is not the game master may know of a line; `by` and `played` as in `shown_to`."""
    to = reading.campaign.branches.shown_to(line, by, played)
    if to is None or not to:
        return to is None
    if line == reading.line:
        return is_among(tuple(to), reading.viewer)
    other = reading.on(line)
    return is_among(tuple(to), viewer_on(other, shared(reading, other), reading.viewer))


def viewer_on(other: Reading, at: int, viewer: Viewer) -> Viewer:
    """The same viewer on another line, left at a position, where who joined later goes by the same number."""
    if viewer.gm or viewer.person is None:
        return viewer
    if viewer.person not in other.then(at).table.people:
        return EVERYBODY
    there = viewer_of(other.table, viewer.person)
    return viewer if there.gm else there  # who leads the game there alone is not told its secrets here
