"""Defences: a threshold raised, or lowered, for as long as somebody keeps at it."""

from __future__ import annotations

from functools import partial

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import undefended
from journal.systems.edgerunner.commands.meaning import aim, check_passing, track_meant
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.trying import tried
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.state import Action
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """Whose track is meant, the actor's own if nobody is named; Refused for what has no tracks."""
    aimed = aim(situation, who if command.thing is None else command.thing)
    if aimed.person is None:
        raise Refused(f"{aimed.on} has no tracks, so there is none to defend or recover.")
    track = track_meant(situation, aimed.person, command.track)
    return Purpose(target=None if aimed.person == who else aimed.person, track=track)


def guarded(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """What is defended: a track, or a border or a passing aspect, which have none."""
    thing = _thing_meant(situation, who, command)
    if thing is None:
        return purpose(situation, who, command)
    aimed = aim(situation, thing)
    if command.thing is not None:
        raise Refused(f"{aimed.on} has no tracks: leave out {command.track}.")
    if aimed.aspect is not None:
        check_passing(situation, aimed.aspect)
        return Purpose(target=aimed.on, about=aimed.aspect.id)
    if aimed.border is None:
        raise Refused(f"{aimed.on} is a zone: tracks, borders and aspects are defended.")
    return Purpose(target=aimed.on)


def _thing_meant(situation: Situation, who: int, command: c.Declare) -> str | None:
    """A border, a zone or an aspect that stands where a line has a track; None where a track is meant."""
    if command.thing is not None or command.track is None:
        return command.thing if isinstance(command.thing, str) else None
    typed = command.track
    if tried(partial(track_meant, situation, who, typed)) is not None:
        return None
    return None if tried(partial(aim, situation, typed)) is None else typed


def bearer(act: Action) -> int:
    """Whose track an act is about."""
    return act.target if isinstance(act.target, int) else act.who


def come_of(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """The shifts are the threshold now."""
    thing = act.track is None and act.target is not None
    defended = act.target if thing and act.target is not None else bearer(act)
    own = undefended(situation, defended, act.track or "", act.about)
    threshold = rules.defended(own, act.shifts, floor=chosen.yes(situation.table, "defense_floor"))
    return [
        g.ThresholdReplaced(
            conflict=situation.here.id,
            who=act.who,
            on=defended,
            about=act.about,
            track=act.track or "",
            threshold=threshold,
            own=own,
        )
    ]
