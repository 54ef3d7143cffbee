"""Where a table keeps what Guenašk knows."""

from __future__ import annotations

from journal.shelves import kept, put_up, state_of
from journal.systems.guenask.options import DEFAULTS
from journal.systems.guenask.rules import Stat, Track
from journal.systems.guenask.state.play import Play
from journal.systems.guenask.state.shelf import Shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM

NAME = "guenask"


def shelf(table: Table) -> Shelf:
    """What Guenašk keeps on this table, to be read; an empty shelf where it was never played."""
    return kept(table, NAME, Shelf)


def own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    return put_up(table, NAME, Shelf)


def play(conflict: OpenConflict) -> Play:
    """The state of a Guenašk conflict."""
    return state_of(conflict, Play)


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, DEFAULTS[key])


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
