"""The conflict and its map: zones, borders, and who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.state.found import own, play, play_in
from journal.systems.edgerunner.state.play import Border, Play
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    shelf = own(table)
    shelf.roll = shelf.finding = None
    drawn, shelf.drawn = shelf.drawn, None
    state = replace(drawn if isinstance(drawn, Play) else Play(0), conflict=event.conflict)
    table.conflicts[event.conflict].state = state
    shelf.mapped.update(state.named)
    _followers(table, event.conflict)
    _begin_anew(table, table.conflicts[event.conflict].people)


def _zones_mapped(table: Table, event: g.ZonesMapped) -> None:
    state = _board(table, event.conflict)
    state.zones += event.zones
    state.pins |= event.pins
    mapped = set[str]() if event.conflict is None else own(table).mapped
    mapped.update(event.zones)
    for drawn in event.borders:
        border = _draw(state, drawn)
        mapped.add(border.name)
        state.broken.pop(border.name, None)
        if event.threshold is not None:
            border.threshold = event.threshold


def _board(table: Table, conflict: int | None) -> Play:
    """The map that is drawn on: that of a conflict, or of the next one."""
    if conflict is not None:
        return play_in(table, conflict)
    shelf = own(table)
    drawn = shelf.drawn if isinstance(shelf.drawn, Play) else Play(0)
    shelf.drawn = drawn
    return drawn


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


def _things_placed(table: Table, event: g.ThingsPlaced) -> None:
    play_in(table, event.conflict).lying |= dict.fromkeys(event.things, event.zone)


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


def _mooks_merged(table: Table, event: g.MooksMerged) -> None:
    shelf, gone = own(table), {*event.others}
    shelf.sheets[event.who].numbers["tl"] = event.level
    marks: set[int] = set()
    for one in (event.who, *event.others):
        marks |= shelf.marks.pop((one, shelf.tracks(one)[0]), set())
    if marks:
        shelf.marks[event.who, shelf.tracks(event.who)[0]] = marks
    if event.conflict is not None:
        conflict = table.conflicts[event.conflict]
        state = play(conflict)
        state.acted |= {event.who} if gone & state.acted else set()
        conflict.sides = tuple(tuple(one for one in side if one not in gone) for side in conflict.sides)
        _vanish(state, gone)


def _joined(table: Table, event: e.Joined) -> None:
    state = play_in(table, event.conflict)
    own(table).pace.update(dict.fromkeys(event.people, state.step))
    _followers(table, event.conflict)
    _begin_anew(table, event.people)
    if state.exchange and chosen(table, "joins") == "next_exchange":
        state.acted |= {*event.people}


def _left(table: Table, event: e.Left) -> None:
    """Who has left is nowhere here any more, and nothing of theirs waits for them."""
    _vanish(play_in(table, event.conflict), {*event.people})


def _vanish(state: Play, gone: set[int]) -> None:
    """These people are nowhere in a conflict any more."""
    for kept in (state.places, state.tied, state.done, state.last):
        for who in gone:
            kept.pop(who, None)
    state.deployed = {one: by for one, by in state.deployed.items() if not gone & {one, by}}
    state.acted -= gone
    state.lingering -= gone
    state.moved_free -= gone
    state.extras -= gone
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
    g.ThingsPlaced: _things_placed,
    g.Moved: _moved,
    g.BorderEroded: _border_eroded,
    g.Deployed: _deployed,
    g.MooksMerged: _mooks_merged,
}
