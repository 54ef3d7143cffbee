"""How far somebody could go: the shifts that each zone takes, and what the free move does."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from journal.capabilities import Choice
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands import moving
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.trying import tried
from journal.systems.edgerunner.state import Play
from journal.vocabulary import commands as c


class Path(NamedTuple):
    """The cheapest way to a zone: the shifts it takes, and the zones as a line names them."""

    cost: int
    zones: tuple[str, ...]


def moves(situation: Situation, who: int) -> Iterator[Choice]:
    """What each zone somebody could move to takes, the nearest first; nothing for who cannot move."""
    for path in paths(here(situation), who):
        wish = c.Declare(who=who, act="move", zones=path.zones)
        if tried(partial(moving.purpose, situation, who, wish)) is not None:
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
        for event in tried(partial(moving.free_move, situation, command)) or ():
            match event:
                case g.Moved():
                    yield Choice(who, command, "without a roll")
                case g.BorderEroded():
                    yield Choice(who, command, f"{event.left} left of the border for {situation.name(who)}")
