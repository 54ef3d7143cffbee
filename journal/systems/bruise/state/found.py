"""Where the table keeps what Bruise knows, and what follows from it."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.bruise.options import NAME
from journal.systems.bruise.state.hands import Play
from journal.systems.bruise.state.shelf import Sheet, Shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM
from journal.vocabulary.events import Sides

PLACE = Place(NAME, Shelf, Play)
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def sheet_of(table: Table, person: int) -> Sheet:
    """The sheet of `person`, to be read; an empty one if they have none."""
    return shelf(table).sheets.get(person) or Sheet()


def sides_of(conflict: OpenConflict, state: Play) -> Sides:
    """The sides that play this turn, without those who came in too late for it."""
    sides = (tuple(who for who in side if who not in state.late) for side in conflict.sides)
    return tuple(side for side in sides if side)


def narrators(table: Table, winner: int) -> tuple[int, ...]:
    """Who may tell what `winner` won: they themselves, or the Tale Weaver for one who has no player."""
    return (winner,) if table.people[winner].player is not None else (winner, GM)


def rank_name(quality: int) -> str:
    """How a table calls a Quality: A, K, Q, J or the number; 0 for no card that counts."""
    return {15: "joker", 14: "A", 13: "K", 12: "Q", 11: "J", 1: "A"}.get(quality, str(quality))
