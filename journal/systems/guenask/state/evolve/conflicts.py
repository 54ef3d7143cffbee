"""A conflict: who is in it and how they go about it, what they raise and see, and who is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.options import chosen
from journal.systems.guenask.state.found import own, play_in
from journal.systems.guenask.state.play import Participant, Play, Raise
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _opened(table: Table, event: e.ConflictOpened) -> None:
    shelf = own(table)
    people = [person for side in event.sides for person in side]
    table.conflicts[event.conflict].state = Play(
        event.conflict,
        event.sides,
        {person: Participant() for person in people},
        staked=event.text is not None,
        danger_scope=chosen(table, "danger_scope"),
        cornered={person for person in people if shelf.is_npc(person) and shelf.full_tracks(person)},
    )


def _joined(table: Table, event: e.Joined) -> None:
    state, here = play_in(table, event.conflict), table.conflicts[event.conflict]
    state.sides = here.sides
    state.people = {
        who: state.people.get(who) or Participant() for who in dict.fromkeys((*here.people, *state.people))
    }


def _left(table: Table, event: e.Left) -> None:
    """Whoever leaves is out, and what they brought is no danger here any more."""
    state = play_in(table, event.conflict)
    state.sides = table.conflicts[event.conflict].sides
    for who in event.people:
        state.leaves(who)
        state.people[who].dangerous = 0
        state.fresh.pop(who, None)


def _stakes_set(table: Table, event: g.StakesSet) -> None:
    play_in(table, event.conflict).staked = True


def _initiator_named(table: Table, event: g.InitiatorNamed) -> None:
    play_in(table, event.conflict).first = event.who


def _approach_chosen(table: Table, event: g.ApproachChosen) -> None:
    one = play_in(table, event.conflict).people[event.who]
    one.approach = event.approach
    one.loose = one.loose or not event.stats
    one.stats.update(event.approach.stats)
    if event.follow_up is not None:
        one.pool = sorted((*one.pool, event.follow_up))
        own(table).follow_ups.pop(event.who, None)


def _escalated(table: Table, event: g.Escalated) -> None:
    one = play_in(table, event.conflict).people[event.who]
    one.approach = event.approach
    one.stats.update(event.approach.stats)


def _brought_in(table: Table, event: g.BroughtIn) -> None:
    one = play_in(table, event.conflict).people[event.who]
    one.things.add((event.source, event.what))
    one.dangerous += event.dangerous


def _dice_rolled(table: Table, event: e.DiceRolled) -> None:
    if event.who is not None:
        one = play_in(table, event.conflict).people[event.who]
        one.loose = one.loose or one.approach is None
        one.pool = sorted((*one.pool, *event.faces))


def _ruled(table: Table, event: e.RulingMade) -> None:
    """Once the table has said who begins, it is no longer the dice that say it."""
    if event.question == "first" and isinstance(event.answer, int):
        play_in(table, event.conflict).first = event.answer


def _turn_order_set(table: Table, event: g.TurnOrderSet) -> None:
    state = play_in(table, event.conflict)
    state.order, state.free = event.order, event.free
    state.opening = dict(zip(event.order, event.best, strict=False))


def _raised(table: Table, event: g.Raised) -> None:
    state = play_in(table, event.conflict)
    one = state.people[event.who]
    one.spend(event.dice)
    one.kept = []
    state.raised = Raise(event.who, event.total, list(event.to), event.dice)
    state.last = event.who
    state.fresh = {}


def _seen(table: Table, event: g.Seen) -> None:
    state = play_in(table, event.conflict)
    one = state.people[event.who]
    if event.how is rules.Answer.REVERSE:
        one.kept = sorted((*one.kept, *event.dice))
    else:
        one.spend(event.dice)
    state.answered(event.who)
    state.owes(event.who, event.cost)


def _stakes_lost(table: Table, event: g.StakesLost) -> None:
    state = play_in(table, event.conflict)
    state.leaves(event.who)
    state.owes(event.who, event.cost)


def _gave(table: Table, event: g.Gave) -> None:
    state = play_in(table, event.conflict)
    state.leaves(event.who)
    state.fresh.pop(event.who, None)
    if event.die is not None:
        own(table).follow_ups[event.who] = event.die


def _stakes_won(table: Table, event: g.StakesWon) -> None:
    play_in(table, event.conflict).won = event.winner
    own(table).won = event.winner


def _pool_set(table: Table, event: g.PoolSet) -> None:
    one = play_in(table, event.conflict).people[event.who]
    one.pool = sorted(event.dice)
    one.kept = sorted((Counter(one.kept) & Counter(one.pool)).elements())


HANDLERS: Mapping[type[Event], Handler] = {
    e.ConflictOpened: _opened,
    e.DiceRolled: _dice_rolled,
    e.RulingMade: _ruled,
    e.Joined: _joined,
    e.Left: _left,
    g.StakesSet: _stakes_set,
    g.InitiatorNamed: _initiator_named,
    g.ApproachChosen: _approach_chosen,
    g.Escalated: _escalated,
    g.BroughtIn: _brought_in,
    g.TurnOrderSet: _turn_order_set,
    g.Raised: _raised,
    g.Seen: _seen,
    g.StakesLost: _stakes_lost,
    g.Gave: _gave,
    g.StakesWon: _stakes_won,
    g.PoolSet: _pool_set,
}
