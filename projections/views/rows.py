"""Counters of every game at a table (points, health, clocks, boxes), in a common form: a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from retold.journal.capabilities import HasRows, Picture, Row
from retold.journal.guarding import answer_of
from retold.journal.table import OpenConflict, Table
from retold.projections.views.naming import Who, who

ANYTHING: Final = (Picture.NUMBER, Picture.COUNTER, Picture.BOXES, Picture.CLOCK)
"""Drawings shown only by the tracks view."""


class Kept(NamedTuple):
    """Counter (`row`) with its game and conflict; no conflict if it outlives conflicts."""

    system: str
    conflict: OpenConflict | None
    row: Row


def rows(table: Table) -> Iterator[Kept]:
    """Returns counters at this table: campaign-wide ones game by game, then conflict by conflict.

    Health in a word, of which the numbers are hidden, is a marked box with that word; full health is none.
    """
    told = (kept if not kept.row.words else _in_a_word(kept) for kept in _all_rows(table))
    return filter(None, told)


def _in_a_word(kept: Kept) -> Kept | None:
    row = kept.row
    if row.picture is not Picture.HEALTH:
        return kept
    if row.value == row.most:
        return None
    return kept._replace(row=Row(row.who, str(row.words[0]), 1, 1, Picture.BOXES, row.out))


def _all_rows(table: Table) -> Iterator[Kept]:
    for system, shelf in table.shelves.items():
        if isinstance(shelf, HasRows):
            yield from (Kept(system, None, row) for row in answer_of(system, shelf.rows, (), each=Row))
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasRows):
            found = answer_of(conflict.system, conflict.state.rows, (), each=Row)
            yield from (Kept(conflict.system, conflict, row) for row in found)


def of_people(table: Table, picture: Picture) -> Iterator[tuple[str, Who, Row]]:
    """Yields people's counters that are drawn as `picture`: game, person, row."""
    for system, _, row in rows(table):
        if row.picture is picture and isinstance(row.who, int):
            yield system, who(table, row.who), row


def out_of(value: int, most: int | None) -> str:
    """Returns a value as text, with its maximum if known: `3` or `3/6`."""
    return str(value) if most is None else f"{value}/{most}"


def is_track(row: Row) -> bool:
    """True for a counter in the tracks view: a clock, boxes, a number, or any counter without a person."""
    return row.picture in ANYTHING or not isinstance(row.who, int)
