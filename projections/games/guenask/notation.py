"""Notation of Guenašk events in the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from projections.plain.ink import Ink, Notations, Payload, listed


def _sum(p: Payload) -> str:
    """Returns dice with their total, such as "4 + 3 = 7"; a single die alone."""
    dice = list(p["dice"])
    return str(p["total"]) if dice == [p["total"]] else f"{_dice(dice)} = {p['total']}"


def _dice(dice: Iterable[int]) -> str:
    return " + ".join(map(str, dice)) or "no dice"


def _stats(p: Payload) -> str:
    return ", ".join(map(_stat, p.get("stats") or ()))


def _stat(stat: Payload) -> str:
    lost = f" ({stat['lost']} lost to fallout)" if stat.get("lost") is not None else ""
    return f"{stat['stat']} {stat['dice']}d6{lost}"


def _cost(cost: Payload) -> str:
    parts = ["1", *(name for name, key in (("Body", "body"), ("Hard", "hard")) if cost[key])]
    if cost.get("dangerous") is not None:
        parts.append(f"{cost['dangerous']} dangerous")
    return f"{cost['amount']} fallout ({' + '.join(parts)})"


def _track(p: Payload) -> str:
    return "stages" if p["track"] == "stages" else f"the {p['track']} track"


def _approach_chosen(p: Payload, ink: Ink) -> str:
    kept = f", and a {p['follow_up']} kept from before" if p.get("follow_up") is not None else ""
    return f"{ink.who(p['who'])}, approach {p['approach']}: {_stats(p) or 'no dice'}{kept}{ink.after(p)}"


def _escalated(p: Payload, ink: Ink) -> str:
    dice = _stats(p) or "no stat left to roll"
    return f"{ink.who(p['who'])} escalates from {p['was']} to {p['approach']}: {dice}{ink.after(p)}"


def _turn_order_set(p: Payload, ink: Ink) -> str:
    best = f" (best two dice: {', '.join(map(str, p['best']))})" if p["best"] else ""
    then = "; after the first whoever is named" if p.get("free") else ""
    return f"order: {ink.people(p['order'])}{best}{then}"


def _raised(p: Payload, ink: Ink) -> str:
    to = ink.people(p["to"]) or "nobody"
    return f"{ink.who(p['who'])} raises {_sum(p)} against {to}{ink.after(p)}"


_ANSWERS: Final = {"reverse": "reverse the blow", "block": "block", "blow": "blow"}


def _seen(p: Payload, ink: Ink) -> str:
    sees = f"{ink.who(p['who'])} sees {ink.whose(p['whose'])} {p['against']} with {_sum(p)}"
    cost = f", {_cost(p['cost'])}" if p.get("cost") is not None else ""
    return f"{sees}: {_ANSWERS[p['how']]}{cost}{ink.after(p)}"


def _fallout_taken(p: Payload, ink: Ink) -> str:
    marked = f"{p['points']} marked, {p['total']}/{p['boxes']}"
    over, left_over = p.get("lost") or 0, p.get("left") or 0
    rest = p["track"] != "stages" and p["points"] + over + left_over < p["cost"]["amount"]
    took = f"{ink.who(p['who'])} takes {'the rest of ' * rest}{_cost(p['cost'])} on {_track(p)}: {marked}"
    lost = f", {p['lost']} lost" if p.get("lost") is not None else ""
    left = f", {p['left']} left for another track" if p.get("left") is not None else ""
    why = ", no reason given" if p.get("bare") else ""
    return f"{took}{lost}{left}{why}{ink.after(p)}"


def _fallout_resisted(p: Payload, ink: Ink) -> str:
    where = f" on {_track(p)}" if p.get("track") is not None else ""
    back = f", {p['points']} unmarked{where}" if p.get("points") is not None else where
    also = "".join(f" and {one['points']} on {_track(one)}" for one in p.get("also") or ())
    return f"{ink.who(p['who'])} resists {p['amount']} fallout with a {p['die']}{back}{also}{ink.after(p)}"


def _row_filled(p: Payload, ink: Ink) -> str:
    if p["track"] == "stages":
        return f"{ink.who(p['who'])}: row {p['row']} of the stages is full{_stat_less(p)}"
    return f"{ink.who(p['who'])}: {p['track']} row {p['row']} is full{_stat_less(p)}"


def _stat_less(p: Payload) -> str:
    return f", {p['stat']} has fewer dice from the next roll on" if p.get("stat") is not None else ""


def _condition_named(p: Payload, ink: Ink) -> str:
    row = f"{p['track']} row {p['row']}" if p["track"] != "stages" else f"row {p['row']} of the stages"
    return f"{ink.who(p['who'])}: {row} has its condition{ink.after(p)}"


_LOST: Final = {"unseen": "does not see (unseen)", "unraised": "does not raise (unraised)"}


def _stakes_lost(p: Payload, ink: Ink) -> str:
    cost = f", {_cost(p['cost'])}" if p.get("cost") is not None else ""
    return f"{ink.who(p['who'])} {_LOST[p['how']]} and loses the stakes{cost}{ink.after(p)}"


def _fate_decided(p: Payload, ink: Ink) -> str:
    fate = "will die of it" if p["dies"] else "will live"
    return f"{ink.who(p['who'])} has two full tracks and {fate}"


def _fallout_cleared(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} clears {p['points']} from {_track(p)}, {p['total']} left{ink.after(p)}"


def _pool_set(p: Payload, ink: Ink) -> str:
    return f"{ink.whose(p['who'])} pool is {listed([str(die) for die in p['dice']]) or 'empty'}"


NOTATIONS: Final[Notations] = {
    "guenask.stakes-set": "at stake{who? for #}",
    "guenask.initiator-named": "{who} begins it",
    "guenask.approach-chosen": _approach_chosen,
    "guenask.escalated": _escalated,
    "guenask.brought-in": "{who} brings in {what} {dice} ({source}{dangerous?, dangerous})",
    "guenask.turn-order-set": _turn_order_set,
    "guenask.raised": _raised,
    "guenask.seen": _seen,
    "guenask.fallout-taken": _fallout_taken,
    "guenask.fallout-resisted": _fallout_resisted,
    "guenask.row-filled": _row_filled,
    "guenask.condition-named": _condition_named,
    "guenask.stakes-lost": _stakes_lost,
    "guenask.gave": "{who} gives{forced?, for the track is full}{die?, and keeps a # for the next conflict}",
    "guenask.stakes-won": "{winner} wins the stakes",
    "guenask.fate-decided": _fate_decided,
    "guenask.character-died": "{who} dies",
    "guenask.fallout-cleared": _fallout_cleared,
    "guenask.pool-set": _pool_set,
    "guenask.number-set": "{who}: {what} is {value}",
}
"""Notation of each Guenašk event, by kind."""
