"""The table in which a viewer's names are looked up: nothing in it is hidden from them."""

from __future__ import annotations

from journal.copying import copied
from journal.names import fold
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading.reading import Reading


def known_table(reading: Reading) -> Table:
    """The table with the names that the viewer knows: without the marks, threads, places and things hidden.

    A name is looked up here, and suggestions come from here, so that a refusal says nothing hidden.
    """
    if reading.viewer.gm:
        return reading.table
    known: Table = reading.past.once(("known table", reading.viewer), lambda: _without_hidden(reading))
    return known


def _without_hidden(reading: Reading) -> Table:
    table = copied(reading.table)
    marks, opened = set(), set()
    for recorded in reading.recorded(kinds=(e.Marked.kind, e.MatterOpened.kind)):
        if isinstance(recorded.event, e.Marked):
            marks.add(fold(recorded.event.name.text or ""))
        else:
            opened.add(recorded.position)
    table.marks = {name: at for name, at in table.marks.items() if name in marks}
    table.matters = {at: one for at, one in table.matters.items() if at in opened}
    return table
