"""Where a conflict stands, in a few words for a toolbar."""

from __future__ import annotations

from collections.abc import Iterable

from journal.system import Count
from journal.systems.spacetime.commands.balance import where_it_stands
from journal.systems.spacetime.commands.narrating import to_tell
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.state import Challenge, Mode, Play, beats_table, parties, play
from journal.table import OpenConflict, Table


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the conflict stands, for a toolbar."""
    state = play(conflict)
    if state.challenge is not None:
        return _challenge_turn(table, conflict, state.challenge)
    if state.mode is Mode.DRAW_UNTIL_SUCCESS:
        acting = parties(conflict)
        owed = sum(map(state.owed, acting))
        stating = [party for party in acting if party not in state.round.tactics]
        step = _who(table, "tactics", stating) if stating else _who(table, "draws", acting)
        return f"obstacle · {step}" + (f" · complications: {owed}" if owed else "")
    where = f"{count(conflict)} · {where_it_stands(table, state.standing)}"
    return f"{where} · {_step(table, conflict, state)}"


def count(conflict: OpenConflict) -> Count | None:
    """The round of a conflict of balances; None where an obstacle is met in another way."""
    state = play(conflict)
    return Count("round", state.round.number) if state.mode is Mode.CONFLICT else None


def without_outcome(conflict: OpenConflict) -> tuple[int, ...]:
    """Who has not said what they want of it, as is agreed first; once cards are drawn, of newcomers only."""
    state = play(conflict)
    if state.mode is not Mode.CONFLICT or state.over:
        return ()
    due = state.newcomers if state.begun else parties(conflict)
    return tuple(party for party in parties(conflict) if party in due and party not in state.desired)


def _step(table: Table, conflict: OpenConflict, state: Play) -> str:
    round_ = state.round
    missing = without_outcome(conflict)
    if missing and not round_.tactics:
        return _who(table, "outcomes", missing)
    if round_.flow is None:
        stating = [party for party in parties(conflict) if party not in round_.tactics]
        if stating and not round_.hands and chosen.yes(table, "require_tactics"):
            return _who(table, "tactics", stating)
        return _who(table, "to draw", [party for party in conflict.leads if party not in round_.hands])
    due = to_tell(conflict)
    if due:
        return f"{table.name(due[0])} narrates"
    return "end conflict" if state.over else "told; tactics, or stop"


def _challenge_turn(table: Table, conflict: OpenConflict, challenge: Challenge) -> str:
    (acting,) = parties(conflict)
    name = table.name(acting)
    stands = challenge.stands(beats_table(table))
    if challenge.attribute is None and challenge.met is None:
        return f"challenge · {name} declares means and attribute"
    if stands is None:
        return f"challenge · it lays {challenge.rank}"
    where = f"challenge · cost {stands.cost} · effect {stands.effect}" + (
        " · beaten" if stands.success else ""
    )
    if challenge.met is not None:
        return f"{where} · {challenge.met.outcome}"
    if challenge.stopped is not None:
        return f"{where} · success or failure: rule on it"
    return f"{where} · {name} draws or stops"


def _who(table: Table, what: str, people: Iterable[int]) -> str:
    return f"{what}: {', '.join(map(table.name, people))}"
