"""The conflict and its map: zones, borders, and who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.state.found import chosen, own, play, play_in
from journal.systems.edgerunner.state.play import Border, Play
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    own(table).roll = None
    table.conflicts[event.conflict].state = Play(event.conflict)
    _followers(table, event.conflict)
    _begin_anew(table, table.conflicts[event.conflict].people)


def _zones_mapped(table: Table, event: g.ZonesMapped) -> None:
    state = play_in(table, event.conflict)
    state.zones += event.zones
    state.pins |= event.pins
    own(table).mapped.update(event.zones)
    for drawn in event.borders:
        border = _draw(state, drawn)
        own(table).mapped.add(border.name)
        state.broken.pop(border.name, None)
        if event.threshold is not None:
            border.threshold = event.threshold


def _zones_unmapped(table: Table, event: g.ZonesUnmapped) -> None:
    state = play_in(table, event.conflict)
    state.borders = {key: one for key, one in state.borders.items() if one.name not in event.borders}
    state.zones = [zone for zone in state.zones if zone not in event.zones]
    for zone in event.zones:
        state.pins.pop(zone, None)
    for border in event.borders:
        state.broken.pop(border, None)


def _draw(state: Play, drawn: g.BorderDrawn) -> Border:
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


def _placed(table: Table, event: g.Placed) -> None:
    state = play_in(table, event.conflict)
    state.places |= dict.fromkeys(event.who, event.zone)


def _moved(table: Table, event: g.Moved) -> None:
    state = play_in(table, event.conflict)
    state.places[event.who] = event.path[-1]
    if event.free:
        state.moved_free.add(event.who)
    state.eroded = {key: worn for key, worn in state.eroded.items() if key[0] != event.who}


def _border_eroded(table: Table, event: g.BorderEroded) -> None:
    state = play_in(table, event.conflict)
    key = (event.who, event.one, event.other, event.way)
    state.eroded[key] = state.eroded.get(key, 0) + 1
    state.moved_free.add(event.who)


def _deployed(table: Table, event: g.Deployed) -> None:
    conflict = table.conflicts[event.conflict]
    state = play(conflict)
    state.places[event.asset] = event.zone
    state.acted.add(event.asset)
    state.deployed[event.asset] = event.who
    if event.asset not in conflict.people:
        conflict.sides = tuple((*side, event.asset) if event.who in side else side for side in conflict.sides)


def _joined(table: Table, event: e.Joined) -> None:
    state = play_in(table, event.conflict)
    own(table).pace.update(dict.fromkeys(event.people, state.step))
    _followers(table, event.conflict)
    _begin_anew(table, event.people)
    if state.exchange and chosen(table, "joins") == "next_exchange":
        state.acted |= {*event.people}


def _left(table: Table, event: e.Left) -> None:
    """Who has left is nowhere here any more, and nothing of theirs waits for them."""
    state, gone = play_in(table, event.conflict), {*event.people}
    for kept in (state.places, state.tied, state.done, state.last):
        for who in gone:
            kept.pop(who, None)
    state.deployed = {one: by for one, by in state.deployed.items() if not gone & {one, by}}
    state.acted -= gone
    state.lingering -= gone
    state.moved_free -= gone
    state.spins = [spin for spin in state.spins if spin.holder not in gone]
    state.eroded = {key: worn for key, worn in state.eroded.items() if key[0] not in gone}
    if state.turn in gone:
        state.turn, state.bid = None, 0


def _begin_anew(table: Table, people: Iterable[int]) -> None:
    """Who fights again has come through what took them out before."""
    for who in people:
        own(table).felled.pop(who, None)


def _followers(table: Table, conflict: int) -> None:
    """Notes the things that stand on a side with people, who speak for it."""
    open_, shelf = table.conflicts[conflict], own(table)
    for side in open_.sides:
        things = {who for who in side if who == GM or not shelf.sheet(who).takes_turns}
        if len(things) < len(side):
            play(open_).followers |= things


HANDLERS: Mapping[type[Event], Handler] = {
    e.Joined: _joined,
    e.Left: _left,
    e.ConflictOpened: _conflict_opened,
    g.ZonesMapped: _zones_mapped,
    g.ZonesUnmapped: _zones_unmapped,
    g.Placed: _placed,
    g.Moved: _moved,
    g.BorderEroded: _border_eroded,
    g.Deployed: _deployed,
}
