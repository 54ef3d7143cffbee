"""Notation of Space·Time events: one text line per event, as `log` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retold.game import Ink, Notations, card

if TYPE_CHECKING:
    from retold.games.spacetime import events as s


def _level(level: str, advantaged: int | None, ink: Ink) -> str:
    return level if advantaged is None else f"{level} for {ink.who(advantaged)}"


def _balance_set(event: s.BalanceSet, ink: Ink) -> str:
    return f"balance set: {_level(event.level, event.advantaged, ink)}"


_BEATS: Final = {"win": "beats", "loss": "loses to", "tie": "ties with"}


def _compared(pair: s.Compared, ink: Ink) -> str:
    how = _BEATS.get(pair.result, pair.result)
    ours = f"{ink.whose(pair.party)} {card(pair.card)}"
    return f"{ours} {how} {ink.whose(pair.other)} {card(pair.against)}"


def _flow_resolved(event: s.FlowResolved, ink: Ink) -> str:
    before = _level(event.level_before, event.advantaged_before, ink)
    after = _level(event.level, event.advantaged, ink)
    why = "; ".join(_compared(pair, ink) for pair in event.why)
    order = f"; telling: {ink.people(event.order)}" if event.order else ""
    changed = f"stays {after}" if before == after else f"goes from {before} to {after}"
    reason = f", because {why}" if why else ""
    return f"round {event.round}: the balance {changed} ({event.rule}){reason}{order}"


def _party_left(event: s.PartyLeft, ink: Ink) -> str:
    who = ink.who(event.who)
    left = f"{ink.people(event.people, ' + ')} leave" if event.people else "leaves"
    return f"{who} concedes{',' if event.people else ''} and {left}{ink.after(event.text)}"


def _conflict_reformulated(event: s.ConflictReformulated, ink: Ink) -> str:
    level = _level(event.level, event.advantaged, ink)
    return f"{ink.who(event.who)} reformulates: {ink.sides(event.sides)}, {level}{ink.after(event.text)}"


def _complications_left(event: s.ComplicationsLeft, ink: Ink) -> str:
    many = "1 complication" if event.number == 1 else f"{event.number} complications"
    return f"{ink.people(event.people, ' + ')}: {many} yet to be told"


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
