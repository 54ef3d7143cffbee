"""How far it is over the map, and what distance takes: §4."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Final

from journal.systems.edgerunner.rules.roles import Act

Borders = Mapping[tuple[str, str], Mapping[str, int]]
"""The ways from one zone to another, each with its pass value; a way that needs no name is called ''."""


class FreeMove(StrEnum):
    """How far one may go without a roll, once a turn; a table option."""

    ONE = "one_zone_pass1"
    OFF = "off"
    ANY = "one_zone_any"


class RangePenalty(StrEnum):
    """What distance makes harder; a table option."""

    ALL = "all"
    DEFENSE_ONLY = "defense_only"
    OFF = "off"


_HARDER_AFAR: Final[Mapping[str, Collection[Act]]] = {
    RangePenalty.ALL: (Act.MOVE, Act.ATTACK, Act.DEFEND, Act.MANEUVER, Act.RECOVER),
    RangePenalty.DEFENSE_ONLY: (Act.DEFEND,),
}


def distance(borders: Borders, start: str, end: str) -> int | None:
    """The fewest borders between two zones, whatever they take to pass; None if no way leads there.

    A border counts both ways if it can be passed one way.
    """
    linked = {between for between, ways in borders.items() if ways}
    linked |= {(other, one) for one, other in linked}
    reached, crossed = {start}, 0
    while end not in reached:
        further = reached | {other for one, other in linked if one in reached}
        if further == reached:
            return None
        reached, crossed = further, crossed + 1
    return crossed


def range_penalty(borders: int, act: Act, rule: RangePenalty) -> int:
    """The shifts an act loses at a target so many borders away."""
    harder = _HARDER_AFAR.get(rule, ())
    return borders if act in harder else 0


def walked(shifts: int, costs: Sequence[int]) -> int:
    """How many borders in a row, of these pass values, so many shifts carry one over."""
    return sum(spent <= shifts for spent in accumulate(costs))


def free_step(value: int, eroded: int, rule: FreeMove) -> bool:
    """Whether a free move crosses a border of this pass value, of which earlier ones took `eroded` away.

    Where it does not, and there is such a thing as a free move, it takes 1 more away.
    """
    return rule is FreeMove.ANY or (rule is FreeMove.ONE and value - eroded <= 1)
