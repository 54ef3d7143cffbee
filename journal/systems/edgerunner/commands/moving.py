"""Moves over the map: of oneself, of others, and the free move that takes no roll."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from journal.capabilities import Choice
from journal.names import owning, quoted
from journal.refused import Refused, tried
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.ahead import after, defences_on
from journal.systems.edgerunner.commands.meaning import aim, cost_of, path_meant, place_of
from journal.systems.edgerunner.commands.standing import actor, actors, here, is_rooted, opposes
from journal.systems.edgerunner.commands.turns import nothing_open, turn_for, where_it_stands
from journal.systems.edgerunner.commands.verbs import Apply, Move
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.rules import FreeMove, Role
from journal.systems.edgerunner.state import Action, Play, Purpose, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

# --- announced --------------------------------------------------------------------------------------------


def purpose_of_move(situation: Situation, who: int, command: v.Declare) -> Purpose:
    """Who moves and over which zones; Refused where they cannot be moved together, or not at all."""
    movers = tuple(dict.fromkeys(command.whom)) or (who,)
    _check_several(situation, who, movers)
    starts = {_start(situation, mover) for mover in movers}
    if len(starts) > 1:
        raise Refused(f"One move takes people from one zone, and {situation.names(movers)} stand in several.")
    path = path_meant(situation, starts.pop(), command.zones)
    first, *also = movers
    return Purpose(target=None if first == who else first, also=tuple(also), path=path)


def _check_several(situation: Situation, who: int, movers: tuple[int, ...]) -> None:
    if len(movers) == 1:
        return
    name = situation.name(who)
    if shelf(situation.table).sheet(who).role != Role.ROCKERBOY:
        raise Refused(f"{name} moves one at a time; only a rockerboy (role=rockerboy) moves several.")
    if who in movers:
        raise Refused(f"{name} moves others or goes alone, not both at once.")


def _start(situation: Situation, mover: int) -> str:
    aim(situation, mover)
    if is_rooted(situation, mover):
        raise Refused(f"{situation.name(mover)} is a faction, and does not move among people.")
    return place_of(situation, mover)


def onwards(situation: Situation, act: Action) -> tuple[g.Step, ...]:
    """What is left of the path of a move, from where it has led; nothing if it is done, or leads nowhere."""
    place, zones = here(situation).places.get(_movers(act)[0]), [step.zone for step in act.path]
    left = act.path[zones.index(place) + 1 :] if place in zones else act.path
    return left if left and place and here(situation).ways(place, left[0].zone) is not None else ()


def _movers(act: Action) -> tuple[int, ...]:
    return act.targets or (act.who,)


# --- applied ----------------------------------------------------------------------------------------------


def come_of_move(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """As far along the path as the shifts carry each; a bad move of one's own gives the other side spin."""
    happened: list[Event] = []
    for mover in _movers(act):
        happened += _walked(after(situation, happened), act, mover)
    return happened if act.targets else [*happened, *_spin(situation, act)]


def _walked(situation: Situation, act: Action, mover: int) -> list[Event]:
    """Each border takes its full value at once; who has been moved elsewhere meanwhile stays there."""
    start = here(situation).places.get(mover)
    if start is None:
        return []
    costs = [_left_of(situation, mover, *leg) for leg in _legs(situation, start, act.path)]
    crossed = rules.walked(act.shifts, costs)
    zones = tuple(step.zone for step in act.path[:crossed])
    spent = sum(costs[:crossed])
    moved = g.Moved(conflict=situation.here.id, who=mover, start=start, path=zones, spent=spent)
    return [moved, *defences_on(situation, mover)] if zones else []


def _legs(situation: Situation, start: str, path: Sequence[g.Step]) -> Iterator[tuple[str, g.Step]]:
    """The borders of a path that are there now, up to the first that is not: the map may have changed."""
    for step in path:
        if step.way not in (here(situation).ways(start, step.zone) or {}):
            return
        yield start, step
        start = step.zone


def _left_of(situation: Situation, mover: int, start: str, step: g.Step) -> int:
    """The pass value of a border, less what this mover's free moves have worn off it."""
    return cost_of(situation, start, step) - _worn(situation, mover, start, step)


def _worn(situation: Situation, mover: int, start: str, step: g.Step) -> int:
    return here(situation).eroded.get((mover, start, step.zone, step.way), 0)


def _spin(situation: Situation, act: Action) -> list[Event]:
    spins = rules.spins(act.shifts)
    if not spins or chosen(situation.table, "spin") == "off":
        return []
    others = [other for other in actors(situation) if opposes(situation, act.who, other)]
    holder = others[0] if len(others) == 1 else None
    return (
        [g.SpinGained(conflict=situation.here.id, who=act.who, holder=holder, spins=spins)] if others else []
    )


# --- the free move ----------------------------------------------------------------------------------------


def free_move(situation: Situation, command: Move) -> list[Event]:
    """One zone without a roll, once a turn, before the act or after it; or a border a little lower."""
    who, name = command.who, situation.name(command.who)
    rule = chosen.kind(situation.table, "free_move", FreeMove)
    if rule is FreeMove.OFF:
        raise Refused("There are no free moves at this table (option free_move).")
    _only_a_step(command, name)
    turn = _still_on_turn(situation, who)
    if is_rooted(situation, who):
        raise Refused(f"{name} is a faction, and has no free move.")
    start = place_of(situation, who)
    (step,) = path_meant(situation, start, command.zones)
    told = (
        [] if command.text is None else [e.Narrated(conflict=situation.here.id, who=who, text=command.text)]
    )
    return [*turn, *_stepped(situation, who, start, step, rule), *told]


def _only_a_step(command: Move, name: str) -> None:
    rolled = (command.skill, command.upgrade, command.against)
    if command.whom or command.interrupt or any(one is not None for one in rolled):
        raise Refused(
            f"A free move is one's own and without a roll: move {quoted(name)} to {command.zones[0]} --free."
        )
    if len(command.zones) > 1:
        raise Refused(f"A free move goes one zone: move {quoted(name)} to {command.zones[0]} --free.")


def _still_on_turn(situation: Situation, who: int) -> list[Event]:
    """It is somebody's turn, or has been until now; Refused where it is not, and for a second free move."""
    state, name = here(situation), situation.name(who)
    if who in state.moved_free:
        raise Refused(f"{name} has made the free move of this exchange.")
    if who not in state.acted:
        return turn_for(situation, who)
    actor(situation, who)
    nothing_open(situation)
    if state.act is not None:
        raise Refused(where_it_stands(situation, state.act))
    if who not in state.lingering:
        raise Refused(f"{owning(name)} turn is over.")
    return []


def _stepped(situation: Situation, who: int, start: str, step: g.Step, rule: FreeMove) -> list[Event]:
    value, worn = cost_of(situation, start, step), _worn(situation, who, start, step)
    conflict = situation.here.id
    if not rules.free_step(value, worn, rule):
        left = value - worn - 1
        return [
            g.BorderEroded(conflict=conflict, who=who, one=start, other=step.zone, way=step.way, left=left)
        ]
    moved = g.Moved(conflict=conflict, who=who, start=start, path=(step.zone,), spent=0, free=True)
    return [moved, *defences_on(situation, who)]


# --- how far ----------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """The cheapest way to a zone: the shifts it takes, and the zones as a line names them."""

    cost: int
    zones: tuple[str, ...]


def moves(situation: Situation, who: int) -> Iterator[Choice]:
    """What each zone somebody could move to takes, the nearest first; nothing for who cannot move."""
    for path in paths(here(situation), who):
        wish = v.Declare(who=who, act="move", zones=path.zones)
        if tried(partial(purpose_of_move, situation, who, wish)) is not None:
            takes = "1 shift" if path.cost == 1 else f"{path.cost} shifts"
            yield Choice(who, v.Move(who=who, zones=path.zones), f"takes {takes}")
    for other in here(situation).places:
        for path in paths(here(situation), other) if other != who else ():
            yield Choice(who, v.Move(who=who, whom=(other,), zones=path.zones), "somebody else is moved")


def paths(state: Play, who: int) -> list[Path]:
    """The cheapest way to every zone somebody can reach from where they are, less what they have worn off."""
    start = state.places.get(who)
    if start is None:
        return []
    found: dict[str, Path] = {}
    ahead = [(Path(0, ()), start)]
    while ahead:
        path, zone = heapq.heappop(ahead)
        if zone in found:
            continue
        found[zone] = path
        for step, cost, end in steps(state, who, zone):
            heapq.heappush(ahead, (Path(path.cost + cost, (*path.zones, step)), end))
    return [path for path in found.values() if path.zones]


def steps(state: Play, who: int, zone: str) -> Iterator[tuple[str, int, str]]:
    """Every step from a zone: as a line names it, the shifts it takes, and where it leads."""
    for other in state.zones:
        ways = state.ways(zone, other) or {}
        for way, value in ways.items():
            named = other if len(ways) == 1 else f"{other}:{way}"
            yield named, value - state.eroded.get((who, zone, other, way), 0), other


def free_moves(situation: Situation, who: int) -> Iterator[Choice]:
    """Where the free move leads, or which border it wears down; nothing once it is made."""
    state = here(situation)
    for step, _, _ in steps(state, who, state.places.get(who, "")):
        command = v.Move(who=who, zones=(step,), free=True)
        for event in tried(partial(free_move, situation, command)) or ():
            match event:
                case g.Moved():
                    yield Choice(who, command, "without a roll")
                case g.BorderEroded():
                    yield Choice(who, command, f"{event.left} left of the border for {situation.name(who)}")
