"""The shared deck: which cards it has, and where those in play lie."""

from __future__ import annotations

from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile

DECK = "spacetime"


def cards_for(blanks: str) -> tuple[str, ...]:
    """Every card of the deck, by what the table says of blank cards."""
    return spacetime.deck("suits" if blanks == "suits" else "none")


def place(conflict: int, who: int) -> str:
    """Where the cards of `who` lie in this conflict, as the pile knows it."""
    return f"{conflict}:{who}"


def on_table(pile: Pile) -> tuple[str, ...]:
    """The places that have cards."""
    return tuple(sorted({where for places in pile.out.values() for where in places} - {DISCARD}))


def lies(pile: Pile, conflict: int) -> bool:
    """Whether cards of this conflict lie on the table."""
    return any(where.startswith(f"{conflict}:") for where in on_table(pile))


def clear(pile: Pile, conflict: int, blanks: str) -> None:
    """The cards of this conflict go from the table to the discards, if the table plays with them still."""
    for where in on_table(pile):
        if where.startswith(f"{conflict}:"):
            for card in pile.held(where):
                pile.discard(card, where)
    refit(pile, blanks)


def make_whole(pile: Pile, blanks: str) -> None:
    """Every card that is not on the table goes back into the deck, of those the table plays with."""
    pile.gather(keep=on_table(pile))
    refit(pile, blanks)


def refit(pile: Pile, blanks: str) -> None:
    """The deck has the cards the table plays with, and no others but what lies on the table just now."""
    cards = cards_for(blanks)
    laid = {card for card, places in pile.out.items() if places != (DISCARD,)}
    pile.cards = (*cards, *sorted(laid - set(cards)))
    pile.out = {card: places for card, places in pile.out.items() if card in pile.cards}
