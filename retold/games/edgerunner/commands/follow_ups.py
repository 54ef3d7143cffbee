"""Events that follow from others: new totals of rolls, ended defences, and the end of a conflict."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from retold import game as api
from retold.game import Event, Situation, conflicts
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.positions import active_members, current_conflict
from retold.games.edgerunner.options import NAME, chosen
from retold.games.edgerunner.rules import RangePenalty
from retold.games.edgerunner.state import (
    Action,
    Aspect,
    Border,
    Defence,
    EdgerunnerConflict,
    game_state,
    open_roll_in,
)

situation_after = partial(api.situation_after, game=NAME)
with_further_events = partial(api.advanced, game=NAME)


# --- the open roll ----------------------------------------------------------------------------------------


def shifts_set(situation: Situation, dice: int | None = None) -> g.ShiftsSet:
    """Returns the event with the current roll's parts and total; a given `dice` is a new sum of the dice."""
    roll = open_roll_in(situation.table, situation.conflict)
    assert roll is not None  # noqa: S101 -- the caller has an open roll
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
        conflict=situation.where,
        who=roll.who,
        shifts=sum(parts.values()),
        **{part: value for part, value in parts.items() if value},
    )


def _range(situation: Situation, act: Action) -> int:
    """Returns the shifts an act loses over distance to its farthest target; 0 for targets off the map."""
    away = max((borders or 0 for borders in _distances(situation, act)), default=0)
    return rules.range_penalty(away, act.act, chosen.kind(situation.table, "range_penalty", RangePenalty))


def is_cut_off(situation: Situation, act: Action) -> bool:
    """True if an act loses shifts over distance and no path on the map leads to one of its targets."""
    counts = rules.range_penalty(1, act.act, chosen.kind(situation.table, "range_penalty", RangePenalty))
    return bool(counts) and None in _distances(situation, act)


def _distances(situation: Situation, act: Action) -> list[int | None]:
    """Returns the number of borders between actor and each target; None for a target no path leads to.

    Targets off the map are left out; the list is empty if the actor is off the map.
    """
    state = current_conflict(situation)
    aspect = None if act.about is None else game_state(situation.table).aspects.get(act.about)
    targets = act.targets if isinstance(act.target, int) else (act.target if aspect is None else aspect.on,)
    start = state.places.get(act.who)
    ends = [_ends(state, target) for target in targets if target is not None]
    away = [
        [rules.distance(state.links(), start, zone) for zone in zones]
        for zones in ends
        if start is not None and zones
    ]
    return [min((far for far in few if far is not None), default=None) for few in away]


def _ends(state: EdgerunnerConflict, target: int | str) -> tuple[str, ...]:
    """Returns the zones of a target: one zone, the two zones of a border, or no zone off the map."""
    border = None if isinstance(target, int) else state.border_named(target)
    if border is not None:
        return border.one, border.other
    zone = state.zone_of(target)
    return (zone,) if zone in state.zones else ()


# --- defences ---------------------------------------------------------------------------------------------


def ended_defences(situation: Situation, **which: int | str) -> list[Event]:
    """Returns the events that end each defence of this conflict with these values (`by`, `on`, `track`)."""
    return [
        _reverted(situation, defence)
        for defence in _defences(situation)
        if all(getattr(defence, key) == value for key, value in which.items())
    ]


def defences_with(situation: Situation, people: Iterable[int]) -> list[Event]:
    """Returns one event for each defence in this conflict that `people` gave or had: it ends."""
    ways = [way for who in people for way in ({"by": who}, {"on": who})]
    return [*dict.fromkeys(event for way in ways for event in ended_defences(situation, **way))]


def defences_of_border(situation: Situation, border: Border) -> list[Event]:
    """Returns the event that ends a border's defence; empty if the border is undefended."""
    return [] if border.defence is None else [_reverted(situation, border.defence)]


def closing_events(situation: Situation) -> list[Event]:
    """Returns the events that end a conflict's defences and the free invokes that its maneuvers gave."""
    return [*ended_defences(situation), *_lapsed(situation)]


def _lapsed(situation: Situation) -> list[Event]:
    """Returns the events that end the free invokes of aspects placed by this conflict's maneuvers."""
    made_here = [
        aspect
        for aspect in game_state(situation.table).aspects.values()
        if aspect.maneuvered and aspect.conflict == situation.here.id
    ]
    return [
        g.FreeInvokesLapsed(
            conflict=situation.here.id, aspect=aspect.id, on=aspect.on, wording=aspect.wording
        )
        for aspect in made_here
        if any(aspect.free.values())
    ]


def _defences(situation: Situation) -> list[Defence]:
    """Returns the defences kept up in this conflict: of tracks, then of aspects, then of borders."""
    if situation.conflict is None:
        return []
    own = game_state(situation.table)
    things: list[Aspect | Border] = [*own.aspects.values(), *current_conflict(situation).borders.values()]
    held = [*own.defences.values(), *(thing.defence for thing in things if thing.defence is not None)]
    return [defence for defence in held if defence.conflict == situation.here.id]


def _reverted(situation: Situation, defence: Defence) -> g.ThresholdReverted:
    return g.ThresholdReverted(
        conflict=situation.here.id,
        who=defence.by,
        on=defence.on,
        about=defence.about,
        track=defence.track,
        threshold=undefended(situation, defence.on, defence.track, defence.about),
    )


def undefended(situation: Situation, on: int | str, track: str, about: int | None) -> int:
    """Returns the threshold that a track, aspect or border has without its defence.

    `about` is the id of an aspect; a border without a number has 0.
    """
    if isinstance(on, int):
        return game_state(situation.table).own_threshold(on, track)
    if about is not None:
        return game_state(situation.table).aspects[about].boxes
    border = current_conflict(situation).border_named(on)
    return 0 if border is None else border.threshold or 0


# --- the end ----------------------------------------------------------------------------------------------


def with_follow_ups(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """Returns `events`, followed by the events that they bring about.

    A person taken out loses their defences and announced act; a side wholly taken out has lost; an
    interrupted act's total is updated.
    """
    concluded = list(events)
    out = [event.on for event in concluded if isinstance(event, g.TakenOut) and isinstance(event.on, int)]
    for person in out:
        concluded += ended_defences(situation_after(situation, concluded), by=person)
        concluded += _act_of_person_out(situation_after(situation, concluded), person)
    now = situation_after(situation, concluded)
    return [*concluded, *_conflict_end(now), *_interrupted_total(now, concluded)]


def _act_of_person_out(situation: Situation, person: int) -> list[Event]:
    """Returns the event that cancels the announced act of a person taken out; empty if there is no act."""
    if situation.conflict is None or person not in [act.who for act in current_conflict(situation).acts]:
        return []
    return [g.ActionForfeited(conflict=situation.here.id, who=person, why="out")]


def _interrupted_total(situation: Situation, events: Iterable[Event]) -> list[Event]:
    """Returns the new total of an interrupted act, if `events` end the interrupting act; empty otherwise."""
    over = any(isinstance(event, g.ActionApplied | g.ActionForfeited) for event in events)
    act = current_conflict(situation).act if over else None
    return [] if act is None or not act.rolled else [shifts_set(situation)]


def _conflict_end(situation: Situation) -> list[Event]:
    """Returns the events that end the conflict, if at most one side is left; else empty.

    Empty, too, while an act is unfinished or a fate untold.
    """
    if situation.conflict is None or current_conflict(situation).tales or current_conflict(situation).acts:
        return []
    left = [side for side in situation.here.sides if active_members(situation.table, situation.here, side)]
    if len(left) > 1:
        return []
    winner = left[0][0] if left else None
    beaten = len(left) < len(situation.here.sides)
    how = "taken-out" if beaten and current_conflict(situation).out else conflicts.LEFT
    return [*closing_events(situation), e.ConflictEnded(conflict=situation.here.id, how=how, winner=winner)]
