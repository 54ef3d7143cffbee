"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from collections.abc import Iterator

from journal.systems.guenask.commands.turns import shown
from journal.systems.guenask.state import Play, play, shelf, without_stats
from journal.table import OpenConflict, Table


def turn(table: Table, conflict: OpenConflict) -> str:
    """Whose turn it is, and what lies on the table."""
    state = play(conflict)
    waited = next(_waited_for(table, state), "")
    if waited:
        return waited
    names = ", ".join(map(table.name, state.to_act()))
    if state.raised:
        return f"{names} to see {state.raised.total}"
    kept = [die for who in state.to_act() for die in state.people[who].kept]
    return f"{names} to raise" + (f", with the {shown(kept)} kept" if kept else "")


def _waited_for(table: Table, state: Play) -> Iterator[str]:
    """What comes before the next raise or see, first things first."""
    if state.won is not None:
        yield f"{table.name(state.won)} has won the stakes"
    for who in state.active():
        if who in state.cornered:
            yield f"{table.name(who)} to give, for the track is full"
        elif who in shelf(table).dead and not state.people[who].entered:
            yield f"{table.name(who)} to give, for the dead take no part"
    for who, owed in state.owed.items():
        yield f"{table.name(who)} takes {owed.left} fallout: fallout {table.quoted(who)} TRACK: why"
    if not state.staked:
        yield "what is at stake?"
    waiting = () if state.raised else state.without_approach()
    loose = [who for who in waiting if without_stats(table, who)]
    if loose and len(loose) == len(waiting):
        yield f"dice: {', '.join(map(table.name, loose))}"
    if waiting:
        yield f"approach: {', '.join(map(table.name, waiting))}"
    if not state.order:
        yield "who raises first?"
