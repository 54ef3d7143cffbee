"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from journal.system import Count
from journal.systems.whiskey.commands.resolving import undeclared
from journal.systems.whiskey.commands.rulings import pending
from journal.systems.whiskey.state import Clash, Phase, fit, play
from journal.table import OpenConflict, Table


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the phase stands, for a toolbar."""
    return f"{count(conflict)} · {_step(table, conflict, play(conflict).phase)}"


def count(conflict: OpenConflict) -> Count:
    """The phase of a fight."""
    return Count("phase", play(conflict).phase.number)


def _step(table: Table, conflict: OpenConflict, phase: Phase) -> str:
    questions = pending(table, conflict)
    if questions:
        return questions[0].asked
    if phase.open:
        return f"to check: {', '.join(_pair(table, clash) for clash in phase.open)}"
    waiting = undeclared(table, conflict)
    if waiting:
        return f"to declare: {', '.join(map(table.name, waiting))}"
    if phase.sealed:
        return "reveal"
    return "clash" if fit(table, conflict) else "end conflict"


def _pair(table: Table, clash: Clash) -> str:
    one = clash.one if clash.checker is None else clash.checker
    return f"{table.name(one)} against {table.name(clash.against(one))}"
