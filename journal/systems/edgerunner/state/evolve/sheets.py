"""Sheets, seats, and what the table's options say of both."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.state.found import own
from journal.systems.edgerunner.state.sheets import ASPECT, GHOST, Sheet, aspects_of
from journal.systems.edgerunner.state.shelf import Aspect, Shelf
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    shelf = own(table)
    sheet = shelf.sheets.setdefault(event.person, Sheet())
    player = table.people[event.person].player if event.person in table.people else None
    if player is not None:
        shelf.seats[event.person] = player
    for key, value in event.values.items():
        if not key.startswith((ASPECT, GHOST)):
            sheet.change(key, value)
    for key, wording, ghost in aspects_of(event.values):
        _aspect_of_sheet(table, shelf, event.person, key, wording, ghost=ghost)


def _aspect_of_sheet(
    table: Table, shelf: Shelf, person: int, key: str, wording: str | None, *, ghost: bool
) -> None:
    old = next((one for one in shelf.aspects.values() if one.on == person and one.key == key), None)
    if old is not None:
        del shelf.aspects[old.id]
    if wording is not None:
        new = Aspect(shelf.next_aspect(table, person), person, wording, key=key, ghost=ghost)
        shelf.count(new.id)
        shelf.aspects[new.id] = new


def _player_seated(table: Table, event: e.PlayerSeated) -> None:
    if NAME in table.shelves and event.person in own(table).sheets:
        own(table).seats[event.person] = event.player


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "fp_start":
        own(table).start = int(event.value)
    if event.system == NAME and event.key == "base_threshold":
        own(table).base = int(event.value)


HANDLERS: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.PlayerSeated: _player_seated,
    e.OptionSet: _option_set,
}
