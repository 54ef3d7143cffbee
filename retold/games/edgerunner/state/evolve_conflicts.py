"""Event handlers for conflicts: the map, people's positions, exchanges, turns, acts and their rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from retold.game import GM, Event, Handler, Table
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act
from retold.games.edgerunner.state.conflict import (
    Border,
    EdgerunnerConflict,
    Spin,
    conflict_state,
    conflict_state_in,
    mutable_game_state,
    open_roll_of,
)
from retold.games.edgerunner.state.game_state import EdgerunnerState
from retold.games.edgerunner.state.rolls import Action, Purpose, SkillRoll


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    shelf = mutable_game_state(table)
    shelf.roll = shelf.finding = None
    drawn, shelf.drawn = shelf.drawn, None
    state = replace(
        drawn if isinstance(drawn, EdgerunnerConflict) else EdgerunnerConflict(0), conflict=event.conflict
    )
    table.conflicts[event.conflict].state = state
    shelf.mapped.update(state.named)
    _record_followers(table, event.conflict)
    _forget_attackers(table, table.conflicts[event.conflict].people)


def _zones_mapped(table: Table, event: g.ZonesMapped) -> None:
    state = _map_to_draw(table, event.conflict)
    state.zones += event.zones
    state.pins |= event.pins
    mapped = set[str]() if event.conflict is None else mutable_game_state(table).mapped
    mapped.update(event.zones)
    for drawn in event.borders:
        border = _draw(state, drawn)
        mapped.add(border.name)
        state.broken.pop(border.name, None)
        if event.threshold is not None:
            border.threshold = event.threshold


def _map_to_draw(table: Table, conflict: int | None) -> EdgerunnerConflict:
    """Returns the state whose map is drawn on: the conflict's, or outside, one kept for the next conflict."""
    if conflict is not None:
        return conflict_state_in(table, conflict)
    shelf = mutable_game_state(table)
    drawn = shelf.drawn if isinstance(shelf.drawn, EdgerunnerConflict) else EdgerunnerConflict(0)
    shelf.drawn = drawn
    return drawn


def _zones_unmapped(state: EdgerunnerConflict, event: g.ZonesUnmapped) -> None:
    state.borders = {key: border for key, border in state.borders.items() if border.name not in event.borders}
    state.zones = [zone for zone in state.zones if zone not in event.zones]
    for zone in event.zones:
        state.pins.pop(zone, None)
    for border in event.borders:
        state.broken.pop(border, None)


def _draw(state: EdgerunnerConflict, drawn: g.BorderDrawn) -> Border:
    forward = state.borders.get((drawn.one, drawn.other))
    backward = state.borders.get((drawn.other, drawn.one))
    if forward is not None:
        forward.there = dict(drawn.passes)
        return forward
    if backward is not None:
        backward.back = dict(drawn.passes)
        return backward
    border = Border(drawn.one, drawn.other, dict(drawn.passes))
    state.borders[drawn.one, drawn.other] = border
    return border


def _things_placed(state: EdgerunnerConflict, event: g.ThingsPlaced) -> None:
    state.lying |= dict.fromkeys(event.things, event.zone)


def _placed(state: EdgerunnerConflict, event: g.Placed) -> None:
    state.places |= dict.fromkeys(event.who, event.zone)


def _moved(state: EdgerunnerConflict, event: g.Moved) -> None:
    state.places[event.who] = event.path[-1]
    if event.free:
        state.moved_free.add(event.who)
    state.eroded = {key: worn for key, worn in state.eroded.items() if key[0] != event.who}


def _border_eroded(state: EdgerunnerConflict, event: g.BorderEroded) -> None:
    key = (event.who, event.one, event.other, event.way)
    state.eroded[key] = state.eroded.get(key, 0) + 1
    state.moved_free.add(event.who)


def _deployed(table: Table, event: g.Deployed) -> None:
    conflict = table.conflicts[event.conflict]
    state = conflict_state(conflict)
    state.places[event.asset] = event.zone
    state.acted.add(event.asset)
    state.deployed[event.asset] = event.who
    if event.asset not in conflict.people:
        conflict.sides = tuple((*side, event.asset) if event.who in side else side for side in conflict.sides)


def _mooks_merged(table: Table, event: g.MooksMerged) -> None:
    shelf, gone = mutable_game_state(table), {*event.others}
    shelf.sheets[event.who].numbers["tl"] = event.level
    marks: set[int] = set()
    for group in (event.who, *event.others):
        marks |= shelf.marks.pop((group, shelf.tracks(group)[0]), set())
    if marks:
        shelf.marks[event.who, shelf.tracks(event.who)[0]] = marks
    if event.conflict is not None:
        conflict = table.conflicts[event.conflict]
        state = conflict_state(conflict)
        state.acted |= {event.who} if gone & state.acted else set()
        conflict.sides = tuple(
            tuple(person for person in side if person not in gone) for side in conflict.sides
        )
        _remove_people(state, gone)


def _joined(table: Table, event: e.Joined) -> None:
    state = conflict_state_in(table, event.conflict)
    mutable_game_state(table).pace.update(dict.fromkeys(event.people, state.step))
    _record_followers(table, event.conflict)
    _forget_attackers(table, event.people)
    if state.exchange and chosen(table, "joins") == "next_exchange":
        state.acted |= {*event.people}


def _left(state: EdgerunnerConflict, event: e.Left) -> None:
    """Removes people who left from the conflict's positions, turns, bids and acts."""
    _remove_people(state, {*event.people})


def _remove_people(state: EdgerunnerConflict, gone: set[int]) -> None:
    """Removes these people from a conflict's positions, bids, acts, deployments, spin and turn."""
    for kept in (state.places, state.tied, state.done, state.last):
        for who in gone:
            kept.pop(who, None)
    state.deployed = {asset: by for asset, by in state.deployed.items() if not gone & {asset, by}}
    state.acted -= gone
    state.lingering -= gone
    state.moved_free -= gone
    state.extras -= gone
    state.spins = [spin for spin in state.spins if spin.holder not in gone]
    state.eroded = {key: worn for key, worn in state.eroded.items() if key[0] not in gone}
    if state.turn in gone:
        state.turn, state.bid = None, 0


def _forget_attackers(table: Table, people: Iterable[int]) -> None:
    """Deletes the record of who last took these people out, since they fight again."""
    for who in people:
        mutable_game_state(table).felled.pop(who, None)


def _record_followers(table: Table, conflict: int) -> None:
    """Records things on a side that also has people, so that the things alone do not keep that side going."""
    open_, shelf = table.conflicts[conflict], mutable_game_state(table)
    for side in open_.sides:
        things = {who for who in side if who == GM or not shelf.sheet(who).takes_turns}
        if len(things) < len(side):
            conflict_state(open_).followers |= things


def _exchange_began(table: Table, event: g.ExchangeBegan) -> None:
    state = conflict_state_in(table, event.conflict)
    state.exchange = event.exchange
    state.last, state.done = state.done, {}
    state.acted, state.moved_free, state.lingering, state.extras = set(), set(), set(), set()
    state.turn, state.bid, state.first, state.tied = None, 0, None, {}
    state.step = mutable_game_state(table).step = event.step
    there = (*table.conflicts[event.conflict].people, *state.places)
    mutable_game_state(table).pace.update(dict.fromkeys(there, event.step))


def _turn_claimed(state: EdgerunnerConflict, event: g.TurnClaimed) -> None:
    state.turn, state.tied, state.lingering = event.who, {}, set()
    state.bid = next((bid.shifts for bid in event.bids if bid.who == event.who), 0)
    if state.first is None:
        state.first = event.who


def _bids_tied(state: EdgerunnerConflict, event: g.BidsTied) -> None:
    state.tied = {bid.who: bid.shifts for bid in event.bids}


def _action_declared(table: Table, event: g.ActionDeclared) -> None:
    state = conflict_state_in(table, event.conflict)
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
    _record_pace(table, event.conflict, state.acts[-1])


def _record_pace(table: Table, conflict: int, act: Action) -> None:
    """Records this conflict's exchange length for the act's targets; a problem's threshold depends on it."""
    for target in act.targets:
        mutable_game_state(table).pace[target] = conflict_state_in(table, conflict).step


def _action_continued(table: Table, event: g.ActionContinued) -> None:
    state = conflict_state_in(table, event.conflict)
    bid = state.bid if state.turn == event.who else 0
    state.acts.append(_continued_act(state.last[event.who], event, bid))
    _record_pace(table, event.conflict, state.acts[-1])


def _continued_act(before: Action, event: g.ActionContinued, bid: int) -> Action:
    """Returns the act `before` as continued: same roll and aim, with what the event changes.

    Shifts lost to a target's resistance count again; the new `bid` is subtracted as well.
    """
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


def _action_forfeited(state: EdgerunnerConflict, event: g.ActionForfeited) -> None:
    state.acts = [act for act in state.acts if act.who != event.who]
    state.offers = [offer for offer in state.offers if offer.who != event.who]
    _turn_over(state, event.who)


def _action_applied(state: EdgerunnerConflict, event: g.ActionApplied) -> None:
    act = state.acts.pop()
    if not act.extra:
        state.done[event.who] = act
    _turn_over(state, event.who)
    state.lingering.add(event.who)
    if event.act is Act.RECOVER:
        state.acted |= set(act.targets)


def _turn_over(state: EdgerunnerConflict, who: int) -> None:
    state.acted.add(who)
    state.spins = [spin for spin in state.spins if spin.maker != who or spin.made == state.exchange]
    if state.turn == who:
        state.turn, state.bid = None, 0


def _skill_rolled(table: Table, event: g.SkillRolled) -> None:
    mutable_game_state(table).finding = None
    mutable_game_state(table).roll = SkillRoll(
        who=event.who,
        skill=event.skill,
        level=event.level,
        opposed=event.against or 0,
        upgrade=event.upgrade,
        opponent=event.opponent,
        contest=event.against is not None,
        takes=event.takes,
        at=table.position,
        scenes=table.scenes,
    )


def _shifts_set(table: Table, event: g.ShiftsSet) -> None:
    roll = open_roll_of(table, event.conflict)
    if roll is not None:
        roll.rolled, roll.dice, roll.shifts = True, event.dice or 0, event.shifts


def _shifts_spent(table: Table, event: g.ShiftsSpent) -> None:
    roll = mutable_game_state(table).roll
    if roll is not None:
        roll.spent += sum(part.shifts for part in event.spent)
        roll.takes = event.takes


def _aspect_invoked(table: Table, event: g.AspectInvoked) -> None:
    roll = mutable_game_state(table).finding if event.finding else open_roll_of(table, event.conflict)
    if roll is not None:
        roll.used.add(event.aspect)
        roll.invoked += rules.INVOKE if event.mode == "+2" else 0
        roll.resisted += rules.INVOKE if event.mode == "-2" else 0
        roll.resisters |= {event.who} if event.mode == "-2" else set()
    aspect = mutable_game_state(table).aspects.get(event.aspect)
    if aspect is not None and event.free:
        holder = next((held for held in (event.who, event.by, *aspect.free) if aspect.free.get(held)), None)
        aspect.free[holder] -= 1


def _boosted(table: Table, event: g.Boosted) -> None:
    roll = open_roll_of(table, event.conflict)
    if roll is not None:
        roll.boosted += event.shifts


def _resisted(table: Table, event: g.Resisted) -> None:
    if event.strain is not None:
        _strain_taken(mutable_game_state(table), event.who, event.shifts)
        return
    roll = open_roll_of(table, event.conflict)
    if roll is not None and event.upgrade is not None:
        roll.armoured.add((event.who, event.upgrade))
    if isinstance(roll, Action) and event.asset is not None:
        roll.softened += event.shifts
    elif roll is not None:
        roll.resisted += event.shifts
        roll.resisters |= {event.who} if event.comrade is None else set()
        roll.relieved |= {event.who} if event.comrade is not None else set()


def _strain_taken(shelf: EdgerunnerState, who: int, shifts: int) -> None:
    owed = shelf.owed[who]
    owed.left -= shifts
    if owed.left <= 0:
        del shelf.owed[who]


def _spin_gained(state: EdgerunnerConflict, event: g.SpinGained) -> None:
    if event.holder is None:
        state.spins_loose, state.spins_by = event.spins, event.who
    else:
        state.spins += [Spin(event.holder, event.who, state.exchange)] * event.spins
        state.spins_loose, state.spins_by = 0, None


def _spin_spent(state: EdgerunnerConflict, event: g.SpinSpent) -> None:
    state.spins.remove(next(spin for spin in state.spins if spin.holder == event.who))
    if state.act is not None:
        state.act.spins += 1


_OF_STATE: Mapping[type[Event], Callable[[EdgerunnerConflict, Any], None]] = {
    g.ZonesUnmapped: _zones_unmapped,
    g.Placed: _placed,
    g.ThingsPlaced: _things_placed,
    g.Moved: _moved,
    g.BorderEroded: _border_eroded,
    g.TurnClaimed: _turn_claimed,
    g.BidsTied: _bids_tied,
    g.ActionForfeited: _action_forfeited,
    g.ActionApplied: _action_applied,
    g.SpinGained: _spin_gained,
    g.SpinSpent: _spin_spent,
    e.Left: _left,
}
"""Handlers that need the state of the event's conflict, and nothing else of the table."""


def _in_conflict(change: Callable[[EdgerunnerConflict, Any], None]) -> Handler:
    return lambda table, event: change(conflict_state_in(table, event.conflict), event)


HANDLERS: Mapping[type[Event], Handler] = {
    **{kind: _in_conflict(change) for kind, change in _OF_STATE.items()},
    e.Joined: _joined,
    e.ConflictOpened: _conflict_opened,
    g.ZonesMapped: _zones_mapped,
    g.Deployed: _deployed,
    g.MooksMerged: _mooks_merged,
    g.ExchangeBegan: _exchange_began,
    g.ActionDeclared: _action_declared,
    g.ActionContinued: _action_continued,
    g.SkillRolled: _skill_rolled,
    g.ShiftsSet: _shifts_set,
    g.ShiftsSpent: _shifts_spent,
    g.AspectInvoked: _aspect_invoked,
    g.Boosted: _boosted,
    g.Resisted: _resisted,
}
"""Handlers of what happens in conflicts, by event class."""
