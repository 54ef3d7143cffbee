"""Where a table keeps what Edgerunner knows."""

from __future__ import annotations

from journal.shelves import kept, put_up, state_of
from journal.systems.edgerunner.options import DEFAULTS
from journal.systems.edgerunner.state.play import Play
from journal.systems.edgerunner.state.rolls import OpenRoll
from journal.systems.edgerunner.state.shelf import Shelf
from journal.table import OpenConflict, Table

NAME = "edgerunner"


def shelf(table: Table) -> Shelf:
    """What Edgerunner keeps on this table, to be read; an empty shelf where it was never played."""
    return kept(table, NAME, Shelf)


def own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    return put_up(table, NAME, Shelf)


def play(conflict: OpenConflict) -> Play:
    """The state of an Edgerunner conflict."""
    return state_of(conflict, Play)


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, DEFAULTS[key])


def current(table: Table, conflict: OpenConflict | None) -> OpenRoll | None:
    """The roll that may still be changed: the act on the table, or the last roll outside the exchanges."""
    return shelf(table).roll if conflict is None else play(conflict).act


def ours(table: Table, conflict: int | None) -> OpenConflict | None:
    """The conflict of that number, if it is one of ours."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def play_in(table: Table, conflict: int) -> Play:
    """The state of the conflict of that number."""
    return play(table.conflicts[conflict])


def roll_in(table: Table, conflict: int | None) -> OpenRoll | None:
    """The roll that may still be changed in the conflict of that number, or outside any."""
    return current(table, ours(table, conflict))
