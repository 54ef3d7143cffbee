"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from journal.systems.bruise.commands.showdown import without_hand
from journal.systems.bruise.state import play
from journal.table import OpenConflict, Table


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the turn stands, for a toolbar."""
    state = play(conflict)
    where = f"turn {state.turn}"
    if state.ties:
        return f"{where} · tie: rule on it"
    if state.results:
        untold = [table.name(result.winner) for result in state.results if not result.told]
        return f"{where} · {untold[0]} narrates" if untold else f"{where} · told"
    missing = without_hand(conflict, state, state.hands)
    if not state.hands and not state.shown:
        return f"{where} · declare, then draw"
    return (
        f"{where} · to draw: {', '.join(map(table.name, missing))}"
        if missing
        else f"{where} · show (quality)"
    )
