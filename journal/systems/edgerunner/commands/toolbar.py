"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from typing import Final

from journal.systems.edgerunner.commands.rulings import pending
from journal.systems.edgerunner.commands.standing import acting
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state import Action, Play, play
from journal.table import OpenConflict, Table

ANSWERED: Final = {
    "compel": "accept or refuse",
    "strain": "resist",
    "tale": "narrate",
    "threshold": "ruling threshold=",
    "spin": "ruling spin=",
    "bid": "ruling bid=",
}
"""What answers each question that stops play."""


def turn(table: Table, conflict: OpenConflict) -> str:
    """The exchange, and in it the question, the act, or whose turn it is."""
    state = play(conflict)
    if not state.exchange:
        return "before the first exchange"
    return f"exchange {state.exchange} · {_step(table, conflict, state)}"


def _step(table: Table, conflict: OpenConflict, state: Play) -> str:
    blocking = next((asked for asked in pending(table, conflict) if asked.blocks), None)
    if blocking is not None:
        return f"{blocking.name}: {ANSWERED[blocking.name]}"
    if state.act is not None:
        return _act(table, state, state.act)
    if state.turn is not None:
        return f"{table.name(state.turn)}'s turn"
    waiting = [who for who in acting(table, conflict) if who not in state.acted]
    return f"to act: {', '.join(map(table.name, waiting))}" if waiting else "all have acted: exchange"


def _act(table: Table, state: Play, act: Action) -> str:
    """The act on the table, and the verbs that may follow."""
    name = table.name(act.who)
    if not act.rolled:
        follow = "apply" if act.act is Act.SIMPLE else "compel, roll"
        return f"{name}'s {act.act}: {follow}"
    shifts = "1 shift" if act.shifts == 1 else f"{act.shifts} shifts"
    verbs = ["invoke", "boost"]
    verbs += ["spin"] if any(spin.holder == act.who for spin in state.spins) else []
    verbs += ["resist"] if act.targets else []
    return f"{name}'s {act.act}, {shifts}: {', '.join((*verbs, 'apply'))}"
