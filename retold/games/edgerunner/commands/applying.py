"""Resisting a roll, applying an act's shifts, and applying a rolled act before the next command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from msgspec.structs import replace

from retold.game import (
    YET_TO_FIND,
    Command,
    Decision,
    Event,
    NotSaid,
    Refused,
    Situation,
    Table,
    Words,
    normalise,
    possessive,
    quoted,
)
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.acts import (
    outcome_of_attack,
    outcome_of_defence,
    outcome_of_deployment,
    outcome_of_maneuver,
    outcome_of_recovery,
)
from retold.games.edgerunner.commands.follow_ups import (
    is_cut_off,
    shifts_set,
    situation_after,
    with_follow_ups,
)
from retold.games.edgerunner.commands.positions import (
    are_allies,
    check_not_out,
    current_conflict,
    open_roll,
    target_gone,
    track_meant,
    upgrade_meant,
    without_other_game,
)
from retold.games.edgerunner.commands.stress import (
    Armour,
    asset_overflow,
    boxes_for,
    consequences,
    names_harm,
    patron,
    strain_cost,
    stress,
)
from retold.games.edgerunner.commands.turns import act_in_words, check_nothing_open, describe_act
from retold.games.edgerunner.commands.verbs import Apply, Resist
from retold.games.edgerunner.commands.zones import outcome_of_move
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act, Role
from retold.games.edgerunner.state import Action, OpenRoll, Owed, game_state

# --- resist -----------------------------------------------------------------------------------------------


def resist(situation: Situation, command: Resist) -> list[Event]:
    """Returns the events by which `who` takes stress or consequences, to reduce the roll against them.

    If they owe stress for an upgrade, takes that instead. Raises Refused for people who are no target,
    unless they are a nomad relieving a comrade or the faction of an attacked asset.
    """
    situation = without_other_game(situation, command.who)
    who = command.who
    owed = game_state(situation.table).owed.get(who)
    if owed is not None:
        return _strain_taken(situation, who, owed, _with_track(situation, command, owed.track))
    roll = open_roll(situation)
    struck = roll.target if isinstance(roll, Action) and roll.act is Act.ATTACK else None
    is_patron = isinstance(struck, int) and patron(situation, struck) == who
    if is_patron and who not in roll.targets and command.comrade is None:
        return _overflow_reduced(situation, roll, who, command)
    if command.comrade is None:
        _check_may_resist(situation, roll, who)
    else:
        _check_may_relieve(situation, roll, who, command.comrade)
        slots = sum(getattr(command, severity.value) is not None for severity in rules.Severity)
        if slots + len(command.tracks) > 1:
            raise Refused("A nomad takes stress or one consequence of a hit, not more.")
    least = 0 if isinstance(roll, Action) and roll.act is Act.MANEUVER else 1  # a maneuver succeeds at 0
    if isinstance(roll, Action) and roll.shifts < least:
        raise Refused(f"The roll is at {roll.shifts}: there is nothing left to resist.")
    track = roll.track if isinstance(roll, Action) and roll.act is Act.ATTACK else None
    return _resisted(situation, roll, who, _with_track(situation, command, track))


def _with_track(situation: Situation, command: Resist, struck: str | None) -> Resist:
    """Returns the command with the track that is struck, or the only one, if it names nothing to take.

    Raises Refused if several tracks could be meant.
    """
    if names_harm(command):
        return command
    own = game_state(situation.table).tracks(command.who)
    if struck is None and len(own) > 1:
        whose = possessive(situation.name(command.who))
        raise NotSaid(f"Say on which of {whose} tracks: {', '.join(own)}.", "tracks", own[0])
    return replace(command, tracks=(track_meant(situation, command.who, struck),))


def _resisted(situation: Situation, roll: OpenRoll, who: int, command: Resist) -> list[Event]:
    armour, used, cost = _armour_used(situation, roll, who, command.upgrade)
    due = None
    if isinstance(roll, Action) and roll.act is Act.ATTACK and roll.track is not None:
        more = armour.boost if armour is not None and normalise(armour.track) == normalise(roll.track) else 0
        due = _StressDue(
            roll.track, roll.shifts, f"apply, and {situation.name(command.comrade or who)} is out", more
        )
    taken, shifts = _taken(situation, command, "resist", roll.shifts, due=due, armour=armour)
    resisted = g.Resisted(
        conflict=situation.where,
        who=who,
        shifts=shifts,
        comrade=command.comrade,
        upgrade=used,
        text=command.text,
    )
    return [resisted, *taken, shifts_set(situation_after(situation, [resisted, *taken])), *cost]


def _taken(
    situation: Situation,
    command: Resist,
    why: Literal["resist", "strain"],
    shifts: int,
    *,
    due: _StressDue | None = None,
    armour: Armour | None = None,
) -> tuple[list[Event], int]:
    """Returns the consequences and the stress that a command takes of `shifts`, and their number of shifts.

    A track named alone takes all that the consequences leave; other amounts are refused if stress is `due`.
    """
    who = command.who
    holder = None if why == "strain" else open_roll(situation).who
    taken = consequences(situation, who, command, why, holder=holder, comrade=command.comrade)
    worth = sum(consequence.worth for consequence in taken)
    if command.tracks and not command.amounts:
        command = replace(command, amounts=(max(shifts - worth, 1),))
    if due is not None:
        _check_whole_stress(situation, who, command, due._replace(left=shifts - worth))
    marked = stress(situation, who, command, why, armour)
    return [*taken, *marked], worth + sum(mark.amount for mark in marked)


# --- what strikes a faction through its asset -------------------------------------------------------------


def _overflow_reduced(situation: Situation, roll: OpenRoll, who: int, command: Resist) -> list[Event]:
    """Returns a faction's consequences that absorb stress exceeding its asset's track.

    The rest strikes the faction's prestige once the attack takes effect. Raises Refused if nothing exceeds
    the track, and for stress or upgrades in the command.
    """
    assert isinstance(roll, Action) and isinstance(roll.target, int)  # noqa: S101, PT018 -- seen to before
    name, asset = situation.name(who), situation.name(roll.target)
    if asset_overflow(situation, roll.target, roll.track or "", roll.shifts) < 1:
        raise Refused(f"{asset} takes all of it, and nothing of it strikes {name}.")
    if not names_harm(command) or command.tracks or command.upgrade is not None:
        raise Refused(
            f"What is beyond {possessive(asset)} {roll.track} goes on {possessive(name)} prestige by itself;"
            f" a consequence takes of it: resist {situation.quoted(who)} mild as “what it is”."
        )
    taken, shifts = _taken(situation, command, "resist", roll.shifts)
    resisted = g.Resisted(
        conflict=situation.where, who=who, shifts=shifts, asset=roll.target, text=command.text
    )
    return [resisted, *taken, shifts_set(situation_after(situation, [resisted, *taken]))]


# --- all that is left -------------------------------------------------------------------------------------


class _StressDue(NamedTuple):
    """Stress that must be taken in full: `left` shifts on `track`, once consequences are subtracted.

    `otherwise` is the clause that a refusal ends with if the stress does not fit on the track.
    """

    track: str
    left: int
    otherwise: str
    more: int = 0
    """Bonus of an upgrade to the threshold."""


def _check_whole_stress(situation: Situation, who: int, command: Resist, due: _StressDue) -> None:
    """Raises Refused unless a command names all the stress that must be taken, on the track struck.

    Commands that name no stress pass.
    """
    slots = ((slot, getattr(command, slot)) for slot in rules.Severity)
    beside = "".join(f' {slot} as "{words}"' for slot, words in slots if words is not None)
    line = f"resist {situation.quoted(who)} {due.track} {due.left}{beside}"
    for typed, amount in zip(command.tracks, command.amounts, strict=True):
        if due.left < 1:
            raise Refused(
                "The consequence takes all of it, and leaves no stress:"
                f" resist {situation.quoted(who)}{beside}."
            )
        elsewhere = normalise(track_meant(situation, who, typed)) != normalise(due.track)
        if boxes_for(situation.table, who, due.track, due.left, due.more) is None:
            raise Refused(_no_room(situation, who, command, due))
        if elsewhere:
            raise Refused(f"It strikes {due.track}, and stress goes there: {line}.")
        if amount != due.left:
            raise Refused(f"Stress takes all that is left of it: {line}.")


def _no_room(situation: Situation, who: int, command: Resist, due: _StressDue) -> str:
    """Returns a refusal's sentence: stress exceeds the room on its track, and alternatives to taking it."""
    own = game_state(situation.table)
    marked = len(own.marked(who, due.track))
    room = f"{own.threshold(who, due.track) + due.more}{f', {marked} marked' if marked else ''}"
    fits = "does not fit" if due.left == 1 else "do not fit"
    first = _with_consequence(situation, who, command, due)
    return f"{due.left} {fits} on {due.track} ({room}): {first}{due.otherwise}."


def _with_consequence(situation: Situation, who: int, command: Resist, due: _StressDue) -> str:
    """Returns the beginning of a clause with a line that takes a further consequence; empty if none helps."""
    own = game_state(situation.table)
    named = {slot: getattr(command, slot.value) for slot in rules.Severity}
    for slot in rules.Severity:
        left = due.left - own.sheet(who).worth(slot)
        fits = left < 1 or boxes_for(situation.table, who, due.track, left, due.more) is not None
        if named[slot] is None and own.room_for(who, slot) and fits:
            taken = {**named, slot: str(YET_TO_FIND)}
            words = "".join(
                f' {one} as "{text}"' if one is not slot else f" {one} as {text}"
                for one, text in taken.items()
                if text is not None
            )
            stress_left = f" {due.track} {left}" if left > 0 else ""
            if command.comrade is not None:
                return "a consequence first, or "  # a nomad takes one thing or the other
            armour = "" if command.upgrade is None else f" --upgrade {command.upgrade}"
            return f"resist {situation.quoted(who)}{stress_left}{words}{armour}, or "
    return ""


# --- who may ----------------------------------------------------------------------------------------------


def _check_may_resist(situation: Situation, roll: OpenRoll, who: int) -> None:
    """Raises Refused unless `who` is a target of the roll and, in a conflict, not taken out."""
    if not roll.targets:
        raise Refused(f"{possessive(situation.name(roll.who))} roll has no target that could resist.")
    if who not in roll.targets:
        raise Refused(f"Only the target can resist: {situation.names(roll.targets)}.")
    check_not_out(situation, who)


def _check_may_relieve(situation: Situation, roll: OpenRoll, who: int, comrade: int) -> None:
    """Raises Refused unless `who` is a nomad who can take the hit of an attack on an ally, once per roll."""
    name, friend = situation.name(who), situation.name(comrade)
    if game_state(situation.table).sheet(who).role != Role.NOMAD:
        raise Refused(f"Only a nomad takes a hit for another, and {name} is none (role=nomad).")
    if not isinstance(roll, Action) or roll.act is not Act.ATTACK or comrade not in roll.targets:
        raise Refused(f"There is no attack on {friend} that {name} could take.")
    if who == comrade or not are_allies(situation, who, comrade):
        raise Refused(f"A nomad takes hits for comrades, and {friend} is none of {possessive(name)}.")
    check_not_out(situation, who)
    if who in roll.relieved:
        raise Refused(f"{name} has taken what a nomad may of this hit: stress, or one consequence.")


# --- upgrades ---------------------------------------------------------------------------------------------


def _armour_used(
    situation: Situation, roll: OpenRoll, who: int, typed: str | None
) -> tuple[Armour | None, str | None, list[Event]]:
    """Returns what a target's upgrade does against a roll: threshold bonus, upgrade's name, strain event.

    Strain, the upgrade's stress value minus the attacker's bare dice, must be taken once per roll. Without
    `typed`, None, None and an empty list.
    """
    if typed is None:
        return None, None, []
    name, upgrade = upgrade_meant(situation, who, typed)
    armour = Armour(upgrade.skill, upgrade.boost)
    if (who, name) in roll.armoured:
        return armour, name, []
    return armour, name, strain_cost(situation, who, name, roll.dice, own=False)


def _strain_taken(situation: Situation, who: int, owed: Owed, command: Resist) -> list[Event]:
    """Returns the events by which a person takes the stress they owe for an upgrade.

    Consequences absorb some of it, and the rest is marked on the upgrade's track.
    """
    if command.comrade is not None or command.upgrade is not None:
        name = situation.name(who)
        raise Refused(
            f"{name} takes the strain of {owed.upgrade} first:"
            f" resist {quoted(name)} {owed.track} {owed.left}."
        )
    name, asked = situation.name(who), situation.conflict is not None and who in situation.here.people
    ruling = "out" if asked else f"{quoted(name)}.out=1"
    due = _StressDue(owed.track, owed.left, f"ruling {ruling}: why, and {name} is out")
    taken, shifts = _taken(situation, command, "strain", owed.left, due=due)
    resisted = g.Resisted(
        conflict=situation.where,
        who=who,
        shifts=shifts,
        strain=owed.upgrade,
        text=command.text,
    )
    return [resisted, *taken]


# --- apply ------------------------------------------------------------------------------------------------


_OUTCOMES: Mapping[Act, Callable[[Situation, Action, Apply], list[Event]]] = {
    Act.MOVE: outcome_of_move,
    Act.ATTACK: outcome_of_attack,
    Act.DEFEND: outcome_of_defence,
    Act.MANEUVER: outcome_of_maneuver,
    Act.RECOVER: outcome_of_recovery,
    Act.DEPLOY: outcome_of_deployment,
    Act.SIMPLE: lambda _situation, _act, _command: [],
}


def apply(situation: Situation, command: Apply) -> list[Event]:
    """Returns the events of ending the current act: its final shifts, its outcome, and the text as narration.

    Raises Refused if no act is announced, it is not rolled, or a question waits for an answer.
    """
    act = current_conflict(situation).act
    if act is None:
        raise Refused(
            "No act is on the table that could be applied: attack, move, or another act comes first."
        )
    if not act.rolled and act.act is not Act.SIMPLE:
        raise Refused(describe_act(situation, act))
    if command.boxes and act.act is not Act.RECOVER:
        raise Refused(f"{act_in_words(situation, act)} clears no boxes: apply.")
    check_nothing_open(situation)
    return end_act(situation, command)


def end_act(situation: Situation, command: Apply) -> list[Event]:
    """Returns the events that end the current act: `ActionApplied`, outcome, narration, and their effects.

    The outcome is left out if the target is gone or out of reach.
    """
    act = current_conflict(situation).act
    assert act is not None  # noqa: S101 -- the caller has an open act
    gone = target_gone(situation, act) or is_cut_off(situation, act)
    outcome = [] if gone else _OUTCOMES[act.act](situation, act, command)
    applied = g.ActionApplied(conflict=situation.here.id, who=act.who, act=act.act, shifts=act.shifts)
    narrated = [] if command.text is None else _narration(situation, act, command.text, outcome)
    return with_follow_ups(situation, [applied, *outcome, *narrated])


def _narration(situation: Situation, act: Action, text: Words, outcome: Iterable[Event]) -> list[Event]:
    """Returns the actor's narration, and TaleTold events that settle the fate of people the act took out."""
    out = [event.on for event in outcome if isinstance(event, g.TakenOut)]
    conflict = situation.here.id
    tales = [g.TaleTold(conflict=conflict, on=on, by=act.who) for on in out if isinstance(on, int)]
    return [e.Narrated(conflict=conflict, who=act.who, text=text), *tales]


# --- what is next -----------------------------------------------------------------------------------------


def ending_open_roll(decide: Callable[[Situation, Any], list[Event]]) -> Decision:
    """Returns `decide`, wrapped: a rolled act may take effect before the command (`ends_open_roll`).

    Raises Refused if that would end the conflict.
    """

    def decided(situation: Situation, command: Command) -> list[Event]:
        if not _ends(situation, command):
            return decide(situation, command)
        ended = apply(situation, Apply())
        if any(isinstance(event, e.ConflictEnded) for event in ended):
            raise Refused("Applying the open roll ends the conflict: apply it first.")
        return [*ended, *decide(situation_after(situation, ended), command)]

    return decided


def _ends(situation: Situation, command: Command) -> bool:
    act = current_conflict(situation).act
    return act is not None and act.rolled and ends_open_roll(situation.table, act, command)


_ENDING: Final = (v.BeginExchange, v.ClaimTurn, v.Declare, v.Act, v.Simple, v.Continue)
"""Commands before which a rolled act may take effect."""


def ends_open_roll(table: Table, act: Action, command: Command) -> bool:
    """True if a rolled act takes effect before this command, unless it interrupts.

    It does under the option applies=next, and if it is an attack of no effect. A `declare` without an act is
    speech, and ends no roll.
    """
    spent = act.act is Act.ATTACK and act.shifts < 1
    if not isinstance(command, _ENDING) or not (spent or chosen(table, "applies") == "next"):
        return False
    is_speech = getattr(command, "act", "") is None
    return not (is_speech or getattr(command, "interrupt", False))
