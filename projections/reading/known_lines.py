"""The lines of a campaign that a viewer may name: the one place to ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from journal.names import fold
from journal.refused import Refused
from journal.store.campaign import Campaign
from projections.reading.arrivals import Arrival
from projections.reading.viewers import Viewer


def known_lines(campaign: Campaign, eyes: str | Arrival | Viewer) -> Mapping[int, str]:
    """The lines that `eyes` (`gm`, `table`, a name, an arrival) may name, by number, with their names."""
    del eyes  # every line is everybody's to name so far
    return campaign.lines()


def line_named(campaign: Campaign, typed: str, eyes: str | Arrival = "gm") -> int:
    """The line of that name, among those that `eyes` may name; Refused with these where there is none."""
    known = known_lines(campaign, eyes)
    found = next((line for line, name in known.items() if fold(name) == fold(typed)), None)
    if found is None:
        raise Refused(f"There is no branch {typed}. There are: {', '.join(known.values())}.")
    return found
