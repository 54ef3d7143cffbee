"""Where a table keeps what Edgerunner knows."""

from __future__ import annotations

from journal.systems.edgerunner.options import DEFAULTS
from journal.systems.edgerunner.state.play import Play
from journal.systems.edgerunner.state.rolls import OpenRoll
from journal.systems.edgerunner.state.shelf import Shelf
from journal.table import OpenConflict, Table

NAME = "edgerunner"


def shelf(table: Table) -> Shelf:
    """What Edgerunner keeps on this table, to be read; an empty shelf where it was never played."""
    found = table.shelves.get(NAME) or Shelf()
    assert isinstance(found, Shelf)  # noqa: S101 -- the key is ours alone
    return found


def own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    table.shelves.setdefault(NAME, Shelf())
    return shelf(table)


def play(conflict: OpenConflict) -> Play:
    """The state of an Edgerunner conflict."""
    assert isinstance(conflict.state, Play)  # noqa: S101 -- set when it opened
    return conflict.state


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, DEFAULTS[key])


def current(table: Table, conflict: OpenConflict | None) -> OpenRoll | None:
    """The roll that may still be changed: the act on the table, or the last roll outside the exchanges."""
    return shelf(table).roll if conflict is None else play(conflict).act
