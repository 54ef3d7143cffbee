"""Notation of Edgerunner events: one text line per event, as `log` shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from retold.game import Ink, Notations, is_outside, listed, possessive
from retold.games.edgerunner.measures import TIME, in_shifts, ladder

if TYPE_CHECKING:
    from retold.games.edgerunner import events as g

    _Looked = g.AssessmentFailed | g.FreeInvokesGained | g.FindingStands

ONLY_TRACK: Final = "stress"
"""Name of the track of things that have a single track."""


def thing(on: int | str, about: int | None, ink: Ink) -> str:
    """Returns a target in words: a person's name for an id, otherwise the name of the zone or border.

    With `about`, an aspect's number, `on` is the aspect's wording and is returned in quotes.
    """
    if isinstance(on, int):
        return ink.who(on)
    return on if about is None else f"“{on}”"


def _target(on: int | str, about: int | None, ink: Ink) -> str:
    """Returns the name of a person or thing that takes stress, such as "“edgy” (aspect no. 3)"."""
    number = f" (aspect no. {about})" if about is not None else ""
    return f"{thing(on, about, ink)}{number}"


def _of_track(track: str, on: int | str, about: int | None, ink: Ink) -> str:
    """Returns a stress track with its owner, such as "Gatto's cool"; only the owner if `track` is empty."""
    target = _target(on, about, ink)
    return f"{possessive(target)} {track}" if track else target


def _free(count: int) -> str:
    return f"{count} free invoke{'' if count == 1 else 's'}"


def _shifts(count: int | None) -> str:
    """Returns a roll's shifts (points of success) as ", 3 shifts"; an empty text for None."""
    return "" if count is None else f", {in_shifts(count)}"


# --- aspects and fate points ------------------------------------------------------------------------------


def _aspect_placed(event: g.AspectPlaced, ink: Ink) -> str:
    by = f" by {ink.who(event.by)}" if event.by is not None else ""
    how = f"aspect no. {event.aspect}, {event.how}{by}{_shifts(event.shifts)}, {_free(event.free)}"
    return f"{thing(event.on, None, ink)} has “{event.wording}” ({how}){ink.after(event.text)}"


def _aspect(event: _Looked, ink: Ink) -> str:
    """Returns the aspect a person looked into: "“edgy” on Gatto (aspect no. 3, 2 shifts)"."""
    number = f"aspect no. {event.aspect}{_shifts(event.shifts)}"
    return f"“{event.wording}” on {thing(event.on, None, ink)} ({number})"


def _finding_stands(event: g.FindingStands, ink: Ink) -> str:
    by = f" of {ink.whose(event.who)}" if event.who is not None else ""
    there = "" if event.there else ", and is not there"
    return f"{event.how}{by}: {_free(event.free)} of {_aspect(event, ink)}{there}"


_PAID_FOR: Final = {
    "invoke": "an invoke",
    "accepted": "a compel accepted",
    "refused": "a compel refused",
    "ghost": "the aspect of a ghost",
    "concession": "a concession",
}


def _fate_point_paid(event: g.FatePointPaid, ink: Ink) -> str:
    points = f"{event.points} fate point{'' if event.points == 1 else 's'}"
    paid_for = _PAID_FOR.get(event.why, event.why)
    return f"{ink.who(event.payer)} gives {ink.who(event.payee)} {points} for {paid_for}"


# --- stress and consequences ------------------------------------------------------------------------------


def _stress_marked(event: g.StressMarked, ink: Ink) -> str:
    track = f" on {event.track}" if event.track not in (None, ONLY_TRACK) else ""
    boxes = f"boxes {_boxes(event.boxes)}, threshold {event.threshold}"
    return f"{_target(event.on, event.about, ink)}: {event.amount} stress{track} ({event.why}), {boxes}"


def _boxes(boxes: Iterable[int]) -> str:
    return " ".join(map(str, boxes)) or "none"


def _consequence_taken(event: g.ConsequenceTaken, ink: Ink) -> str:
    holder = ink.who(event.holder) if event.holder is not None else "whoever opposes"
    slot = f", in {ink.whose(event.slot_of)} slot" if event.slot_of is not None else ""
    what = f"“{event.wording}” (aspect no. {event.aspect}, {event.severity}, worth {event.worth}{slot})"
    return f"{ink.who(event.who)} takes {what} to {_TAKEN_TO[event.why]}, 1 free invoke for {holder}"


_TAKEN_TO: Final = {"resist": "resist", "boost": "boost a roll", "strain": "bear the strain"}


def _threshold_replaced(event: g.ThresholdReplaced, ink: Ink) -> str:
    kept = f"threshold {event.threshold}"
    if event.threshold != event.own:
        kept = f"{kept} instead of {event.own}"
    track = _of_track(event.track, event.on, event.about, ink)
    return f"{track}: {kept} while {ink.who(event.who)} defends it"


def _threshold_reverted(event: g.ThresholdReverted, ink: Ink) -> str:
    over = f"{ink.who(event.who)} defends it no longer"
    track = _of_track(event.track, event.on, event.about, ink)
    return f"{track}: threshold {event.threshold} again, {over}"


def _taken_out(event: g.TakenOut, ink: Ink) -> str:
    by = f" by {ink.who(event.by)}" if event.by is not None else ""
    track = f" on {event.track}" if event.track is not None else ""
    blow = f", {in_shifts(event.over)}" if event.over else ""
    beyond = f", {event.beyond} over" if event.beyond else ""
    return f"{_target(event.on, event.about, ink)} is taken out{track}{by}{blow}{beyond}"


def _stress_cleared(event: g.StressCleared, ink: Ink) -> str:
    tracks = "" if event.tracks == (ONLY_TRACK,) else f" on {', '.join(event.tracks) or 'nothing'}"
    return f"{ink.who(event.who)}: no more stress{tracks}{ink.after(event.text)}"


HARM_NOTATIONS: Final[Notations] = {
    "edgerunner.aspect-placed": _aspect_placed,
    "edgerunner.declaration-failed": lambda event, ink: (
        f"{thing(event.on, None, ink)} has no “{event.wording}”"
        f" (declaration{_shifts(event.shifts)}){ink.after(event.text)}"
    ),
    "edgerunner.assessment-failed": lambda event, ink: (
        f"{ink.who(event.who)} can make nothing of {_aspect(event, ink)}{ink.after(event.text)}"
    ),
    "edgerunner.aspect-removed": "{on} has “{wording}” no longer (aspect no. {aspect}, {why})",
    "edgerunner.free-invokes-gained": lambda event, ink: (
        f"{ink.who(event.who)} gains {_free(event.free)} of {_aspect(event, ink)}{ink.after(event.text)}"
    ),
    "edgerunner.finding-stands": _finding_stands,
    "edgerunner.free-invokes-lapsed": "no free invokes any more of “{wording}” on {on} (aspect no. {aspect})",
    "edgerunner.aspect-invoked": (
        "{who} invokes “{wording}” on {on} (aspect no. {aspect}), {mode}"
        "{free?, free}{@by?, lent by #}{finding?, on what was found}"
    ),
    "edgerunner.fate-point-paid": _fate_point_paid,
    "edgerunner.refreshed": lambda event, _ink: (
        f"refresh: {event.points} fate points each,"
        f" {'all stress is gone' if event.stress else 'stress stays'}"
    ),
    "edgerunner.boosted": "{who} boosts by {shifts}",
    "edgerunner.resisted": (
        "{who} resists {shifts}{strain? of the strain of #}"
        "{comrade? for #}{asset? through #}{upgrade? with #}"
    ),
    "edgerunner.stress-marked": _stress_marked,
    "edgerunner.boxes-cleared": lambda event, ink: (
        f"{ink.who(event.who)} clears {_of_track(event.track, event.on, None, ink)},"
        f" boxes {_boxes(event.boxes)}"
    ),
    "edgerunner.consequence-taken": _consequence_taken,
    "edgerunner.threshold-replaced": _threshold_replaced,
    "edgerunner.threshold-reverted": _threshold_reverted,
    "edgerunner.upgrade-strained": "{who} owes {track} {amount} stress for {upgrade}",
    "edgerunner.taken-out": _taken_out,
    "edgerunner.tale-told": "{@by} has told what becomes of {on}",
    "edgerunner.character-killed": "{who} is dead{@by?, killed by #}",
    "edgerunner.consequence-altered": (
        "{who} has “{wording}” (aspect no. {aspect}, {severity}) instead of “{was}”, by {@by}"
    ),
    "edgerunner.mooks-merged": "{who} and {@others:nobody} are one lot, threat level {level}",
    "edgerunner.deployed": lambda event, ink: (
        f"{ink.who(event.who)} has {ink.who(event.asset)} in {event.zone} ({in_shifts(event.cost)})"
    ),
    "edgerunner.stress-cleared": _stress_cleared,
    "edgerunner.consequence-cleared": "{who} is over “{wording}” (aspect no. {aspect}, {severity})",
}
"""Notation of aspects, stress and consequences, by kind."""


_ACTS: Final = {"maneuver": "maneuvers on", "simple": "does something simple"}


def doing(act: str, whom: str | None) -> str:
    """Returns an act in words, with its target if any: "attacks Gatto", "moves"."""
    said = _ACTS.get(act, f"{act}s")
    return said.removesuffix(" on") if whom is None else f"{said} {whom}"


def _time(step: int) -> str:
    return TIME[step] if 0 <= step < len(TIME) else f"step {step}"


# --- the place --------------------------------------------------------------------------------------------


def _zones_mapped(event: g.ZonesMapped, ink: Ink) -> str:
    zones = f" {', '.join(event.zones)}" if event.zones else ""
    borders = f"; {', '.join(map(_border, event.borders))}" if event.borders else ""
    threshold = f"; threshold {event.threshold}" if event.threshold is not None else ""
    pins = "".join(f"; {zone} at {x},{y}" for zone, (x, y) in event.pins.items())
    return f"map{zones}{borders}{threshold}{pins}{ink.after(event.text)}"


def _border(drawn: g.BorderDrawn) -> str:
    ways = "/".join(f"{way} {value}".lstrip() for way, value in drawn.passes.items())
    return f"{drawn.one}-{drawn.other} {ways or 'closed'}"


def _zones_unmapped(event: g.ZonesUnmapped, ink: Ink) -> str:
    return (
        f"wiped off the map: {', '.join((*event.zones, *event.borders)) or 'nothing'}{ink.after(event.text)}"
    )


def _moved(event: g.Moved, ink: Ink) -> str:
    path = " → ".join((event.start, *event.path))
    how = f"free, {in_shifts(event.spent)}" if event.free else in_shifts(event.spent)
    return f"{ink.who(event.who)} moves {path} ({how})"


# --- exchanges and turns ----------------------------------------------------------------------------------


def _exchange_began(event: g.ExchangeBegan, ink: Ink) -> str:
    step = f", {_time(event.step)} long" if event.step is not None else ""
    return f"exchange {event.exchange}{step}{ink.after(event.length, ', ')}{ink.after(event.text)}"


def _bids(bids: Iterable[g.Bid], ink: Ink) -> str:
    return ", ".join(f"{ink.who(bid.who)} {bid.shifts}" for bid in bids)


# --- acts -------------------------------------------------------------------------------------------------


def _action_declared(event: g.ActionDeclared, ink: Ink) -> str:
    parts = [
        _done_to(event, ink),
        f" as “{event.aspect}”" if event.aspect is not None else "",
        f" to {_path(event.path)}" if event.path else "",
        _with(event),
        f", {event.upgrade}" if event.upgrade is not None else "",
        _opposition(event),
        ", interrupting" if event.interrupt else "",
        ", extra" if event.extra else "",
    ]
    return f"{''.join(parts)}{ink.after(event.text)}"


def _done_to(event: g.ActionDeclared, ink: Ink) -> str:
    """Returns an act in words with actor and targets: "Hargan attacks Gatto's cool"."""
    whom = [ink.who(event.asset)] if event.asset is not None else []
    whom += [thing(event.target, event.about, ink)] if event.target is not None else []
    whom += [ink.who(person) for person in event.also]
    track = event.track
    done_to = " + ".join(whom) or None
    if track is not None:
        done_to = track if done_to is None else f"{possessive(done_to)} {track}"
    acts = doing(event.act, done_to)
    number = f" (aspect no. {event.about})" if event.about is not None else ""
    return f"{ink.who(event.who)} {acts}{number}"


def _path(path: Iterable[g.Step]) -> str:
    return " → ".join(f"{step.zone}:{step.way}" if step.way else step.zone for step in path)


def _with(event: g.ActionDeclared) -> str:
    """Returns an act's skill and level as " with Fight 3"; only the level without a skill.

    Empty for a simple act without a level.
    """
    if event.skill is not None:
        return f" with {event.skill} {event.level}"
    return f" ({event.level})" if event.level or event.act != "simple" else ""


def _opposition(event: g.ActionDeclared) -> str:
    against = [str(value) for value in (event.against, event.opposed) if value is not None]
    return f" against {' '.join(against)}" if against else ""


def _action_continued(event: g.ActionContinued, ink: Ink) -> str:
    whom = None if event.target is None else thing(event.target, None, ink)
    if event.track is not None:
        whom = event.track if whom is None else f"{possessive(whom)} {event.track}"
    aspect = f" as “{event.aspect}”" if event.aspect is not None else ""
    path = f" to {_path(event.path)}" if event.path else ""
    skill = f" with {event.skill}" if event.skill is not None else ""
    acts = f"{ink.who(event.who)} {doing(event.act, whom)}{aspect}{path}{skill}"
    return f"{acts}, continued ({event.times}){ink.after(event.text)}"


def _action_forfeited(event: g.ActionForfeited, ink: Ink) -> str:
    did = f"{ink.whose(event.who)} act ends with the conflict"
    did = did if event.why == "conceded" else f"{ink.who(event.who)} does not act"
    return f"{did} ({event.why}){ink.after(event.text)}"


def _action_applied(event: g.ActionApplied, ink: Ink) -> str:
    deed = _DEEDS.get(event.act, event.act)
    return f"{ink.whose(event.who)} {deed} is applied, with {in_shifts(event.shifts)}"


_DEEDS: Final = {
    "defend": "defence",
    "deploy": "deployment",
    "recover": "recovery",
    "simple": "simple act",
}


# --- rolls ------------------------------------------------------------------------------------------------


def _skill_rolled(event: g.SkillRolled, ink: Ink) -> str:
    whose = ink.whose(event.opponent) if event.opponent is not None else None
    against = [str(value) for value in (whose, event.opposing, event.against) if value is not None]
    parts = [
        f"{ink.who(event.who)} tries {event.skill} {event.level}",
        f", {event.upgrade}" if event.upgrade is not None else "",
        f" against {' '.join(against)}" if against else "",
        f", a task of {_time(event.takes)}" if event.takes is not None else "",
    ]
    return f"{''.join(parts)}{ink.after(event.text)}"


def _shifts_set(event: g.ShiftsSet, ink: Ink) -> str:
    parts = (
        *(("dice", event.dice), ("level", event.level), ("invoked", event.invoked)),
        *(("boosted", event.boosted), ("spins", event.spins), ("continued", event.continued)),
        *(("ruled", event.ruled), ("bid", event.bid), ("opposed", event.opposed)),
        *(("range", event.range), ("resisted", event.resisted)),
    )
    made = ", ".join(f"{name} {value:+}" for name, value in parts if value is not None)
    challenge = is_outside(event) and event.opposed is None
    word = f", {ladder(event.shifts)}" if challenge else ""
    return f"{ink.who(event.who)}: {in_shifts(event.shifts)}{word}{f' ({made})' if made else ''}"


def _shifts_spent(event: g.ShiftsSpent, ink: Ink) -> str:
    spent = listed([f"{bought.shifts} on {bought.on}" for bought in event.spent]) or "nothing"
    takes = f"; it takes {_time(event.takes)}" if event.takes is not None else ""
    return f"{ink.who(event.who)} spends {spent}, {event.left} left{takes}{ink.after(event.text)}"


# --- what a ruling sets -----------------------------------------------------------------------------------


ON_A_SHEET: Final = frozenset({"of"})
"""Sheet keys whose value is a person's id."""

IN_A_SET_UP: Final = frozenset({"caller"})
"""Set-up keys of a conflict whose value is a person's id."""

PEOPLE: Final = frozenset({"asset", "comrade", "holder", "opponent"})
"""Payload fields with person ids that only this game has."""

NOTATIONS: Final[Notations] = {
    "edgerunner.zones-mapped": _zones_mapped,
    "edgerunner.zones-unmapped": _zones_unmapped,
    "edgerunner.placed": "placed in {zone}, without a move: {who}",
    "edgerunner.things-placed": lambda event, ink: (
        f"lying in {event.zone}: {', '.join(event.things)}{ink.after(event.text)}"
    ),
    "edgerunner.moved": _moved,
    "edgerunner.border-eroded": "{who} works at {one}-{other}{way? (#)}: {left} left of it",
    "edgerunner.exchange-began": _exchange_began,
    "edgerunner.turn-claimed": lambda event, ink: (
        f"next is {ink.who(event.who)}{f', bids: {_bids(event.bids, ink)}' if event.bids else ''}"
        f"{ink.after(event.text)}"
    ),
    "edgerunner.bids-tied": lambda event, ink: f"bids tied: {_bids(event.bids, ink)}",
    "edgerunner.action-declared": _action_declared,
    "edgerunner.action-continued": _action_continued,
    "edgerunner.action-forfeited": _action_forfeited,
    "edgerunner.action-applied": _action_applied,
    "edgerunner.skill-rolled": _skill_rolled,
    "edgerunner.shifts-set": _shifts_set,
    "edgerunner.shifts-spent": _shifts_spent,
    "edgerunner.spin-gained": "{who} moved badly: {spins} spin for {holder:somebody yet to be named}",
    "edgerunner.spin-spent": "{who} spends a spin",
    "edgerunner.number-set": "{on}: {what}{track? of #} is {value}",
    **HARM_NOTATIONS,
}
"""Notation of each Edgerunner event, by kind."""
