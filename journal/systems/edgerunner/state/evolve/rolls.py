"""Rolls, and what adds to one or takes from it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.state.found import own, play_in, roll_in
from journal.systems.edgerunner.state.play import Spin
from journal.systems.edgerunner.state.rolls import Action, SkillRoll
from journal.systems.edgerunner.state.shelf import Aspect, Shelf
from journal.table import Handler, Table
from journal.vocabulary.base import Event


def _skill_rolled(table: Table, event: g.SkillRolled) -> None:
    own(table).finding = None
    own(table).roll = SkillRoll(
        who=event.who,
        skill=event.skill,
        level=event.level,
        opposed=event.against or 0,
        upgrade=event.upgrade,
        opponent=event.opponent,
        contest=event.against is not None,
        takes=event.takes,
    )


def _shifts_set(table: Table, event: g.ShiftsSet) -> None:
    roll = roll_in(table, event.conflict)
    if roll is not None:
        roll.rolled, roll.dice, roll.shifts = True, event.dice or 0, event.shifts


def _shifts_spent(table: Table, event: g.ShiftsSpent) -> None:
    roll = own(table).roll
    if roll is not None:
        roll.spent += sum(one.shifts for one in event.spent)
        roll.takes = event.takes


def _aspect_invoked(table: Table, event: g.AspectInvoked) -> None:
    roll = own(table).finding if event.finding else roll_in(table, event.conflict)
    if roll is not None:
        roll.used.add(event.aspect)
        roll.invoked += rules.INVOKE if event.mode == "+2" else 0
        roll.resisted += rules.INVOKE if event.mode == "-2" else 0
    aspect = own(table).aspects.get(event.aspect)
    if aspect is not None and event.free:
        holder = event.who if aspect.free.get(event.who) else _holder(aspect, event.by)
        aspect.free[holder] -= 1


def _holder(aspect: Aspect, by: int | None) -> int | None:
    return by if aspect.free.get(by) else next((held for held, free in aspect.free.items() if free), None)


def _boosted(table: Table, event: g.Boosted) -> None:
    roll = roll_in(table, event.conflict)
    if roll is not None:
        roll.boosted += event.shifts


def _resisted(table: Table, event: g.Resisted) -> None:
    if event.strain is not None:
        _strain_taken(own(table), event.who, event.shifts)
        return
    roll = roll_in(table, event.conflict)
    if roll is not None and event.upgrade is not None:
        roll.armoured.add((event.who, event.upgrade))
    if isinstance(roll, Action) and event.asset is not None:
        roll.softened += event.shifts
    elif roll is not None:
        roll.resisted += event.shifts
        roll.relieved |= {event.who} if event.comrade is not None else set()


def _strain_taken(shelf: Shelf, who: int, shifts: int) -> None:
    owed = shelf.owed[who]
    owed.left -= shifts
    if owed.left <= 0:
        del shelf.owed[who]


def _spin_gained(table: Table, event: g.SpinGained) -> None:
    state = play_in(table, event.conflict)
    if event.holder is None:
        state.spins_loose, state.spins_by = event.spins, event.who
    else:
        state.spins += [Spin(event.holder, event.who, state.exchange)] * event.spins
        state.spins_loose, state.spins_by = 0, None


def _spin_spent(table: Table, event: g.SpinSpent) -> None:
    state = play_in(table, event.conflict)
    state.spins.remove(next(spin for spin in state.spins if spin.holder == event.who))
    if state.act is not None:
        state.act.spins += 1


HANDLERS: Mapping[type[Event], Handler] = {
    g.SkillRolled: _skill_rolled,
    g.ShiftsSet: _shifts_set,
    g.ShiftsSpent: _shifts_spent,
    g.AspectInvoked: _aspect_invoked,
    g.Boosted: _boosted,
    g.Resisted: _resisted,
    g.SpinGained: _spin_gained,
    g.SpinSpent: _spin_spent,
}
