"""Recoveries: boxes of a track that are clear again."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import guarding
from journal.systems.edgerunner.commands.ahead import defences_of
from journal.systems.edgerunner.commands.guarding import bearer
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.standing import actors, here, opposes
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.state import Action, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event

_SHOWN = 12
"""How many choices of boxes a sentence names."""


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """Whose track; Refused where nothing is marked, and for another who has acted: it takes both turns."""
    meant = guarding.purpose(situation, who, command)
    whom = meant.target if isinstance(meant.target, int) else who
    name = situation.name(whom)
    if not shelf(situation.table).marked(whom, meant.track or ""):
        raise Refused(f"Nothing is marked on {name}'s {meant.track}.")
    check_together(situation, who, whom)
    if not command.agreed and whom in actors(situation) and opposes(situation, who, whom):
        raise Refused(f"{name} stands on another side, and would give their turn for it: add --agreed.")
    return meant


def check_together(situation: Situation, who: int, whom: int) -> None:
    """Refuses to help somebody who has acted: to recover another takes both turns."""
    if whom != who and whom in actors(situation) and whom in here(situation).acted:
        name = situation.name(whom)
        raise Refused(f"{name} has acted in this exchange, and to recover another takes both turns.")


def come_of(situation: Situation, act: Action, command: Apply) -> list[Event]:
    """Boxes are clear, and whoever is helped keeps up no defence: their turn has gone into it."""
    ended = [one for helped in act.targets for one in defences_of(situation, helped)]
    return [*ended, *_cleared(situation, act, command)]


def _cleared(situation: Situation, act: Action, command: Apply) -> list[Event]:
    """The boxes named are clear; Refused where they cannot be, and where none is named that could."""
    assert act.track is not None  # noqa: S101 -- a recovery names one
    whom, boxes = bearer(act), tuple(sorted(set(command.boxes)))
    marked = shelf(situation.table).marked(whom, act.track)
    choices = rules.recoveries(marked, act.shifts)
    if not choices and not boxes:
        return []
    if boxes not in choices:
        raise Refused(_instead(situation, act, marked, boxes))
    return [g.BoxesCleared(conflict=situation.here.id, who=act.who, on=whom, track=act.track, boxes=boxes)]


def _instead(situation: Situation, act: Action, marked: set[int], boxes: tuple[int, ...]) -> str:
    """Why these boxes are not cleared, and which can be."""
    track = f"{situation.name(bearer(act))}'s {act.track}"
    choices = rules.recoveries(marked, act.shifts)
    shown = ", ".join("apply " + " ".join(map(str, choice)) for choice in choices[:_SHOWN])
    can = f"It can be: {shown}." if choices else "They clear nothing: apply."
    if not boxes:
        return f"Say which boxes of {track} are cleared with {act.shifts} shifts. {can}"
    if not marked.issuperset(boxes):
        there = ", ".join(map(str, sorted(marked))) or "none"
        return f"Not all of these boxes of {track} are marked ({there}). {can}"
    cost = rules.recovery_cost(boxes)
    return f"These boxes of {track} take {cost} shifts, and there are {act.shifts}. {can}"
