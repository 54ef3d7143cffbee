"""How what an act of Edgerunner does is noted: aspects, fate points, stress, consequences, who is out."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload, owning

ONLY_TRACK: Final = "stress"
"""What the one track of something is called that has just one."""


def shifts(count: int) -> str:
    """So many shifts, in words."""
    return f"{count} shift{'' if abs(count) == 1 else 's'}"


def thing(on: int | str, about: int | None, ink: Ink) -> str:
    """Somebody by name, a zone or border by its own, an aspect (`about` is its number) by its wording."""
    if isinstance(on, int):
        return ink.who(on)
    return on if about is None else f"“{on}”"


def _struck(p: Payload, ink: Ink) -> str:
    """Whom or what stress falls on; an aspect with its number."""
    number = f" (aspect no. {p['about']})" if p.get("about") is not None else ""
    return f"{thing(p['on'], p.get('about'), ink)}{number}"


def _of_track(p: Payload, ink: Ink) -> str:
    """A track of somebody's: `Gatto's cool`; a border or an aspect itself."""
    return f"{owning(_struck(p, ink))} {p['track']}" if p["track"] else _struck(p, ink)


def _free(count: int) -> str:
    return f"{count} free invoke{'' if count == 1 else 's'}"


def _shifts(p: Payload) -> str:
    """The shifts behind an aspect, if it was rolled for."""
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


NOTATIONS: Final[Notations] = {
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
"""The half of Edgerunner's kinds that say what acts do: how each is noted."""
