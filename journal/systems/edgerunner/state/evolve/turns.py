"""Exchanges, turns, and the acts declared in them."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state.found import own, play_in
from journal.systems.edgerunner.state.play import Play
from journal.systems.edgerunner.state.rolls import Action, Purpose
from journal.table import Handler, Table
from journal.vocabulary.base import Event


def _exchange_began(table: Table, event: g.ExchangeBegan) -> None:
    state = play_in(table, event.conflict)
    state.exchange = event.exchange
    state.last, state.done = state.done, {}
    state.acted, state.moved_free, state.lingering, state.extras = set(), set(), set(), set()
    state.turn, state.bid, state.first, state.tied = None, 0, None, {}
    state.step = own(table).step = event.step
    there = (*table.conflicts[event.conflict].people, *state.places)
    own(table).pace.update(dict.fromkeys(there, event.step))


def _turn_claimed(table: Table, event: g.TurnClaimed) -> None:
    state = play_in(table, event.conflict)
    state.turn, state.tied, state.lingering = event.who, {}, set()
    state.bid = next((bid.shifts for bid in event.bids if bid.who == event.who), 0)
    if state.first is None:
        state.first = event.who


def _bids_tied(table: Table, event: g.BidsTied) -> None:
    play_in(table, event.conflict).tied = {bid.who: bid.shifts for bid in event.bids}


def _action_declared(table: Table, event: g.ActionDeclared) -> None:
    state = play_in(table, event.conflict)
    state.acts.append(
        Action(
            who=event.who,
            skill=event.skill,
            level=event.level,
            opposed=event.opposed or 0,
            bid=0 if event.interrupt else state.bid,
            upgrade=event.upgrade,
            act=event.act,
            **Purpose.of(event),
            interrupt=event.interrupt,
            extra=bool(event.extra),
        )
    )
    state.extras |= {event.who} if event.extra else set()
    _paced(table, event.conflict, state.acts[-1])


def _paced(table: Table, conflict: int, act: Action) -> None:
    """A problem is as long as the exchanges of the conflict in which somebody is at it."""
    for target in act.targets:
        own(table).pace[target] = play_in(table, conflict).step


def _action_continued(table: Table, event: g.ActionContinued) -> None:
    state = play_in(table, event.conflict)
    bid = state.bid if state.turn == event.who else 0
    state.acts.append(_again(state.last[event.who], event, bid))
    _paced(table, event.conflict, state.acts[-1])


def _again(before: Action, event: g.ActionContinued, bid: int) -> Action:
    """The act of the last exchange, with everything it was made of but what its target took off."""
    on = {
        "track": event.track or before.track,
        "aspect": event.aspect or before.aspect,
        "path": event.path or before.path,
    }
    return Action(
        who=before.who,
        skill=before.skill,
        level=before.level,
        dice=before.dice,
        opposed=before.opposed,
        bid=before.bid + bid,
        invoked=before.invoked,
        boosted=before.boosted,
        spins=before.spins,
        ruled=before.ruled,
        used=set(before.used),
        act=before.act,
        **{**Purpose.of(before), **on},
        continued=event.times,
    )


def _action_forfeited(table: Table, event: g.ActionForfeited) -> None:
    state = play_in(table, event.conflict)
    state.acts = [act for act in state.acts if act.who != event.who]
    state.offers = [offer for offer in state.offers if offer.who != event.who]
    _turn_over(state, event.who)


def _action_applied(table: Table, event: g.ActionApplied) -> None:
    state = play_in(table, event.conflict)
    act = state.acts.pop()
    if not act.extra:
        state.done[event.who] = act
    _turn_over(state, event.who)
    state.lingering.add(event.who)
    if event.act is Act.RECOVER:
        state.acted |= set(act.targets)


def _turn_over(state: Play, who: int) -> None:
    state.acted.add(who)
    state.spins = [spin for spin in state.spins if spin.maker != who or spin.made == state.exchange]
    if state.turn == who:
        state.turn, state.bid = None, 0


HANDLERS: Mapping[type[Event], Handler] = {
    g.ExchangeBegan: _exchange_began,
    g.TurnClaimed: _turn_claimed,
    g.BidsTied: _bids_tied,
    g.ActionDeclared: _action_declared,
    g.ActionContinued: _action_continued,
    g.ActionForfeited: _action_forfeited,
    g.ActionApplied: _action_applied,
}
