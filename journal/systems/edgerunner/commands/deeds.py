"""What somebody whose turn it is may do: every act with every target it could have, for the rules to sift."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from journal.capabilities import Choice
from journal.refused import tried
from journal.system import Situation
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.acts import cost
from journal.systems.edgerunner.commands.meaning import called_apart
from journal.systems.edgerunner.commands.standing import actors, here, together
from journal.systems.edgerunner.rules import DEPLOYABLE, Kind
from journal.systems.edgerunner.state import THINGS, Aspect, Play, Shelf, shelf
from journal.words import YET_TO_FIND


def deeds(situation: Situation, who: int) -> Iterator[Choice]:
    """Attacks, defences, maneuvers, recoveries, deployments, and what takes no dice."""
    yield from _attacks(situation, who)
    yield from _defences(situation, who)
    yield from _maneuvers(situation, who)
    yield from _recoveries(situation, who)
    yield from _deployments(situation, who)
    yield Choice(who, v.Simple(who=who, text=YET_TO_FIND), "no dice, or to wait")


def _present(situation: Situation) -> Iterator[int]:
    """Everybody and everything with a sheet that an act could be aimed at, taken out or not."""
    own, state = shelf(situation.table), here(situation)
    things = [one for one, sheet in own.sheets.items() if sheet.kind in THINGS]
    for one in dict.fromkeys((*situation.here.people, *state.places, *things)):
        if one not in state.out:
            yield one


def _attacks(situation: Situation, who: int) -> Iterator[Choice]:
    own, state, stress = shelf(situation.table), here(situation), "the shifts are stress"
    for one in _present(situation):
        if not together(situation, one, who):
            for track in own.tracks(one):
                yield Choice(who, v.Attack(who=who, thing=one, track=track), stress)
    for thing in (*(border.name for border in state.borders.values()), *passing(situation)):
        if _is_its_own(situation, thing):
            yield Choice(who, v.Attack(who=who, thing=thing), stress)


def _is_its_own(situation: Situation, thing: str) -> bool:
    """False for what is called like somebody: in a line the name means them."""
    return situation.table.called(thing) is None


def passing(situation: Situation) -> Iterator[str]:
    """The wordings of the aspects that may be attacked: those a declaration or maneuver has put here."""
    own, state = shelf(situation.table), here(situation)
    for aspect in own.aspects.values():
        if aspect.lasting or aspect.severity is not None:
            continue
        if aspect.on in (*situation.here.people, *state.places) or _lies_here(own, aspect, state):
            yield called_apart(situation.table, aspect)


def _lies_here(own: Shelf, aspect: Aspect, state: Play) -> bool:
    """True for an aspect of a thing, or of a place on the map in play."""
    return isinstance(aspect.on, str) and own.stays(aspect, state.named)


def _defences(situation: Situation, who: int) -> Iterator[Choice]:
    own, holds = shelf(situation.table), "the shifts are the threshold"
    for track in own.tracks(who):
        yield Choice(who, v.Defend(who=who, track=track), holds)
    for one in _present(situation):
        if one != who and together(situation, one, who):
            for track in own.tracks(one):
                yield Choice(who, v.Defend(who=who, thing=one, track=track), holds)


def _maneuvers(situation: Situation, who: int) -> Iterator[Choice]:
    zones = [zone for zone in here(situation).zones if _is_its_own(situation, zone)]
    things: list[int | str] = [*_present(situation), *zones, *here(situation).lying]
    for thing in things:
        command = v.Maneuver(who=who, thing=thing, aspect=str(YET_TO_FIND))
        yield Choice(who, command, "an aspect, with free invokes")


def _recoveries(situation: Situation, who: int) -> Iterator[Choice]:
    own, clears = shelf(situation.table), "boxes are clear again"
    for one in _present(situation):
        for track in own.tracks(one) if together(situation, one, who) else ():
            if own.marked(one, track):
                command = v.Recover(who=who, thing=None if one == who else one, track=track)
                yield Choice(who, command, clears)


def _deployments(situation: Situation, who: int) -> Iterator[Choice]:
    own, state = shelf(situation.table), here(situation)
    if own.sheet(who).kind is not Kind.FACTION:
        return
    for asset, sheet in own.sheets.items():
        price = tried(partial(cost, situation, asset)) if sheet.kind in DEPLOYABLE else None
        if price is not None and asset not in (*actors(situation), *state.places):
            for zone in state.zones:
                yield Choice(who, v.Deploy(who=who, asset=asset, zones=(zone,)), f"takes {price} shifts")
