"""Consequences are made milder, and cleared; so is stress."""

from __future__ import annotations

from typing import Final

from journal.names import clean, fold, owning, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import track_meant
from journal.systems.edgerunner.commands.standing import ours
from journal.systems.edgerunner.commands.stress import check_words
from journal.systems.edgerunner.commands.verbs import Alter
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.rules import Severity
from journal.systems.edgerunner.state import SkillRoll, shelf
from journal.vocabulary import commands as c
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
        raise Refused(f"{owning(situation.name(roll.who))} roll stands at {roll.shifts}: it takes 0 or more.")
    return roll


# --- cleared ----------------------------------------------------------------------------------------------


def clear(situation: Situation, command: c.Clear) -> list[Event]:
    """A whole track is clear, or all of them; or the consequences of one severity are over."""
    situation = ours(situation, command.who)
    name = situation.name(command.who)
    _check_at_rest(situation, command.who)
    if command.n is not None:
        _cleared(situation, command)
        raise Refused(f"All of it goes at once: clear {quoted(name)} {quoted(command.track)}.")
    return _cleared(situation, command)


def _cleared(situation: Situation, command: c.Clear) -> list[Event]:
    """What a whole track, or a severity, comes to; Refused where there is nothing to clear."""
    if fold(command.track) in tuple(Severity):
        return _consequences(situation, command, Severity(fold(command.track)))
    return [_stress(situation, command)]


def _check_at_rest(situation: Situation, who: int) -> None:
    fought = [one for one in situation.table.conflicts.values() if one.system == NAME and who in one.people]
    if situation.conflict is not None or fought:
        line = f"recover {situation.quoted(who)} TRACK"
        raise Refused(f"Nothing is cleared inside a conflict; stress is recovered: {line}.")


def _consequences(situation: Situation, command: c.Clear, severity: Severity) -> list[Event]:
    borne = shelf(situation.table).consequences_of(command.who, severity)
    if not borne:
        raise Refused(f"{situation.name(command.who)} bears no {severity} consequence.")
    return [
        g.ConsequenceCleared(
            who=command.who, severity=severity, aspect=one.id, wording=one.wording, text=command.text
        )
        for one in borne
    ]


def _stress(situation: Situation, command: c.Clear) -> g.StressCleared:
    """The tracks with a box marked: the one named, or by `stress` all of somebody's."""
    own, who = shelf(situation.table), command.who
    every = fold(command.track) == rules.STRESS
    tracks = own.tracks(who) if every else (track_meant(situation, who, command.track),)
    marked = tuple(track for track in tracks if own.marked(who, track))
    if not marked:
        where = "any track" if every else tracks[0]
        raise Refused(f"{situation.name(who)} has no box marked on {where}.")
    return g.StressCleared(who=who, tracks=marked, text=command.text)
