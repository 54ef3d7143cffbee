"""Notation of Guenašk events: one text line per event, as `log` shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from retold.game import Ink, Notations, listed

if TYPE_CHECKING:
    from retold.games.guenask import events as g


def _sum(event: g.Raised | g.Seen) -> str:
    """Returns the dice of a raise or see with their total, "4 + 3 = 7"; a single die alone."""
    dice = list(event.dice)
    return str(event.total) if dice == [event.total] else f"{_dice(dice)} = {event.total}"


def _dice(dice: Iterable[int]) -> str:
    return " + ".join(map(str, dice)) or "no dice"


def _stats(event: g.ApproachChosen | g.Escalated) -> str:
    return ", ".join(map(_stat, event.stats))


def _stat(stat: g.StatBrought) -> str:
    lost = f" ({stat.lost} lost to fallout)" if stat.lost is not None else ""
    return f"{stat.stat} {stat.dice}d6{lost}"


def _cost(cost: g.Cost) -> str:
    parts = ["1", *(name for name, brought in (("Body", cost.body), ("Hard", cost.hard)) if brought)]
    if cost.dangerous is not None:
        parts.append(f"{cost.dangerous} dangerous")
    return f"{cost.amount} fallout ({' + '.join(parts)})"


def _track(track: str) -> str:
    return "stages" if track == "stages" else f"the {track} track"


def _approach_chosen(event: g.ApproachChosen, ink: Ink) -> str:
    kept = f", and a {event.follow_up} kept from before" if event.follow_up is not None else ""
    dice = _stats(event) or "no dice"
    return f"{ink.who(event.who)}, approach {event.approach}: {dice}{kept}{ink.after(event.text)}"


def _escalated(event: g.Escalated, ink: Ink) -> str:
    dice = _stats(event) or "no stat left to roll"
    return (
        f"{ink.who(event.who)} escalates from {event.was} to {event.approach}: {dice}{ink.after(event.text)}"
    )


def _turn_order_set(event: g.TurnOrderSet, ink: Ink) -> str:
    best = f" (best two dice: {', '.join(map(str, event.best))})" if event.best else ""
    then = "; after the first whoever is named" if event.free else ""
    return f"order: {ink.people(event.order)}{best}{then}"


def _raised(event: g.Raised, ink: Ink) -> str:
    to = ink.people(event.to) or "nobody"
    return f"{ink.who(event.who)} raises {_sum(event)} against {to}{ink.after(event.text)}"


_ANSWERS: Final = {"reverse": "reverse the blow", "block": "block", "blow": "blow"}


def _seen(event: g.Seen, ink: Ink) -> str:
    sees = f"{ink.who(event.who)} sees {ink.whose(event.whose)} {event.against} with {_sum(event)}"
    cost = f", {_cost(event.cost)}" if event.cost is not None else ""
    return f"{sees}: {_ANSWERS[event.how]}{cost}{ink.after(event.text)}"


def _fallout_taken(event: g.FalloutTaken, ink: Ink) -> str:
    marked = f"{event.points} marked, {event.total}/{event.boxes}"
    over, left_over = event.lost or 0, event.left or 0
    rest = event.track != "stages" and event.points + over + left_over < event.cost.amount
    cost = f"{'the rest of ' * rest}{_cost(event.cost)} on {_track(event.track)}"
    took = f"{ink.who(event.who)} takes {cost}: {marked}"
    lost = f", {event.lost} lost" if event.lost is not None else ""
    left = f", {event.left} left for another track" if event.left is not None else ""
    why = ", no reason given" if event.bare else ""
    return f"{took}{lost}{left}{why}{ink.after(event.text)}"


def _fallout_resisted(event: g.FalloutResisted, ink: Ink) -> str:
    where = f" on {_track(event.track)}" if event.track is not None else ""
    back = f", {event.points} unmarked{where}" if event.points is not None else where
    also = "".join(f" and {unmarked.points} on {_track(unmarked.track)}" for unmarked in event.also or ())
    how = f"{event.amount} fallout with a {event.die}{back}{also}"
    return f"{ink.who(event.who)} resists {how}{ink.after(event.text)}"


def _row_filled(event: g.RowFilled, ink: Ink) -> str:
    less = f", {event.stat} has fewer dice from the next roll on" if event.stat is not None else ""
    return f"{ink.who(event.who)}: {_row(event)} is full{less}"


def _condition_named(event: g.ConditionNamed, ink: Ink) -> str:
    return f"{ink.who(event.who)}: {_row(event)} has its condition{ink.after(event.text)}"


def _row(event: g.RowFilled | g.ConditionNamed) -> str:
    return f"row {event.row} of the stages" if event.track == "stages" else f"{event.track} row {event.row}"


_LOST: Final = {"unseen": "does not see (unseen)", "unraised": "does not raise (unraised)"}


def _stakes_lost(event: g.StakesLost, ink: Ink) -> str:
    cost = f", {_cost(event.cost)}" if event.cost is not None else ""
    return f"{ink.who(event.who)} {_LOST[event.how]} and loses the stakes{cost}{ink.after(event.text)}"


def _fate_decided(event: g.FateDecided, ink: Ink) -> str:
    fate = "will die of it" if event.dies else "will live"
    return f"{ink.who(event.who)} has two full tracks and {fate}"


def _fallout_cleared(event: g.FalloutCleared, ink: Ink) -> str:
    cleared = f"{event.points} from {_track(event.track)}, {event.total} left"
    return f"{ink.who(event.who)} clears {cleared}{ink.after(event.text)}"


def _pool_set(event: g.PoolSet, ink: Ink) -> str:
    return f"{ink.whose(event.who)} pool is {listed([str(die) for die in event.dice]) or 'empty'}"


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
