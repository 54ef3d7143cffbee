"""How what happens in Edgerunner is noted: the map, turns, acts and rolls; what they do is beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from projections.games.edgerunner import harm
from projections.games.edgerunner.harm import shifts
from projections.plain.ink import Ink, Notations, Payload, listed, owning

LADDER: Final = (
    *("Catastrophic", "Abysmal", "Terrible", "Poor", "Mediocre", "Average", "Decent"),
    *("Good", "Great", "Superb", "Fantastic", "Epic", "Legendary"),
)
"""The words of the ladder, from -4 on; a test holds them to the rules, which are too much to load here."""

TIME: Final = (
    *("instant", "a few moments", "half a minute", "a minute", "a few minutes", "15 minutes"),
    *("half an hour", "an hour", "a few hours", "an afternoon", "a day", "a few days", "a week"),
    *("a few weeks", "a month", "a quarter", "half a year", "a year", "a few years", "a decade"),
    "a lifetime",
)
"""The words of the time track, from step 0 on; a test holds them to the rules too."""

_MEDIOCRE: Final = LADDER.index("Mediocre")

_ACTS: Final = {"maneuver": "maneuvers on", "simple": "does something simple"}


def doing(act: str, whom: str | None) -> str:
    """An act as somebody does it: `attacks Gatto`, `moves`, `maneuvers on Hargan`."""
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
    """Who does what to whom or what: `Hargan attacks Gatto's cool`."""
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
    return harm.thing(p["target"], p.get("about"), ink)


def _path(path: Iterable[Payload]) -> str:
    return " → ".join(f"{step['zone']}:{step['way']}" if step.get("way") else step["zone"] for step in path)


def _with(p: Payload) -> str:
    """The skill and its level; nothing for what needs neither."""
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
"""The keys of a sheet whose value is somebody."""

IN_A_SET_UP: Final = frozenset({"caller"})
"""The keys of a conflict's set-up whose value is somebody."""

PEOPLE: Final = frozenset({"asset", "comrade", "holder", "opponent"})
"""The fields that hold somebody in this game alone."""

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
    **harm.NOTATIONS,
}
"""Each kind of Edgerunner: how it is noted."""
