"""How what happens in Space·Time is noted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.plain.ink import Ink, Notation, Payload, card


def _level(level: str, advantaged: int | None, ink: Ink) -> str:
    return level if advantaged is None else f"{level} for {ink.who(advantaged)}"


def _balance_set(p: Payload, ink: Ink) -> str:
    return f"balance set: {_level(p['level'], p.get('advantaged'), ink)}"


def _outcome_desired(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} wants{ink.after(p)}"


def _tokens_given(p: Payload, ink: Ink) -> str:
    return f"tokens to overrule, {p['each']} each: {ink.people(p['people']) or 'nobody'}"


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


def _excuse_discarded(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} discards the Excuse"


def _victory_reached(p: Payload, ink: Ink) -> str:
    return f"victory: {ink.who(p['who'])}"


def _round_ended(p: Payload, _ink: Ink) -> str:
    return f"round {p['round']} over"


def _conflict_stopped(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} stops the conflict: {p['how']}{ink.after(p)}"


def _party_left(p: Payload, ink: Ink) -> str:
    who = ink.who(p["who"])
    left = f"{ink.people(p['people'], ' + ')} leave" if p.get("people") else "leaves"
    return f"{who} concedes{',' if p.get('people') else ''} and {left}{ink.after(p)}"


def _conflict_reformulated(p: Payload, ink: Ink) -> str:
    level = _level(p["level"], p.get("advantaged"), ink)
    return f"{ink.who(p['who'])} reformulates: {ink.sides(p['sides'])}, {level}{ink.after(p)}"


def _complication_added(p: Payload, ink: Ink) -> str:
    return f"complication for {ink.who(p['who'])}{ink.after(p)}"


def _complications_left(p: Payload, ink: Ink) -> str:
    many = "1 complication" if p["number"] == 1 else f"{p['number']} complications"
    return f"{ink.people(p['people'], ' + ')}: {many} yet to be told"


def _cost_raised(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])}: cost +{p['by']}, at {p['cost']}"


def _draw_refused(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} will not draw{ink.after(p)}"


def _sleeve_gained(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} gains a Sleeve card ({p['total']} in all)"


def _drawing_stopped(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} draws no more: {p['why']}{ink.after(p)}"


def _challenge_met(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} meets the challenge: {p['outcome']}, cost {p['cost']}, effect {p['effect']}"


def _number_set(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])}: {p['what']} is {p['value']}"


NOTATIONS: Final[Mapping[str, tuple[Notation, frozenset[str]]]] = {
    "spacetime.balance-set": (_balance_set, frozenset({"level", "advantaged"})),
    "spacetime.outcome-desired": (_outcome_desired, frozenset({"who", "text"})),
    "spacetime.tokens-given": (_tokens_given, frozenset({"people", "each"})),
    "spacetime.flow-resolved": (
        _flow_resolved,
        frozenset(
            {"round", "rule", "level_before", "advantaged_before", "level", "advantaged", "why", "order"}
        ),
    ),
    "spacetime.excuse-discarded": (_excuse_discarded, frozenset({"who"})),
    "spacetime.victory-reached": (_victory_reached, frozenset({"who"})),
    "spacetime.round-ended": (_round_ended, frozenset({"round"})),
    "spacetime.conflict-stopped": (_conflict_stopped, frozenset({"who", "how", "text"})),
    "spacetime.party-left": (_party_left, frozenset({"who", "people", "text"})),
    "spacetime.conflict-reformulated": (
        _conflict_reformulated,
        frozenset({"who", "sides", "level", "advantaged", "text"}),
    ),
    "spacetime.complication-added": (_complication_added, frozenset({"who", "text"})),
    "spacetime.complications-left": (_complications_left, frozenset({"people", "number"})),
    "spacetime.cost-raised": (_cost_raised, frozenset({"who", "by", "cost"})),
    "spacetime.draw-refused": (_draw_refused, frozenset({"who", "text"})),
    "spacetime.sleeve-gained": (_sleeve_gained, frozenset({"who", "total"})),
    "spacetime.drawing-stopped": (_drawing_stopped, frozenset({"who", "why", "text"})),
    "spacetime.challenge-met": (_challenge_met, frozenset({"who", "outcome", "cost", "effect"})),
    "spacetime.number-set": (_number_set, frozenset({"who", "what", "value"})),
}
"""Each kind of Space·Time: how it is noted, and the fields that its notation shows."""
