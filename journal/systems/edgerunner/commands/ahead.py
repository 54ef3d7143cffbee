"""What follows of itself from what somebody does: a defence ends, a side is beaten, the conflict is over."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace

from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.standing import actors, here
from journal.systems.edgerunner.state import EVOLVE, NAME, Action, Play, current, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def after(situation: Situation, events: Iterable[Event]) -> Situation:
    """The situation as it will be once these have happened, a value of its own."""
    conflict = copy.deepcopy(situation.conflict)
    conflicts = dict(situation.table.conflicts)
    if conflict is not None:
        conflicts[conflict.id] = conflict
    table = replace(
        situation.table,
        conflicts=conflicts,
        shelves={**situation.table.shelves, NAME: copy.deepcopy(shelf(situation.table))},
    )
    for event in events:
        handler = EVOLVE.get(type(event))
        if handler is not None:
            handler(table, event)
    return replace(situation, table=table, conflict=conflict)


# --- where a roll stands ----------------------------------------------------------------------------------


def shifts_set(situation: Situation, dice: int | None = None) -> g.ShiftsSet:
    """Where the open roll stands now: its parts and their sum; `dice` just thrown stand for those before."""
    roll = current(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- whoever asks has a roll
    thrown = roll.dice if dice is None else dice
    away = _range(situation, roll) if isinstance(roll, Action) else 0
    grown = roll.made - roll.dice + roll.bid + roll.opposed
    grown -= roll.level + roll.invoked + roll.boosted + roll.spins + roll.ruled
    parts = {
        "dice": thrown,
        "level": roll.level,
        "invoked": roll.invoked,
        "boosted": roll.boosted,
        "spins": roll.spins,
        "continued": grown,
        "ruled": roll.ruled,
        "bid": -roll.bid,
        "opposed": -roll.opposed,
        "range": -away,
        "resisted": -roll.resisted,
    }
    return g.ShiftsSet(
        conflict=None if situation.conflict is None else situation.conflict.id,
        who=roll.who,
        shifts=sum(parts.values()),
        **{part: value for part, value in parts.items() if value},
    )


def _range(situation: Situation, act: Action) -> int:
    """The borders to the target that count against an act; a thing that is nowhere is near."""
    state = here(situation)
    aspect = None if act.about is None else shelf(situation.table).aspects.get(act.about)
    targets = act.targets if isinstance(act.target, int) else (act.target if aspect is None else aspect.on,)
    start = state.places.get(act.who)
    away = [_borders(state, start, target) for target in targets if start is not None and target is not None]
    return rules.range_penalty(max(away, default=0), act.act, situation.option("range_penalty"))


def _borders(state: Play, start: str, target: int | str) -> int:
    """The borders from a zone to somebody, to a zone, or to the nearer end of a border."""
    border = None if isinstance(target, int) else state.border_named(target)
    end = state.places.get(target) if isinstance(target, int) else target
    zones = [end] if border is None else [border.one, border.other]
    found = [rules.distance(state.links(), start, zone) for zone in zones if zone in state.zones]
    return min((away for away in found if away is not None), default=0)


# --- defences ---------------------------------------------------------------------------------------------


def defences_of(situation: Situation, defender: int) -> list[Event]:
    """The defences somebody has kept up until now come to an end."""
    return _reverted(
        situation, [key for key, one in shelf(situation.table).defences.items() if one.by == defender]
    )


def defences_on(situation: Situation, person: int) -> list[Event]:
    """The defences of somebody who has moved come to an end."""
    return _reverted(situation, [key for key in shelf(situation.table).defences if key[0] == person])


def all_defences(situation: Situation) -> list[Event]:
    """Every defence comes to an end."""
    return _reverted(situation, list(shelf(situation.table).defences))


def _reverted(situation: Situation, keys: Iterable[tuple[int, str]]) -> list[Event]:
    own = shelf(situation.table)
    return [
        g.ThresholdReverted(
            conflict=situation.here.id,
            who=own.defences[person, track].by,
            on=person,
            track=track,
            threshold=own.own_threshold(person, track),
        )
        for person, track in keys
    ]


# --- the end ----------------------------------------------------------------------------------------------


def conclude(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """These events and what follows of itself.

    Who is out defends nobody and does no more; a side that is out has lost; and an act that was interrupted
    stands again, where things are now.
    """
    concluded = list(events)
    out = [event.on for event in concluded if isinstance(event, g.TakenOut) and isinstance(event.on, int)]
    for person in out:
        concluded += defences_of(after(situation, concluded), person)
        concluded += _cut_short(after(situation, concluded), person)
    now = after(situation, concluded)
    return [*concluded, *_over(now), *_standing_again(now, concluded)]


def _cut_short(situation: Situation, person: int) -> list[Event]:
    """The act somebody had announced before they were taken out."""
    if situation.conflict is None or person not in [act.who for act in here(situation).acts]:
        return []
    return [g.ActionForfeited(conflict=situation.here.id, who=person, why="out")]


def _standing_again(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """If an act has just ended on top of another that was rolled: where the other stands now."""
    over = any(isinstance(event, g.ActionApplied | g.ActionForfeited) for event in events)
    act = here(situation).act if over else None
    return [] if act is None or not act.rolled else [shifts_set(situation)]


def _over(situation: Situation) -> list[Event]:
    """With every tale told and actors left on one side only, the conflict is over."""
    if situation.conflict is None or not here(situation).out or here(situation).tales or here(situation).acts:
        return []
    standing = actors(situation)
    left = [side for side in situation.here.sides if any(who in standing for who in side)]
    if len(left) > 1:
        return []
    winner = left[0][0] if left else None
    ended = e.ConflictEnded(conflict=situation.here.id, how="taken-out", winner=winner)
    return [*all_defences(situation), ended]
