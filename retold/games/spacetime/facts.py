"""Facts about a Space·Time conflict that the command `expect` may check, such as `balance` or `hand`."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import WINNER, Fact, OpenConflict, Table
from retold.games.spacetime.rules import Meeting, Rule, odds
from retold.games.spacetime.state import Mode, SpacetimeConflict, beats_table, game_state, next_round
from retold.games.spacetime.state import tokens as tokens_of


def _state(conflict: OpenConflict | None) -> SpacetimeConflict | None:
    return conflict.state if conflict and isinstance(conflict.state, SpacetimeConflict) else None


def _balance(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    if state is None or state.mode is not Mode.CONFLICT:
        return ()
    favoured = state.standing.advantaged
    return (state.standing.level.value, *(() if favoured is None else (table.name(favoured),)))


def _round(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    return () if state is None else (str(state.round.number),)


def _flow(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    return () if state is None or state.round.flow is None else (state.round.flow.value,)


def _odds(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    due = next_round(table, conflict) if conflict and _state(conflict) else None
    found: list[str] = []
    for chance in odds(due) if due else ():
        tips = table.name(chance.after.advantaged or 0) if chance.rule is Rule.WIN else chance.rule.value
        found += [tips, str(chance.share)]
    return tuple(found)


def _hand(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    party = conflict.side_of(who or 0) if conflict else None
    if state is None or party is None:
        return ()
    if state.challenge is None:
        return state.round.laid(party)
    return tuple((state.challenge.laid or ()) if party == state.obstacle else state.challenge.drawn)


def _complications(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    state = _state(conflict)
    party = conflict.side_of(who or 0) if conflict else None
    return () if state is None or party is None else (str(state.complications.get(party, 0)),)


def _meeting(table: Table, conflict: OpenConflict | None) -> Meeting | None:
    state = _state(conflict)
    return state.challenge.stands(beats_table(table)) if state and state.challenge else None


def _cost(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    meeting, state = _meeting(table, conflict), _state(conflict)
    cost = meeting.cost if meeting else state.cost if state else None
    return () if cost is None else (str(cost),)


def _effect(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    meeting = _meeting(table, conflict)
    return (str(meeting.effect),) if meeting else ()


def _tokens(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return (str(tokens_of(table, who or 0)),)


def _sleeve(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return (str(game_state(table).sleeve.get(who or 0, 0)),)


FACTS: Mapping[str, Fact] = {
    "balance": Fact(False, _balance, "the level of the Balance, and the party it favours"),
    "round": Fact(False, _round, "the number of the round"),
    "flow": Fact(False, _flow, "the rule that decided this round: excuse win stalemate up down same"),
    "odds": Fact(
        False, _odds, "how likely each flow is of the cards to be drawn: excuse 3/67 up 18217/28743"
    ),
    "winner": WINNER,
    "hand": Fact(True, _hand, "the cards a person has on the table"),
    "complications": Fact(True, _complications, "how many Complications a person has"),
    "cost": Fact(False, _cost, "what the challenge costs so far, or how many cards an obstacle has cost"),
    "effect": Fact(False, _effect, "the effect so far of meeting the challenge"),
    "tokens": Fact(True, _tokens, "how many narrations a person may still overrule"),
    "sleeve": Fact(True, _sleeve, "how many Sleeve cards a person has"),
}
"""Facts that `expect` may check, by name."""
