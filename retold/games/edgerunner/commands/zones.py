"""Zones and moves: drawing the map, placing people, moves by a roll, and the free move without one."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from retold.game import (
    GM,
    Event,
    Refused,
    Situation,
    Value,
    clean,
    find,
    normalise,
    notes_and_speech,
    possessive,
    quoted,
    whole,
)
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.follow_ups import defences_of_border, ended_defences, situation_after
from retold.games.edgerunner.commands.positions import (
    actor,
    actors,
    bearer_meant,
    cost_of,
    current_conflict,
    is_immobile,
    opposes,
    path_meant,
    place_of,
    target_meant,
    without_other_game,
    zone_meant,
)
from retold.games.edgerunner.commands.sheets import MOST_BOXES
from retold.games.edgerunner.commands.turns import check_nothing_open, describe_act, turn_for
from retold.games.edgerunner.commands.verbs import Apply, MapZones, Move, Place
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import FreeMove, Role
from retold.games.edgerunner.state import Action, EdgerunnerConflict, Purpose, game_state

# --- announced --------------------------------------------------------------------------------------------


def purpose_of_move(situation: Situation, who: int, command: v.Declare) -> Purpose:
    """Returns the people moved by a move, its `target` and `also`, and its path through the zones typed.

    Raises Refused if they stand in different zones, cannot move, or are several without the rockerboy's
    role.
    """
    movers = tuple(dict.fromkeys(command.whom)) or (who,)
    _check_several(situation, who, movers)
    starts = {_start(situation, mover) for mover in movers}
    if len(starts) > 1:
        raise Refused(f"One move takes people from one zone, and {situation.names(movers)} stand in several.")
    path = path_meant(situation, starts.pop(), command.zones)
    first, *also = movers
    return Purpose(target=None if first == who else first, also=tuple(also), path=path)


def _check_several(situation: Situation, who: int, movers: tuple[int, ...]) -> None:
    if movers[1:] and game_state(situation.table).sheet(who).role != Role.ROCKERBOY:
        name = situation.name(who)
        raise Refused(f"{name} moves one at a time; only a rockerboy (role=rockerboy) moves several.")
    if movers[1:] and who in movers:
        raise Refused(f"{situation.name(who)} moves others or goes alone, not both at once.")


def _start(situation: Situation, mover: int) -> str:
    target_meant(situation, mover)
    if is_immobile(situation, mover):
        raise Refused(f"{situation.name(mover)} is a faction, and does not move among people.")
    return place_of(situation, mover)


def rest_of_path(situation: Situation, act: Action) -> tuple[g.Step, ...]:
    """Returns the steps of a move's path still ahead of the mover's zone.

    Empty if the path is finished, or the next border is gone.
    """
    place, zones = current_conflict(situation).places.get(_movers(act)[0]), [step.zone for step in act.path]
    left = act.path[zones.index(place) + 1 :] if place in zones else act.path
    return (
        left if left and place and current_conflict(situation).ways(place, left[0].zone) is not None else ()
    )


def _movers(act: Action) -> tuple[int, ...]:
    return act.targets or (act.who,)


# --- applied ----------------------------------------------------------------------------------------------


def outcome_of_move(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """Returns the events of a move's effect: each person goes as far as the shifts pay for.

    A failed move of one's own gives opponents spin, under the option spin.
    """
    happened: list[Event] = []
    for mover in _movers(act):
        happened += _walked(situation_after(situation, happened), act, mover)
    return happened if act.targets else [*happened, *_spin(situation, act)]


def _walked(situation: Situation, act: Action, mover: int) -> list[Event]:
    """Returns the event that moves one person along the path, and ends defences of their tracks.

    Each border costs its full pass value; empty if the shifts pay for none, or the person is off the map.
    """
    start = current_conflict(situation).places.get(mover)
    if start is None:
        return []
    costs = [_pass_value_left(situation, mover, *leg) for leg in _legs(situation, start, act.path)]
    crossed = rules.walked(act.shifts, costs)
    zones = tuple(step.zone for step in act.path[:crossed])
    spent = sum(costs[:crossed])
    moved = g.Moved(conflict=situation.here.id, who=mover, start=start, path=zones, spent=spent)
    return [moved, *ended_defences(situation, on=mover)] if zones else []


def _legs(situation: Situation, start: str, path: Sequence[g.Step]) -> Iterator[tuple[str, g.Step]]:
    """Yields each step of a path with its start zone, up to the first whose border or way is gone."""
    for step in path:
        if step.way not in (current_conflict(situation).ways(start, step.zone) or {}):
            return
        yield start, step
        start = step.zone


def _pass_value_left(situation: Situation, mover: int, start: str, step: g.Step) -> int:
    """Returns the shifts to cross a border: its pass value less 1 per free move of `mover` against it."""
    return cost_of(situation, start, step) - _erosion(situation, mover, start, step)


def _erosion(situation: Situation, mover: int, start: str, step: g.Step) -> int:
    return current_conflict(situation).eroded.get((mover, start, step.zone, step.way), 0)


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
    """Returns the events of a free move: one zone, without a roll and once per turn.

    A border that is too high is not crossed, but its pass value is lowered by 1 for this person. Raises
    Refused under the option free_move=off, and for a move of several zones, of others, or with a skill.
    """
    who, name = command.who, situation.name(command.who)
    rule = chosen.kind(situation.table, "free_move", FreeMove)
    if rule is FreeMove.OFF:
        raise Refused("There are no free moves at this table (option free_move).")
    _check_single_step(command, name)
    turn = _free_move_turn(situation, who)
    if is_immobile(situation, who):
        raise Refused(f"{name} is a faction, and has no free move.")
    start = place_of(situation, who)
    (step,) = path_meant(situation, start, command.zones)
    narrated = (
        [] if command.text is None else [e.Narrated(conflict=situation.here.id, who=who, text=command.text)]
    )
    return [*turn, *_stepped(situation, who, start, step, rule), *narrated]


def _check_single_step(command: Move, name: str) -> None:
    rolled = (command.skill, command.upgrade, command.against)
    if command.whom or command.interrupt or any(field is not None for field in rolled):
        raise Refused(
            f"A free move is one's own and without a roll: move {quoted(name)} to {command.zones[0]} --free."
        )
    if len(command.zones) > 1:
        raise Refused(f"A free move goes one zone: move {quoted(name)} to {command.zones[0]} --free.")


def _free_move_turn(situation: Situation, who: int) -> list[Event]:
    """Returns the event that claims the turn for a free move; empty right after one's own act.

    Raises Refused if the turn is over, or the free move of this exchange is used up.
    """
    state, name = current_conflict(situation), situation.name(who)
    if who in state.moved_free:
        raise Refused(f"{name} has made the free move of this exchange.")
    if who not in state.acted:
        return turn_for(situation, who)
    actor(situation, who)
    check_nothing_open(situation)
    if state.act is not None:
        raise Refused(describe_act(situation, state.act))
    if who not in state.lingering:
        raise Refused(f"{possessive(name)} turn is over.")
    return []


def _stepped(situation: Situation, who: int, start: str, step: g.Step, rule: FreeMove) -> list[Event]:
    value, worn = cost_of(situation, start, step), _erosion(situation, who, start, step)
    conflict = situation.here.id
    if not rules.free_step(value, worn, rule):
        left = value - worn - 1
        return [
            g.BorderEroded(conflict=conflict, who=who, one=start, other=step.zone, way=step.way, left=left)
        ]
    moved = g.Moved(conflict=conflict, who=who, start=start, path=(step.zone,), spent=0, free=True)
    return [moved, *ended_defences(situation, on=who)]


# --- how far ----------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """The cheapest path to a zone: its cost in shifts, and the zones entered, as typed (`Office:break`)."""

    cost: int
    zones: tuple[str, ...]


def cost_of_path(situation: Situation, mover: int, path: Sequence[g.Step]) -> int:
    """Returns the shifts to go along a path from `mover`'s zone, less 1 per free move against a border."""
    legs = _legs(situation, place_of(situation, mover), path)
    return sum(_pass_value_left(situation, mover, *leg) for leg in legs)


def cheapest_paths(state: EdgerunnerConflict, who: int) -> list[Path]:
    """Returns the cheapest path from a person's zone to each other zone they can reach, cheapest first.

    Empty if they are off the map.
    """
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
        for step, cost, end in steps_from(state, who, zone):
            heapq.heappush(ahead, (Path(path.cost + cost, (*path.zones, step)), end))
    return [path for path in found.values() if path.zones]


def steps_from(state: EdgerunnerConflict, who: int, zone: str) -> Iterator[tuple[str, int, str]]:
    """Yields ways out of `zone`: as typed (`Office:break`), cost in shifts for `who`, and zone reached."""
    for other in state.zones:
        ways = state.ways(zone, other) or {}
        for way, value in ways.items():
            named = other if len(ways) == 1 else f"{other}:{way}"
            yield named, value - state.eroded.get((who, zone, other, way), 0), other


MOST_PASS: Final = 99
"""Highest pass value of a border."""

THRESHOLD: Final = "threshold"
"""Setup key of `map` for the borders' threshold; other keys are zones with coordinates."""

FURTHEST: Final = 99
PIN: Final = re.compile(r"(\d{1,2}),(\d{1,2})")

Pins = dict[str, tuple[int, int]]


def map_zones(situation: Situation, command: MapZones) -> list[Event]:
    """Returns the event that adds zones and borders to the map, or redraws borders; with `gone`, removes one.

    Outside conflicts, the map of the next conflict is drawn. Raises Refused if the command changes
    nothing.
    """
    situation = without_other_game(situation)
    if command.gone:
        return _removed(situation, command)
    state = _map_to_draw(situation)
    zones = _zones(state.zones, command.zones)
    borders = _borders(zones, command.passes)
    pins = _pins(state.pins, (*state.zones, *zones), command.setup)
    threshold = _threshold(command.setup)
    if threshold is not None and not borders:
        raise Refused("threshold= is what the borders of this line can take, and it draws none.")
    new = tuple(zone for zone in dict.fromkeys(zones) if zone not in state.zones)
    if not (new or borders or pins):
        raise Refused(f"{zones[0]} is on the map already: map {zones[0]} 1 ZONE draws a border from it.")
    return [
        g.ZonesMapped(
            conflict=situation.where,
            zones=new,
            borders=(*borders, *_ways_back(situation, borders)),
            pins=pins,
            threshold=threshold,
            text=command.text,
        )
    ]


def _map_to_draw(situation: Situation) -> EdgerunnerConflict:
    """Returns the state whose map is drawn on: the conflict's, or outside, one kept for the next conflict."""
    if situation.conflict is not None:
        return current_conflict(situation)
    drawn = game_state(situation.table).drawn
    return drawn if isinstance(drawn, EdgerunnerConflict) else EdgerunnerConflict(0)


def _removed(situation: Situation, command: MapZones) -> list[Event]:
    """Returns the event that removes a border, or a zone with its borders, and the end of their defences.

    Raises Refused if people or things are in the zone, and outside conflicts.
    """
    if situation.conflict is None:
        raise Refused("A map drawn beforehand is mended by undo, or wiped once its conflict is open.")
    state, (typed, *more) = current_conflict(situation), command.zones
    if more or command.setup:
        raise Refused("One zone or border goes at a time, by its name: map Dock-Aisle --gone.")
    border = state.border_named(typed)
    zone = None if border is not None else zone_meant(situation, typed)
    occupants = [who for who, place in state.places.items() if place == zone]
    if occupants:
        first = situation.name(occupants[0])
        raise Refused(f"In {zone} stand {situation.names(occupants)}: place {first} ZONE comes first.")
    lying = [thing for thing, place in state.lying.items() if place == zone]
    if lying:
        raise Refused(f"In {zone} lie {', '.join(lying)}: place {quoted(lying[0])} ZONE comes first.")
    gone = [each for each in state.borders.values() if each is border or zone in (each.one, each.other)]
    wiped = g.ZonesUnmapped(
        conflict=situation.here.id,
        zones=() if zone is None else (zone,),
        borders=tuple(border.name for border in gone),
        text=command.text,
    )
    return [*(event for each in gone for event in defences_of_border(situation, each)), wiped]


def _zones(mapped: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Returns the names of the zones typed, in order; for zones already `mapped`, as spelled on the map."""
    known = {normalise(zone): zone for zone in mapped}
    return [known.setdefault(normalise(zone), _zone_name(zone)) for zone in typed]


def _zone_name(typed: str) -> str:
    if not normalise(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter.")
    if ":" in typed:
        raise Refused(f"“{typed}” cannot be a zone: a colon says by which way one goes there (Cell:break).")
    if normalise(typed).isdecimal():
        raise Refused(f"“{typed}” cannot be a zone: a number is what a border takes to pass.")
    return clean(typed)


# --- borders ----------------------------------------------------------------------------------------------


def _borders(zones: Sequence[str], passes: Sequence[str]) -> tuple[g.BorderDrawn, ...]:
    """Returns a border for each pair of neighbours in `zones`, leading in that direction, with its ways.

    `passes` holds one entry per border, such as `3` or `open:1,break:4`. Raises Refused for borders typed
    twice.
    """
    drawn = tuple(
        g.BorderDrawn(one=one, other=other, passes=_passes(typed))
        for (one, other), typed in zip(pairwise(zones), passes, strict=True)
    )
    ways = Counter((border.one, border.other) for border in drawn)
    for (one, other), times in ways.items():
        if one == other:
            raise Refused(f"A border lies between two zones, and {one} is one.")
        if times > 1:
            raise Refused(f"The way from {one} to {other} is on this line twice.")
    return drawn


def _passes(typed: str) -> g.Passes:
    """Parses pass values by way: `open:1,break:4` → `{"open": 1, "break": 4}`, `3` → `{"": 3}`.

    Raises Refused for malformed or repeated ways.
    """
    if typed.isdecimal():
        return {"": _pass_value(typed)}
    ways = [way.rpartition(":") for way in typed.split(",")]
    names = [normalise(way) for way, _, _ in ways]
    if len(set(names)) < len(names):
        raise Refused(f"Each way over a border has a name of its own: {typed}.")
    for way, _, _ in ways:
        if not any(letter.isalpha() for letter in way):
            raise Refused(f"A way over a border is called by a word, such as open:1, and not {way}.")
    return {way: _pass_value(value) for way, _, value in ways}


def _pass_value(typed: str) -> int:
    value = whole(typed)
    if value is None or value > MOST_PASS:
        raise Refused(f"A border takes 0 to {MOST_PASS} shifts to pass, not {typed}.")
    return value


def _ways_back(situation: Situation, drawn: Sequence[g.BorderDrawn]) -> tuple[g.BorderDrawn, ...]:
    """Returns the destroyed borders among `drawn` once more, in the opposite direction, with the same ways.

    Left out where the command draws that direction itself.
    """
    state = _map_to_draw(situation)
    written = {(border.one, border.other) for border in drawn}
    return tuple(
        g.BorderDrawn(one=border.other, other=border.one, passes=border.passes)
        for border in drawn
        if (old := state.border(border.one, border.other)) is not None
        and old.name in state.broken
        and (border.other, border.one) not in written
    )


# --- what else a line says of zones and borders -----------------------------------------------------------


def _threshold(setup: Mapping[str, Value]) -> int | None:
    if THRESHOLD not in setup:
        return None
    typed = str(setup[THRESHOLD])
    threshold = whole(typed)
    if threshold is None or not 0 <= threshold <= MOST_BOXES:
        raise Refused(f"A border's threshold is a number from 0 to {MOST_BOXES}, not {typed}.")
    return threshold


def _pins(pinned: Pins, zones: Sequence[str], setup: Mapping[str, Value]) -> Pins:
    """Returns map coordinates by zone, read from setup keys such as `Dock=0,1`.

    Raises Refused for malformed pairs, unknown zones, and two zones at one place.
    """
    pins: Pins = {}
    for key, value in setup.items():
        if key == THRESHOLD:
            continue
        zone = find(key, {name: (name,) for name in zones})
        place = PIN.fullmatch(str(value))
        if place is None:
            raise Refused(
                f"A zone is pinned by two numbers from 0 to {FURTHEST}, to the right and down: {zone}=0,1,"
                f" not {value}."
            )
        pins[zone] = (int(place[1]), int(place[2]))
    drawn: dict[tuple[int, int], str] = {}
    for zone, pin in (pinned | pins).items():
        if drawn.setdefault(pin, zone) != zone:
            raise Refused(f"{drawn[pin]} and {zone} cannot both be drawn at {pin[0]},{pin[1]}.")
    return pins


# --- people -----------------------------------------------------------------------------------------------


def place(situation: Situation, command: Place) -> list[Event]:
    """Returns the events that put people and things into a zone; without a zone, notes a place by name.

    Defences of people put elsewhere end. Raises Refused if no place changes.
    """
    if command.zone is None:
        return notes_and_speech.keep_matter(situation, command)
    zone = zone_meant(situation, command.zone)
    if GM in command.who:
        raise Refused("The game master is in no zone: place who is there.")
    state = current_conflict(situation)
    who = tuple(dict.fromkeys(person for person in command.who if isinstance(person, int)))
    things = tuple(
        dict.fromkeys(_thing_named(situation, thing) for thing in command.who if isinstance(thing, str))
    )
    all_of_them: tuple[int | str, ...] = (*who, *things)
    if all(state.zone_of(thing) == zone for thing in all_of_them):
        verb = "are" if command.who[1:] else "is"
        raise Refused(f"{', '.join((*map(situation.name, who), *things))} {verb} in {zone} already.")
    placed: list[Event] = []
    if who:
        placed.append(g.Placed(conflict=situation.here.id, who=who, zone=zone, text=command.text))
    if things:
        text = None if who else command.text
        placed.append(g.ThingsPlaced(conflict=situation.here.id, things=things, zone=zone, text=text))
    elsewhere = [person for person in who if state.places.get(person, zone) != zone]
    return [*placed, *(ended for person in elsewhere for ended in ended_defences(situation, on=person))]


def _thing_named(situation: Situation, typed: str) -> str:
    """Returns the name of a typed thing, in its known spelling; raises Refused for map names and aspects."""
    state = current_conflict(situation)
    if normalise(typed) in map(normalise, state.zones) or state.border_named(typed) is not None:
        raise Refused(f"{typed} is on the map itself: say who or what lies in which zone.")
    if not normalise(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter.")
    return bearer_meant(situation, typed)
