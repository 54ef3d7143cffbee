"""Sheets, and what the table's options say of them."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.guenask.options import ASK, NAME
from journal.systems.guenask.state.evolve.fallout import open_plays, reviewed
from journal.systems.guenask.state.found import own
from journal.systems.guenask.state.sheets import Sheet
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = own(table).sheets.setdefault(event.person, Sheet())
    for key, value in event.values.items():
        sheet.change(key, value)
    if "stages" in event.values:
        reviewed(table, event.person)


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system != NAME:
        return
    if event.key == "boxes_per_row":
        own(table).boxes = None if event.value == ASK else int(event.value)
    elif event.key == "npc_stage":
        own(table).npc_stage = event.value
    elif event.key == "danger_scope":
        for state in open_plays(table):
            state.danger_scope = event.value
    for who in {who for state in open_plays(table) for who in state.people}:
        reviewed(table, who)


HANDLERS: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.OptionSet: _option_set,
}
