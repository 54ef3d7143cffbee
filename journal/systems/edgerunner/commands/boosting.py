"""Boosts: stress and consequences taken for more shifts on a roll of one's own."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import after, shifts_set
from journal.systems.edgerunner.commands.meaning import open_roll, track_meant
from journal.systems.edgerunner.commands.standing import ours
from journal.systems.edgerunner.commands.taking import conflict_id, consequences, named, stress
from journal.systems.edgerunner.commands.verbs import Boost
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state import Action, OpenRoll
from journal.vocabulary.base import Event


def boost(situation: Situation, command: Boost) -> list[Event]:
    """Whoever rolled takes something on themselves, and has as many shifts more."""
    situation = ours(situation, command.who)
    roll, who = open_roll(situation), command.who
    if who != roll.who:
        raise Refused(f"It is {situation.name(roll.who)}'s roll, and nobody boosts another's.")
    named(situation, who, command)
    if command.tracks and not _may_strain(situation, roll, command):
        raise Refused(
            "Stress raises nothing but a move here (option boost_with_stress); a consequence raises any roll."
        )
    taken = consequences(situation, who, command, "boost")
    marked = stress(situation, who, command, "boost")
    gained = sum(one.worth for one in taken) + sum(one.amount for one in marked)
    boosted = g.Boosted(conflict=conflict_id(situation), who=who, shifts=gained, text=command.text)
    events: list[Event] = [boosted, *taken, *marked]
    return [*events, shifts_set(after(situation, events))]


def _may_strain(situation: Situation, roll: OpenRoll, command: Boost) -> bool:
    """Stress raises a move, a faction's leverage what it deploys, and anything where the table plays so."""
    if chosen(situation.table, "boost_with_stress") == "any":
        return True
    act = roll.act if isinstance(roll, Action) else None
    tracks = {track_meant(situation, roll.who, typed) for typed in command.tracks}
    return act is Act.MOVE or (act is Act.DEPLOY and tracks == {rules.LEVERAGE})
