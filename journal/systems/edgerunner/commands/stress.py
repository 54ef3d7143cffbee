"""Stress on boxes, and harm instead of it: consequences, and what an upgrade costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from journal.names import clean, fold, owning
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import after
from journal.systems.edgerunner.commands.meaning import Aimed, track_meant
from journal.systems.edgerunner.commands.verbs import Taking
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.rules import Marking, Severity
from journal.systems.edgerunner.state import current, play, shelf
from journal.vocabulary.base import Event
from journal.words import YET_TO_FIND

Why = Literal["attack", "resist", "boost", "strain", "overflow", "killing", "ruling"]


class Blow(NamedTuple):
    """Stress of so much, 1 or more, on a track; `by` whom, and why."""

    track: str
    amount: int
    by: int | None
    why: Why


class Armour(NamedTuple):
    """What an upgrade adds to the threshold of the track it is for."""

    track: str
    boost: int


def strained(situation: Situation, who: int, upgrade: str | None, raw: int, *, own: bool) -> list[Event]:
    """What an upgrade that told on a roll, if one did, costs its owner: its value less the bare dice.

    `raw` are those of the owner's `own` roll, or of the one that was resisted with it.
    """
    if upgrade is None:
        return []
    has = shelf(situation.table).sheet(who).upgrades[upgrade]
    amount = rules.strain(raw, has.value, own=own)
    if not amount:
        return []
    conflict = situation.where
    return [g.UpgradeStrained(conflict=conflict, who=who, upgrade=upgrade, track=has.track, amount=amount)]


# --- taken on oneself -------------------------------------------------------------------------------------


def named(situation: Situation, who: int, command: Taking) -> None:
    """Refuses a line that names neither stress nor a consequence."""
    if not command.tracks and not any(getattr(command, severity.value) for severity in Severity):
        verb, name = command.verb, situation.name(who)
        raise Refused(f"Say what {name} takes: {verb} {name} TRACK 2, or mild as “what it is”.")


def consequences(
    situation: Situation,
    who: int,
    command: Taking,
    why: Literal["resist", "boost", "strain"],
    *,
    holder: int | None = None,
    comrade: int | None = None,
) -> list[g.ConsequenceTaken]:
    """The consequences a line names, each in a free slot of `who`'s; Refused where there is none.

    `holder` may invoke them once for nothing; None stands for anybody who opposes `who`. They are aspects of
    `who`'s, or of the comrade the slot is given for.
    """
    own = shelf(situation.table)
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
    """Two aspects of one bearer never have the same words, or nobody could tell which is meant."""
    there = [one.wording for one in shelf(situation.table).aspects.values() if one.on == bearer]
    if wording != str(YET_TO_FIND) and fold(wording) in map(fold, (*there, *(one.wording for one in taken))):
        raise Refused(f"{situation.name(bearer)} has the aspect “{wording}” already: find other words.")


def _no_slot(situation: Situation, who: int, severity: Severity) -> str:
    own, name = shelf(situation.table), situation.name(who)
    borne = own.consequences_of(who, severity)
    if borne:
        return f"{owning(name)} {severity} consequence is taken: {borne[0].wording}."
    free = [one.value for one in Severity if own.room_for(who, one)]
    return f"{name} has no {severity} consequence to take; free are: {', '.join(free) or 'none'}."


def stress(
    situation: Situation, who: int, command: Taking, why: Why, armour: Armour | None = None
) -> list[g.StressMarked]:
    """The stress a line names, marked on tracks that can take it; Refused where one cannot."""
    _check_whole(situation, who, command, why)
    marked: list[g.StressMarked] = []
    for typed, amount in zip(command.tracks, command.amounts, strict=True):
        track = track_meant(situation, who, typed)
        if amount < 1:
            raise Refused(f"Stress is 1 or more, not {amount}.")
        now = after(situation, marked)
        more = armour.boost if armour is not None and fold(armour.track) == fold(track) else 0
        boxes = boxes_for(now, who, track, amount, more)
        if boxes is None:
            limit = shelf(now.table).threshold(who, track) + more
            name = situation.name(who)
            raise Refused(f"{owning(name)} {track} goes to {limit}, and {amount} more finds no box there.")
        marked.append(_marked(now, who, Blow(track, amount, None, why), boxes, more))
    return marked


def _check_whole(situation: Situation, who: int, command: Taking, why: Why) -> None:
    """Refuses stress on several tracks for one roll, in one line or in more, unless the table plays so."""
    if chosen.yes(situation.table, "split_stress"):
        return
    roll = None if why == "strain" else current(situation.table, situation.conflict)
    before = set() if roll is None else roll.strained.get(who, set())
    tracks = before | {track_meant(situation, who, typed) for typed in command.tracks}
    if command.tracks and len(tracks) > 1:
        raise Refused("Stress goes on one track at a time here (option split_stress).")


def boxes_for(
    situation: Situation, who: int, track: str, amount: int, more: int = 0
) -> tuple[int, ...] | None:
    """The boxes so much stress marks on a track; None if it is more than the track can take.

    `more` is what is added to the threshold for this once.
    """
    own = shelf(situation.table)
    marking = chosen.kind(situation.table, "stress_marking", Marking)
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
        threshold=shelf(situation.table).threshold(who, blow.track) + more,
        why=blow.why,
    )


# --- struck -----------------------------------------------------------------------------------------------


def struck(situation: Situation, who: int, blow: Blow) -> list[Event]:
    """A blow strikes somebody: its stress is marked, or they are taken out by it."""
    boxes = boxes_for(situation, who, blow.track, blow.amount)
    if boxes is not None:
        return [_marked(situation, who, blow, boxes)]
    out = g.TakenOut(
        conflict=situation.where,
        on=who,
        by=blow.by,
        track=blow.track,
        over=blow.amount,
        beyond=beyond(situation, who, blow.track, blow.amount),
    )
    return [out, *_overflow(situation, who, blow)]


def _overflow(situation: Situation, who: int, blow: Blow) -> list[Event]:
    """What an asset's track could not take of what takes it out strikes the faction's prestige."""
    faction = patron(situation, who)
    if faction is None:
        return []
    left = overflow(situation, who, blow.track, blow.amount)
    if left < 1:
        return []
    return struck(situation, faction, Blow(rules.PRESTIGE, left, blow.by, "overflow"))


def patron(situation: Situation, asset: int) -> int | None:
    """The faction that has brought somebody here and still stands."""
    if situation.conflict is None:
        return None
    state = play(situation.here)
    faction = state.deployed.get(asset)
    return None if faction is None or faction in state.out else faction


def overflow(situation: Situation, asset: int, track: str, amount: int) -> int:
    """What is beyond an asset's track of so much stress, less what the faction has taken on itself.

    Nothing while the asset can take the stress.
    """
    if boxes_for(situation, asset, track, amount) is not None:
        return 0
    act = play(situation.here).act
    return beyond(situation, asset, track, amount) - (0 if act is None else act.softened)


def beyond(situation: Situation, who: int, track: str, amount: int) -> int:
    """What of so much stress somebody's track cannot take."""
    own, marking = shelf(situation.table), chosen.kind(situation.table, "stress_marking", Marking)
    return amount - rules.most_taken(own.marked(who, track), own.threshold(who, track), marking)


def thing_struck(situation: Situation, aimed: Aimed, amount: int, by: int) -> list[Event]:
    """So much stress strikes a border or an aspect (at least 1): it is marked, or that is the end of it."""
    conflict = situation.here.id
    if aimed.aspect is not None:
        one = aimed.aspect
        marked, defence, threshold = one.marked, one.defence, one.boxes
    else:
        assert aimed.border is not None  # noqa: S101 -- a zone is never attacked
        marked, defence = aimed.border.marked, aimed.border.defence
        threshold = aimed.border.threshold or 0
    threshold = threshold if defence is None else defence.value
    about = None if aimed.aspect is None else aimed.aspect.id
    marking = chosen.kind(situation.table, "stress_marking", Marking)
    boxes = rules.mark(amount, marked, threshold, marking)
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
    left = amount - rules.most_taken(marked, threshold, marking)
    out = g.TakenOut(conflict=conflict, on=aimed.on, about=about, by=by, over=amount, beyond=left)
    if aimed.aspect is None:
        return [out]
    one = aimed.aspect
    gone = g.AspectRemoved(conflict=conflict, aspect=one.id, on=one.on, wording=one.wording, why="taken-out")
    return [out, gone]
