"""The map is drawn, border by border, and people are put on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from journal.names import clean, find, fold, quoted
from journal.refused import Refused
from journal.shared.matters import keep
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import defences_of_border, defences_on
from journal.systems.edgerunner.commands.meaning import bearers, zone_meant
from journal.systems.edgerunner.commands.sheets import MOST_BOXES, whole
from journal.systems.edgerunner.commands.standing import here, ours
from journal.systems.edgerunner.commands.verbs import MapZones, Place
from journal.systems.edgerunner.state import Play, shelf
from journal.vocabulary.base import GM, Event, Value

MOST_PASS: Final = 99
"""The most a border can take to pass."""

THRESHOLD: Final = "threshold"
"""What `map` calls what the borders of a line can take; every other key is a zone to be pinned."""

FURTHEST: Final = 99
PIN: Final = re.compile(r"(\d{1,2}),(\d{1,2})")

Pins = dict[str, tuple[int, int]]


def map_zones(situation: Situation, command: MapZones) -> list[Event]:
    """Zones and borders enter the map, or are drawn otherwise than they were."""
    situation = ours(situation)
    if command.gone:
        return _wiped(situation, command)
    state = _board(situation)
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


def _board(situation: Situation) -> Play:
    """The map that is drawn on: that of the conflict, or where none is open that of the next."""
    if situation.conflict is not None:
        return here(situation)
    drawn = shelf(situation.table).drawn
    return drawn if isinstance(drawn, Play) else Play(0)


def _wiped(situation: Situation, command: MapZones) -> list[Event]:
    """A border is there no longer, or a zone with all its borders; nobody may stand in it."""
    if situation.conflict is None:
        raise Refused("A map drawn beforehand is mended by undo, or wiped once its conflict is open.")
    state, (typed, *more) = here(situation), command.zones
    if more or command.setup:
        raise Refused("One zone or border goes at a time, by its name: map Dock-Aisle --gone.")
    border = state.border_named(typed)
    zone = None if border is not None else zone_meant(situation, typed)
    there = [who for who, place in state.places.items() if place == zone]
    if there:
        first = situation.name(there[0])
        raise Refused(f"In {zone} stand {situation.names(there)}: place {first} ZONE comes first.")
    lying = [thing for thing, place in state.lying.items() if place == zone]
    if lying:
        raise Refused(f"In {zone} lie {', '.join(lying)}: place {quoted(lying[0])} ZONE comes first.")
    gone = [one for one in state.borders.values() if one is border or zone in (one.one, one.other)]
    wiped = g.ZonesUnmapped(
        conflict=situation.here.id,
        zones=() if zone is None else (zone,),
        borders=tuple(one.name for one in gone),
        text=command.text,
    )
    ended = [one for each in gone for one in defences_of_border(situation, each)]
    return [*ended, wiped]


def _zones(mapped: Sequence[str], typed: Sequence[str]) -> list[str]:
    """The zones of a line in its order, a known one by the name it has; a name is known as a whole only."""
    known = {fold(zone): zone for zone in mapped}
    return [known.setdefault(fold(zone), _named(zone)) for zone in typed]


def _named(typed: str) -> str:
    if not fold(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter.")
    if ":" in typed:
        raise Refused(f"“{typed}” cannot be a zone: a colon says by which way one goes there (Cell:break).")
    if fold(typed).isdecimal():
        raise Refused(f"“{typed}” cannot be a zone: a number is what a border takes to pass.")
    return clean(typed)


# --- borders ----------------------------------------------------------------------------------------------


def _borders(zones: Sequence[str], passes: Sequence[str]) -> tuple[g.BorderDrawn, ...]:
    """The borders of a line, each in the direction it is written in."""
    drawn = tuple(
        g.BorderDrawn(one=one, other=other, passes=_passes(typed))
        for (one, other), typed in zip(pairwise(zones), passes, strict=True)
    )
    for border in drawn:
        if border.one == border.other:
            raise Refused(f"A border lies between two zones, and {border.one} is one.")
    twice = [
        between for between, times in Counter((one.one, one.other) for one in drawn).items() if times > 1
    ]
    if twice:
        raise Refused("The way from {} to {} stands on this line twice.".format(*twice[0]))
    return drawn


def _passes(typed: str) -> g.Passes:
    """The ways over a border with what each takes, from `3` or `open:1,break:4`."""
    if typed.isdecimal():
        return {"": _pass_value(typed)}
    ways = [way.rpartition(":") for way in typed.split(",")]
    names = [fold(way) for way, _, _ in ways]
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
    """What was taken out is drawn anew both ways: the way back is the way there, unless the line has it."""
    state = _board(situation)
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
    """Where zones are drawn, two of them never in one place."""
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
    _check_apart(pinned | pins)
    return pins


def _check_apart(pins: Pins) -> None:
    there: dict[tuple[int, int], str] = {}
    for zone, pin in pins.items():
        if pin in there:
            raise Refused(f"{there[pin]} and {zone} cannot both be drawn at {pin[0]},{pin[1]}.")
        there[pin] = zone


# --- people -----------------------------------------------------------------------------------------------


def place(situation: Situation, command: Place) -> list[Event]:
    """People and things are in a zone, by nobody's move; without a zone it is a note of a place."""
    if command.zone is None:
        return keep(situation, command)
    zone = zone_meant(situation, command.zone)
    if GM in command.who:
        raise Refused("The game master is in no zone: place who is there.")
    state = here(situation)
    who = tuple(dict.fromkeys(one for one in command.who if isinstance(one, int)))
    things = tuple(dict.fromkeys(_lying(situation, one) for one in command.who if isinstance(one, str)))
    all_of_them: tuple[int | str, ...] = (*who, *things)
    if all(state.zone_of(one) == zone for one in all_of_them):
        verb = "are" if command.who[1:] else "is"
        raise Refused(f"{', '.join((*map(situation.name, who), *things))} {verb} in {zone} already.")
    placed: list[Event] = []
    if who:
        placed.append(g.Placed(conflict=situation.here.id, who=who, zone=zone, text=command.text))
    if things:
        text = None if who else command.text
        placed.append(g.ThingsPlaced(conflict=situation.here.id, things=things, zone=zone, text=text))
    elsewhere = [one for one in who if state.places.get(one, zone) != zone]
    return [*placed, *(ended for one in elsewhere for ended in defences_on(situation, one))]


def _lying(situation: Situation, typed: str) -> str:
    """The thing of that name, as it is called here; Refused for a place and for an aspect."""
    state, aspects = here(situation), shelf(situation.table).aspects.values()
    if fold(typed) in map(fold, state.zones) or state.border_named(typed) is not None:
        raise Refused(f"{typed} is on the map itself: say who or what lies in which zone.")
    if not fold(typed):
        raise Refused(f"“{typed}” is no name: it needs a letter.")
    known = {fold(name): name for name in (*state.lying, *bearers(aspects))}
    if fold(typed) not in known and fold(typed) in {fold(one.wording) for one in aspects}:
        raise Refused(f"“{typed}” is an aspect: say what it is on.")
    return known.get(fold(typed), clean(typed))
