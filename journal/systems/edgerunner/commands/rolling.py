"""The dice of the act announced, where they put it, and what an upgrade costs for them."""

from __future__ import annotations

from journal.decks import dice
from journal.refused import Refused
from journal.shared import dice as table_dice
from journal.system import Situation
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import shifts_set
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.taking import strained
from journal.systems.edgerunner.commands.turns import nothing_open, where_it_stands
from journal.systems.edgerunner.rules import Act
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words

FUDGE_DICE = (dice.FUDGE,) * rules.DICE
"""What every roll of this game is made with."""


def roll(situation: Situation, command: c.Roll) -> list[Event]:
    """The dice of the act announced; dice that no act asks for are rolled as at any table."""
    if command.dice is not None:
        return table_dice.roll(situation, command)
    if command.traits or command.setup:
        raise Refused("In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL.")
    act = here(situation).act
    if act is None:
        raise Refused(
            "No act is announced: declare NAME ACT, or announce and roll it at once (attack NAME …)."
        )
    if act.rolled or act.act is Act.SIMPLE or command.who not in (None, act.who):
        raise Refused(where_it_stands(situation, act))
    if command.upgrade is not None:
        raise Refused("An upgrade is named when the act is announced: forfeit, or roll without --upgrade.")
    nothing_open(situation)
    return thrown(situation, command.text)


def thrown(situation: Situation, text: Words | None = None) -> list[Event]:
    """The dice of the act on the table, and where they put it; one that is continued has its dice already."""
    act = here(situation).act
    assert act is not None  # noqa: S101 -- it has just been announced
    if act.continued:
        return [shifts_set(situation)]
    faces = situation.luck.faces(FUDGE_DICE)
    rolled = e.DiceRolled(
        conflict=situation.here.id, who=act.who, dice=dice.text(FUDGE_DICE), faces=faces, text=text
    )
    total = rules.rolled(faces)
    return [rolled, shifts_set(situation, total), *strained(situation, act.who, act.upgrade, total, own=True)]
