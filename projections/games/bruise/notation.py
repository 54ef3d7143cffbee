"""Notation of Bruise events in the log."""

from __future__ import annotations

from typing import Final

from projections.plain.ink import Ink, Notations, Payload, cards, listed, rank


def _traits_assigned(p: Payload, ink: Ink) -> str:
    traits = [p[key] for key in ("attribute", "skill") if p.get(key) is not None]
    if p.get("meme") is not None:
        traits.append(f"meme {p['meme']}")
    return f"{ink.who(p['who'])} draws for {' + '.join(traits) or 'nothing'}: {p['cards']} cards"


def _karma_spent(p: Payload, ink: Ink) -> str:
    thrown = cards(p["discarded"])
    return f"{ink.who(p['who'])} spends Karma of {p['potential']} ({p['left']} left), throws {thrown}"


def _quality_declared(p: Payload, ink: Ink) -> str:
    quantity = f", Quantity {p['quantity']}" if p.get("quantity") is not None else ""
    return f"{ink.who(p['who'])}: Quality {rank(p['quality'])}{quantity}"


def _hands_tied(p: Payload, ink: Ink) -> str:
    then = "both draw again" if p.get("redraw") else "the table rules"
    return f"{ink.who(p['one'])} and {ink.who(p['other'])} tie at Quality {rank(p['quality'])}: {then}"


def _hand_won(p: Payload, ink: Ink) -> str:
    qualities = f"Quality {rank(p['quality'])} against {rank(p['against'])}"
    quantity = f"Quantity {p['quantity'] if p.get('quantity') is not None else 'not written down'}"
    suits = listed(p["colours"], "or") or "no suit"
    return f"{ink.who(p['winner'])} wins over {ink.who(p['loser'])}: {qualities}, {quantity}, {suits}"


def _conflict_tied(p: Payload, ink: Ink) -> str:
    end = "neither end of the Wheel" if p.get("potential") is None else p["potential"]
    whom = ink.people(p["people"]) or "everybody"
    return f"the conflict is tied to {end} for {whom}{ink.after(p)}"


def _turn_measured(p: Payload, ink: Ink) -> str:
    length = ink.after(p, "length", "") or "in words that are redacted"
    return f"turn {p['turn']} lasts {length}{ink.after(p)}"


ON_A_SHEET: Final = frozenset({"doula"})
"""Sheet keys whose value is a person's id."""

NOTATIONS: Final[Notations] = {
    "bruise.traits-assigned": _traits_assigned,
    "bruise.karma-spent": _karma_spent,
    "bruise.quality-declared": _quality_declared,
    "bruise.hands-tied": _hands_tied,
    "bruise.hand-won": _hand_won,
    "bruise.quantity-said": "{winner's} Quantity against {loser} is {quantity}",
    "bruise.conflict-tied": _conflict_tied,
    "bruise.turn-measured": _turn_measured,
    "bruise.color-chosen": "{who} colours it {colour}",
    "bruise.turn-ended": "turn {turn} over: cards back, decks shuffled",
    "bruise.legacy-awarded": "{who} gets {points} Legacy ({total} in all)",
    "bruise.wheel-tilted": (
        "{who}: Wheel at Destiny {destiny}, Fate {fate}; Karma {karma_destiny} and {karma_fate}"
    ),
    "bruise.karma-refilled": "Karma filled up: {people:nobody}",
    "bruise.number-set": "{who}: {what} is {value}",
}
"""Notation of each Bruise event, by kind."""
