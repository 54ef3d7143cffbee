"""Notation of Space·Time events in the log."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload, card


def _level(level: str, advantaged: int | None, ink: Ink) -> str:
    return level if advantaged is None else f"{level} for {ink.who(advantaged)}"


def _balance_set(p: Payload, ink: Ink) -> str:
    return f"balance set: {_level(p['level'], p.get('advantaged'), ink)}"


_BEATS: Final = {"win": "beats", "loss": "loses to", "tie": "ties with"}


def _compared(pair: Payload, ink: Ink) -> str:
    how = _BEATS.get(pair["result"], pair["result"])
    ours = f"{ink.whose(pair['party'])} {card(pair['card'])}"
    return f"{ours} {how} {ink.whose(pair['other'])} {card(pair['against'])}"


def _flow_resolved(p: Payload, ink: Ink) -> str:
    before = _level(p["level_before"], p.get("advantaged_before"), ink)
    after = _level(p["level"], p.get("advantaged"), ink)
    why = "; ".join(_compared(pair, ink) for pair in p.get("why") or ())
    order = f"; telling: {ink.people(p['order'])}" if p.get("order") else ""
    changed = f"stays {after}" if before == after else f"goes from {before} to {after}"
    reason = f", because {why}" if why else ""
    return f"round {p['round']}: the balance {changed} ({p['rule']}){reason}{order}"


def _party_left(p: Payload, ink: Ink) -> str:
    who = ink.who(p["who"])
    left = f"{ink.people(p['people'], ' + ')} leave" if p.get("people") else "leaves"
    return f"{who} concedes{',' if p.get('people') else ''} and {left}{ink.after(p)}"


def _conflict_reformulated(p: Payload, ink: Ink) -> str:
    level = _level(p["level"], p.get("advantaged"), ink)
    return f"{ink.who(p['who'])} reformulates: {ink.sides(p['sides'])}, {level}{ink.after(p)}"


def _complications_left(p: Payload, ink: Ink) -> str:
    many = "1 complication" if p["number"] == 1 else f"{p['number']} complications"
    return f"{ink.people(p['people'], ' + ')}: {many} yet to be told"


ON_A_SHEET: Final = frozenset({"obstacle"})
"""Set-up keys whose value is a person's id."""

PEOPLE: Final = frozenset({"advantaged", "advantaged_before", "party"})
"""Payload fields with person ids that only this game has."""

NOTATIONS: Final[Notations] = {
    "spacetime.balance-set": _balance_set,
    "spacetime.outcome-desired": "{who} wants",
    "spacetime.tokens-given": "tokens to overrule, {each} each: {people:nobody}",
    "spacetime.flow-resolved": _flow_resolved,
    "spacetime.excuse-discarded": "{who} discards the Excuse",
    "spacetime.victory-reached": "victory: {who}",
    "spacetime.round-ended": "round {round} over",
    "spacetime.conflict-stopped": "{who} stops the conflict: {how}",
    "spacetime.party-left": _party_left,
    "spacetime.conflict-reformulated": _conflict_reformulated,
    "spacetime.complication-added": "complication for {who}",
    "spacetime.complications-left": _complications_left,
    "spacetime.cost-raised": "{who}: cost +{by}, at {cost}",
    "spacetime.draw-refused": "{who} will not draw",
    "spacetime.sleeve-gained": "{who} gains a Sleeve card ({total} in all)",
    "spacetime.drawing-stopped": "{who} draws no more: {why}",
    "spacetime.challenge-met": "{who} meets the challenge: {outcome}, cost {cost}, effect {effect}",
    "spacetime.number-set": "{who}: {what} is {value}",
}
"""Notation of each Space·Time event, by kind."""
