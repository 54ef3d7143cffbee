"""Where a table keeps what Guenašk knows."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.guenask.options import NAME, chosen
from journal.systems.guenask.rules import Stat, Track
from journal.systems.guenask.state.play import Play
from journal.systems.guenask.state.shelf import Shelf
from journal.table import Table
from journal.vocabulary.base import GM

PLACE = Place(NAME, Shelf, Play)
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def without_stats(table: Table, person: int) -> bool:
    """True for who has no stats on a sheet, or never can: they stand against somebody with loose dice."""
    sheet = shelf(table).sheets.get(person)
    return person == GM or sheet is None or not sheet.stats


def dice_lost(table: Table, person: int, stat: Stat) -> int:
    """How many full rows weigh on a stat, through whichever tracks the table has bound to it."""
    held = shelf(table)
    if held.is_npc(person):
        return 0
    tracks = [track for track in Track if chosen(table, f"{track}_stat") == stat]
    return sum(held.rows_full(person, track) for track in tracks)
