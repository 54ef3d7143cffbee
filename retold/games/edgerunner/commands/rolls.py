"""Rolls in conflicts: an act's dice, and more shifts by stress, consequences or spin."""

from __future__ import annotations

from retold.game import Event, Refused, Situation, Words, decide_roll, dice, possessive
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import shifts_set, situation_after
from retold.games.edgerunner.commands.positions import (
    actor,
    are_allies,
    current_conflict,
    open_roll,
    track_meant,
    without_other_game,
)
from retold.games.edgerunner.commands.stress import check_harm_named, consequences, strain_cost, stress
from retold.games.edgerunner.commands.turns import check_nothing_open, describe_act
from retold.games.edgerunner.commands.verbs import Boost, Roll, SpendSpin
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act
from retold.games.edgerunner.state import Action, OpenRoll

FUDGE_DICE = (dice.FUDGE,) * rules.DICE
"""Dice of every roll: four fudge dice."""

DICE = dice.dice_text(FUDGE_DICE)
"""Their notation."""


def skill_dice(situation: Situation, who: int | None, text: Words | None = None) -> e.DiceRolled:
    """Rolls four fudge dice for `who`; returns the event with their faces.

    Raises Refused for dice that do not fit; for a total alone with faces that have it.
    """
    total = "".join(situation.luck.results_left).removeprefix("total").removeprefix("+")
    if total in _FACES_OF:
        raise Refused(f"Fudge dice are typed one by one; for {total} in all: = {_FACES_OF[total]}.")
    faces = situation.luck.faces(FUDGE_DICE)
    return e.DiceRolled(conflict=situation.where, who=who, dice=DICE, faces=faces, text=text)


_FACES_OF = {
    str(sum(map(dice.face_value, faces))): "".join(faces)
    for faces in (sign * count + "0" * (rules.DICE - count) for sign in "-+" for count in range(5))
}
"""Faces of four fudge dice by their total, as typed."""


def roll(situation: Situation, command: Roll) -> list[Event]:
    """Returns the events of rolling the announced act's dice; with named dice (`2d6`), of rolling these.

    Raises Refused if no act is announced, it is rolled already, or a question waits for an answer.
    """
    if command.dice is not None:
        return decide_roll(situation, command)
    if command.traits or command.setup:
        raise Refused("In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL.")
    act = current_conflict(situation).act
    if act is None:
        raise Refused(
            "No act is announced: declare NAME ACT, or announce and roll it at once (attack NAME …)."
        )
    if act.rolled or act.act is Act.SIMPLE or command.who not in (None, act.who):
        raise Refused(describe_act(situation, act))
    if command.upgrade is not None:
        raise Refused("An upgrade is named when the act is announced: forfeit, or roll without --upgrade.")
    check_nothing_open(situation)
    return act_dice(situation, command.text)


def act_dice(situation: Situation, text: Words | None = None) -> list[Event]:
    """Rolls the current act's dice; returns the events with dice, total, and strain of an upgrade used.

    A continued act is not rolled: only its total is returned.
    """
    act = current_conflict(situation).act
    assert act is not None  # noqa: S101 -- it has just been announced
    if act.continued:
        return [shifts_set(situation)]
    rolled = skill_dice(situation, act.who, text)
    total = sum(rolled.faces)
    return [
        rolled,
        shifts_set(situation, total),
        *strain_cost(situation, act.who, act.upgrade, total, own=True),
    ]


# --- more shifts ------------------------------------------------------------------------------------------


def boost(situation: Situation, command: Boost) -> list[Event]:
    """Returns the events by which a roller takes stress or consequences and adds their shifts to the roll.

    Raises Refused for another's roll, and where the option boost_with_stress rules stress out.
    """
    situation = without_other_game(situation, command.who)
    roll, who = open_roll(situation), command.who
    if who != roll.who:
        raise Refused(
            f"It is {possessive(situation.name(roll.who))} roll, and a boost is only for one's own."
        )
    check_harm_named(situation, who, command)
    if command.tracks and not _may_strain(situation, roll, command):
        raise Refused(
            "Stress raises nothing but a move here (option boost_with_stress); a consequence raises any roll."
        )
    taken = consequences(situation, who, command, "boost")
    marked = stress(situation, who, command, "boost")
    gained = sum(mark.worth for mark in taken) + sum(mark.amount for mark in marked)
    boosted = g.Boosted(conflict=situation.where, who=who, shifts=gained, text=command.text)
    events: list[Event] = [boosted, *taken, *marked]
    return [*events, shifts_set(situation_after(situation, events))]


def _may_strain(situation: Situation, roll: OpenRoll, command: Boost) -> bool:
    """True if stress may raise this roll under the option boost_with_stress.

    Under `any`, each roll; otherwise a move, or a deployment by stress on leverage.
    """
    if chosen(situation.table, "boost_with_stress") == "any":
        return True
    act = roll.act if isinstance(roll, Action) else None
    tracks = {track_meant(situation, roll.who, typed) for typed in command.tracks}
    return act is Act.MOVE or (act is Act.DEPLOY and tracks == {rules.LEVERAGE})


# --- spin -------------------------------------------------------------------------------------------------


def spend_spin(situation: Situation, command: SpendSpin) -> list[Event]:
    """Returns the events that spend one spin to add 1 shift to the open roll, one's own or an ally's.

    An open roll can still be changed. Raises Refused if `who` holds no spin, and for an opponent's roll.
    """
    roll, who = open_roll(situation), actor(situation, command.who)
    name, holders = situation.name(who), [spin.holder for spin in current_conflict(situation).spins]
    if who not in holders:
        others = f"; {situation.names(holders)} does" if holders else ""
        raise Refused(f"{name} holds no spin{others}.")
    if not are_allies(situation, who, roll.who):
        raise Refused(
            f"It is {possessive(situation.name(roll.who))} roll:"
            f" a spin of {possessive(name)} raises those of {possessive(name)} side."
        )
    spent = g.SpinSpent(conflict=situation.here.id, who=who, text=command.text)
    return [spent, shifts_set(situation_after(situation, [spent]))]
