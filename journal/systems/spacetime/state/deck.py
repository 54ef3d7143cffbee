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


def clear(pile: Pile, conflict: int) -> None:
    """The cards of this conflict go from the table to the discards."""
    for where in on_table(pile):
        if where.startswith(f"{conflict}:"):
            for card in pile.held(where):
                pile.discard(card, where)


def make_whole(pile: Pile) -> None:
    """Every card that is not on the table goes back into the deck."""
    pile.gather(keep=on_table(pile))
