"""Attacks: on somebody's track, on a border, or on an aspect."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import Aimed, aim, check_passing, track_meant
from journal.systems.edgerunner.commands.purpose import Purpose
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.taking import Blow, struck, thing_struck
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.rules import Kind, Role
from journal.systems.edgerunner.state import Action, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def purpose(situation: Situation, who: int, command: c.Declare) -> Purpose:
    """What is attacked; Refused for what has no track and no boxes, and for oneself."""
    assert command.thing is not None  # noqa: S101 -- the form asks for it
    aimed = aim(situation, command.thing)
    if aimed.person == who:
        raise Refused(f"{situation.name(who)} cannot attack themselves.")
    if aimed.person is not None:
        track = track_meant(situation, aimed.person, command.track)
        check_faction(situation, who, aimed.person, track)
        return Purpose(target=aimed.on, track=track)
    if command.track is not None:
        raise Refused(f"{aimed.on} has no tracks: leave out {command.track}.")
    if aimed.aspect is not None:
        check_passing(situation, aimed.aspect)
        return Purpose(target=aimed.on, about=aimed.aspect.id)
    if aimed.border is None:
        raise Refused(f"{aimed.on} is a zone: people, problems, borders and aspects are attacked.")
    return Purpose(target=aimed.on)


def check_faction(situation: Situation, who: int, target: int, track: str) -> None:
    """Among factions nobody counts but the media, and they against prestige alone."""
    own = shelf(situation.table)
    if own.sheet(target).kind is not Kind.FACTION or own.sheet(who).kind is Kind.FACTION:
        return
    if own.sheet(who).role != Role.MEDIA or track != rules.PRESTIGE:
        faction = situation.name(target)
        raise Refused(
            f"{faction} is a faction: only a media (role=media) can hurt it, and only its prestige."
        )


def come_of(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """What is left is stress."""
    if act.shifts < 1:
        return []
    if isinstance(act.target, int):
        assert act.track is not None  # noqa: S101 -- an attack on somebody names one
        return struck(situation, act.target, Blow(act.track, act.shifts, act.who, "attack"))
    assert act.target is not None  # noqa: S101 -- nobody attacks nothing
    aspect = None if act.about is None else shelf(situation.table).aspects[act.about]
    border = None if aspect is not None else here(situation).border_named(act.target)
    return thing_struck(situation, Aimed(act.target, aspect, border), act.shifts, act.who)
