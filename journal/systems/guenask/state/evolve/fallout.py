"""Fallout: what is marked on a track, what its full rows mean, and who dies of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.state.found import own, play_in
from journal.systems.guenask.state.play import Fresh, Owed, Play
from journal.systems.guenask.state.shelf import Burden
from journal.table import Handler, Table
from journal.vocabulary.base import Event


def open_plays(table: Table) -> Iterator[Play]:
    """The conflicts of this game that are open."""
    return (one.state for one in table.conflicts.values() if isinstance(one.state, Play))


def reviewed(
    table: Table, who: int, fills: Collection[Play] = (), before: Collection[g.TrackName] = ()
) -> None:
    """What somebody's full tracks mean, wherever they are: an NPC is cornered by the first.

    Anybody else may die with the second, of the conflicts in which it `fills`, those `before` being full.
    """
    shelf = own(table)
    full = shelf.full_tracks(who)
    doomed = not shelf.is_npc(who) and len(full) >= rules.FULL_TRACKS_OF_DEATH
    for state in open_plays(table):
        if who not in state.people:
            continue
        (state.cornered.add if shelf.is_npc(who) and full else state.cornered.discard)(who)
        if not doomed:
            state.fates.pop(who, None)
        elif len(full) > len(before) and any(state is one for one in fills):
            state.fates.setdefault(who, None)


def _fallout_taken(table: Table, event: g.FalloutTaken) -> None:
    state, shelf = play_in(table, event.conflict), own(table)
    before = shelf.full_tracks(event.who)
    shelf.burdens.setdefault(event.who, Burden()).points[event.track] = event.total
    owed = state.owed.pop(event.who, None)
    marked = {**(owed.marked if owed else {}), event.track: event.points}
    stands = owed is not None and owed.stands
    if owed and event.left:
        state.owed[event.who] = Owed(owed.cost, event.left, marked, stands)
    elif not state.people[event.who].out and not stands:
        state.fresh[event.who] = Fresh(event.cost.amount, marked)
    reviewed(table, event.who, (state,), before)


def _fallout_resisted(table: Table, event: g.FalloutResisted) -> None:
    state, shelf = play_in(table, event.conflict), own(table)
    state.people[event.who].spend((event.die,))
    state.owed.pop(event.who, None)
    state.fresh.pop(event.who, None)
    off = {} if event.track is None else {event.track: event.points or 0}
    for track, points in (*off.items(), *((one.track, one.points) for one in event.also or ())):
        before = shelf.burdens.get(event.who, Burden()).points.get(track, 0)
        shelf.mark(event.who, track, max(0, before - points))
    reviewed(table, event.who)


def _condition_named(table: Table, event: g.ConditionNamed) -> None:
    shelf = own(table)
    burden = shelf.burdens.setdefault(event.who, Burden())
    burden.conditions.setdefault(event.track, {})[event.row] = event.text
    for state in open_plays(table):
        fresh, owed = state.fresh.get(event.who), state.owed.get(event.who)
        if fresh and shelf.filled_by(event.who, event.track, fresh.marked, event.row):
            del state.fresh[event.who]
        if owed and shelf.filled_by(event.who, event.track, owed.marked, event.row):
            owed.stands = True


def _fate_decided(table: Table, event: g.FateDecided) -> None:
    play_in(table, event.conflict).fates[event.who] = event.dies


def _character_died(table: Table, event: g.CharacterDied) -> None:
    own(table).dead.add(event.who)
    for state in open_plays(table):
        state.fates.pop(event.who, None)


def _fallout_cleared(table: Table, event: g.FalloutCleared) -> None:
    own(table).mark(event.who, event.track, event.total)
    reviewed(table, event.who)


def _number_set(table: Table, event: g.NumberSet) -> None:
    shelf = own(table)
    if event.what == "dead":
        (shelf.dead.add if event.value else shelf.dead.discard)(event.who)
    elif event.what == "follow-up":
        shelf.follow_ups.pop(event.who, None)
        if event.value:
            shelf.follow_ups[event.who] = event.value
    else:
        before = shelf.full_tracks(event.who)
        shelf.mark(event.who, event.what, event.value)
        for state in open_plays(table):
            state.left_of_blow(event.who, event.what, event.value)
        reviewed(table, event.who, tuple(open_plays(table)), before)


HANDLERS: Mapping[type[Event], Handler] = {
    g.FalloutTaken: _fallout_taken,
    g.FalloutResisted: _fallout_resisted,
    g.ConditionNamed: _condition_named,
    g.FateDecided: _fate_decided,
    g.CharacterDied: _character_died,
    g.FalloutCleared: _fallout_cleared,
    g.NumberSet: _number_set,
}
