"""How what happens in Guenašk is noted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from projections.plain.ink import Ink, Notation, Payload, listed


def _sum(p: Payload) -> str:
    """The dice put forward and what they come to; a single die is its own sum."""
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


def _stakes_set(p: Payload, ink: Ink) -> str:
    whose = f" for {ink.who(p['who'])}" if p.get("who") is not None else ""
    return f"at stake{whose}{ink.after(p)}"


def _initiator_named(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} begins it"


def _approach_chosen(p: Payload, ink: Ink) -> str:
    kept = f", and a {p['follow_up']} kept from before" if p.get("follow_up") is not None else ""
    return f"{ink.who(p['who'])}, approach {p['approach']}: {_stats(p) or 'no dice'}{kept}{ink.after(p)}"


def _escalated(p: Payload, ink: Ink) -> str:
    dice = _stats(p) or "no stat left to roll"
    return f"{ink.who(p['who'])} escalates from {p['was']} to {p['approach']}: {dice}{ink.after(p)}"


def _brought_in(p: Payload, ink: Ink) -> str:
    dangerous = ", dangerous" if p.get("dangerous") else ""
    return f"{ink.who(p['who'])} brings in {p['what']} {p['dice']} ({p['source']}{dangerous}){ink.after(p)}"


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
    return f"{took}{lost}{left}{ink.after(p)}"


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


def _gave(p: Payload, ink: Ink) -> str:
    forced = ", for the track is full" if p.get("forced") else ""
    die = f", and keeps a {p['die']} for the next conflict" if p.get("die") is not None else ""
    return f"{ink.who(p['who'])} gives{forced}{die}{ink.after(p)}"


def _stakes_won(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['winner'])} wins the stakes"


def _fate_decided(p: Payload, ink: Ink) -> str:
    fate = "will die of it" if p["dies"] else "will live"
    return f"{ink.who(p['who'])} has two full tracks and {fate}"


def _character_died(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} dies"


def _fallout_cleared(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} clears {p['points']} from {_track(p)}, {p['total']} left{ink.after(p)}"


def _pool_set(p: Payload, ink: Ink) -> str:
    return f"{ink.whose(p['who'])} pool is {listed([str(die) for die in p['dice']]) or 'empty'}"


def _number_set(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])}: {p['what']} is {p['value']}"


NOTATIONS: Final[Mapping[str, tuple[Notation, frozenset[str]]]] = {
    "guenask.stakes-set": (_stakes_set, frozenset({"who", "text"})),
    "guenask.initiator-named": (_initiator_named, frozenset({"who"})),
    "guenask.approach-chosen": (
        _approach_chosen,
        frozenset({"who", "approach", "stats", "follow_up", "text"}),
    ),
    "guenask.escalated": (_escalated, frozenset({"who", "approach", "was", "stats", "text"})),
    "guenask.brought-in": (_brought_in, frozenset({"who", "what", "source", "dice", "dangerous", "text"})),
    "guenask.turn-order-set": (_turn_order_set, frozenset({"order", "best", "free"})),
    "guenask.raised": (_raised, frozenset({"who", "dice", "total", "to", "text"})),
    "guenask.seen": (
        _seen,
        frozenset({"who", "whose", "how", "dice", "total", "against", "cost", "text"}),
    ),
    "guenask.fallout-taken": (
        _fallout_taken,
        frozenset({"who", "track", "cost", "points", "lost", "left", "total", "boxes", "text"}),
    ),
    "guenask.fallout-resisted": (
        _fallout_resisted,
        frozenset({"who", "die", "amount", "track", "points", "also", "text"}),
    ),
    "guenask.row-filled": (_row_filled, frozenset({"who", "track", "row", "stat"})),
    "guenask.condition-named": (_condition_named, frozenset({"who", "track", "row", "text"})),
    "guenask.stakes-lost": (_stakes_lost, frozenset({"who", "how", "cost", "text"})),
    "guenask.gave": (_gave, frozenset({"who", "forced", "die", "text"})),
    "guenask.stakes-won": (_stakes_won, frozenset({"winner"})),
    "guenask.fate-decided": (_fate_decided, frozenset({"who", "dies"})),
    "guenask.character-died": (_character_died, frozenset({"who"})),
    "guenask.fallout-cleared": (_fallout_cleared, frozenset({"who", "track", "points", "total", "text"})),
    "guenask.pool-set": (_pool_set, frozenset({"who", "dice"})),
    "guenask.number-set": (_number_set, frozenset({"who", "what", "value"})),
}
"""Each kind of Guenašk: how it is noted, and the fields that its notation shows."""
