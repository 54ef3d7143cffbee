"""How a conflict stands: who acts in it, who is on which side, what is there; and who pays whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.rules import Kind
from journal.systems.edgerunner.state import THINGS, Action, Play, acting, is_able, play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM, Event


def here(situation: Situation) -> Play:
    """The state of the conflict spoken to."""
    return play(situation.here)


def ours(situation: Situation, *people: int | str | None) -> Situation:
    """The situation for a verb that needs no conflict: one of another game counts for none.

    Nor does one of this game, where everybody named is somewhere else.
    """
    conflict = situation.conflict
    if conflict is None or (conflict.system == NAME and not is_elsewhere(situation, *people)):
        return situation
    return replace(situation, conflict=None)


def is_elsewhere(situation: Situation, *people: int | str | None) -> bool:
    """True if these have a sheet, if any are named at all, and no part in the conflict spoken to."""
    own, named = shelf(situation.table), [who for who in people if who is not None]
    return bool(named) and all(
        isinstance(who, int) and who in own.sheets and not is_here(situation, who) for who in named
    )


def what(situation: Situation, on: int | str) -> str:
    """What somebody or something is called, for a sentence."""
    return situation.name(on) if isinstance(on, int) else on


# --- people -----------------------------------------------------------------------------------------------


def standing(table: Table, conflict: OpenConflict, side: Iterable[int]) -> tuple[int, ...]:
    """Who keeps a side in the conflict: its actors; where it has none, the problems and things it is."""
    own, state, members = shelf(table), play(conflict), tuple(side)
    able = [who for who in members if is_able(own, who)]
    return tuple(
        who for who in able or members if who not in state.out and (able or who not in state.followers)
    )


def actors(situation: Situation) -> tuple[int, ...]:
    """Everybody who acts once in an exchange of the conflict spoken to."""
    return acting(situation.table, situation.here)


def among_people(situation: Situation) -> bool:
    """True unless everybody who acts here is a faction."""
    own = shelf(situation.table)
    return any(own.sheet(who).kind is not Kind.FACTION for who in actors(situation))


MAP: Final = "map"
PLACES: Final = "places"
METAPHOR: Final = "metaphor"
"""What `conflict … map=` says of a map on which factions move, for it is of no places."""


def is_rooted(situation: Situation, who: int) -> bool:
    """True for a faction among people, which does not move, unless the map is a metaphor."""
    faction = shelf(situation.table).sheet(who).kind is Kind.FACTION
    return faction and among_people(situation) and situation.here.setup.get(MAP) != METAPHOR


def actor(situation: Situation, who: int) -> int:
    """Somebody who may act in this conflict at all; Refused for anybody else."""
    name = situation.name(who)
    if who not in situation.here.people:
        raise Refused(f"{name} is not in this conflict: {situation.names(situation.here.people)}.")
    if who in here(situation).out:
        raise Refused(f"{name} is taken out.")
    return who


def opposes(situation: Situation, one: int, other: int) -> bool:
    """True if these two stand on different sides."""
    sides = situation.here.side_of(one), situation.here.side_of(other)
    return None not in sides and sides[0] != sides[1]


def together(situation: Situation, one: int, other: int) -> bool:
    """True for somebody and themselves, and for two who stand on one side of a conflict."""
    if one == other or situation.conflict is None:
        return one == other
    side = situation.here.side_of(one)
    return side is not None and side == situation.here.side_of(other)


# --- who is still there ------------------------------------------------------------------------------------


def target_gone(situation: Situation, act: Action) -> bool:
    """True if whom or what an act is aimed at has been taken out, or is no longer there."""
    state = here(situation)
    if isinstance(act.target, int):
        return act.target in state.out or not is_here(situation, act.target)
    own = shelf(situation.table)
    if act.about is not None:
        return act.about not in own.aspects
    wiped = act.target in own.mapped and act.target not in state.named
    return wiped or act.target in state.broken


def is_here(situation: Situation, who: int) -> bool:
    """True for whoever is in the conflict or on its map, and for every problem and device."""
    there = (*situation.here.people, *here(situation).places)
    return who in there or shelf(situation.table).sheet(who).kind in THINGS


# --- fate points ------------------------------------------------------------------------------------------


def pay(
    situation: Situation, payer: int, payee: int, why: str, points: int = 1, *, spare: int = 0
) -> list[Event]:
    """Fate points from one hand to another, both named by person; Refused where the payer has too few.

    The referee's purse (0) is bottomless. Nobody pays themselves: then the point goes to the referee.
    `spare` counts what the payer has been given in the same act.
    """
    own = shelf(situation.table)
    source, target = own.hand(payer), own.hand(payee)
    if source == target:
        target = GM
    if source == target:
        return []
    if source != GM and own.held(source) + spare < points:
        raise Refused(
            f"{situation.name(source)} has {own.held(source)} fate points, and this takes {points}."
        )
    paid = {"payer": source, "payee": target, "points": points, "why": why}
    return [g.FatePointPaid.of({"conflict": situation.where, **paid})]
