"""Defences: a threshold raised, or lowered, for as long as somebody keeps at it."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.standing import aim, track_meant
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.state import Action, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """Whose track is meant, the actor's own if nobody is named; Refused for what has no tracks."""
    aimed = aim(situation, who if command.thing is None else command.thing)
    if aimed.person is None:
        raise Refused(f"{aimed.on} has no tracks, so there is none to defend or recover.")
    track = track_meant(situation, aimed.person, command.track)
    return Purpose(target=None if aimed.person == who else aimed.person, track=track)


def bearer(act: Action) -> int:
    """Whose track an act is about."""
    return act.target if isinstance(act.target, int) else act.who


def come_of(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """The shifts are the threshold now."""
    assert act.track is not None  # noqa: S101 -- a defence names one
    defended = bearer(act)
    own = shelf(situation.table).own_threshold(defended, act.track)
    threshold = rules.defended(own, act.shifts, floor=situation.option("defense_floor") == "yes")
    return [
        g.ThresholdReplaced(
            conflict=situation.here.id,
            who=act.who,
            on=defended,
            track=act.track,
            threshold=threshold,
            own=own,
        )
    ]
