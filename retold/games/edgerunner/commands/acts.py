"""Acts in an exchange, except moves: reading their aim, and the events when they are applied.

Functions `purpose_of_…` check and return the aim as typed; `outcome_of_…` return the events of an applied
act.
"""

from __future__ import annotations

from functools import partial

from retold.game import (
    Event,
    NotSaid,
    Refused,
    Situation,
    Table,
    none_if_refused,
    possessive,
    quoted,
)
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import ended_defences, undefended
from retold.games.edgerunner.commands.positions import (
    Target,
    actors,
    aspect_on,
    bearer_meant,
    check_passing,
    current_conflict,
    name_of,
    new_wording,
    opposes,
    skill_meant,
    target_meant,
    track_meant,
    zone_meant,
)
from retold.games.edgerunner.commands.stress import Blow, boxes_for, strike, strike_thing
from retold.games.edgerunner.commands.verbs import Apply, Declare
from retold.games.edgerunner.measures import in_shifts
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act, Kind, MookDeploy, Role
from retold.games.edgerunner.state import Action, Aspect, EdgerunnerConflict, Purpose, game_state

# --- attack -----------------------------------------------------------------------------------------------


def purpose_of_attack(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns the target and track of a typed attack.

    Raises Refused for zones, for aspects on sheets and consequences, and for oneself.
    """
    assert command.thing is not None  # noqa: S101 -- the form asks for it
    aimed = target_meant(situation, command.thing)
    if aimed.person == who:
        raise Refused(f"{situation.name(who)} cannot attack themselves.")
    if aimed.person is not None:
        track = _track_attacked(situation, who, aimed.person, command)
        check_faction(situation, who, aimed.person, track)
        return Purpose(target=aimed.on, track=track)
    return _trackless(situation, aimed, command.track, "people, problems, borders and aspects are attacked")


def _track_attacked(situation: Situation, who: int, target: int, command: Declare) -> str:
    """Returns the track typed, else the target's only one, else the one that the latest attacks share.

    Of attacks that share none, those with the same skill may. Raises NotSaid if one of several must be named.
    """
    skill, _ = skill_meant(situation, who, command.skill)
    table, state = situation.table, current_conflict(situation)
    track = command.track or usual_track(table, state, target) or usual_track(table, state, target, skill)
    own = game_state(table).tracks(target)
    if track is None and len(own) > 1:
        whose = possessive(situation.name(target))
        raise NotSaid(f"Say on which of {whose} tracks: {', '.join(own)}.", "track", own[0])
    return track_meant(situation, target, track)


def usual_track(table: Table, state: EdgerunnerConflict, target: int, skill: str | None = None) -> str | None:
    """Returns the track of `target` that all attacks of this and the last exchange share; None without one.

    Attacks on tracks that `target` lacks are left out, and those with other skills than a named one.
    """
    acts = (*state.last.values(), *state.done.values(), *state.acts)
    own = game_state(table).tracks(target)
    attacks = [act for act in acts if act.act is Act.ATTACK and act.track in own]
    attacked = {act.track for act in attacks if skill in (None, act.skill)}
    return attacked.pop() if len(attacked) == 1 else None


def _trackless(situation: Situation, aimed: Target, track: str | None, instead: str) -> Purpose:
    """Returns the aim of an act against a border or passing aspect (an aspect on no sheet).

    Raises Refused for a zone, with the clause `instead`, and if a `track` is named: neither has tracks.
    """
    if track is not None:
        raise Refused(f"{aimed.on} has no tracks: leave out {track}.")
    if aimed.aspect is not None:
        check_passing(situation, aimed.aspect)
        return Purpose(target=aimed.on, about=aimed.aspect.id)
    if aimed.border is None:
        raise Refused(f"{aimed.on} is a zone: {instead}.")
    return Purpose(target=aimed.on)


def check_faction(situation: Situation, who: int, target: int, track: str) -> None:
    """Raises Refused if `who` may not attack the faction `target`.

    Only factions may, and characters of the role media on its track prestige; other targets are not
    checked.
    """
    own = game_state(situation.table)
    if own.sheet(target).kind is not Kind.FACTION or own.sheet(who).kind is Kind.FACTION:
        return
    if own.sheet(who).role != Role.MEDIA or track != rules.PRESTIGE:
        faction = situation.name(target)
        raise Refused(
            f"{faction} is a faction: only a media (role=media) can hurt it, and only its prestige."
        )


def outcome_of_attack(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """Returns the events of an attack's effect: its shifts as stress on the target, or the target taken out.

    Empty below 1 shift.
    """
    if act.shifts < 1:
        return []
    if isinstance(act.target, int):
        assert act.track is not None  # noqa: S101 -- an attack on a person names one
        return strike(situation, act.target, Blow(act.track, act.shifts, act.who, "attack"))
    assert act.target is not None  # noqa: S101 -- an attack has a target
    aspect = None if act.about is None else game_state(situation.table).aspects[act.about]
    border = None if aspect is not None else current_conflict(situation).border_named(act.target)
    return strike_thing(situation, Target(act.target, aspect, border), act.shifts, act.who)


def taken_out(table: Table, act: Action, less: int = 0) -> int | None:
    """Returns the person taken out by an attack as it is, less some of its shifts; None if it fits."""
    shifts = act.shifts - less
    if act.act is not Act.ATTACK or not isinstance(act.target, int) or act.track is None or shifts < 1:
        return None
    return act.target if boxes_for(table, act.target, act.track, shifts) is None else None


# --- defend -----------------------------------------------------------------------------------------------


def purpose_of_defence(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns the aim of a defence or recovery: a person, by default the actor, and one of their tracks.

    Raises Refused for borders, zones and aspects.
    """
    aimed = target_meant(situation, who if command.thing is None else command.thing)
    if aimed.person is None:
        raise Refused(f"{aimed.on} has no tracks, so there is none to defend or recover.")
    track = track_meant(situation, aimed.person, command.track)
    return Purpose(target=None if aimed.person == who else aimed.person, track=track)


def defended_thing(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns what a defence protects: a stress track, a border, or an aspect.

    The track is one of `who`, unless the command names another person. Raises Refused for zones, for
    consequences and aspects on sheets, and for a track named with a border or an aspect.
    """
    thing = _thing_meant(situation, who, command)
    if thing is None:
        return purpose_of_defence(situation, who, command)
    aimed = target_meant(situation, thing)
    track = None if command.thing is None else command.track
    return _trackless(situation, aimed, track, "tracks, borders and aspects are defended")


def _thing_meant(situation: Situation, who: int, command: Declare) -> str | None:
    """Returns the typed border, zone or aspect; None if the words mean a track or person.

    With a single name in the command, it is in the track's place; a track of that name goes first.
    """
    if command.thing is not None or command.track is None:
        return command.thing if isinstance(command.thing, str) else None
    typed = command.track
    if none_if_refused(partial(track_meant, situation, who, typed)) is not None:
        return None
    return None if none_if_refused(partial(target_meant, situation, typed)) is None else typed


def track_owner(act: Action) -> int:
    """Returns the person whose track the act is about: its target, or else its actor."""
    return act.target if isinstance(act.target, int) else act.who


def outcome_of_defence(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """Returns the event of a defence's effect: it sets the threshold of a track, border or aspect."""
    thing = act.track is None and act.target is not None
    defended = act.target if thing and act.target is not None else track_owner(act)
    own = undefended(situation, defended, act.track or "", act.about)
    return [
        g.ThresholdReplaced(
            conflict=situation.here.id,
            who=act.who,
            on=defended,
            about=act.about,
            track=act.track or "",
            threshold=rules.defended(own, act.shifts, floor=chosen.yes(situation.table, "defense_floor")),
            own=own,
        )
    ]


# --- maneuver ---------------------------------------------------------------------------------------------


def purpose_of_maneuver(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns the target and wording of a maneuver, which puts an aspect on a person, place or thing.

    Raises Refused for an empty wording, and if the target has that aspect already.
    """
    assert command.thing is not None and command.aspect is not None  # noqa: S101, PT018 -- the form asks for both
    on = (
        target_meant(situation, command.thing).on
        if isinstance(command.thing, int)
        else bearer_meant(situation, command.thing)
    )
    return Purpose(target=on, aspect=words_of_maneuver(situation, who, on, command.aspect))


def words_of_maneuver(situation: Situation, who: int, target: int | str, typed: str) -> str:
    """Returns the trimmed wording of a maneuver's aspect; raises Refused if it cannot be one."""
    bearer = name_of(situation, target)
    line = f'maneuver {situation.quoted(who)} {quoted(bearer)} as "Ankle-deep in oil"'
    return new_wording(situation, target, typed, line)


def outcome_of_maneuver(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """Returns the event of a maneuver's effect: a new aspect on its target, with free invokes.

    If a continued maneuver made this aspect before, it gets more free invokes instead. Empty if the shifts
    are below 0, or give no free invoke of an existing aspect.
    """
    free = rules.free_invokes(act.shifts)
    if free is None:
        return []
    assert act.target is not None and act.aspect is not None  # noqa: S101, PT018 -- a maneuver has both
    existing = aspect_on(situation, act.target, act.aspect)
    if existing is not None:
        return [_further_invokes(situation, act, existing, free)] if free else []
    return [
        g.AspectPlaced(
            conflict=situation.here.id,
            aspect=game_state(situation.table).next_aspect(situation.table, act.target),
            on=act.target,
            wording=act.aspect,
            how="maneuver",
            by=act.who,
            free=free,
            shifts=act.shifts,
        )
    ]


def _further_invokes(situation: Situation, act: Action, existing: Aspect, free: int) -> g.FreeInvokesGained:
    return g.FreeInvokesGained(
        conflict=situation.here.id,
        who=act.who,
        aspect=existing.id,
        on=existing.on,
        wording=existing.wording,
        free=free,
        shifts=act.shifts,
    )


# --- recover ----------------------------------------------------------------------------------------------


_SHOWN = 12
"""Most choices of boxes listed in a sentence."""


def purpose_of_recovery(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns the person and track of a recovery, which clears stress boxes.

    Raises Refused if no box is marked, if the other person has acted (it takes both turns), or if an
    opponent has not agreed.
    """
    meant = purpose_of_defence(situation, who, command)
    helped = meant.target if isinstance(meant.target, int) else who
    name = situation.name(helped)
    if not game_state(situation.table).marked(helped, meant.track or ""):
        raise Refused(f"Nothing is marked on {possessive(name)} {meant.track}.")
    check_together(situation, who, helped)
    if not command.agreed and helped in actors(situation) and opposes(situation, who, helped):
        raise Refused(f"{name} is on another side, and would give up their turn: add --agreed.")
    return meant


def check_together(situation: Situation, who: int, helped: int) -> None:
    """Raises Refused if `helped`, another person, has acted: to recover another's track takes both turns."""
    if helped != who and helped in actors(situation) and helped in current_conflict(situation).acted:
        name = situation.name(helped)
        raise Refused(f"{name} has acted in this exchange, and to recover another takes both turns.")


def outcome_of_recovery(situation: Situation, act: Action, command: Apply) -> list[Event]:
    """Returns the events of a recovery's effect: defences of the person helped end, then boxes are cleared.

    A helped person gives their turn for it, so the defences they keep up end.
    """
    ended = [event for helped in act.targets for event in ended_defences(situation, by=helped)]
    return [*ended, *_cleared(situation, act, command)]


def _cleared(situation: Situation, act: Action, command: Apply) -> list[Event]:
    """Returns the event that clears the boxes typed in `apply`, or the only ones; empty if there are none.

    Raises Refused, listing possible choices, if the boxes are not marked or cost more than the shifts.
    """
    assert act.track is not None  # noqa: S101 -- a recovery names one
    whom, boxes = track_owner(act), tuple(sorted(set(command.boxes)))
    marked = game_state(situation.table).marked(whom, act.track)
    choices = rules.recoveries(marked, act.shifts)
    if not choices and not boxes:
        return []
    if not boxes and len(choices) == 1:
        boxes = choices[0]
    if boxes not in choices:
        raise Refused(_possible_recoveries(situation, act, marked, boxes))
    return [g.BoxesCleared(conflict=situation.here.id, who=act.who, on=whom, track=act.track, boxes=boxes)]


def _possible_recoveries(situation: Situation, act: Action, marked: set[int], boxes: tuple[int, ...]) -> str:
    """Returns the sentence for a refused choice of boxes, with the choices that are possible."""
    track = f"{possessive(situation.name(track_owner(act)))} {act.track}"
    choices = rules.recoveries(marked, act.shifts)
    shown = ", ".join("apply " + " ".join(map(str, choice)) for choice in choices[:_SHOWN])
    can = f"It can be: {shown}." if choices else "They clear nothing: apply."
    if not boxes:
        return f"Say which boxes of {track} are cleared with {in_shifts(act.shifts)}. {can}"
    if not marked.issuperset(boxes):
        there = ", ".join(map(str, sorted(marked))) or "none"
        return f"Not all of these boxes of {track} are marked ({there}). {can}"
    cost = rules.recovery_cost(boxes)
    return f"These boxes of {track} take {in_shifts(cost)}, and there are {act.shifts}. {can}"


# --- deploy -----------------------------------------------------------------------------------------------


def purpose_of_deployment(situation: Situation, who: int, command: Declare) -> Purpose:
    """Returns the asset and zone of a deployment, by which a faction brings people or devices onto the map.

    Raises Refused unless the actor is a faction and the asset can be deployed.
    """
    if game_state(situation.table).sheet(who).kind is not Kind.FACTION:
        raise Refused(
            f"Only a faction (kind=faction on the sheet) deploys, and {situation.name(who)} is none."
        )
    assert command.asset is not None  # noqa: S101 -- the form asks for it
    check_asset(situation, command.asset)
    deployment_cost(situation, command.asset)
    return Purpose(path=(g.Step(zone=zone_meant(situation, command.zones[0])),), asset=command.asset)


def check_asset(situation: Situation, asset: int) -> None:
    """Raises Refused for an asset that is in the conflict already, or of a kind that cannot be deployed."""
    name, kind = situation.name(asset), game_state(situation.table).sheet(asset).kind
    if asset in situation.here.people or asset in current_conflict(situation).places:
        raise Refused(f"{name} is here already.")
    if kind not in rules.DEPLOYABLE:
        kinds = ", ".join(sorted(rules.DEPLOYABLE))
        raise Refused(f"{name} is of kind {kind}; what can be deployed is one of {kinds}.")


def deployment_cost(situation: Situation, asset: int) -> int:
    """Returns the shifts that deploying an asset takes; raises Refused if its sheet lacks `tl` or `cost`."""
    sheet = game_state(situation.table).sheet(asset)
    key = {Kind.MOOK: "tl", Kind.DEVICE: "cost"}.get(sheet.kind)
    if key is not None and key not in sheet.numbers:
        name = situation.name(asset)
        raise Refused(
            f"{possessive(name)} sheet does not say what deploying takes: cast {quoted(name)} {key}=3."
        )
    number = 0 if key is None else sheet.numbers[key]
    return rules.deploy_cost(sheet.kind, number, chosen.kind(situation.table, "mook_deploy", MookDeploy))


def outcome_of_deployment(situation: Situation, act: Action, _command: Apply) -> list[Event]:
    """Returns the event that brings the asset into its zone; empty if the shifts do not reach the cost.

    The act can then be continued in the next exchange.
    """
    assert act.asset is not None  # noqa: S101 -- a deployment has one
    price = deployment_cost(situation, act.asset)
    zone = act.path[0].zone
    if act.shifts < price or zone not in current_conflict(situation).zones:
        return []
    return [g.Deployed(conflict=situation.here.id, who=act.who, asset=act.asset, zone=zone, cost=price)]
