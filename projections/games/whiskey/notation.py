"""Notation of Whiskey events in the log."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload, card, listed

_ACTS: Final = {
    "engage": "engages",
    "guard": "guards",
    "advance": "advances",
    "stand": "takes a stand",
    "other": "acts otherwise",
}


def doing(act: str, target: str | None) -> str:
    """Returns an act as a verb with its target: "engages sword", "guards the ground", "advances"."""
    said = _ACTS.get(act, act)
    if target is None:
        return f"{said} the ground" if act == "guard" else said
    return f"{said} {target}"


def _doing(p: Payload, ink: Ink) -> str:
    target = None if p.get("target") is None else ink.who(p["target"])
    return f"{ink.who(p['who'])} {doing(p['act'], target)}"


def _intent_declared(p: Payload, ink: Ink) -> str:
    return f"{_doing(p, ink)}{ink.after(p)}"


def _intents_revealed(p: Payload, ink: Ink) -> str:
    return f"revealed at once: what {listed([ink.who(one) for one in p['people']])} sealed"


_HOW: Final = {
    "first_pc": "declared first (first_pc)",
    "random": "by lot (random)",
    "gm": "as the game master says (gm)",
}


def _loop_broken(p: Payload, ink: Ink) -> str:
    how = _HOW.get(p["how"], p["how"])
    return f"each after the next ({ink.people(p['loop'])}): {ink.who(p['who'])} gets through, {how}"


def _intent_succeeded(p: Payload, ink: Ink) -> str:
    by = _names(p, ink)
    why: str = {
        "unopposed": "unopposed",
        "mutual": f"mutual, for {by} wants it too",
        "freed": f"freed, for {by} {_was(p)} stopped",
        "chosen": "chosen to get through",
        "stood": f"held it, though {by} came",
    }.get(p["why"], str(p["why"]))
    named = f" ({by})" if by and by not in why else ""
    return f"{_doing(p, ink)}: {why}{named}"


def _intent_stopped(p: Payload, ink: Ink) -> str:
    return f"{_doing(p, ink)}: stopped by {_names(p, ink) or 'nobody'}"


def _names(p: Payload, ink: Ink) -> str:
    return listed([ink.who(person) for person in p.get("by") or ()])


def _was(p: Payload) -> str:
    return "was" if len(p.get("by") or ()) == 1 else "were"


def _clash_dropped(p: Payload, ink: Ink) -> str:
    gone = [ink.who(person) for person in p.get("gone") or ()]
    why = f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} out of it" if gone else "the fight broke off"
    return f"no check of {ink.who(p['one'])} and {ink.who(p['other'])}: {why}"


def _check_made(p: Payload, ink: Ink) -> str:
    unwanted = "" if p.get("wanted", True) else ", not wanted"
    clash = " in a clash" if p.get("clash") else ""
    own = f"{p['stat']} {p['x']}" if p.get("stat") is not None else str(p["x"])
    value = f"{'-' if p['c'] < 0 else '+'} {abs(p['c'])}"
    drawn = f"{value} ({card(p['card'])})" if p.get("card") is not None else value
    how = f"{own} {drawn} = {p['total']} against {_against(p, ink)}"
    came = "passed" if p["passed"] else "failed"
    return f"{ink.who(p['who'])} checks{clash}, {p['faction']} deck: {how}, {came}, d6 {p['d']}{unwanted}"


def _against(p: Payload, ink: Ink) -> str:
    other = f"{ink.whose(p['other'])} " if p.get("other") is not None else ""
    stat = f"{p['theirs']} " if p.get("theirs") is not None else ""
    return f"{other}{stat}{p['y']}"


def _deck_reshuffled(p: Payload, _ink: Ink) -> str:
    back = f"{p['spent']} go back" if p.get("spent") is not None else "all cards go back"
    why = "early, as asked" if p["why"] == "asked" else p["why"]
    return f"{p['faction']} deck: {back} ({why}), {p['half']} in play"


PEOPLE: Final = frozenset({"checker", "loop", "third"})
"""Payload fields with person ids that only this game has."""

NOTATIONS: Final[Notations] = {
    "whiskey.intent-declared": _intent_declared,
    "whiskey.intent-sealed": "{who} seals an intent",
    "whiskey.intents-revealed": _intents_revealed,
    "whiskey.guard-assigned": "{who} is to stop {target:nobody}",
    "whiskey.loop-broken": _loop_broken,
    "whiskey.intent-succeeded": _intent_succeeded,
    "whiskey.intent-stopped": _intent_stopped,
    "whiskey.clash-formed": "clash: {one} and {other}, {checker:either} checks{paired?, paired by hand}",
    "whiskey.triangle-proposed": "triangle: {one}, {other} and {third}, if the table will",
    "whiskey.clash-dropped": _clash_dropped,
    "whiskey.check-made": _check_made,
    "whiskey.damage-dealt": "{winner} hits {loser} for {amount}{left?: # left}",
    "whiskey.damage-suppressed": (
        "{winner's} {amount} to {loser} do not count: {winner} was put out of the fight at once"
    ),
    "whiskey.incapacitated": "{who} is out of the fight",
    "whiskey.recovered": "{who} can fight again",
    "whiskey.phase-ended": "phase {phase} over",
    "whiskey.deck-reshuffled": _deck_reshuffled,
    "whiskey.number-set": "{who}: {what} is {value}",
}
"""Notation of each Whiskey event, by kind."""

SEALED: Final = frozenset({"whiskey.intent-sealed"})
"""Kinds whose words are shown to nobody."""
