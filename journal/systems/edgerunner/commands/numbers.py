"""The numbers a ruling may set: fate points, stress, thresholds, the open roll, and who lives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from journal.names import fold
from journal.refused import Refused
from journal.shared.rulings import from_zero, reckoned
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import after, conclude, shifts_set
from journal.systems.edgerunner.commands.meaning import track_meant
from journal.systems.edgerunner.commands.sheets import MOST_BOXES, whole
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.stress import Blow, struck
from journal.systems.edgerunner.state import Border, current, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

DEAD: Final = "dead"
KILLER: Final = "killer"
MOST_POINTS: Final = 999
MOST_SHIFTS: Final = 99


class _Said(NamedTuple):
    """One number of a ruling: whose it is, what is said of it, and the ruling it stands in."""

    who: int
    setting: e.Setting
    ruling: e.RulingMade


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """What a ruling comes to, number by number, each as the one before has left the table."""
    events: list[Event] = []
    for setting in ruling.sets:
        events += _set(after(situation, events), setting, ruling)
    return conclude(situation, events)


def _set(situation: Situation, setting: e.Setting, ruling: e.RulingMade) -> list[Event]:
    if setting.person is None:
        return [_border(situation, setting)]
    said, what = _Said(setting.person, setting, ruling), fold(setting.what)
    if what in NUMBERS:
        return NUMBERS[what](situation, said)
    track, _, number = what.rpartition(" ")
    if number in OF_A_TRACK:
        return OF_A_TRACK[number](situation, said, track)
    name = situation.name(said.who)
    raise Refused(
        f"A ruling sets points, shifts, out, dead, or a track's stress or threshold ({name}.cool-stress+=2,"
        f" {name}.cool-threshold=4), not {setting.what}."
    )


def _up_to(most: int, value: int) -> int:
    if from_zero(value) > most:
        raise Refused(f"{value} is too much: {most} is the most a ruling sets here.")
    return value


# --- fate points and shifts -------------------------------------------------------------------------------


def _points(situation: Situation, said: _Said) -> list[Event]:
    """The fate points of a player, by their own name or by whom they play."""
    own = shelf(situation.table)
    hand = own.hand(said.who)
    if hand == GM:
        raise Refused(
            f"{situation.name(said.who)} draws on the referee's fate points, and these are not counted."
        )
    value = _up_to(MOST_POINTS, reckoned(said.setting, own.held(hand)))
    return [g.NumberSet(conflict=situation.where, on=hand, what="points", value=value)]


def _shifts(situation: Situation, said: _Said) -> list[Event]:
    """The open roll stands where the ruling says."""
    roll, who = current(situation.table, situation.conflict), said.who
    if roll is None or roll.who != who or not roll.rolled:
        raise Refused(f"{situation.name(who)} has no roll open whose shifts could be set.")
    value = reckoned(said.setting, roll.shifts)
    if abs(value) > MOST_SHIFTS:
        raise Refused(f"A roll stands between -{MOST_SHIFTS} and {MOST_SHIFTS} shifts, not at {value}.")
    ruled = g.NumberSet(conflict=situation.where, on=who, what="shifts", value=value)
    return [ruled, shifts_set(after(situation, [ruled]))]


# --- tracks and borders -----------------------------------------------------------------------------------


def _stress(situation: Situation, said: _Said, typed: str) -> list[Event]:
    """Stress that nobody dealt: it is marked like any other, or the track is clear."""
    who, setting = said.who, said.setting
    track, name = track_meant(situation, who, typed or None), situation.name(who)
    if setting.op == "=" and setting.value == 0:
        if not shelf(situation.table).marked(who, track):
            raise Refused(f"{name} has no box marked on {track}.")
        return [g.StressCleared(who=who, tracks=(track,))]
    amount = reckoned(setting, 0)
    if setting.op != "+=" or not 1 <= amount <= MOST_BOXES:
        raise Refused(
            f"Stress is taken, or all of it is gone: {name}.{track}-stress+=2, {name}.{track}-stress=0."
        )
    return struck(situation, who, Blow(track, amount, None, "ruling"))


def _threshold(situation: Situation, said: _Said, typed: str) -> list[Event]:
    """What a track can take by itself, while nobody defends it."""
    own = shelf(situation.table)
    track = track_meant(situation, said.who, typed or None)
    bearer = own.bearer(said.who, track)
    value = _up_to(MOST_BOXES, reckoned(said.setting, own.own_threshold(bearer, track)))
    return [g.NumberSet(conflict=situation.where, on=bearer, what="threshold", track=track, value=value)]


def _border(situation: Situation, setting: e.Setting) -> g.NumberSet:
    """What a border can take, by its name: `ruling Dock-Aisle=4: a steel door`."""
    state = None if situation.conflict is None else here(situation)
    border = None if state is None else state.border_named(setting.what)
    if border is None:
        raise Refused(
            "A ruling sets somebody's number (ruling Gatto.points+=1: why) or what a border can take"
            f" (ruling Dock-Aisle=4: why), not {setting.what}."
        )
    return border_threshold(situation, border, str(reckoned(setting, border.threshold or 0)))


def border_threshold(situation: Situation, border: Border, typed: str) -> g.NumberSet:
    """What a border can take from now on."""
    value = whole(typed)
    if value is None:
        raise Refused(f"What a border can take is a number: ruling threshold=4: why, not {typed}.")
    return g.NumberSet(
        conflict=situation.here.id, on=border.name, what="threshold", value=_up_to(MOST_BOXES, value)
    )


# --- out and dead -----------------------------------------------------------------------------------------


def _check_said(situation: Situation, said: _Said) -> None:
    if reckoned(said.setting, 0) != 1:
        name, what = situation.name(said.who), said.setting.what
        raise Refused(f"That is said once, and undo takes it back: {name}.{what}=1.")


def _taken_out(situation: Situation, said: _Said) -> list[Event]:
    _check_said(situation, said)
    if situation.conflict is not None and said.who in here(situation).out:
        raise Refused(f"{situation.name(said.who)} is taken out already.")
    return [struck_out(situation, said.who)]


def struck_out(situation: Situation, who: int) -> g.TakenOut:
    """Somebody is out by nobody's act: by what an upgrade strains them, or because it is said."""
    owed = shelf(situation.table).owed.get(who)
    track, over = (None, 0) if owed is None else (owed.track, owed.left)
    return g.TakenOut(conflict=situation.where, on=who, by=None, track=track, over=over)


def _killed(situation: Situation, said: _Said) -> list[Event]:
    """Somebody has no way back; who meant that to be has their humanity filled."""
    _check_said(situation, said)
    if said.who in shelf(situation.table).dead:
        raise Refused(f"{situation.name(said.who)} is dead already.")
    by = _killer(situation, said)
    dead = g.CharacterKilled(conflict=situation.where, who=said.who, by=by)
    return [dead, *_filled(situation, by)]


def _killer(situation: Situation, said: _Said) -> int | None:
    """Who is said to have killed; else who took the dead out, this evening and in their last conflict."""
    claims = {one.person: one.value for one in said.ruling.sets if fold(one.what) == KILLER}
    killers = [who for who, value in claims.items() if value and who is not None]
    if len(killers) > 1:
        raise Refused(f"One kills, and {situation.names(killers)} are several.")
    felled_by = shelf(situation.table).felled.get(said.who)
    return killers[0] if killers else None if felled_by in claims else felled_by


def _filled(situation: Situation, killer: int | None) -> list[Event]:
    own, track = shelf(situation.table), rules.HUMANITY
    if killer is None or track not in own.tracks(killer):
        return []
    threshold, marked = own.threshold(killer, track), own.marked(killer, track)
    boxes = tuple(box for box in range(1, threshold + 1) if box not in marked)
    if not boxes:
        return []
    return [
        g.StressMarked(
            conflict=situation.where,
            on=killer,
            track=track,
            amount=threshold,
            boxes=boxes,
            threshold=threshold,
            why="killing",
        )
    ]


def _with_the_dead(situation: Situation, said: _Said) -> list[Event]:
    """`killer` says nothing by itself."""
    del situation
    if not any(fold(one.what) == DEAD for one in said.ruling.sets):
        raise Refused("A killer goes with whom they killed: ruling Gatto.dead=1 Hargan.killer=1: why.")
    return []


NUMBERS: Final[Mapping[str, Callable[[Situation, _Said], list[Event]]]] = {
    "points": _points,
    "shifts": _shifts,
    "out": _taken_out,
    DEAD: _killed,
    KILLER: _with_the_dead,
}
"""What may be set of somebody."""

OF_A_TRACK: Final[Mapping[str, Callable[[Situation, _Said, str], list[Event]]]] = {
    "stress": _stress,
    "threshold": _threshold,
}
"""What may be set of a track, after its name: `cool-stress`; of whoever has only one, it needs no name."""
