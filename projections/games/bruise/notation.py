"""How what happens in Bruise is noted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from projections.plain.ink import Ink, Notation, Payload, cards, listed, rank


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


def _quantity_said(p: Payload, ink: Ink) -> str:
    return f"{ink.whose(p['winner'])} Quantity against {ink.who(p['loser'])} is {p['quantity']}"


def _conflict_tied(p: Payload, ink: Ink) -> str:
    end = "neither end of the Wheel" if p.get("potential") is None else p["potential"]
    whom = ink.people(p["people"]) or "everybody"
    return f"the conflict is tied to {end} for {whom}{ink.after(p)}"


def _color_chosen(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} colours it {p['colour']}"


def _turn_ended(p: Payload, _ink: Ink) -> str:
    return f"turn {p['turn']} over: cards back, decks shuffled"


def _legacy_awarded(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])} gets {p['points']} Legacy ({p['total']} in all)"


def _wheel_tilted(p: Payload, ink: Ink) -> str:
    karma = f"Karma {p['karma_destiny']} and {p['karma_fate']}"
    return f"{ink.who(p['who'])}: Wheel at Destiny {p['destiny']}, Fate {p['fate']}; {karma}"


def _karma_refilled(p: Payload, ink: Ink) -> str:
    return f"Karma filled up: {ink.people(p['people']) or 'nobody'}"


def _number_set(p: Payload, ink: Ink) -> str:
    return f"{ink.who(p['who'])}: {p['what']} is {p['value']}"


NOTATIONS: Final[Mapping[str, tuple[Notation, frozenset[str]]]] = {
    "bruise.traits-assigned": (
        _traits_assigned,
        frozenset({"who", "attribute", "skill", "meme", "cards"}),
    ),
    "bruise.karma-spent": (_karma_spent, frozenset({"who", "potential", "discarded", "left"})),
    "bruise.quality-declared": (_quality_declared, frozenset({"who", "quality", "quantity"})),
    "bruise.hands-tied": (_hands_tied, frozenset({"one", "other", "quality", "redraw"})),
    "bruise.hand-won": (
        _hand_won,
        frozenset({"winner", "loser", "quality", "against", "quantity", "colours"}),
    ),
    "bruise.quantity-said": (_quantity_said, frozenset({"winner", "loser", "quantity"})),
    "bruise.conflict-tied": (_conflict_tied, frozenset({"people", "potential", "text"})),
    "bruise.color-chosen": (_color_chosen, frozenset({"who", "colour"})),
    "bruise.turn-ended": (_turn_ended, frozenset({"turn"})),
    "bruise.legacy-awarded": (_legacy_awarded, frozenset({"who", "points", "total"})),
    "bruise.wheel-tilted": (
        _wheel_tilted,
        frozenset({"who", "destiny", "fate", "karma_destiny", "karma_fate"}),
    ),
    "bruise.karma-refilled": (_karma_refilled, frozenset({"people"})),
    "bruise.number-set": (_number_set, frozenset({"who", "what", "value"})),
}
"""Each kind of Bruise: how it is noted, and the fields that its notation shows."""
