"""Finds what names in commands mean: targets, zones, paths, skills, tracks, aspects.

Also tells who is present and on which side, and pays fate points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from msgspec.structs import replace

from retold.game import (
    CLOSE,
    GM,
    Ambiguous,
    Event,
    NotSaid,
    OpenConflict,
    Refused,
    Situation,
    Table,
    Unknown,
    clean,
    find,
    find_phrase,
    nearest,
    normalise,
    possessive,
    quoted,
)
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import NAME
from retold.games.edgerunner.rules import Kind
from retold.games.edgerunner.state import (
    THINGS,
    Action,
    Aspect,
    Border,
    EdgerunnerConflict,
    OpenRoll,
    Upgrade,
    conflict_state,
    game_state,
    open_roll_in,
    people_with_turns,
    takes_turns,
)


def current_conflict(situation: Situation) -> EdgerunnerConflict:
    """Returns Edgerunner's state of the situation's conflict."""
    return conflict_state(situation.here)


def without_other_game(situation: Situation, *people: int | str | None) -> Situation:
    """Returns the situation without its conflict, if that belongs to another game or concerns other people.

    An Edgerunner conflict goes if `people` are named and none of them takes part in it.
    """
    conflict = situation.conflict
    if conflict is None or (conflict.system == NAME and not is_elsewhere(situation, *people)):
        return situation
    return replace(situation, conflict=None)


def is_elsewhere(situation: Situation, *people: int | str | None) -> bool:
    """True if each person named has a sheet and none is in the situation's conflict; False without names."""
    own, named = game_state(situation.table), [who for who in people if who is not None]
    return bool(named) and all(
        isinstance(who, int) and who in own.sheets and not is_here(situation, who) for who in named
    )


def name_of(situation: Situation, on: int | str) -> str:
    """Returns a person's name for an id, and a thing's name as it is."""
    return situation.name(on) if isinstance(on, int) else on


# --- people -----------------------------------------------------------------------------------------------


def active_members(table: Table, conflict: OpenConflict, side: Iterable[int]) -> tuple[int, ...]:
    """Returns the members of a side who keep it in the conflict: people not taken out who can act.

    On a side without people who can act, its things count instead, unless they are only followers.
    """
    own, state, members = game_state(table), conflict_state(conflict), tuple(side)
    able = [who for who in members if takes_turns(own, who)]
    return tuple(
        who for who in able or members if who not in state.out and (able or who not in state.followers)
    )


def actors(situation: Situation) -> tuple[int, ...]:
    """Returns the people with a turn in each exchange of the current conflict, without people taken out."""
    return people_with_turns(situation.table, situation.here)


def among_people(situation: Situation) -> bool:
    """True if a person other than a faction can act in the conflict."""
    own = game_state(situation.table)
    return any(own.sheet(who).kind is not Kind.FACTION for who in actors(situation))


MAP: Final = "map"
PLACES: Final = "places"
METAPHOR: Final = "metaphor"
"""Value of `map=` for an abstract map, on which factions can move."""


def is_immobile(situation: Situation, who: int) -> bool:
    """True if `who` is a faction in a conflict with people, whose map is one of places (`map=places`)."""
    faction = game_state(situation.table).sheet(who).kind is Kind.FACTION
    return faction and among_people(situation) and situation.here.setup.get(MAP) != METAPHOR


def actor(situation: Situation, who: int) -> int:
    """Returns the id `who` itself; raises Refused if they are outside this conflict, or taken out."""
    name = situation.name(who)
    if who not in situation.here.people:
        raise Refused(f"{name} is not in this conflict: {situation.names(situation.here.people)}.")
    if who in current_conflict(situation).out:
        raise Refused(f"{name} is taken out.")
    return who


def check_not_out(situation: Situation, who: int) -> None:
    """Raises Refused for a person of the conflict who is taken out; other people pass."""
    if situation.conflict is not None and who in situation.here.people:
        actor(situation, who)


def faction_bonus(situation: Situation, who: int, target: int | str | None) -> int:
    """Returns the number that a faction adds to a roll against a target; 0 for who is not a faction."""
    own = game_state(situation.table)
    sheet = own.sheets.get(target) if isinstance(target, int) else None
    return own.sheet(who).numbers.get(rules.faction_bonus(None if sheet is None else sheet.kind), 0)


def opposes(situation: Situation, person: int, other: int) -> bool:
    """True if two people belong to different sides of this conflict; False for outsiders."""
    sides = situation.here.side_of(person), situation.here.side_of(other)
    return None not in sides and sides[0] != sides[1]


def are_allies(situation: Situation, person: int, other: int) -> bool:
    """True if two people are on the same side of the conflict, or are the same person."""
    if person == other or situation.conflict is None:
        return person == other
    side = situation.here.side_of(person)
    return side is not None and side == situation.here.side_of(other)


# --- who is still there ------------------------------------------------------------------------------------


def target_gone(situation: Situation, act: Action) -> bool:
    """True if an act's target can no longer be affected: taken out, destroyed, or off map and conflict."""
    state = current_conflict(situation)
    if isinstance(act.target, int):
        return act.target in state.out or not is_here(situation, act.target)
    own = game_state(situation.table)
    if act.about is not None:
        return act.about not in own.aspects
    wiped = act.target in own.mapped and act.target not in state.named
    return wiped or act.target in state.broken


def is_here(situation: Situation, who: int) -> bool:
    """True for people in the conflict, people on its map, and each problem or device with a sheet."""
    present = (*situation.here.people, *current_conflict(situation).places)
    return who in present or game_state(situation.table).sheet(who).kind in THINGS


# --- fate points ------------------------------------------------------------------------------------------


def pay_fate_points(situation: Situation, payer: int, payee: int, why: str, points: int = 1) -> list[Event]:
    """Returns the event that moves fate points between the players of two people; empty if nothing moves.

    The referee (0) has unlimited points and receives what players would pay themselves. Raises Refused if
    the payer has too few.
    """
    own = game_state(situation.table)
    source, target = own.hand(payer), own.hand(payee)
    if source == target:
        target = GM
    if source == target:
        return []
    if source != GM and own.held(source) < points:
        raise Refused(
            f"{situation.name(source)} has {own.held(source)} fate points, and this takes {points}."
        )
    paid = {"payer": source, "payee": target, "points": points, "why": why}
    return [g.FatePointPaid.of({"conflict": situation.where, **paid})]


class Target(NamedTuple):
    """Target of an act: a person's id, or the name of a zone, border or aspect, with the object meant."""

    on: int | str
    aspect: Aspect | None = None
    border: Border | None = None

    @property
    def person(self) -> int | None:
        """Id of a targeted person; None for zones, borders and aspects."""
        return self.on if isinstance(self.on, int) else None


# --- aspects and their bearers ----------------------------------------------------------------------------


def bearer_meant(situation: Situation, thing: str) -> str:
    """Returns the thing that bears an aspect: a name on the map, a known bearer, or a new thing.

    Raises Refused for the wording of an aspect.
    """
    state = EdgerunnerConflict(0) if situation.conflict is None else current_conflict(situation)
    aspects, border = game_state(situation.table).aspects.values(), state.border_named(thing)
    known = [*state.zones, *state.lying, *aspect_bearers(aspects), *([border.name] if border else [])]
    called = thing if border is None else border.name
    named = next((name for name in known if normalise(name) == normalise(called)), None)
    if named is None and normalise(thing) in [normalise(aspect.wording) for aspect in aspects]:
        raise Refused(f"“{thing}” is an aspect itself: name the person or thing that the other is on.")
    return clean(thing) if named is None else named


def aspect_on(situation: Situation, on: int | str, wording: str) -> Aspect | None:
    """Returns the aspect with this wording on a person or thing; None without one."""
    aspects = game_state(situation.table).aspects.values()
    alike = (aspect for aspect in aspects if normalise(aspect.wording) == normalise(wording))
    return next((aspect for aspect in alike if aspect.on == on), None)


def new_wording(situation: Situation, on: int | str, typed: str, line: str) -> str:
    """Returns the trimmed wording of a new aspect; raises Refused if empty or already on its bearer.

    `line` is an example of what to type.
    """
    if not normalise(typed):
        raise Refused(f"An aspect is words: {line}.")
    if aspect_on(situation, on, typed) is not None:
        raise Refused(f"{name_of(situation, on)} has that aspect already: invoke it, or find other words.")
    return clean(typed)


# --- targets ----------------------------------------------------------------------------------------------


def target_meant(situation: Situation, thing: int | str) -> Target:
    """Returns the target for a person's id, or for the typed name of a zone, border or aspect.

    Raises Refused for people outside this conflict or taken out, and for unknown names.
    """
    if isinstance(thing, int):
        return Target(_present(situation, thing))
    state = current_conflict(situation)
    for zone in state.zones:
        if normalise(zone) == normalise(thing):
            return Target(zone)
    border = state.border_named(thing)
    if border is not None:
        return Target(border.name, border=border)
    try:
        aspect = aspect_meant(situation, thing)
    except Unknown as unknown:
        if nearest(thing, unknown.nearest, at_least=CLOSE):
            raise
        line = f"cast {quoted(thing)} kind=device integrity=3"
        raise Unknown(thing, (), f"What has a track to act on is cast: {line}.") from None
    return Target(aspect.wording, aspect=aspect)


def check_passing(situation: Situation, aspect: Aspect) -> None:
    """Raises Refused for consequences and for aspects on sheets, which cannot be attacked or defended."""
    if aspect.severity is not None:
        raise Refused(
            f"“{aspect.wording}” is a consequence, and stays until it is cleared after the conflict."
        )
    if aspect.lasting:
        bearer = situation.name(aspect.on) if isinstance(aspect.on, int) else aspect.on
        raise Refused(
            f"“{aspect.wording}” is on {possessive(bearer)} sheet: only a passing aspect can be attacked."
        )


def _present(situation: Situation, who: int) -> int:
    if is_here(situation, who):
        if who in current_conflict(situation).out:
            raise Refused(f"{situation.name(who)} is taken out already.")
        return who
    raise Refused(f"{situation.name(who)} is not in this conflict: {situation.names(situation.here.people)}.")


def aspect_nearby(situation: Situation, typed: str, near: Sequence[int | str]) -> Aspect:
    """Returns the aspect that the typed words mean: a wording, else a sheet key, else a part of a wording.

    Of several, the one borne by the first of `near` (ids or names of bearers) or by the others is meant.
    Raises Ambiguous if that does not decide.
    """
    known, folded = game_state(situation.table).aspects.values(), normalise(typed)
    if folded not in {normalise(aspect.wording) for aspect in known}:
        keyed = [aspect for aspect in known if (aspect.key or "").partition(".")[2] == folded]
        for bearers in (near[:1], near):
            found = [aspect for aspect in keyed if aspect.on in bearers]
            if len(found) == 1:
                return found[0]
    try:
        return aspect_meant(situation, typed)
    except Ambiguous:
        with suppress(Refused):
            return aspect_meant(situation, typed, (aspect for aspect in known if aspect.on in near))
        raise


def aspects_here(situation: Situation, *people: int) -> list[Aspect]:
    """Returns the aspects on `people`, on people in the conflict, and on things.

    Aspects on places of an earlier map are left out.
    """
    own = game_state(situation.table)
    state = EdgerunnerConflict(0) if situation.conflict is None else current_conflict(situation)
    near = {*people, *state.places, *(() if situation.conflict is None else situation.here.people)}

    return [
        aspect
        for aspect in own.aspects.values()
        if (own.stays(aspect, state.named) if isinstance(aspect.on, str) else aspect.on in near)
    ]


def aspect_meant(situation: Situation, typed: str, among: Iterable[Aspect] | None = None) -> Aspect:
    """Returns the aspect whose wording the typed words match, of `among` or else of all aspects in play.

    `blind on Hargan` names the bearer as well. Raises Refused, with the nearest wordings, for no match or
    several.
    """
    known = game_state(situation.table).aspects
    if among is not None:
        known = {aspect.id: aspect for aspect in among}
    if not known:
        raise Refused(f"No aspect is in play that “{typed}” could be: aspect NAME WORDING puts one there.")
    try:
        return known[find_phrase(typed, {number: aspect.wording for number, aspect in known.items()})]
    except (Ambiguous, Unknown):
        found = _aspect_by_bearer(situation, typed, known.values())
        if found is not None:
            return found
        alike = _same_wordings(situation, typed, known)
        if len(alike) > 1:
            raise Ambiguous(typed, alike) from None
        raise


def _aspect_by_bearer(situation: Situation, typed: str, known: Iterable[Aspect]) -> Aspect | None:
    """Returns the aspect named by wording and bearer, as in `blind on Hargan`; None if that fails."""
    words, _, bearer = typed.rpartition(ON)
    if not words:
        return None
    with suppress(Ambiguous, Unknown):
        there = {aspect.id: aspect for aspect in known}
        bearers = {aspect.on: (name_of(situation, aspect.on),) for aspect in there.values()}
        on = find(bearer, bearers)
        return there[
            find_phrase(words, {aspect.id: aspect.wording for aspect in there.values() if aspect.on == on})
        ]
    return None


def _same_wordings(situation: Situation, typed: str, known: Mapping[int, Aspect]) -> list[str]:
    """Returns texts such as `blind on Hargan`, one per aspect with the wording typed; empty without match."""
    with suppress(Ambiguous, Unknown):
        wanted = find_phrase(typed, {normalise(aspect.wording): aspect.wording for aspect in known.values()})
        alike = [aspect for aspect in known.values() if normalise(aspect.wording) == wanted]
        return [f"{aspect.wording}{ON}{name_of(situation, aspect.on)}" for aspect in alike]
    return []


ON: Final = " on "
"""Separates an aspect's wording from its bearer, if the wording is ambiguous."""


def distinct_name(table: Table, aspect: Aspect) -> str:
    """Returns an aspect's wording; with the bearer (`blind on Hargan`) if another aspect has that wording."""
    same = [
        other
        for other in game_state(table).aspects.values()
        if normalise(other.wording) == normalise(aspect.wording)
    ]
    if len(same) == 1:
        return aspect.wording
    return f"{aspect.wording}{ON}{table.name(aspect.on) if isinstance(aspect.on, int) else aspect.on}"


def track_meant(situation: Situation, who: int, typed: str | None) -> str:
    """Returns the name of the person's stress track that is typed; without `typed`, of their only track.

    Raises Refused for unknown names, without any track, and if one of several must be named.
    """
    tracks = game_state(situation.table).tracks(who)
    name = situation.name(who)
    if not tracks:
        raise Refused(f"{name} has no stress track: cast {quoted(name)} track.integrity=3.")
    if typed is None:
        if len(tracks) > 1:
            raise Refused(f"Say on which of {possessive(name)} tracks: {', '.join(tracks)}.")
        return tracks[0]
    try:
        return find(typed, {track: (track,) for track in tracks})
    except Unknown:
        raise Refused(f"{name} has no track {typed}: {', '.join(tracks)}.") from None


# --- skills -----------------------------------------------------------------------------------------------


def skill_meant(situation: Situation, who: int, typed: str | None) -> tuple[str | None, int]:
    """Returns name and level of the skill typed: the name as typed and level 0 if the sheet lacks it.

    Mooks have one skill for everything: without `typed`, it is theirs, and nothing (`(None, 0)`) for others.
    Raises Refused for near misses of a skill on the sheet, and for ambiguous words.
    """
    sheet = game_state(situation.table).sheet(who)
    skills = sheet.skills
    if typed is None:
        return next(iter(skills.items()), (None, 0)) if sheet.kind is Kind.MOOK else (None, 0)
    try:
        found = find(typed, {skill: (skill,) for skill in skills})
    except Unknown:
        if nearest(typed, skills):
            raise
        return normalise(typed), 0
    return found, skills[found]


def upgrade_meant(situation: Situation, who: int, typed: str) -> tuple[str, Upgrade]:
    """Returns name and values of the upgrade typed; raises Refused if the sheet has no such upgrade."""
    upgrades, name = game_state(situation.table).sheet(who).upgrades, situation.name(who)
    try:
        found = find(typed.removeprefix("+"), {upgrade: (upgrade,) for upgrade in upgrades})
    except Unknown:
        have = ", ".join(upgrades) or "none"
        raise Refused(f"{name} has no upgrade {typed}; on the sheet: {have}.") from None
    return found, upgrades[found]


def upgrade_for(situation: Situation, who: int, typed: str, skill: str | None) -> tuple[str, Upgrade]:
    """Returns name and values of the upgrade typed; raises Refused if it does not help `skill`."""
    found, upgrade = upgrade_meant(situation, who, typed)
    if upgrade.skill and normalise(upgrade.skill) != normalise(skill or ""):
        raise Refused(f"{found} is for {upgrade.skill}, and this is rolled with {skill or 'no skill'}.")
    return found, upgrade


# --- the open roll ----------------------------------------------------------------------------------------


def open_roll(situation: Situation) -> OpenRoll:
    """Returns the roll that can still be changed; raises Refused without a roll, or before its dice."""
    roll = open_roll_in(situation.table, situation.conflict)
    if roll is None and situation.conflict is None:
        raise Refused("No roll is open: roll NAME SKILL comes first.")
    if roll is None:
        raise Refused("No roll is open: act first (attack NAME TARGET with SKILL).")
    if not roll.rolled:
        name = situation.name(roll.who)
        raise Refused(
            f"{possessive(name)} act is announced and its dice are not thrown yet: roll {quoted(name)}."
        )
    return roll


# --- the map ----------------------------------------------------------------------------------------------


def zone_meant(situation: Situation, typed: str) -> str:
    """Returns the name of the zone typed; raises Refused for unknown zones, and if there is no map."""
    zones = current_conflict(situation).zones
    if not zones:
        raise Refused("There is no map yet: map Dock 1 Aisle draws two zones and a border of 1.")
    return find(typed, {zone: (zone,) for zone in zones})


def place_of(situation: Situation, who: int) -> str:
    """Returns the name of a person's zone; raises Refused if they are not on the map."""
    place = current_conflict(situation).places.get(who)
    if place is None:
        name = situation.name(who)
        raise Refused(f"{name} has no zone yet: place {quoted(name)} ZONE.")
    return place


def path_meant(situation: Situation, start: str, typed: Sequence[str]) -> tuple[g.Step, ...]:
    """Returns the steps from zone `start` through the zones typed, each as `ZONE` or `ZONE:WAY`.

    Zones left out are filled in where only one path leads on. Raises Refused without a path, or if a way must
    be named; NotSaid if one of several paths must be.
    """
    steps: list[g.Step] = []
    state = current_conflict(situation)
    for word in typed:
        zone, _, way = word.partition(":")
        zone = zone_meant(situation, zone)
        while state.ways(start, zone) is None and len(onward := _onward(state, start, zone)) == 1:
            steps.append(g.Step(zone=onward[0], way=_way(situation, start, onward[0], "")))
            start = onward[0]
        steps.append(g.Step(zone=zone, way=_way(situation, start, zone, way)))
        start = zone
    return tuple(steps)


def _way(situation: Situation, start: str, zone: str, typed: str) -> str:
    ways = current_conflict(situation).ways(start, zone)
    if ways is None:
        onward = _onward(current_conflict(situation), start, zone)
        sentence = f"No border lies between {start} and {zone}."
        raise NotSaid(sentence, "zones", onward[0]) if onward else Refused(sentence)
    if not typed and len(ways) == 1:
        return next(iter(ways))
    shown = ", ".join(f"{zone}:{way} ({value})" for way, value in ways.items())
    if not typed:
        raise Refused(f"There is more than one way from {start} to {zone}: {shown}.")
    try:
        return find(typed, {way: (way,) for way in ways})
    except Unknown:
        raise Refused(f"From {start} to {zone} there is no way {typed}: {shown}.") from None


def _onward(state: EdgerunnerConflict, start: str, end: str) -> list[str]:
    """Returns the zones beside `start` from which a path leads to another without it, the shortest first."""
    links = {between: ways for between, ways in state.links().items() if start not in between}
    away = ((rules.distance(links, zone, end), zone) for zone in state.zones if state.ways(start, zone))
    return [zone for _, zone in sorted((far, zone) for far, zone in away if far is not None)]


def cost_of(situation: Situation, start: str, step: g.Step) -> int:
    """Returns the pass value, the shifts to cross, of one step from zone `start`."""
    ways = current_conflict(situation).ways(start, step.zone)
    assert ways is not None  # noqa: S101 -- path_meant has seen to it
    return ways[step.way]


# --- what can be named ------------------------------------------------------------------------------------


def things_in_conflict(table: Table, conflict: OpenConflict | None) -> dict[str, tuple[str, ...]]:
    """Returns the names of things that commands can use: zones, borders, things, aspects and their bearers.

    A border maps to its two zones, other names to an empty tuple.
    """
    named: dict[str, tuple[str, ...]] = {}
    own = game_state(table)
    if conflict is not None and conflict.system == NAME:
        state = conflict_state(conflict)
        named |= dict.fromkeys(state.zones, ())
        named |= {border.name: (border.one, border.other) for border in state.borders.values()}
        named |= dict.fromkeys(state.lying, ())
    elif conflict is None and isinstance(own.drawn, EdgerunnerConflict):
        named |= dict.fromkeys(own.drawn.named, ())
    here = [aspect for aspect in own.aspects.values() if own.stays(aspect, named)]
    words = [aspect.wording for aspect in here]
    apart = (distinct_name(table, aspect) for aspect in here)
    return named | dict.fromkeys((*aspect_bearers(here), *words, *apart), ())


def aspect_bearers(aspects: Iterable[Aspect]) -> list[str]:
    """Returns the names of things (zones, borders, objects) that bear these aspects, but no people."""
    return [aspect.on for aspect in aspects if isinstance(aspect.on, str)]


def has_sheet(table: Table, person: int) -> bool:
    """True if a person has an Edgerunner sheet."""
    return person in game_state(table).sheets
