"""Who and what a line means, as the table stands: targets, zones, paths, skills, tracks and aspects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from journal.names import Ambiguous, Unknown, find, find_phrase, fold, nearest, owning, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.standing import here, is_here, what
from journal.systems.edgerunner.options import NAME
from journal.systems.edgerunner.state import Aspect, Border, OpenRoll, Play, Upgrade, current, play, shelf
from journal.table import OpenConflict, Table


class Aimed(NamedTuple):
    """Whom or what an act is aimed at: somebody, a zone, a border, or an aspect."""

    on: int | str
    aspect: Aspect | None = None
    border: Border | None = None

    @property
    def person(self) -> int | None:
        """Somebody by id; None for anything else."""
        return self.on if isinstance(self.on, int) else None


# --- targets ----------------------------------------------------------------------------------------------


def aim(situation: Situation, thing: int | str) -> Aimed:
    """Whom or what is meant; Refused for somebody who is not here and for what nobody has named."""
    if isinstance(thing, int):
        return Aimed(_present(situation, thing))
    state = here(situation)
    for zone in state.zones:
        if fold(zone) == fold(thing):
            return Aimed(zone)
    border = state.border_named(thing)
    if border is not None:
        return Aimed(border.name, border=border)
    aspect = aspect_meant(situation, thing)
    return Aimed(aspect.wording, aspect=aspect)


def check_passing(situation: Situation, aspect: Aspect) -> None:
    """Refuses what no act in a conflict is aimed at: a consequence, and what stands on a sheet."""
    if aspect.severity is not None:
        raise Refused(
            f"“{aspect.wording}” is a consequence, and stays until it is cleared after the conflict."
        )
    if aspect.lasting:
        bearer = situation.name(aspect.on) if isinstance(aspect.on, int) else aspect.on
        raise Refused(
            f"“{aspect.wording}” stands on {owning(bearer)} sheet: only a passing aspect can be attacked."
        )


def _present(situation: Situation, who: int) -> int:
    if is_here(situation, who):
        if who in here(situation).out:
            raise Refused(f"{situation.name(who)} is taken out already.")
        return who
    raise Refused(f"{situation.name(who)} is not in this conflict: {situation.names(situation.here.people)}.")


def aspect_near(situation: Situation, typed: str, near: Collection[int | str]) -> Aspect:
    """The aspect in play that these words stand for; of several alike, the one that is on one of `near`."""
    try:
        return aspect_meant(situation, typed)
    except Ambiguous:
        with suppress(Refused):
            return aspect_meant(situation, typed, _on(situation, near))
        raise


def _on(situation: Situation, near: Collection[int | str]) -> list[Aspect]:
    return [one for one in shelf(situation.table).aspects.values() if one.on in near]


def aspect_meant(situation: Situation, typed: str, among: Iterable[Aspect] | None = None) -> Aspect:
    """The aspect in play that these words stand for; Refused with the nearest for none or several."""
    known = shelf(situation.table).aspects
    if among is not None:
        known = {one.id: one for one in among}
    if not known:
        raise Refused(f"No aspect is in play that “{typed}” could be: aspect NAME WORDING puts one there.")
    try:
        return known[find_phrase(typed, {number: one.wording for number, one in known.items()})]
    except (Ambiguous, Unknown):
        found = _on_its_bearer(situation, typed, known.values())
        if found is not None:
            return found
        alike = _alike(situation, typed, known)
        if len(alike) > 1:
            raise Ambiguous(typed, alike) from None
        raise


def _on_its_bearer(situation: Situation, typed: str, known: Iterable[Aspect]) -> Aspect | None:
    """The aspect meant by `blind on Hargan`: its words, and whom or what it is on."""
    words, _, bearer = typed.rpartition(ON)
    if not words:
        return None
    with suppress(Ambiguous, Unknown):
        there = {one.id: one for one in known}
        bearers = {one.on: (what(situation, one.on),) for one in there.values()}
        on = find(bearer, bearers)
        return there[find_phrase(words, {one.id: one.wording for one in there.values() if one.on == on})]
    return None


def _alike(situation: Situation, typed: str, known: Mapping[int, Aspect]) -> list[str]:
    """The words that tell aspects apart whose own words are the same; nothing where these stand for one."""
    with suppress(Ambiguous, Unknown):
        wanted = find_phrase(typed, {fold(one.wording): one.wording for one in known.values()})
        alike = [one for one in known.values() if fold(one.wording) == wanted]
        return [f"{one.wording}{ON}{what(situation, one.on)}" for one in alike]
    return []


ON: Final = " on "
"""Stands between the words of an aspect and whom or what it is on, where the words alone are not enough."""


def called_apart(table: Table, aspect: Aspect) -> str:
    """The words of an aspect, with whom or what it is on where another has the same words."""
    same = [one for one in shelf(table).aspects.values() if fold(one.wording) == fold(aspect.wording)]
    if len(same) == 1:
        return aspect.wording
    return f"{aspect.wording}{ON}{table.name(aspect.on) if isinstance(aspect.on, int) else aspect.on}"


def track_meant(situation: Situation, who: int, typed: str | None) -> str:
    """A track of somebody's; left out, the only one."""
    tracks = shelf(situation.table).tracks(who)
    name = situation.name(who)
    if not tracks:
        raise Refused(f"{name} has no stress track: cast {quoted(name)} track.integrity=3.")
    if typed is None:
        if len(tracks) > 1:
            raise Refused(f"Say on which of {owning(name)} tracks: {', '.join(tracks)}.")
        return tracks[0]
    try:
        return find(typed, {track: (track,) for track in tracks})
    except Unknown:
        raise Refused(f"{name} has no track {typed}: {', '.join(tracks)}.") from None


# --- skills -----------------------------------------------------------------------------------------------


def skill_meant(situation: Situation, who: int, typed: str | None) -> tuple[str | None, int]:
    """A skill and its level; 0 for one that stands on no sheet, and for none at all.

    Raises Refused for a word that nearly is a skill of theirs, and where it could be several.
    """
    skills = shelf(situation.table).sheet(who).skills
    if typed is None:
        return None, 0
    try:
        found = find(typed, {skill: (skill,) for skill in skills})
    except Unknown:
        if nearest(typed, skills):
            raise
        return fold(typed), 0
    return found, skills[found]


def upgrade_meant(situation: Situation, who: int, typed: str) -> tuple[str, Upgrade]:
    """An upgrade of somebody's, by its name on the sheet; Refused with those they have for any other."""
    upgrades, name = shelf(situation.table).sheet(who).upgrades, situation.name(who)
    try:
        found = find(typed, {upgrade: (upgrade,) for upgrade in upgrades})
    except Unknown:
        have = ", ".join(upgrades) or "none"
        raise Refused(f"{name} has no upgrade {typed}; on the sheet: {have}.") from None
    return found, upgrades[found]


def upgrade_for(situation: Situation, who: int, typed: str, skill: str | None) -> tuple[str, Upgrade]:
    """An upgrade of somebody's that tells on a roll with `skill`; Refused for one that is for another."""
    found, upgrade = upgrade_meant(situation, who, typed)
    if upgrade.skill and fold(upgrade.skill) != fold(skill or ""):
        raise Refused(f"{found} is for {upgrade.skill}, and this is rolled with {skill or 'no skill'}.")
    return found, upgrade


# --- the open roll ----------------------------------------------------------------------------------------


def open_roll(situation: Situation) -> OpenRoll:
    """The roll that may still be changed; Refused where there is none, and before its dice."""
    roll = current(situation.table, situation.conflict)
    if roll is None and situation.conflict is None:
        raise Refused("No roll is open: roll NAME SKILL comes first.")
    if roll is None:
        raise Refused("No roll is open: somebody acts first (attack NAME TARGET with SKILL).")
    if not roll.rolled:
        name = situation.name(roll.who)
        raise Refused(
            f"{owning(name)} act is announced and its dice are not thrown yet: roll {quoted(name)}."
        )
    return roll


# --- the map ----------------------------------------------------------------------------------------------


def zone_meant(situation: Situation, typed: str) -> str:
    """A zone of the map; Refused with the nearest for a word that is none."""
    zones = here(situation).zones
    if not zones:
        raise Refused("There is no map yet: map Dock 1 Aisle draws two zones and a border of 1.")
    return find(typed, {zone: (zone,) for zone in zones})


def place_of(situation: Situation, who: int) -> str:
    """The zone somebody is in; Refused where nobody has said."""
    place = here(situation).places.get(who)
    if place is None:
        name = situation.name(who)
        raise Refused(f"Nobody has said where {name} is: place {quoted(name)} ZONE.")
    return place


def path_meant(situation: Situation, start: str, typed: Sequence[str]) -> tuple[g.Step, ...]:
    """The path over the zones named, from `start`; Refused where no border lies between two of them."""
    steps: list[g.Step] = []
    for word in typed:
        zone, _, way = word.partition(":")
        zone = zone_meant(situation, zone)
        steps.append(g.Step(zone=zone, way=_way(situation, start, zone, way)))
        start = zone
    return tuple(steps)


def _way(situation: Situation, start: str, zone: str, typed: str) -> str:
    ways = here(situation).ways(start, zone)
    if ways is None:
        raise Refused(f"No border lies between {start} and {zone}.")
    if not typed and len(ways) == 1:
        return next(iter(ways))
    shown = ", ".join(f"{zone}:{way} ({value})" for way, value in ways.items())
    if not typed:
        raise Refused(f"There is more than one way from {start} to {zone}: {shown}.")
    try:
        return find(typed, {way: (way,) for way in ways})
    except Unknown:
        raise Refused(f"From {start} to {zone} there is no way {typed}: {shown}.") from None


def cost_of(situation: Situation, start: str, step: g.Step) -> int:
    """The pass value of one step from `start`."""
    ways = here(situation).ways(start, step.zone)
    assert ways is not None  # noqa: S101 -- path_meant has seen to it
    return ways[step.way]


# --- what can be named ------------------------------------------------------------------------------------


def things(table: Table, conflict: OpenConflict | None) -> dict[str, tuple[str, ...]]:
    """The zones and borders of the map, what lies there or has aspects, and every aspect of what is here.

    With a border its two zones.
    """
    named: dict[str, tuple[str, ...]] = {}
    own = shelf(table)
    if conflict is not None and conflict.system == NAME:
        state = play(conflict)
        named |= dict.fromkeys(state.zones, ())
        named |= {border.name: (border.one, border.other) for border in state.borders.values()}
        named |= dict.fromkeys(state.lying, ())
    elif conflict is None and isinstance(own.drawn, Play):
        named |= dict.fromkeys(own.drawn.named, ())
    here = [aspect for aspect in own.aspects.values() if own.stays(aspect, named)]
    words = [aspect.wording for aspect in here]
    apart = (called_apart(table, aspect) for aspect in here)
    return named | dict.fromkeys((*bearers(here), *words, *apart), ())


def bearers(aspects: Iterable[Aspect]) -> list[str]:
    """What has these aspects and is nobody, by name."""
    return [aspect.on for aspect in aspects if isinstance(aspect.on, str)]


def knows(table: Table, person: int) -> bool:
    """True if somebody has a sheet here."""
    return person in shelf(table).sheets
