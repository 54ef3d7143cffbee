"""How what an act of Edgerunner does is noted: aspects, fate points, stress, consequences, who is out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.plain.ink import Ink, Notation, Payload, owning

ONLY_TRACK: Final = "stress"
"""What the one track of something is called that has just one."""


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


def _aspect_removed(p: Payload, ink: Ink) -> str:
    gone = f"aspect no. {p['aspect']}, {p['why']}"
    return f"{thing(p['on'], None, ink)} has “{p['wording']}” no longer ({gone}){ink.after(p)}"


def _free_invokes_gained(p: Payload, ink: Ink) -> str:
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']}{_shifts(p)})"
    return f"{ink.who(p['who'])} gains {_free(p['free'])} of {aspect}{ink.after(p)}"


def _finding_stands(p: Payload, ink: Ink) -> str:
    by = f" of {ink.whose(p['who'])}" if p.get("who") is not None else ""
    there = "" if p.get("there", True) else ", and is not there"
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']}{_shifts(p)})"
    return f"{p['how']}{by}: {_free(p['free'])} of {aspect}{there}"


def _free_invokes_lapsed(p: Payload, ink: Ink) -> str:
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']})"
    return f"no free invokes any more of {aspect}"


def _aspect_invoked(p: Payload, ink: Ink) -> str:
    aspect = f"“{p['wording']}” on {thing(p['on'], None, ink)} (aspect no. {p['aspect']})"
    lent = f", lent by {ink.who(p['by'])}" if p.get("by") is not None else ""
    free = ", free" if p.get("free") else ""
    finding = ", on what was found" if p.get("finding") else ""
    return f"{ink.who(p['who'])} invokes {aspect}, {p['mode']}{free}{lent}{finding}{ink.after(p)}"


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


def _boosted(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} boosts by {p['shifts']}{ink.after(p)}"


def _resisted(p: Payload, ink: Ink) -> str:
    comrade = f" for {ink.who(p['comrade'])}" if p.get("comrade") is not None else ""
    asset = f" through {ink.who(p['asset'])}" if p.get("asset") is not None else ""
    upgrade = f" with {p['upgrade']}" if p.get("upgrade") is not None else ""
    strain = f" of the strain of {p['strain']}" if p.get("strain") is not None else ""
    return f"{ink.who(p['who'])} resists {p['shifts']}{strain}{comrade}{asset}{upgrade}{ink.after(p)}"


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


def _upgrade_strained(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} owes {p['track']} {p['amount']} stress for {p['upgrade']}"


def _taken_out(p: Payload, ink: Ink) -> str:
    by = f" by {ink.who(p['by'])}" if p.get("by") is not None else ""
    track = f" on {p['track']}" if p.get("track") is not None else ""
    return f"{_struck(p, ink)} is taken out{track}{by}, {p['over']} over"


def _tale_told(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['by'])} has told what becomes of {thing(p['on'], None, ink)}"


def _character_killed(p: Payload, ink: Ink) -> str:
    by = f", killed by {ink.who(p['by'])}" if p.get("by") is not None else ""
    return f"{ink.who(p['who'])} is dead{by}"


def _deployed(p: Payload, ink: Ink) -> str:
    cost = f"{p['cost']} shift{'' if p['cost'] == 1 else 's'}"
    return f"{ink.who(p['who'])} has {ink.who(p['asset'])} in {p['zone']} ({cost})"


def _stress_cleared(p: Payload, ink: Ink) -> str:
    tracks = "" if p["tracks"] == [ONLY_TRACK] else f" on {', '.join(p['tracks']) or 'nothing'}"
    return f"{ink.who(p['who'])}: no more stress{tracks}{ink.after(p)}"


def _consequence_cleared(p: Payload, ink: Ink) -> str:
    what = f"“{p['wording']}” (aspect no. {p['aspect']}, {p['severity']})"
    return f"{ink.who(p['who'])} is over {what}{ink.after(p)}"


def _consequence_altered(p: Payload, ink: Ink) -> str:
    now = f"“{p['wording']}” (aspect no. {p['aspect']}, {p['severity']})"
    return f"{ink.who(p['who'])} has {now} instead of “{p['was']}”, by {ink.who(p['by'])}{ink.after(p)}"


def _mooks_merged(p: Payload, ink: Ink) -> str:
    others = ink.people(p["others"]) or "nobody"
    return f"{ink.who(p['who'])} and {others} are one lot, threat level {p['level']}{ink.after(p)}"


def _shown(notation: Notation, *fields: str) -> tuple[Notation, frozenset[str]]:
    return notation, frozenset(fields)


NOTATIONS: Final[Mapping[str, tuple[Notation, frozenset[str]]]] = {
    "edgerunner.aspect-placed": _shown(
        _aspect_placed, "aspect", "on", "wording", "how", "by", "free", "shifts", "text"
    ),
    "edgerunner.declaration-failed": _shown(_declaration_failed, "on", "wording", "shifts", "text"),
    "edgerunner.assessment-failed": _shown(
        _assessment_failed, "who", "aspect", "on", "wording", "shifts", "text"
    ),
    "edgerunner.aspect-removed": _shown(_aspect_removed, "aspect", "on", "wording", "why", "text"),
    "edgerunner.free-invokes-gained": _shown(
        _free_invokes_gained, "who", "aspect", "on", "wording", "free", "shifts", "text"
    ),
    "edgerunner.finding-stands": _shown(
        _finding_stands, "who", "how", "aspect", "on", "wording", "shifts", "free", "there"
    ),
    "edgerunner.free-invokes-lapsed": _shown(_free_invokes_lapsed, "aspect", "on", "wording"),
    "edgerunner.aspect-invoked": _shown(
        _aspect_invoked, "who", "aspect", "on", "wording", "mode", "free", "by", "finding", "text"
    ),
    "edgerunner.fate-point-paid": _shown(_fate_point_paid, "payer", "payee", "points", "why"),
    "edgerunner.refreshed": _shown(_refreshed, "points", "stress"),
    "edgerunner.boosted": _shown(_boosted, "who", "shifts", "text"),
    "edgerunner.resisted": _shown(
        _resisted, "who", "shifts", "comrade", "strain", "asset", "upgrade", "text"
    ),
    "edgerunner.stress-marked": _shown(
        _stress_marked, "on", "about", "track", "amount", "boxes", "threshold", "why"
    ),
    "edgerunner.boxes-cleared": _shown(_boxes_cleared, "who", "on", "track", "boxes"),
    "edgerunner.consequence-taken": _shown(
        _consequence_taken, "who", "severity", "worth", "aspect", "wording", "slot_of", "holder", "why"
    ),
    "edgerunner.threshold-replaced": _shown(
        _threshold_replaced, "who", "on", "about", "track", "threshold", "own"
    ),
    "edgerunner.threshold-reverted": _shown(_threshold_reverted, "who", "on", "about", "track", "threshold"),
    "edgerunner.upgrade-strained": _shown(_upgrade_strained, "who", "upgrade", "track", "amount"),
    "edgerunner.taken-out": _shown(_taken_out, "on", "about", "by", "track", "over"),
    "edgerunner.tale-told": _shown(_tale_told, "on", "by"),
    "edgerunner.character-killed": _shown(_character_killed, "who", "by"),
    "edgerunner.consequence-altered": _shown(
        _consequence_altered, "who", "aspect", "severity", "wording", "was", "by", "text"
    ),
    "edgerunner.mooks-merged": _shown(_mooks_merged, "who", "others", "level", "text"),
    "edgerunner.deployed": _shown(_deployed, "who", "asset", "zone", "cost"),
    "edgerunner.stress-cleared": _shown(_stress_cleared, "who", "tracks", "text"),
    "edgerunner.consequence-cleared": _shown(
        _consequence_cleared, "who", "severity", "aspect", "wording", "text"
    ),
}
"""The half of Edgerunner's kinds that say what acts do: how each is noted, and the fields it shows."""
