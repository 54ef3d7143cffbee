"""Consequences that are made milder by a roll against their worth."""

from __future__ import annotations

from typing import Final

from journal.names import clean, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.standing import ours
from journal.systems.edgerunner.commands.taking import check_words
from journal.systems.edgerunner.commands.verbs import Alter
from journal.systems.edgerunner.rules import Severity
from journal.systems.edgerunner.state import SkillRoll, shelf
from journal.vocabulary.base import Event

MILDER: Final = {Severity.SEVERE: Severity.MODERATE, Severity.MODERATE: Severity.MILD}
TIMES: Final = {Severity.SEVERE: "a few weeks", Severity.MODERATE: "a few days"}
"""How long it takes to alter one."""


def alter(situation: Situation, command: Alter) -> list[Event]:
    """The consequence goes into the next milder slot, in the words that are said; once for a roll."""
    situation = ours(situation, command.who)
    name = situation.name(command.who)
    severity, words = _said(command)
    if situation.conflict is not None:
        raise Refused(f"No consequence is altered inside a conflict: it takes more time than {name} has.")
    own = shelf(situation.table)
    borne = own.consequences_of(command.who, severity)
    if not borne:
        raise Refused(f"{name} bears no {severity} consequence.")
    if severity not in MILDER:
        raise Refused(f"Nothing is milder than a mild consequence: clear {quoted(name)} mild.")
    milder = MILDER[severity]
    if not own.room_for(command.who, milder):
        taken = own.consequences_of(command.who, milder)
        held = f": {taken[0].wording}" if taken else ""
        raise Refused(f"{name} has no {milder} slot left for it{held}.")
    roll = _succeeded(situation, command.who, severity)
    wording, bearer = clean(words), borne[0].on
    if isinstance(bearer, int) and wording != borne[0].wording:
        check_words(situation, bearer, wording, ())
    return [
        g.ConsequenceAltered(
            who=command.who,
            aspect=borne[0].id,
            severity=milder,
            wording=wording,
            was=borne[0].wording,
            by=roll.who,
            text=command.text,
        )
    ]


def _said(command: Alter) -> tuple[Severity, str]:
    """Which consequence, and its new words."""
    said = {one: getattr(command, one.value) for one in Severity}
    return next((one, str(words)) for one, words in said.items() if words is not None)


def _succeeded(situation: Situation, who: int, severity: Severity) -> SkillRoll:
    """The last roll, if it was against what the consequence is worth and came to 0 or more."""
    own = shelf(situation.table)
    roll, worth = own.roll, own.sheet(who).worth(severity)
    if roll is None or roll.altered or not roll.contest or roll.opposed != worth or roll.opponent is not None:
        raise Refused(
            f"It takes a contest against {worth}, what it is worth:"
            f' roll NAME SKILL vs {worth} takes="{TIMES[severity]}" comes first.'
        )
    if roll.shifts < 0:
        raise Refused(f"{situation.name(roll.who)}'s roll stands at {roll.shifts}: it takes 0 or more.")
    return roll
