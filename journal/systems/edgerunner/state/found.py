"""Where a table keeps what Edgerunner knows."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.state.play import Play
from journal.systems.edgerunner.state.rolls import OpenRoll
from journal.systems.edgerunner.state.shelf import Shelf
from journal.table import OpenConflict, Table

PLACE = Place(NAME, Shelf, Play)
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def current(table: Table, conflict: OpenConflict | None) -> OpenRoll | None:
    """The roll that may still be changed: the act on the table, or the last roll outside the exchanges."""
    return shelf(table).roll if conflict is None else play(conflict).act


def ours(table: Table, conflict: int | None) -> OpenConflict | None:
    """The conflict of that number, if it is one of ours."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def roll_in(table: Table, conflict: int | None) -> OpenRoll | None:
    """The roll that may still be changed in the conflict of that number, or outside any."""
    return current(table, ours(table, conflict))
