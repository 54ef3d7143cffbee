"""Aspects that are simply said, declared with dice, or said to be gone."""

from __future__ import annotations

from typing import Final

from journal.names import clean, fold, owning, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.meaning import aspect_meant
from journal.systems.edgerunner.commands.outside import thrown
from journal.systems.edgerunner.commands.standing import here, is_elsewhere, ours, what
from journal.systems.edgerunner.commands.verbs import PlaceAspect
from journal.systems.edgerunner.state import Aspect, Finding, shelf
from journal.vocabulary.base import GM, Event

MOST_VOICES: Final = 99
"""The most who can be for a declaration, or against it."""


def place_aspect(situation: Situation, command: PlaceAspect) -> list[Event]:
    """An aspect comes into play, if the table and the dice will have it where it is declared; or one goes."""
    situation = ours(situation)
    on = _meant(situation, command.thing)
    if command.gone:
        return _removed(situation, command, on)
    wording = clean(command.aspect)
    _check_new(situation, on, wording)
    if command.support is None and command.oppose is None and command.results is None:
        return [_placed(situation, command, on, wording)]
    return _declared(situation, command, on, wording)


# --- what it is on ----------------------------------------------------------------------------------------


def _meant(situation: Situation, thing: int | str) -> int | str:
    """Somebody, a zone or border, a thing that has aspects already, or else simply the name that was said."""
    if thing == GM:
        raise Refused("The game master has no aspects: say whom or what it is on.")
    if isinstance(thing, int):
        return thing
    known = {fold(name): name for name in _places(situation)}
    known |= {fold(one.on): one.on for one in _in_play(situation) if isinstance(one.on, str)}
    if fold(thing) in known:
        return known[fold(thing)]
    if fold(thing) in {fold(one.wording) for one in _in_play(situation)}:
        raise Refused(f"“{thing}” is an aspect itself: say whom or what the other is on.")
    return clean(thing)


def _in_play(situation: Situation) -> list[Aspect]:
    return list(shelf(situation.table).aspects.values())


def _places(situation: Situation) -> list[str]:
    """The zones and borders of the map, if there is one."""
    if situation.conflict is None:
        return []
    state = here(situation)
    return [*state.zones, *(border.name for border in state.borders.values())]


def _on(situation: Situation, on: int | str) -> list[Aspect]:
    return [one for one in _in_play(situation) if one.on == on]


# --- putting one there ------------------------------------------------------------------------------------


def _check_new(situation: Situation, on: int | str, wording: str) -> None:
    bearer = what(situation, on)
    if not fold(wording):
        raise Refused(f"An aspect is words: aspect {quoted(bearer)} Ankle-deep in oil.")
    if any(fold(one.wording) == fold(wording) for one in _on(situation, on)):
        raise Refused(f"{bearer} has that aspect already: invoke it, or find other words.")


def _placed(situation: Situation, command: PlaceAspect, on: int | str, wording: str) -> g.AspectPlaced:
    return g.AspectPlaced(
        conflict=situation.where,
        aspect=shelf(situation.table).next_aspect(situation.table, on),
        on=on,
        wording=wording,
        how="said",
        by=command.by,
        text=command.text,
    )


def _declared(situation: Situation, command: PlaceAspect, on: int | str, wording: str) -> list[Event]:
    """From 0 on it is there, and its shifts are how hard it is to be rid of."""
    support, oppose = command.support or 0, command.oppose or 0
    if not (0 <= support <= MOST_VOICES and 0 <= oppose <= MOST_VOICES):
        raise Refused(f"Say how many are for it and how many against: 0 to {MOST_VOICES} each.")
    rolled = thrown(situation, command.by)
    shifts = rules.rolled(rolled.faces) + rules.declaration(support, oppose)
    free = rules.free_invokes(shifts)
    if free is None:
        failed = g.DeclarationFailed(
            conflict=situation.where, on=on, wording=wording, shifts=shifts, text=command.text
        )
        return [rolled, failed]
    placed = _placed(situation, command, on, wording).but(
        {"how": "declaration", "shifts": shifts, "free": 0 if command.by is None else free}
    )
    return [rolled, placed]


# --- taking one away --------------------------------------------------------------------------------------


def _removed(situation: Situation, command: PlaceAspect, on: int | str) -> list[Event]:
    """What makes no sense any more goes; what stands on a sheet, and a consequence, go otherwise."""
    bearer = what(situation, on)
    there = _on(situation, on)
    if not there:
        raise Refused(f"{bearer} has no aspect that could go.")
    aspect = aspect_meant(situation, command.aspect, there)
    if aspect.key is not None:
        raise Refused(
            f"“{aspect.wording}” stands on {owning(bearer)} sheet: cast {quoted(bearer)} {aspect.key}=none."
        )
    if aspect.severity is not None:
        raise Refused(f"“{aspect.wording}” is a consequence: clear {quoted(bearer)} {aspect.severity}.")
    gone = g.AspectRemoved(
        conflict=situation.where,
        aspect=aspect.id,
        on=on,
        wording=aspect.wording,
        why="said",
        text=command.text,
    )
    return [gone]


# --- what was found out -----------------------------------------------------------------------------------


def finding_meant(situation: Situation, who: int) -> Finding | None:
    """The last assessment or declaration, where `who` has a part in it and no conflict has them."""
    finding = shelf(situation.table).finding
    if finding is None or who not in (finding.who, *finding.targets):
        return None
    beside = ours(situation).conflict is None or is_elsewhere(situation, who)
    return finding if beside else None


def finding_stands(finding: Finding, shifts: int) -> g.FindingStands:
    """Where it stands with so many shifts."""
    free = rules.free_invokes(shifts)
    return g.FindingStands(
        who=None if finding.who == GM else finding.who,
        how="assessment" if finding.assessed else "declaration",
        aspect=finding.aspect,
        on=finding.on,
        wording=finding.wording,
        shifts=shifts,
        free=0 if finding.alone else free or 0,
        there=finding.assessed or free is not None,
    )
