"""Outside conflicts stress goes away, and consequences are over."""

from __future__ import annotations

from journal.names import fold, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import track_meant
from journal.systems.edgerunner.commands.standing import ours
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.rules import Severity
from journal.systems.edgerunner.state import shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


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
