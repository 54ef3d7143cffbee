"""Notation of Edgerunner events in the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from projections.plain.ink import Ink, Notations, Payload, listed, owning

ONLY_TRACK: Final = "stress"
"""Name of the track of things that have a single track."""


def shifts(count: int) -> str:
    """Returns a number of shifts in words: "1 shift", "2 shifts"."""
    return f"{count} shift{'' if abs(count) == 1 else 's'}"


def thing(on: int | str, about: int | None, ink: Ink) -> str:
    """Returns the name of a person (int), the name of a zone or border, or the wording of aspect `about`."""
    if isinstance(on, int):
        return ink.who(on)
    return on if about is None else f"“{on}”"


def _struck(p: Payload, ink: Ink) -> str:
    """Returns the target of stress by name; an aspect with its number."""
    number = f" (aspect no. {p['about']})" if p.get("about") is not None else ""
    return f"{thing(p['on'], p.get('about'), ink)}{number}"


def _of_track(p: Payload, ink: Ink) -> str:
    """Returns a track with its owner, such as "Gatto's cool"; a border or an aspect alone."""
    return f"{owning(_struck(p, ink))} {p['track']}" if p["track"] else _struck(p, ink)


def _free(count: int) -> str:
    return f"{count} free invoke{'' if count == 1 else 's'}"


def _shifts(p: Payload) -> str:
    """Returns the shifts of an aspect's roll as ", 3 shifts"; empty without a roll."""
    if p.get("shifts") is None:
        return ""
    return f", {p['shifts']} shift{'' if p['shifts'] == 1 else 's'}"


# --- aspects and fate points ------------------------------------------------------------------------------


def _aspect_placed(p: Payload, ink: Ink) -> str:
    by = f" by {ink.who(p['by'])}" if p.get("by") is not None else ""
    how = f"aspect no. {p['aspect']}, {p['how']}{by}{_shifts(p)}, {_free(p.get('free', 0))}"
    return f"{thing(p['on'], None, ink)} has “{p['wording']}” ({how}){ink.after(p)}"


def _declaration_failed(p: Payload, ink: Ink) -> str:
    return f"{thing(p['on'], None, ink)} has no “{p['wording']}” (declaration{_shifts(p)}){ink.after(p)}"


def _assessment_failed(p: Payload, ink: Ink) -> str:
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']}{_shifts(p)})"
    return f"{ink.who(p['who'])} can make nothing of {aspect}{ink.after(p)}"


def _free_invokes_gained(p: Payload, ink: Ink) -> str:
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']}{_shifts(p)})"
    return f"{ink.who(p['who'])} gains {_free(p['free'])} of {aspect}{ink.after(p)}"


def _finding_stands(p: Payload, ink: Ink) -> str:
    by = f" of {ink.whose(p['who'])}" if p.get("who") is not None else ""
    there = "" if p.get("there", True) else ", and is not there"
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']}{_shifts(p)})"
    return f"{p['how']}{by}: {_free(p['free'])} of {aspect}{there}"


_PAID_FOR: Final = {
    "invoke": "an invoke",
    "accepted": "a compel accepted",
    "refused": "a compel refused",
    "ghost": "the aspect of a ghost",
    "concession": "a concession",
}


def _fate_point_paid(p: Payload, ink: Ink) -> str:
    points = f"{p['points']} fate point{'' if p['points'] == 1 else 's'}"
    paid_for = _PAID_FOR.get(p["why"], p["why"])
    return f"{ink.who(p['payer'])} gives {ink.who(p['payee'])} {points} for {paid_for}"


def _refreshed(p: Payload, _ink: Ink) -> str:
    stress = "all stress is gone" if p["stress"] else "stress stays"
    return f"refresh: {p['points']} fate points each, {stress}"


# --- stress and consequences ------------------------------------------------------------------------------


def _stress_marked(p: Payload, ink: Ink) -> str:
    track = f" on {p['track']}" if p.get("track") not in (None, ONLY_TRACK) else ""
    boxes = f"boxes {_boxes(p)}, threshold {p['threshold']}"
    return f"{_struck(p, ink)}: {p['amount']} stress{track} ({p['why']}), {boxes}"


def _boxes(p: Payload) -> str:
    return " ".join(map(str, p["boxes"])) or "none"


def _boxes_cleared(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} clears {_of_track(p, ink)}, boxes {_boxes(p)}"


def _consequence_taken(p: Payload, ink: Ink) -> str:
    holder = ink.who(p["holder"]) if p.get("holder") is not None else "whoever opposes"
    slot = f", in {ink.whose(p['slot_of'])} slot" if p.get("slot_of") is not None else ""
    what = f"“{p['wording']}” (aspect no. {p['aspect']}, {p['severity']}, worth {p['worth']}{slot})"
    return f"{ink.who(p['who'])} takes {what} to {_TAKEN_TO[p['why']]}, 1 free invoke for {holder}"


_TAKEN_TO: Final = {"resist": "resist", "boost": "boost a roll", "strain": "bear the strain"}


def _threshold_replaced(p: Payload, ink: Ink) -> str:
    kept = f"threshold {p['threshold']} instead of {p['own']}"
    return f"{_of_track(p, ink)}: {kept} while {ink.who(p['who'])} defends it"


def _threshold_reverted(p: Payload, ink: Ink) -> str:
    over = f"{ink.who(p['who'])} defends it no longer"
    return f"{_of_track(p, ink)}: threshold {p['threshold']} again, {over}"


def _taken_out(p: Payload, ink: Ink) -> str:
    by = f" by {ink.who(p['by'])}" if p.get("by") is not None else ""
    track = f" on {p['track']}" if p.get("track") is not None else ""
    blow = f", {shifts(p['over'])}" if p["over"] else ""
    beyond = f", {p['beyond']} over" if p.get("beyond") else ""
    return f"{_struck(p, ink)} is taken out{track}{by}{blow}{beyond}"


def _deployed(p: Payload, ink: Ink) -> str:
    cost = f"{p['cost']} shift{'' if p['cost'] == 1 else 's'}"
    return f"{ink.who(p['who'])} has {ink.who(p['asset'])} in {p['zone']} ({cost})"


def _stress_cleared(p: Payload, ink: Ink) -> str:
    tracks = "" if p["tracks"] == [ONLY_TRACK] else f" on {', '.join(p['tracks']) or 'nothing'}"
    return f"{ink.who(p['who'])}: no more stress{tracks}{ink.after(p)}"


HARM_NOTATIONS: Final[Notations] = {
    "edgerunner.aspect-placed": _aspect_placed,
    "edgerunner.declaration-failed": _declaration_failed,
    "edgerunner.assessment-failed": _assessment_failed,
    "edgerunner.aspect-removed": "{on} has “{wording}” no longer (aspect no. {aspect}, {why})",
    "edgerunner.free-invokes-gained": _free_invokes_gained,
    "edgerunner.finding-stands": _finding_stands,
    "edgerunner.free-invokes-lapsed": "no free invokes any more of “{wording}” on {on} (aspect no. {aspect})",
    "edgerunner.aspect-invoked": (
        "{who} invokes “{wording}” on {on} (aspect no. {aspect}), {mode}"
        "{free?, free}{@by?, lent by #}{finding?, on what was found}"
    ),
    "edgerunner.fate-point-paid": _fate_point_paid,
    "edgerunner.refreshed": _refreshed,
    "edgerunner.boosted": "{who} boosts by {shifts}",
    "edgerunner.resisted": (
        "{who} resists {shifts}{strain? of the strain of #}"
        "{comrade? for #}{asset? through #}{upgrade? with #}"
    ),
    "edgerunner.stress-marked": _stress_marked,
    "edgerunner.boxes-cleared": _boxes_cleared,
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
    "edgerunner.deployed": _deployed,
    "edgerunner.stress-cleared": _stress_cleared,
    "edgerunner.consequence-cleared": "{who} is over “{wording}” (aspect no. {aspect}, {severity})",
}
"""Notation of aspects, stress and consequences, by kind."""


LADDER: Final = (
    *("Catastrophic", "Abysmal", "Terrible", "Poor", "Mediocre", "Average", "Decent"),
    *("Good", "Great", "Superb", "Fantastic", "Epic", "Legendary"),
)
"""Words of the ladder, from -4 up; copied, since importing the rules is slow (a test compares them)."""

TIME: Final = (
    *("instant", "a few moments", "half a minute", "a minute", "a few minutes", "15 minutes"),
    *("half an hour", "an hour", "a few hours", "an afternoon", "a day", "a few days", "a week"),
    *("a few weeks", "a month", "a quarter", "half a year", "a year", "a few years", "a decade"),
    "a lifetime",
)
"""Words of the time track, from step 0 up; copied like `LADDER`."""

_MEDIOCRE: Final = LADDER.index("Mediocre")

_ACTS: Final = {"maneuver": "maneuvers on", "simple": "does something simple"}


def doing(act: str, whom: str | None) -> str:
    """Returns an act as a verb with its target: "attacks Gatto", "moves", "maneuvers on Hargan"."""
    said = _ACTS.get(act, f"{act}s")
    return said.removesuffix(" on") if whom is None else f"{said} {whom}"


def _time(step: int) -> str:
    return TIME[step] if 0 <= step < len(TIME) else f"step {step}"


# --- the place --------------------------------------------------------------------------------------------


def _zones_mapped(p: Payload, ink: Ink) -> str:
    zones = f" {', '.join(p['zones'])}" if p.get("zones") else ""
    borders = f"; {', '.join(map(_border, p['borders']))}" if p.get("borders") else ""
    threshold = f"; threshold {p['threshold']}" if p.get("threshold") is not None else ""
    pins = "".join(f"; {zone} at {x},{y}" for zone, (x, y) in (p.get("pins") or {}).items())
    return f"map{zones}{borders}{threshold}{pins}{ink.after(p)}"


def _border(drawn: Payload) -> str:
    ways = "/".join(f"{way} {value}".lstrip() for way, value in drawn["passes"].items())
    return f"{drawn['one']}-{drawn['other']} {ways or 'closed'}"


def _zones_unmapped(p: Payload, ink: Ink) -> str:
    return f"wiped off the map: {', '.join((*p['zones'], *p['borders'])) or 'nothing'}{ink.after(p)}"


def _things_placed(p: Payload, ink: Ink) -> str:
    return f"lying in {p['zone']}: {', '.join(p['things'])}{ink.after(p)}"


def _moved(p: Payload, ink: Ink) -> str:
    path = " → ".join((p["start"], *p["path"]))
    how = f"free, {shifts(p['spent'])}" if p.get("free") else shifts(p["spent"])
    return f"{ink.who(p['who'])} moves {path} ({how})"


# --- exchanges and turns ----------------------------------------------------------------------------------


def _exchange_began(p: Payload, ink: Ink) -> str:
    step = f", {_time(p['step'])} long" if p.get("step") is not None else ""
    return f"exchange {p['exchange']}{step}{ink.after(p, 'length', ', ')}{ink.after(p)}"


def _turn_claimed(p: Payload, ink: Ink) -> str:
    bids = f", bids: {_bids(p['bids'], ink)}" if p.get("bids") else ""
    return f"next is {ink.who(p['who'])}{bids}{ink.after(p)}"


def _bids_tied(p: Payload, ink: Ink) -> str:
    return f"bids tied: {_bids(p['bids'], ink)}"


def _bids(bids: Iterable[Payload], ink: Ink) -> str:
    return ", ".join(f"{ink.who(bid['who'])} {bid['shifts']}" for bid in bids)


# --- acts -------------------------------------------------------------------------------------------------


def _action_declared(p: Payload, ink: Ink) -> str:
    parts = [
        _done_to(p, ink),
        f" as “{p['aspect']}”" if p.get("aspect") is not None else "",
        f" to {_path(p['path'])}" if p.get("path") else "",
        _with(p),
        f", {p['upgrade']}" if p.get("upgrade") is not None else "",
        _opposition(p),
        ", interrupting" if p.get("interrupt") else "",
        ", extra" if p.get("extra") else "",
    ]
    return f"{''.join(parts)}{ink.after(p)}"


def _done_to(p: Payload, ink: Ink) -> str:
    """Returns an act with actor and targets: "Hargan attacks Gatto's cool"."""
    whom = [ink.who(p["asset"])] if p.get("asset") is not None else []
    whom += [_target(p, ink)] if p.get("target") is not None else []
    whom += [ink.who(one) for one in p.get("also") or ()]
    track = p.get("track")
    done_to = " + ".join(whom) or None
    if track is not None:
        done_to = track if done_to is None else f"{owning(done_to)} {track}"
    acts = doing(p["act"], done_to)
    number = f" (aspect no. {p['about']})" if p.get("about") is not None else ""
    return f"{ink.who(p['who'])} {acts}{number}"


def _target(p: Payload, ink: Ink) -> str:
    return thing(p["target"], p.get("about"), ink)


def _path(path: Iterable[Payload]) -> str:
    return " → ".join(f"{step['zone']}:{step['way']}" if step.get("way") else step["zone"] for step in path)


def _with(p: Payload) -> str:
    """Returns the skill and level of an act; empty for acts that need no roll."""
    level = p.get("level", 0)
    if p.get("skill") is not None:
        return f" with {p['skill']} {level}"
    return f" ({level})" if level or p["act"] != "simple" else ""


def _opposition(p: Payload) -> str:
    against = [str(p[key]) for key in ("against", "opposed") if p.get(key) is not None]
    return f" against {' '.join(against)}" if against else ""


def _action_continued(p: Payload, ink: Ink) -> str:
    whom = None if p.get("target") is None else _target(p, ink)
    if p.get("track") is not None:
        whom = p["track"] if whom is None else f"{owning(whom)} {p['track']}"
    aspect = f" as “{p['aspect']}”" if p.get("aspect") is not None else ""
    path = f" to {_path(p['path'])}" if p.get("path") else ""
    skill = f" with {p['skill']}" if p.get("skill") is not None else ""
    acts = f"{ink.who(p['who'])} {doing(p['act'], whom)}{aspect}{path}{skill}"
    return f"{acts}, continued ({p['times']}){ink.after(p)}"


def _action_applied(p: Payload, ink: Ink) -> str:
    return f"{ink.whose(p['who'])} {_DEEDS.get(p['act'], p['act'])} is applied, with {shifts(p['shifts'])}"


_DEEDS: Final = {
    "defend": "defence",
    "deploy": "deployment",
    "recover": "recovery",
    "simple": "simple act",
}


# --- rolls ------------------------------------------------------------------------------------------------


def _skill_rolled(p: Payload, ink: Ink) -> str:
    whose = ink.whose(p["opponent"]) if p.get("opponent") is not None else None
    against = [str(one) for one in (whose, p.get("opposing"), p.get("against")) if one is not None]
    parts = [
        f"{ink.who(p['who'])} tries {p['skill']} {p['level']}",
        f", {p['upgrade']}" if p.get("upgrade") is not None else "",
        f" against {' '.join(against)}" if against else "",
        f", a task of {_time(p['takes'])}" if p.get("takes") is not None else "",
    ]
    return f"{''.join(parts)}{ink.after(p)}"


_PARTS: Final = (
    *("dice", "level", "invoked", "boosted", "spins", "continued", "ruled"),
    *("bid", "opposed", "range", "resisted"),
)


def _shifts_set(p: Payload, ink: Ink) -> str:
    made = ", ".join(f"{part} {p[part]:+}" for part in _PARTS if p.get(part) is not None)
    challenge = "conflict" not in p and p.get("opposed") is None
    word = f", {_ladder(p['shifts'])}" if challenge else ""
    return f"{ink.who(p['who'])}: {shifts(p['shifts'])}{word}{f' ({made})' if made else ''}"


def _ladder(total: int) -> str:
    return LADDER[min(len(LADDER) - 1, max(0, total + _MEDIOCRE))]


def _shifts_spent(p: Payload, ink: Ink) -> str:
    spent = listed([f"{one['shifts']} on {one['on']}" for one in p["spent"]]) or "nothing"
    takes = f"; it takes {_time(p['takes'])}" if p.get("takes") is not None else ""
    return f"{ink.who(p['who'])} spends {spent}, {p['left']} left{takes}{ink.after(p)}"


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
    "edgerunner.things-placed": _things_placed,
    "edgerunner.moved": _moved,
    "edgerunner.border-eroded": "{who} works at {one}-{other}{way? (#)}: {left} left of it",
    "edgerunner.exchange-began": _exchange_began,
    "edgerunner.turn-claimed": _turn_claimed,
    "edgerunner.bids-tied": _bids_tied,
    "edgerunner.action-declared": _action_declared,
    "edgerunner.action-continued": _action_continued,
    "edgerunner.action-forfeited": "{who} does not act ({why})",
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
