"""The numbers a ruling sets."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.state.found import ours, own, play, roll_in
from journal.systems.edgerunner.state.sheets import Sheet
from journal.table import Handler, Table
from journal.vocabulary.base import Event


def _number_set(table: Table, event: g.NumberSet) -> None:
    shelf = own(table)
    match event.what:
        case "points" if isinstance(event.on, int):
            shelf.purses[event.on] = event.value
        case "threshold" if isinstance(event.on, int):
            shelf.sheets.setdefault(event.on, Sheet()).thresholds[event.track or ""] = event.value
        case "threshold":
            here = ours(table, event.conflict)
            border = None if here is None else play(here).border_named(str(event.on))
            if border is not None:
                border.threshold = event.value
        case _:
            roll = roll_in(table, event.conflict)
            if roll is not None:
                roll.ruled += event.value - roll.shifts


HANDLERS: Mapping[type[Event], Handler] = {
    g.NumberSet: _number_set,
}
