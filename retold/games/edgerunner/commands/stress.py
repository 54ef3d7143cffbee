"""Stress and consequences: taking, clearing and altering them; and strain, the stress of using upgrades."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final, Literal, NamedTuple

from retold.game import (
    YET_TO_FIND,
    Event,
    Refused,
    Situation,
    Table,
    clean,
    find_phrase,
    none_if_refused,
    normalise,
    possessive,
    quoted,
)
from retold.game import commands as c
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import situation_after, undefended
from retold.games.edgerunner.commands.positions import Target, track_meant, without_other_game
from retold.games.edgerunner.commands.verbs import Alter, Taking
from retold.games.edgerunner.options import NAME, chosen
from retold.games.edgerunner.rules import Marking, Severity
from retold.games.edgerunner.state import SkillRoll, conflict_state, game_state, open_roll_in

Why = Literal["attack", "resist", "boost", "strain", "overflow", "killing", "ruling"]


class Blow(NamedTuple):
    """A blow: `amount` of stress, 1 or more, hits a track.

    `by` is the attacker's id, None for strain and rulings.
    """

    track: str
    amount: int
    by: int | None
    why: Why


class Armour(NamedTuple):
    """An upgrade used against a roll: it adds `boost` to the threshold (highest box) of `track`."""

    track: str
    boost: int


def strain_cost(situation: Situation, who: int, upgrade: str | None, raw: int, *, own: bool) -> list[Event]:
    """Returns the event with the stress that using an upgrade costs its owner; empty if none.

    `raw` is the sum of the bare dice: thrown by the owner if `own`, otherwise by the roller they resist.
    """
    if upgrade is None:
        return []
    has = game_state(situation.table).sheet(who).upgrades[upgrade]
    amount = rules.strain(raw, has.value, own=own)
    if not amount:
        return []
    conflict = situation.where
    return [g.UpgradeStrained(conflict=conflict, who=who, upgrade=upgrade, track=has.track, amount=amount)]


# --- taken on oneself -------------------------------------------------------------------------------------


def check_harm_named(situation: Situation, who: int, command: Taking) -> None:
    """Raises Refused if a `boost` or `resist` command names neither stress nor a consequence to take."""
    if not names_harm(command):
        verb, name = command.verb, situation.name(who)
        raise Refused(f"Say what {name} takes: {verb} {name} TRACK 2, or mild as “what it is”.")


def names_harm(command: Taking) -> bool:
    """True if a `boost` or `resist` command names stress or a consequence to take."""
    return bool(command.tracks) or any(getattr(command, severity.value) is not None for severity in Severity)


def consequences(
    situation: Situation,
    who: int,
    command: Taking,
    why: Literal["resist", "boost", "strain"],
    *,
    holder: int | None = None,
    comrade: int | None = None,
) -> list[g.ConsequenceTaken]:
    """Returns an event for each consequence a command names, taken in `who`'s slots.

    Raises Refused if such a slot is full, or its wording is taken. `holder` gets a free invoke of each; None
    means any opponent of `who`. With `comrade`, the aspects are on the comrade, in `who`'s slots.
    """
    own = game_state(situation.table)
    taken: list[g.ConsequenceTaken] = []
    for severity in Severity:
        wording: str | None = getattr(command, severity.value)
        if wording is None:
            continue
        if not own.room_for(who, severity):
            raise Refused(_no_slot(situation, who, severity))
        bearer = who if comrade is None else comrade
        check_words(situation, bearer, clean(wording), taken)
        taken.append(
            g.ConsequenceTaken(
                conflict=situation.where,
                who=bearer,
                severity=severity,
                worth=own.sheet(who).worth(severity),
                aspect=own.next_aspect(situation.table, bearer, len(taken)),
                wording=clean(wording),
                slot_of=None if comrade is None else who,
                holder=holder,
                why=why,
            )
        )
    return taken


def check_words(situation: Situation, bearer: int, wording: str, taken: Iterable[g.ConsequenceTaken]) -> None:
    """Raises Refused if `bearer` has an aspect with this wording, or is just taking one (`taken`)."""
    wordings = [
        aspect.wording for aspect in game_state(situation.table).aspects.values() if aspect.on == bearer
    ]
    if wording != str(YET_TO_FIND) and normalise(wording) in map(
        normalise, (*wordings, *(consequence.wording for consequence in taken))
    ):
        raise Refused(f"{situation.name(bearer)} has the aspect “{wording}” already: find other words.")


def _no_slot(situation: Situation, who: int, severity: Severity) -> str:
    own, name = game_state(situation.table), situation.name(who)
    borne = own.consequences_of(who, severity)
    if borne:
        return f"{possessive(name)} {severity} consequence is taken: {borne[0].wording}."
    free = [severity.value for severity in Severity if own.room_for(who, severity)]
    return f"{name} has no {severity} consequence to take; free are: {', '.join(free) or 'none'}."


def stress(
    situation: Situation, who: int, command: Taking, why: Why, armour: Armour | None = None
) -> list[g.StressMarked]:
    """Returns an event for each amount of stress a command names, with the boxes it marks on `who`'s tracks.

    `armour` raises a track's threshold. Raises Refused if a track lacks room, or several tracks are named
    against the option split_stress.
    """
    _check_whole(situation, who, command, why)
    marked: list[g.StressMarked] = []
    for typed, amount in zip(command.tracks, command.amounts, strict=True):
        track = track_meant(situation, who, typed)
        if amount < 1:
            raise Refused(f"Stress is 1 or more, not {amount}.")
        now = situation_after(situation, marked)
        more = armour.boost if armour is not None and normalise(armour.track) == normalise(track) else 0
        boxes = boxes_for(now.table, who, track, amount, more)
        if boxes is None:
            limit = game_state(now.table).threshold(who, track) + more
            name = situation.name(who)
            raise Refused(
                f"{possessive(name)} {track} goes to {limit}, and {amount} more finds no box there."
            )
        marked.append(_marked(now, who, Blow(track, amount, None, why), boxes, more))
    return marked


def _check_whole(situation: Situation, who: int, command: Taking, why: Why) -> None:
    """Raises Refused for stress on several tracks in one roll, unless the option split_stress allows it."""
    if chosen.yes(situation.table, "split_stress"):
        return
    roll = None if why == "strain" else open_roll_in(situation.table, situation.conflict)
    before = set() if roll is None else roll.strained.get(who, set())
    tracks = before | {track_meant(situation, who, typed) for typed in command.tracks}
    if command.tracks and len(tracks) > 1:
        raise Refused("Stress goes on one track at a time here (option split_stress).")


def boxes_for(table: Table, who: int, track: str, amount: int, more: int = 0) -> tuple[int, ...] | None:
    """Returns the boxes that `amount` of stress marks on a person's track; None if the track lacks room.

    `more` is added to the threshold for this blow only.
    """
    own, marking = game_state(table), chosen.kind(table, "stress_marking", Marking)
    return rules.mark(amount, own.marked(who, track), own.threshold(who, track) + more, marking)


def _marked(
    situation: Situation, who: int, blow: Blow, boxes: tuple[int, ...], more: int = 0
) -> g.StressMarked:
    return g.StressMarked(
        conflict=situation.where,
        on=who,
        track=blow.track,
        amount=blow.amount,
        boxes=boxes,
        threshold=game_state(situation.table).threshold(who, blow.track) + more,
        why=blow.why,
    )


# --- struck -----------------------------------------------------------------------------------------------


def strike(situation: Situation, who: int, blow: Blow) -> list[Event]:
    """Returns the events of a blow on a person: stress marked, or the person taken out if it does not fit.

    Excess stress on a faction's asset strikes the faction as well.
    """
    boxes = boxes_for(situation.table, who, blow.track, blow.amount)
    if boxes is not None:
        return [_marked(situation, who, blow, boxes)]
    out = g.TakenOut(
        conflict=situation.where,
        on=who,
        by=blow.by,
        track=blow.track,
        over=blow.amount,
        beyond=stress_beyond(situation, who, blow.track, blow.amount),
    )
    return [out, *_overflow(situation, who, blow)]


def _overflow(situation: Situation, who: int, blow: Blow) -> list[Event]:
    """Returns the blow on a faction's prestige (a track) by stress its asset could not take, or nothing."""
    faction = patron(situation, who)
    if faction is None:
        return []
    left = asset_overflow(situation, who, blow.track, blow.amount)
    return [] if left < 1 else strike(situation, faction, Blow(rules.PRESTIGE, left, blow.by, "overflow"))


def patron(situation: Situation, asset: int) -> int | None:
    """Returns the faction that deployed this asset; None without one, or if the faction is taken out."""
    if situation.conflict is None:
        return None
    state = conflict_state(situation.here)
    faction = state.deployed.get(asset)
    return None if faction is None or faction in state.out else faction


def asset_overflow(situation: Situation, asset: int, track: str, amount: int) -> int:
    """Returns the stress that passes from an asset to its faction; 0 if the asset's track has room.

    It is the part beyond the track, less what the faction's consequences have absorbed.
    """
    if boxes_for(situation.table, asset, track, amount) is not None:
        return 0
    act = conflict_state(situation.here).act
    return stress_beyond(situation, asset, track, amount) - (0 if act is None else act.softened)


def stress_beyond(situation: Situation, who: int, track: str, amount: int) -> int:
    """Returns the part of `amount` that a person's track cannot mark."""
    own, marking = game_state(situation.table), chosen.kind(situation.table, "stress_marking", Marking)
    return amount - rules.most_taken(own.marked(who, track), own.threshold(who, track), marking)


def strike_thing(situation: Situation, aimed: Target, amount: int, by: int) -> list[Event]:
    """Returns the events of a blow on a border or aspect: stress marked, or its destruction.

    `amount` is 1 or more. An aspect destroyed is also removed from play.
    """
    conflict, aspect, thing = situation.here.id, aimed.aspect, aimed.aspect or aimed.border
    assert thing is not None  # noqa: S101 -- a zone is never attacked
    about = None if aspect is None else aspect.id
    threshold = undefended(situation, aimed.on, "", about) if thing.defence is None else thing.defence.value
    marking = chosen.kind(situation.table, "stress_marking", Marking)
    boxes = rules.mark(amount, thing.marked, threshold, marking)
    if boxes is not None:
        return [
            g.StressMarked(
                conflict=conflict,
                on=aimed.on,
                about=about,
                amount=amount,
                boxes=boxes,
                threshold=threshold,
                why="attack",
            )
        ]
    left = amount - rules.most_taken(thing.marked, threshold, marking)
    out = g.TakenOut(conflict=conflict, on=aimed.on, about=about, by=by, over=amount, beyond=left)
    if aspect is None:
        return [out]
    gone = g.AspectRemoved(
        conflict=conflict, aspect=aspect.id, on=aspect.on, wording=aspect.wording, why="taken-out"
    )
    return [out, gone]


MILDER: Final = {Severity.SEVERE: Severity.MODERATE, Severity.MODERATE: Severity.MILD}
TIMES: Final = {Severity.SEVERE: "a few weeks", Severity.MODERATE: "a few days"}
"""Duration of altering a consequence."""


def alter(situation: Situation, command: Alter) -> list[Event]:
    """Returns the event that moves a consequence into the next milder slot, with a new wording.

    The last skill roll must be a won contest against the consequence's worth, not used so before. Raises
    Refused otherwise, in a conflict, for mild consequences, and if the milder slot is full.
    """
    situation = without_other_game(situation, command.who)
    name = situation.name(command.who)
    wordings = {severity: getattr(command, severity.value) for severity in Severity}
    severity, words = next((one, str(words)) for one, words in wordings.items() if words is not None)
    if situation.conflict is not None:
        raise Refused(f"No consequence is altered inside a conflict: it takes more time than {name} has.")
    own = game_state(situation.table)
    borne = own.consequences_of(command.who, severity)
    if not borne:
        raise Refused(f"{name} bears no {severity} consequence.")
    if severity not in MILDER:
        raise Refused(f"Nothing is milder than a mild consequence: clear {quoted(name)} mild.")
    milder = MILDER[severity]
    if not own.room_for(command.who, milder):
        held = "".join(f": {taken.wording}" for taken in own.consequences_of(command.who, milder)[:1])
        raise Refused(f"{name} has no {milder} slot left for it{held}.")
    roll = _successful_roll(situation, command.who, severity)
    wording, bearer = clean(words), borne[0].on
    if isinstance(bearer, int) and wording != borne[0].wording:
        check_words(situation, bearer, wording, ())
    return [
        g.ConsequenceAltered(
            who=command.who,
            aspect=borne[0].id,
            severity=milder,
            wording=wording,
            was=borne[0].wording,
            by=roll.who,
            text=command.text,
        )
    ]


def _successful_roll(situation: Situation, who: int, severity: Severity) -> SkillRoll:
    """Returns the last skill roll, if it allows altering a consequence of this severity.

    It must be a contest against the consequence's worth, with 0 or more shifts, and not used so before.
    Raises Refused otherwise.
    """
    own = game_state(situation.table)
    roll, worth = own.roll, own.sheet(who).worth(severity)
    if roll is None or roll.altered or not roll.contest or roll.opposed != worth or roll.opponent is not None:
        raise Refused(
            f"It takes a contest against {worth}, what it is worth:"
            f' roll NAME SKILL vs {worth} takes="{TIMES[severity]}" comes first.'
        )
    if roll.shifts < 0:
        raise Refused(f"{possessive(situation.name(roll.who))} roll is at {roll.shifts}: it takes 0 or more.")
    return roll


# --- cleared ----------------------------------------------------------------------------------------------


def clear(situation: Situation, command: c.Clear) -> list[Event]:
    """Returns the events that clear a stress track, all tracks (`stress`), or consequences of one severity.

    Raises Refused in a conflict, for a partial amount, and if there is nothing to clear.
    """
    situation = without_other_game(situation, command.who)
    name = situation.name(command.who)
    fights = [one for one in situation.table.conflicts.values() if one.system == NAME]
    if situation.conflict is not None or any(command.who in fight.people for fight in fights):
        line = f"recover {situation.quoted(command.who)} TRACK"
        raise Refused(f"Nothing is cleared inside a conflict; stress is recovered: {line}.")
    if command.n is not None:
        _cleared(situation, command)
        raise Refused(f"In Edgerunner all of it goes at once: clear {quoted(name)} {quoted(command.track)}.")
    return _cleared(situation, command)


def _cleared(situation: Situation, command: c.Clear) -> list[Event]:
    """Returns the events that clear the consequences or tracks typed; raises Refused if there are none."""
    if normalise(command.track) in tuple(Severity):
        return _consequences(situation, command, Severity(normalise(command.track)))
    borne = {
        severity: aspect.wording
        for severity in Severity
        for aspect in game_state(situation.table).consequences_of(command.who, severity)
    }
    if none_if_refused(partial(track_meant, situation, command.who, command.track)) is None:
        meant = none_if_refused(partial(find_phrase, command.track, borne))
        if meant is not None:
            return _consequences(situation, command, meant)
    return [_stress(situation, command)]


def _consequences(situation: Situation, command: c.Clear, severity: Severity) -> list[Event]:
    borne = game_state(situation.table).consequences_of(command.who, severity)
    if not borne:
        raise Refused(f"{situation.name(command.who)} bears no {severity} consequence.")
    return [
        g.ConsequenceCleared(
            who=command.who, severity=severity, aspect=aspect.id, wording=aspect.wording, text=command.text
        )
        for aspect in borne
    ]


def _stress(situation: Situation, command: c.Clear) -> g.StressCleared:
    """Returns the event that clears the marked boxes of a person's track or, for `stress`, all tracks.

    Raises Refused if no box is marked.
    """
    own, who = game_state(situation.table), command.who
    every = normalise(command.track) == rules.STRESS
    tracks = own.tracks(who) if every else (track_meant(situation, who, command.track),)
    marked = tuple(track for track in tracks if own.marked(who, track))
    if not marked:
        raise Refused(f"{situation.name(who)} has no box marked on {'any track' if every else tracks[0]}.")
    return g.StressCleared(who=who, tracks=marked, text=command.text)
