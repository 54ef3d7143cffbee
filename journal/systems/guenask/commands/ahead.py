"""What follows of itself from what somebody does: an NPC that must give, the order, the winner, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from journal.shared import ahead
from journal.shared.ahead import happen
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.commands.marking import nowhere_left
from journal.systems.guenask.options import NAME, chosen
from journal.systems.guenask.rules import Order
from journal.systems.guenask.state import EVOLVE, play, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

after = partial(ahead.after, game=NAME)


def conclude(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """These events, and what follows of itself from them."""
    concluded = list(events)
    then = after(situation, concluded)
    for step in STEPS:
        came = step(then)
        happen(then.table, came, EVOLVE)
        concluded += came
    return concluded


def _forced(situation: Situation) -> list[Event]:
    """An NPC whose track is full gives at once, unless a die of theirs may still undo it."""
    state, own = play(situation.here), shelf(situation.table)
    return [
        g.Gave(conflict=situation.here.id, who=who, forced=True)
        for who in state.active()
        if must_give(situation, who)
        and not (who in state.fresh and state.can_resist(who, state.fresh[who].amount))
        and own.is_npc(who)
        and state.people[who].entered
    ]


def must_give(situation: Situation, who: int) -> bool:
    """True for an NPC whose track is full."""
    own = shelf(situation.table)
    return own.is_npc(who) and bool(own.full_tracks(who))


def ordered(situation: Situation) -> list[Event]:
    """Once everybody has dice and it is clear who begins, the order stands; who joins later takes a place."""
    state = play(situation.here)
    if state.order:
        return _taking_place(situation)
    if state.without_approach() or len(state.active()) < 2 or state.tied_for_first():
        return []
    first = state.first if state.first in state.active() else None
    return [order_set(situation, first)]


def _taking_place(situation: Situation) -> list[Event]:
    """Whoever has joined stands in the order once they have dice; before the first raise it is made anew."""
    state = play(situation.here)
    new = [who for who in state.active() if who not in state.order and state.people[who].entered]
    if not new or state.without_approach():
        return []
    if state.last is None:
        stay = [who for who in (state.first, *state.order) if who in state.active()]
        return [order_set(situation, stay[0] if stay else None)]
    opening = {**state.opening, **{who: best for who, best in state.best().items() if who in new}}
    order = state.order
    for who in new:
        order = rules.with_newcomer(order, who, _before(situation, order, opening, who))
    best = tuple(opening[who] for who in order)
    return [g.TurnOrderSet(conflict=situation.here.id, order=order, best=best, free=state.free)]


def _before(
    situation: Situation, order: tuple[int, ...], opening: Mapping[int, int], who: int
) -> tuple[int, ...]:
    """After whom of those who stand in the order somebody comes who joins; nobody stands for its end."""
    if chosen.kind(situation.table, "turn_order", Order) is not Order.BEST_TWO:
        seats = [*play(situation.here).people]
        place = seats.index(who)
        return tuple(one for one in (*seats[place:], *seats[:place]) if one in order)[-1:]
    if chosen(situation.table, "joining") == "end":
        return ()
    return (order[0], *(one for one in order if opening[one] >= opening[who]))


def order_set(situation: Situation, first: int | None) -> g.TurnOrderSet:
    """The order round the table, with whoever begins."""
    state = play(situation.here)
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


def begun_by(situation: Situation, who: int) -> list[Event]:
    """Somebody turns out to be the one who began it; an order that stands already begins with them now."""
    state = play(situation.here)
    named = g.InitiatorNamed(conflict=situation.here.id, who=who)
    ready = not state.without_approach() and len(state.active()) > 1
    return [named, order_set(situation, who)] if ready else [named]


def _won(situation: Situation) -> list[Event]:
    """With one side left, what was at stake is theirs."""
    state = play(situation.here)
    active = state.active()
    left = [side for side in situation.here.sides if any(who in active for who in side)]
    if state.won is not None or len(left) != 1:
        return []
    return [g.StakesWon(conflict=situation.here.id, winner=left[0][0])]


def _over(situation: Situation) -> list[Event]:
    """Once the stakes are won, nothing is owed and every fate is decided, the conflict is over."""
    state = play(situation.here)
    if not state.settled():
        return []
    assert state.won is not None  # noqa: S101 -- it is settled
    ended = e.ConflictEnded(conflict=situation.here.id, how="won", winner=state.won)
    return [*deaths(situation), ended]


def deaths(situation: Situation) -> list[Event]:
    """Who dies with this conflict."""
    here = situation.here
    return [g.CharacterDied(conflict=here.id, who=who) for who, dies in play(here).fates.items() if dies]


STEPS: tuple[Callable[[Situation], list[Event]], ...] = (nowhere_left, _forced, ordered, _won, _over)
"""What may follow, in this order."""
