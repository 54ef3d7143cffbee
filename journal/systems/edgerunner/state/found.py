"""Where a table keeps what Edgerunner knows."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.edgerunner.options import NAME, chosen
from journal.systems.edgerunner.state.play import Play, in_line
from journal.systems.edgerunner.state.rolls import OpenRoll
from journal.systems.edgerunner.state.shelf import Shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM

PLACE = Place(NAME, Shelf, Play)
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def current(table: Table, conflict: OpenConflict | None) -> OpenRoll | None:
    """The roll that may still be changed: the act on the table, or the last roll outside the exchanges."""
    return shelf(table).roll if conflict is None else play(conflict).act


def ours(table: Table, conflict: int | None) -> OpenConflict | None:
    """The conflict of that number, if it is one of ours."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def roll_in(table: Table, conflict: int | None) -> OpenRoll | None:
    """The roll that may still be changed in the conflict of that number, or outside any."""
    return current(table, ours(table, conflict))


def acting(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Everybody who acts once in an exchange: on a side, able to act, and not taken out."""
    own, out = shelf(table), play(conflict).out
    return tuple(who for who in conflict.people if who not in out and is_able(own, who))


def is_able(own: Shelf, who: int) -> bool:
    """True for whoever has turns at all: people of every kind, and a device that can do something."""
    return who != GM and own.sheet(who).takes_turns


def yet_to_act(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Who has not acted in this exchange, but for somebody secret: they may act, and nobody waits for it."""
    acted = play(conflict).acted
    return tuple(who for who in acting(table, conflict) if who not in acted and table.secret(who) is None)


def on_turn(table: Table, conflict: OpenConflict) -> int | None:
    """Whose turn it is, by claim or, where it goes round the table, by order; None where anybody may come."""
    state = play(conflict)
    if state.turn is not None or state.first is None or chosen(table, "initiative") != "order":
        return state.turn
    waiting = yet_to_act(table, conflict)
    return next((who for who in in_line(conflict.people, state.first) if who in waiting), None)
