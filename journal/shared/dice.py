"""Dice that no system asked for: a roll is a roll at any table."""

from __future__ import annotations

from journal.decks import dice
from journal.refused import Refused
from journal.system import Situation
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def roll(situation: Situation, command: c.Roll) -> list[Event]:
    """Dice are rolled, or what they showed is checked against the dice there are."""
    if command.dice is None:
        raise Refused("Say which dice: roll NAME 2d6. Skills are rolled where the game has them.")
    sizes = dice.parse(command.dice)
    return [
        e.DiceRolled(
            conflict=situation.conflict.id if situation.conflict else None,
            who=command.who,
            dice=dice.text(sizes),
            faces=situation.luck.faces(sizes),
            text=command.text,
        )
    ]
