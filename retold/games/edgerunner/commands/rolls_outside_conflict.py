"""Skill rolls outside conflicts (challenges, contests, assessments), and spending their shifts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from retold.game import (
    GM,
    Event,
    NotSaid,
    OwnRoll,
    Refused,
    Situation,
    Value,
    clean,
    decide_roll,
    normalise,
    possessive,
    quoted,
)
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import shifts_set, situation_after
from retold.games.edgerunner.commands.positions import (
    aspect_meant,
    bearer_meant,
    faction_bonus,
    is_elsewhere,
    name_of,
    skill_meant,
    upgrade_for,
    without_other_game,
)
from retold.games.edgerunner.commands.rolls import DICE, roll, skill_dice
from retold.games.edgerunner.commands.sheets import read_time
from retold.games.edgerunner.commands.stress import boxes_for, strain_cost
from retold.games.edgerunner.commands.verbs import Assess, Roll, Spend
from retold.games.edgerunner.measures import in_shifts
from retold.games.edgerunner.state import SkillRoll, game_state

TAKES: Final = "takes"
"""Setup key of a roll for the task's duration."""

TIME: Final = "time"
"""Purpose of shifts spent to finish sooner."""


# --- challenges and contests ------------------------------------------------------------------------------


def roll_anywhere(situation: Situation, command: Roll) -> list[Event]:
    """Returns the events of a `roll` typed during a conflict: of the current act's dice, or of a skill.

    A skill is rolled only if all people named are outside the conflict.
    """
    against = () if command.opponent is None else (command.opponent,)
    if command.traits and is_elsewhere(situation, command.who, *against):
        return roll_skill(replace(situation, conflict=None), command)
    return roll(situation, command)


def roll_skill(situation: Situation, command: Roll) -> list[Event]:
    """Returns the events of a skill roll against nothing, a number or an opponent: dice, total, strain.

    Without a person or with dice named (`2d6`), rolls these dice as in other games. Raises Refused unless
    one skill is named, and while strain of an upgrade is still to be taken.
    """
    who = command.who
    if who is None or command.dice is not None:
        return decide_roll(situation, command)
    name = situation.name(who)
    if len(command.traits) != 1:
        line = f"roll {quoted(name)}"
        raise Refused(f"Say which skill, one at a time: {line} SKILL; or which dice: {line} 2d6.")
    _check_no_strain(situation, who)
    against, opposing = _opposed(situation, command)
    skill, level = skill_meant(situation, who, command.traits[0])
    assert skill is not None  # noqa: S101 -- one was named
    upgrade, boost = None, 0
    if command.upgrade is not None:
        upgrade, effect = upgrade_for(situation, who, command.upgrade, skill)
        boost = effect.boost
    rolled = g.SkillRolled(
        who=who,
        skill=skill,
        level=level + boost + faction_bonus(situation, who, command.opponent),
        against=against,
        opponent=command.opponent,
        opposing=opposing,
        takes=_takes(command.setup),
        upgrade=upgrade,
        text=command.text,
    )
    faces = skill_dice(situation, who)
    raw = sum(faces.faces)
    stands = shifts_set(situation_after(situation, [rolled, faces]), dice=raw)
    return [rolled, faces, stands, *strain_cost(situation, who, upgrade, raw, own=True)]


def skill_rolls(situation: Situation, who: int) -> Iterator[OwnRoll]:
    """Yields, for each skill on a person's sheet, the command that rolls it outside conflicts."""
    for skill, level in game_state(situation.table).sheet(who).skills.items():
        command = Roll(who=who, traits=(skill,))
        yield OwnRoll(who, command, f"{DICE}{level:+}[{skill}]", stat=skill, number=level)


def _check_no_strain(situation: Situation, who: int) -> None:
    """Raises Refused while `who` must still take stress for an upgrade they used."""
    owed = game_state(situation.table).owed.get(who)
    if owed is not None:
        name = situation.name(who)
        fits = boxes_for(situation.table, who, owed.track, owed.left) is not None
        line = f"resist {quoted(name)} " + (f"{owed.track} {owed.left}" if fits else 'mild as "…"')
        raise Refused(f"{name} has {owed.left} {owed.track} stress to take for {owed.upgrade} first: {line}.")


def _opposed(situation: Situation, command: Roll) -> tuple[int | None, str | None]:
    """Returns the number rolled against (None: nothing) and the opponent's skill (None: no opponent).

    Raises Refused for a contest with oneself or the game master, and for an opponent without a skill
    named.
    """
    if command.opponent is None:
        return command.target, None
    if command.opponent in (command.who, GM):
        raise Refused("A contest needs another person or a number: vs Hob stealth, or vs 3.")
    if command.skill is None:
        other = situation.name(command.opponent)
        known, same = game_state(situation.table).sheet(command.opponent).skills, command.traits[0]
        opposing = same if same in known else next(iter(known), same)
        raise NotSaid(f"Say with which skill {other} opposes.", "skill", opposing)
    skill, level = skill_meant(situation, command.opponent, command.skill)
    return level, skill


def _takes(setup: Mapping[str, Value]) -> int | None:
    for key in setup:
        if key != TAKES:
            raise Refused(f'A roll takes no {key}=; how long the task takes is {TAKES}="a few weeks".')
    return read_time(str(setup[TAKES])) if TAKES in setup else None


# --- assessments ------------------------------------------------------------------------------------------


def assess(situation: Situation, command: Assess) -> list[Event]:
    """Returns the events of an assessment, a skill roll that may give free invokes of an existing aspect.

    Below 1 shift, it fails. Raises Refused in a conflict, and if there is no aspect to find.
    """
    why = "To look somebody over takes more time than an exchange has"
    situation = _not_in_conflict(situation, why, command.who, command.thing)
    own = game_state(situation.table)
    on = command.thing if isinstance(command.thing, int) else bearer_meant(situation, command.thing)
    candidates = [aspect for aspect in own.aspects.values() if aspect.on == on]
    if not candidates:
        raise Refused(
            f"{name_of(situation, command.thing)} has no aspect to find: aspect NAME WORDING puts one there."
        )
    aspect = aspect_meant(situation, command.aspect, candidates)
    _, level = skill_meant(situation, command.who, command.skill)
    against = _resisted_by(situation, command)
    rolled = skill_dice(situation, command.who)
    shifts = level + sum(rolled.faces) - against
    free = rules.free_invokes(shifts) or 0
    found = {
        "who": command.who,
        "aspect": aspect.id,
        "on": aspect.on,
        "wording": aspect.wording,
        "shifts": shifts,
        "text": command.text,
    }
    if not free:
        return [rolled, g.AssessmentFailed.of(found)]
    return [rolled, g.FreeInvokesGained.of({**found, "free": free})]


def _resisted_by(situation: Situation, command: Assess) -> int:
    if command.opposing is None:
        return command.target or 0
    if isinstance(command.thing, str):
        raise Refused(f"{command.thing} has no skills to oppose with: write a number, vs 2.")
    return skill_meant(situation, command.thing, command.opposing)[1]


# --- spending shifts --------------------------------------------------------------------------------------


def spend(situation: Situation, command: Spend) -> list[Event]:
    """Returns the event that spends shifts of the last roll on time, numbers or results.

    Negative shifts are paid back the same way. Raises Refused for more shifts than are left, and in a
    conflict.
    """
    situation = _not_in_conflict(situation, "In a conflict shifts do what the act does (apply)", command.who)
    made = _last_roll(situation, command.who)
    name, left, total = situation.name(command.who), made.shifts - made.spent, sum(command.shifts)
    if not left:
        raise Refused(f"{name} has no shifts to spend.")
    sign = 1 if left > 0 else -1
    if any(shifts * sign < 1 for shifts in command.shifts):
        many = "1 or more" if sign > 0 else "-1 or less, for they are to be made good"
        line = f"spend {quoted(name)} {quoted(command.on[0])} {left}"
        raise Refused(f"{name} has {in_shifts(left)}; on each thing goes {many}: {line}.")
    if total * sign > left * sign:
        raise Refused(f"{name} has {in_shifts(left)} left, not {total}.")
    spent = tuple(
        g.Spent(on=clean(on), shifts=shifts) for on, shifts in zip(command.on, command.shifts, strict=True)
    )
    takes = _time_left(made, sum(part.shifts for part in spent if normalise(part.on) == TIME))
    return [g.ShiftsSpent(who=command.who, spent=spent, left=left - total, takes=takes, text=command.text)]


def _last_roll(situation: Situation, who: int) -> SkillRoll:
    made = game_state(situation.table).roll
    name = situation.name(who)
    if made is None:
        raise Refused(f"No roll is open to spend shifts of: roll {quoted(name)} SKILL comes first.")
    if made.who != who:
        raise Refused(
            f"The last roll is {possessive(situation.name(made.who))},"
            f" and its shifts are not {possessive(name)} to spend."
        )
    return made


def _time_left(made: SkillRoll, shifts: int) -> int | None:
    """Returns the task's time step once `shifts` are spent on time; None if the roll names no duration.

    Raises Refused if shifts are spent beyond an end of the time track.
    """
    if not shifts or made.takes is None:
        return made.takes
    step = rules.time_after(made.takes, shifts)
    if abs(made.takes - step) < abs(shifts):
        end, least = rules.TIME[step], abs(made.takes - step)
        raise Refused(
            f"From {rules.TIME[made.takes]} to {end} it takes {least}, and there is nothing beyond."
        )
    return step


def _not_in_conflict(situation: Situation, why: str, *people: int | str) -> Situation:
    """Returns the situation, outside any conflict the `people` are not part of.

    Raises Refused with the sentence `why` if they take part in the current conflict.
    """
    situation = without_other_game(situation, *people)
    if situation.conflict is not None:
        raise Refused(f"{why}.")
    return situation
