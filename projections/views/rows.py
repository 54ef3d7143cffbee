"""The rows that games hand over at a table: those that have a view of their own, and all others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from journal.capabilities import HasRows, Picture, Row
from journal.table import OpenConflict, Table
from projections.views.naming import Who, who

ANYTHING: Final = (Picture.NUMBER, Picture.COUNTER, Picture.BOXES, Picture.CLOCK)
"""What no view but `tracks` has, whosever it is."""


class Kept(NamedTuple):
    """A row, the game it is from, and the conflict whose state handed it over; None for a shelf."""

    system: str
    conflict: OpenConflict | None
    row: Row


def rows(table: Table) -> Iterator[Kept]:
    """Every row at this table, shelf by shelf, then conflict by conflict."""
    for system, shelf in table.shelves.items():
        if isinstance(shelf, HasRows):
            yield from (Kept(system, None, row) for row in shelf.rows())
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasRows):
            yield from (Kept(conflict.system, conflict, row) for row in conflict.state.rows())


def of_people(table: Table, picture: Picture) -> Iterator[tuple[str, Who, Row]]:
    """Everybody's rows with that picture, each with its game."""
    for system, _, row in rows(table):
        if row.picture is picture and isinstance(row.who, int):
            yield system, who(table, row.who), row


def out_of(value: int, most: int | None) -> str:
    """How much there is, and of how much where that is known: `3`, `3/6`."""
    return str(value) if most is None else f"{value}/{most}"


def is_track(row: Row) -> bool:
    """True for a row that belongs to no view of its own: anything else a game counts, or what is nobody's."""
    return row.picture in ANYTHING or not isinstance(row.who, int)
