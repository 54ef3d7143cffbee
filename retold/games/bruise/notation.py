"""Notation of Bruise events: one text line per event, as `log` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retold.game import Ink, Notations, cards, listed, rank

if TYPE_CHECKING:
    from retold.games.bruise import events as b


def _traits_assigned(event: b.TraitsAssigned, ink: Ink) -> str:
    traits = [trait for trait in (event.attribute, event.skill) if trait is not None]
    if event.meme is not None:
        traits.append(f"meme {event.meme}")
    return f"{ink.who(event.who)} draws for {' + '.join(traits) or 'nothing'}: {event.cards} cards"


def _karma_spent(event: b.KarmaSpent, ink: Ink) -> str:
    thrown = cards(event.discarded)
    return f"{ink.who(event.who)} spends Karma of {event.potential} ({event.left} left), throws {thrown}"


def _quality_declared(event: b.QualityDeclared, ink: Ink) -> str:
    quantity = f", Quantity {event.quantity}" if event.quantity is not None else ""
    return f"{ink.who(event.who)}: Quality {rank(event.quality)}{quantity}"


def _hands_tied(event: b.HandsTied, ink: Ink) -> str:
    then = "both draw again" if event.redraw else "the table rules"
    return f"{ink.who(event.one)} and {ink.who(event.other)} tie at Quality {rank(event.quality)}: {then}"


def _hand_won(event: b.HandWon, ink: Ink) -> str:
    qualities = f"Quality {rank(event.quality)} against {rank(event.against)}"
    quantity = f"Quantity {event.quantity if event.quantity is not None else 'not written down'}"
    suits = listed(event.colours, "or") or "no suit"
    return f"{ink.who(event.winner)} wins over {ink.who(event.loser)}: {qualities}, {quantity}, {suits}"


def _conflict_tied(event: b.ConflictTied, ink: Ink) -> str:
    end = "neither end of the Wheel" if event.potential is None else event.potential
    whom = ink.people(event.people) or "everybody"
    return f"the conflict is tied to {end} for {whom}{ink.after(event.text)}"


def _turn_measured(event: b.TurnMeasured, ink: Ink) -> str:
    length = ink.after(event.length, "") or "in words that are redacted"
    return f"turn {event.turn} lasts {length}{ink.after(event.text)}"


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
