"""The games that have something to count of their own: one explicit list."""

from __future__ import annotations

from collections.abc import Mapping

from projections.statistics import bruise, edgerunner, guenask, spacetime, whiskey
from projections.statistics.counted import Counted

COUNTED: Mapping[str, Counted] = {
    "spacetime": spacetime.COUNTED,
    "whiskey": whiskey.COUNTED,
    "edgerunner": edgerunner.COUNTED,
    "bruise": bruise.COUNTED,
    "guenask": guenask.COUNTED,
}
"""What is counted of each system, by its name; of one not here its dice are."""
