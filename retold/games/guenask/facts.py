"""Facts about a Guenašk conflict that the command `expect` may check, such as `pool` or `fallout`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from retold.game import WINNER, Fact, OpenConflict, Table
from retold.games.guenask.state import (
    RELATIONSHIP_DICE,
    STAT_DICE,
    TRAIT_DICE,
    GuenaskConflict,
    Participant,
    game_state,
)


def _state(conflict: OpenConflict | None) -> GuenaskConflict | None:
    return conflict.state if conflict and isinstance(conflict.state, GuenaskConflict) else None


def _participant(conflict: OpenConflict | None, who: int | None) -> Participant:
    state = _state(conflict)
    return state.people.get(who or 0, Participant()) if state else Participant()


def _pool(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(map(str, _participant(conflict, who).pool))


def _kept(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(map(str, _participant(conflict, who).kept))


def _fallout(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    game, person = game_state(table), who or 0
    if game.is_npc(person):
        return (str(game.marks(person, "stages")),)
    marked = [(track, game.marks(person, track)) for track in game.tracks(person)]
    return tuple(word for track, points in marked if points for word in (track, str(points)))


def _stages(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    game, person = game_state(table), who or 0
    return (str(game.rows_full(person, "stages")),) if game.is_npc(person) else ()


def _cost(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state, person = _state(conflict), who or 0
    if state is None or person not in state.people:
        return ()
    bears = not state.people[person].loose or game_state(table).is_npc(person)
    return (str(state.cost(person).amount),) if bears else ("0",)


def _owed(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    owed = state.owed.get(who or 0) if state else None
    return (str(owed.left),) if owed else ()


def _raise(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    return (str(state.raised.total),) if state and state.raised else ()


def _turn(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    return tuple(map(table.name, state.to_act())) if state else ()


def _stakes(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    won = state.won if state else game_state(table).won
    return () if won is None else (table.name(won),)


def _dead(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(map(table.name, sorted(game_state(table).dead)))


def _dice(what: str) -> Callable[[Table, OpenConflict | None, int | None], tuple[str, ...]]:
    """Returns the function that reads one dice sum (`what`, such as "stat dice") from a person's sheet.

    The function returns the number of dice as text, or an empty tuple for a person without a sheet.
    """

    def summed(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
        return tuple(
            str(dice_sum.number)
            for dice_sum in game_state(table).dice_sums(who or 0)
            if dice_sum.what == what
        )

    return summed


FACTS: Mapping[str, Fact] = {
    "pool": Fact(True, _pool, "the dice in front of a person, lowest first"),
    "kept": Fact(True, _kept, "the dice a person keeps for their next raise"),
    "fallout": Fact(True, _fallout, "each track with something on it and its points; an NPC's points alone"),
    "stages": Fact(True, _stages, "how many stages of an NPC are full"),
    "cost": Fact(True, _cost, "the fallout dice a person would take from the next blow"),
    "owed": Fact(True, _owed, "the fallout of a person that is on no track yet"),
    "stat-dice": Fact(True, _dice(STAT_DICE), "how many dice the stats of a sheet have together"),
    "trait-dice": Fact(True, _dice(TRAIT_DICE), "how many dice the traits of a sheet have together"),
    "relationship-dice": Fact(
        True,
        _dice(RELATIONSHIP_DICE),
        "how many dice the relationships of a sheet have together, with those kept for later",
    ),
    "raise": Fact(False, _raise, "the raise on the table"),
    "turn": Fact(False, _turn, "whose raise or see it is", of_people=True),
    "stakes": Fact(
        False, _stakes, "who won the stakes last, or of the conflict that is still open", of_people=True
    ),
    "dead": Fact(False, _dead, "who has died", of_people=True),
    "winner": WINNER,
}
"""Facts that `expect` may check, by name."""
