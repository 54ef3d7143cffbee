"""Automatic consequences of Guenašk events, recorded by the same command.

These are: fallout without a free box dropped, NPCs that give up, the turn order, stakes won, and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from retold import game as api
from retold.game import Event, Situation, apply_events
from retold.game import commands as c
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.options import NAME, chosen
from retold.games.guenask.rules import STAGES, Fallout, Order, Stat
from retold.games.guenask.state import EVOLVE, Owed, conflict_state, game_state


def recorded_cost(fallout: Fallout) -> g.Cost:
    """Returns `fallout` (the causes of a blow's cost) as the `Cost` that events store."""
    amount, dangerous = fallout.amount, fallout.dangerous or None
    return g.Cost(amount=amount, body=fallout.body, hard=fallout.hard, dangerous=dangerous)


def bears_fallout(situation: Situation, who: int) -> bool:
    """True for a participant with a sheet or stages to mark; False for loose dice only, such as a storm."""
    return not conflict_state(situation.here).people[who].loose or game_state(situation.table).is_npc(who)


def mark_fallout(situation: Situation, who: int, owed: Owed, track: g.TrackName, text: c.Text) -> list[Event]:
    """Returns the event that marks a blow's fallout on `track`, and an event for each row this fills.

    Points without a free box are dropped, or left for another track if option `overflow` says so.
    """
    game = game_state(situation.table)
    room, before, full = game.room(who) or 0, game.marks(who, track), game.rows_full(who, track)
    points = 1 if game.is_npc(who) and game.npc_stage == "blow" else owed.left
    found = rules.marked(points, before, room)
    others = game.open_tracks(who, (track, *owed.marked))
    other = bool(others) and chosen(situation.table, "overflow") == "other_track"
    taken = g.FalloutTaken(
        conflict=situation.here.id,
        who=who,
        track=track,
        cost=recorded_cost(owed.cost),
        points=found.points,
        lost=None if other else found.over or None,
        left=found.over or None if other else None,
        total=before + found.points,
        boxes=room,
        text=text,
    )
    size = game.row_size(who) or 1
    now = min(game.rows_of(who), taken.total // size)
    return [taken, *(_row_filled(situation, who, track, row) for row in range(full + 1, now + 1))]


def _row_filled(situation: Situation, who: int, track: g.TrackName, row: int) -> g.RowFilled:
    stat = None if track == STAGES else chosen.kind(situation.table, f"{track}_stat", Stat)
    return g.RowFilled(conflict=situation.here.id, who=who, track=track, row=row, stat=stat)


def write_off_fallout(situation: Situation) -> list[Event]:
    """Returns events that drop unmarked fallout of people who have no track left to mark it on."""
    game = game_state(situation.table)
    return [
        event
        for who, owed in conflict_state(situation.here).owed.items()
        if game.row_size(who) is not None and not game.open_tracks(who, owed.marked)
        for event in mark_fallout(situation, who, owed, game.tracks(who)[0], None)
    ]


situation_after = partial(api.situation_after, game=NAME)


def with_follow_ups(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """Returns the events, followed by the automatic consequences from each function of `STEPS`, in order."""
    concluded = list(events)
    then = situation_after(situation, concluded)
    for step in STEPS:
        added = step(then)
        apply_events(then.table, added, EVOLVE)
        concluded += added
    return concluded


def _forced_to_give(situation: Situation) -> list[Event]:
    """Returns a `Gave` event per NPC with a full track, unless a die could still resist the last blow."""
    state = conflict_state(situation.here)
    return [
        g.Gave(conflict=situation.here.id, who=who, forced=True)
        for who in state.active()
        if must_give(situation, who)
        and not (who in state.fresh and state.can_resist(who, state.fresh[who].amount))
        and state.people[who].entered
    ]


def must_give(situation: Situation, who: int) -> bool:
    """True for an NPC with a track full of fallout (all its boxes marked), who must give up the conflict."""
    game = game_state(situation.table)
    return game.is_npc(who) and bool(game.full_tracks(who))


def set_order_when_ready(situation: Situation) -> list[Event]:
    """Returns the event that sets the turn order, or that adds newcomers to it; empty if nothing changes.

    The order is set once all have chosen an approach or rolled loose dice, and no tie for the first raise
    (attack) is left.
    """
    state = conflict_state(situation.here)
    if state.order:
        return _order_with_newcomers(situation)
    if state.without_approach() or len(state.active()) < 2 or state.tied_for_first():
        return []
    first = state.first if state.first in state.active() else None
    return [turn_order_from(situation, first)]


def _order_with_newcomers(situation: Situation) -> list[Event]:
    """Returns the turn order with newcomers who have rolled; before the first attack, a wholly new order.

    Empty without newcomers, and while a participant has not rolled dice.
    """
    state = conflict_state(situation.here)
    new = [who for who in state.active() if who not in state.order and state.people[who].entered]
    if not new or state.without_approach():
        return []
    if state.last is None:
        stay = [who for who in (state.first, *state.order) if who in state.active()]
        return [turn_order_from(situation, stay[0] if stay else None)]
    opening = {**state.opening, **{who: best for who, best in state.best().items() if who in new}}
    order = state.order
    for who in new:
        order = rules.with_newcomer(order, who, _followed_by_newcomer(situation, order, opening, who))
    best = tuple(opening[who] for who in order)
    return [g.TurnOrderSet(conflict=situation.here.id, order=order, best=best, free=state.free)]


def _followed_by_newcomer(
    situation: Situation, order: tuple[int, ...], opening: Mapping[int, int], who: int
) -> tuple[int, ...]:
    """Returns the people of the turn order that the newcomer `who` comes after."""
    if chosen.kind(situation.table, "turn_order", Order) is not Order.BEST_TWO:
        seats = [*conflict_state(situation.here).people]
        place = seats.index(who)
        return tuple(person for person in (*seats[place:], *seats[:place]) if person in order)[-1:]
    return (order[0], *(person for person in order if opening[person] >= opening[who]))


def turn_order_from(situation: Situation, first: int | None) -> g.TurnOrderSet:
    """Returns the event that sets the turn order: `first` attacks first, or for None the best two dice."""
    state = conflict_state(situation.here)
    best = state.best()
    order = chosen.kind(situation.table, "turn_order", Order)
    if first is None:
        (first,) = rules.on_top(best)
    turns = rules.turn_order(best, first, order)
    return g.TurnOrderSet(
        conflict=situation.here.id,
        order=turns,
        best=tuple(best[who] for who in turns),
        free=order is Order.FREE,
    )


def name_initiator(situation: Situation, who: int) -> list[Event]:
    """Returns the event by which `who` will attack first.

    A new turn order follows if at least two people are active and each has dice, by an approach or loose.
    """
    state = conflict_state(situation.here)
    named = g.InitiatorNamed(conflict=situation.here.id, who=who)
    ready = not state.without_approach() and len(state.active()) > 1
    return [named, turn_order_from(situation, who)] if ready else [named]


def _stakes_won(situation: Situation) -> list[Event]:
    """Returns a `StakesWon` event as soon as a single side has people in play; otherwise empty."""
    state = conflict_state(situation.here)
    active = state.active()
    left = [side for side in situation.here.sides if any(who in active for who in side)]
    if state.won is not None or len(left) != 1:
        return []
    return [g.StakesWon(conflict=situation.here.id, winner=left[0][0])]


def _conflict_end(situation: Situation) -> list[Event]:
    """Returns the deaths and the conflict's end; empty while stakes, fallout or a death are unsettled."""
    state = conflict_state(situation.here)
    if not state.settled():
        return []
    assert state.won is not None  # noqa: S101 -- it is settled
    ended = e.ConflictEnded(conflict=situation.here.id, how="won", winner=state.won)
    return [*deaths(situation), ended]


def deaths(situation: Situation) -> list[Event]:
    """Returns a death event for each person that the table has decided to die in this conflict."""
    here = situation.here
    return [
        g.CharacterDied(conflict=here.id, who=who) for who, dies in conflict_state(here).fates.items() if dies
    ]


STEPS: tuple[Callable[[Situation], list[Event]], ...] = (
    write_off_fallout,
    _forced_to_give,
    set_order_when_ready,
    _stakes_won,
    _conflict_end,
)
"""Automatic consequences, in this order."""
