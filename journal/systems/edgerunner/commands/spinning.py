"""Spin: what a move gone wrong gives the other side, spent on a roll of theirs."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import after, shifts_set
from journal.systems.edgerunner.commands.meaning import open_roll
from journal.systems.edgerunner.commands.standing import actor, here, together
from journal.systems.edgerunner.commands.verbs import SpendSpin
from journal.vocabulary.base import Event


def spend_spin(situation: Situation, command: SpendSpin) -> list[Event]:
    """One spin raises the open roll of its holder, or of somebody on their side, by 1."""
    roll, who = open_roll(situation), actor(situation, command.who)
    name, holders = situation.name(who), [spin.holder for spin in here(situation).spins]
    if who not in holders:
        others = f"; {situation.names(holders)} does" if holders else ""
        raise Refused(f"{name} holds no spin{others}.")
    if not together(situation, who, roll.who):
        raise Refused(
            f"It is {situation.name(roll.who)}'s roll: a spin of {name}'s raises those of {name}'s side."
        )
    spent = g.SpinSpent(conflict=situation.here.id, who=who, text=command.text)
    return [spent, shifts_set(after(situation, [spent]))]
