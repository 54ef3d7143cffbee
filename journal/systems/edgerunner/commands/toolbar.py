"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from typing import Final

from journal.names import owning
from journal.system import Count
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.rulings import pending
from journal.systems.edgerunner.commands.standing import acting
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.rules import Act, Marking
from journal.systems.edgerunner.state import Action, Play, play, shelf
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
    exchange = count(conflict)
    if exchange is None:
        return "before the first exchange"
    return f"{exchange} · {_step(table, conflict, play(conflict))}"


def count(conflict: OpenConflict) -> Count | None:
    """The exchange of a conflict; None before the first."""
    exchange = play(conflict).exchange
    return Count("exchange", exchange) if exchange else None


def _step(table: Table, conflict: OpenConflict, state: Play) -> str:
    blocking = next((asked for asked in pending(table, conflict) if asked.blocks), None)
    if blocking is not None:
        return f"{blocking.name}: {ANSWERED[blocking.name]}"
    if state.act is not None:
        return _act(table, state, state.act)
    if state.turn is not None:
        return f"{owning(table.name(state.turn))} turn"
    waiting = [who for who in acting(table, conflict) if who not in state.acted]
    return f"to act: {', '.join(map(table.name, waiting))}" if waiting else "all have acted: exchange"


def _act(table: Table, state: Play, act: Action) -> str:
    """The act on the table, and the verbs that may follow."""
    deed = f"{owning(table.name(act.who))} {act.act}{_aimed(table, act)}"
    if not act.rolled:
        follow = "apply" if act.act is Act.SIMPLE else "compel, roll"
        return f"{deed}: {follow}"
    shifts = "1 shift" if act.shifts == 1 else f"{act.shifts} shifts"
    fatal = f" ({_taken_out(table, act)} out)" if _takes_out(table, act) else ""
    verbs = ["invoke", "boost"]
    verbs += ["spin"] if any(spin.holder == act.who for spin in state.spins) else []
    verbs += ["resist"] if act.targets else []
    return f"{deed}, {shifts}{fatal}: {', '.join((*verbs, 'apply'))}"


def _aimed(table: Table, act: Action) -> str:
    if act.target is None:
        return ""
    return f" on {table.name(act.target) if isinstance(act.target, int) else act.target}"


def _taken_out(table: Table, act: Action) -> str:
    return table.name(act.target) if isinstance(act.target, int) else ""


def _takes_out(table: Table, act: Action) -> bool:
    """True for an attack that is more than somebody's track can take as it stands."""
    if act.act is not Act.ATTACK or not isinstance(act.target, int) or act.track is None or act.shifts < 1:
        return False
    own, marking = shelf(table), chosen.kind(table, "stress_marking", Marking)
    marked, threshold = own.marked(act.target, act.track), own.threshold(act.target, act.track)
    return rules.mark(act.shifts, marked, threshold, marking) is None
