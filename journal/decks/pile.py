"""Position of every card of one deck: in the deck, held, or discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field

from journal.refused import Refused

DISCARD: Final = "discard"
"""Holder of discarded cards."""


class CardOut(Refused):
    """Raised if a card is already out of its deck; `holder` has it, as an id the caller can name."""

    def __init__(self, card: str, holder: str) -> None:
        super().__init__(f"{card} is out already ({holder}).")
        self.args = (card, holder)  # what pickle makes it again from
        self.card = card
        self.holder = holder


def as_written(card: str) -> str:
    """Identity function for cards without reversed form."""
    return card


class Pile(Struct):
    """One deck: its `cards` in a fixed order, and each `out` card's holders.

    `identity` maps names of the same physical card to one name, so that T14:r is out once T14 is. Cards are
    kept by identity; a name may stand in a deck several times (jokers). Event handlers may change a pile;
    other callers use a `copy`.
    """

    cards: tuple[str, ...]
    out: dict[str, tuple[str, ...]] = field(default_factory=dict)
    identity: Callable[[str], str] = as_written

    def left(self) -> tuple[str, ...]:
        """Cards still in the deck, in the deck's fixed order, which reveals no shuffle."""
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
        """Pairs of card and holder for the cards that are out, in the deck's fixed order."""
        for card in sorted(self.out, key=self.cards.index):
            for holder in self.out[card]:
                yield card, holder

    def has(self, card: str) -> bool:
        """True if a card of that identity is still in the deck."""
        return len(self.out.get(card, ())) < self.cards.count(card)

    def held(self, holder: str) -> tuple[str, ...]:
        """Cards of one holder, in the deck's fixed order."""
        return tuple(
            card for card in dict.fromkeys(self.cards) for who in self.out.get(card, ()) if who == holder
        )

    def take(self, card: str, holder: str) -> None:
        """Moves a card from the deck to a holder; CardOut if it is out, Refused if the deck has none."""
        same = self.identity(card)
        holders = self.out.get(same, ())
        if self.has(same):
            self.out[same] = (*holders, holder)
        elif holders:
            raise CardOut(same, holders[-1])
        else:
            raise Refused(f"There is no {card} in this deck.")

    def discard(self, card: str, holder: str, to: str = DISCARD) -> None:
        """Moves a card from its holder to the discards, or to another heap named `to`.

        Refused if the holder has no such card.
        """
        same = self.identity(card)
        holders = list(self.out.get(same, ()))
        if holder not in holders:
            raise Refused(f"{card} is not there to be discarded ({holder}).")
        holders[holders.index(holder)] = to
        self.out[same] = tuple(holders)

    def gather(self, *, keep: tuple[str, ...] = ()) -> None:
        """Returns every card to the deck, except those of the holders in `keep`."""
        if not keep:
            self.out = {}
            return
        kept = {card: tuple(who for who in holders if who in keep) for card, holders in self.out.items()}
        self.out = {card: holders for card, holders in kept.items() if holders}

    def copy(self) -> Pile:
        """Independent copy of this pile."""
        return Pile(self.cards, dict(self.out), self.identity)

    def check(self) -> None:
        """Raises ValueError unless cards left and cards out add up to the deck, each card once."""
        out = Counter({card: len(holders) for card, holders in self.out.items()})
        astray = (out + Counter(self.left())) - Counter(self.cards)
        if astray:
            raise ValueError(f"cards that are not in this deck so often: {', '.join(sorted(astray))}")
