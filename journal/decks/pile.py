"""Deck state: which cards are in the deck, held by a person, or discarded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field

from retold.journal.refused import Refused

DISCARD: Final = "discard"
"""Holder of discarded cards."""


class CardOut(Refused):
    """Raised if a `card` to be drawn has left its deck already; `holder` names the hand or heap it is in."""

    def __init__(self, card: str, holder: str) -> None:
        super().__init__(f"{card} is out already ({holder}).")
        self.args = (card, holder)  # pickle calls the class with `args`
        self.card = card
        self.holder = holder


def as_written(card: str) -> str:
    """Returns a card's text unchanged: the identity of cards that have no reversed form."""
    return card


class Pile(Struct):
    """A deck's state: `cards` in fixed order, and in `out` each missing card's holders.

    `identity` maps names of the same physical card to one name, so that T14:r is out once T14 is. Cards are
    kept by identity; a name may stand in a deck several times (jokers). Event handlers may change a pile;
    other code must use a `copy`.
    """

    cards: tuple[str, ...]
    out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    identity: Callable[[str], str] = as_written

    def left(self) -> tuple[str, ...]:
        """Returns the cards still in the deck, in the deck's fixed order, so that no shuffle is revealed."""
        if not self.out:
            return self.cards
        gone = {card: len(holders) for card, holders in self.out.items()}
        left = []
        for card in self.cards:
            if gone.get(card):
                gone[card] -= 1
            else:
                left.append(card)
        return tuple(left)

    @property
    def remaining(self) -> int:
        """Number of cards still in the deck."""
        gone = (min(len(holders), self.cards.count(card)) for card, holders in self.out.items())
        return len(self.cards) - sum(gone)

    def lying(self) -> Iterator[tuple[str, str]]:
        """Yields pairs of card and holder for the cards out of the deck, in the deck's fixed order."""
        for card in sorted(self.out, key=self.cards.index):
            for holder in self.out[card]:
                yield card, holder

    def has(self, card: str) -> bool:
        """True if the deck still holds `card`, given by its identity (T14 for T14:r)."""
        return len(self.out.get(card, ())) < self.cards.count(card)

    def held(self, holder: str) -> tuple[str, ...]:
        """Returns the cards that one holder has, in the deck's fixed order."""
        return tuple(
            card for card in dict.fromkeys(self.cards) for who in self.out.get(card, ()) if who == holder
        )

    def take(self, card: str, holder: str) -> None:
        """Moves a card from the deck to a holder.

        Raises CardOut if it has left the deck already, Refused if the deck never had such a card.
        """
        same = self.identity(card)
        holders = self.out.get(same, ())
        if self.has(same):
            self.out[same] = (*holders, holder)
        elif holders:
            raise CardOut(same, holders[-1])
        else:
            raise Refused(f"There is no {card} in this deck.")

    def discard(self, card: str, holder: str, to: str = DISCARD) -> None:
        """Moves a card from a holder to the discards, or to another holder or heap named `to`.

        Raises Refused if the holder has no such card.
        """
        same = self.identity(card)
        holders = list(self.out.get(same, ()))
        if holder not in holders:
            raise Refused(f"{card} is not there to be discarded ({holder}).")
        holders[holders.index(holder)] = to
        self.out[same] = tuple(holders)

    def gather(self, *, keep: tuple[str, ...] = ()) -> None:
        """Puts every card back into the deck, except those of the holders in `keep`."""
        if not keep:
            self.out = {}
            return
        kept = {card: tuple(who for who in holders if who in keep) for card, holders in self.out.items()}
        self.out = {card: holders for card, holders in kept.items() if holders}

    def copy(self) -> Pile:
        """Returns an independent copy of this pile."""
        return Pile(self.cards, dict(self.out), self.identity)

    def check(self) -> None:
        """Raises ValueError if a card is in more places than the deck has copies of it."""
        astray = sorted(card for card, held in self.out.items() if len(held) > self.cards.count(card))
        if astray:
            raise ValueError(f"cards that are not in this deck so often: {', '.join(astray)}")
