"""What outlives a conflict: the one deck, tokens and Sleeve cards, and Complications yet to be told."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from journal.capabilities import Deck, Picture, Row
from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile

DECK = "spacetime"


def cards_for(blanks: str) -> tuple[str, ...]:
    """Every card of the deck, by what the table says of blank cards."""
    return spacetime.deck("suits" if blanks == "suits" else "none")


def place_of_cards(conflict: int, who: int) -> str:
    """Where the cards of `who` lie in this conflict, as the pile knows it."""
    return f"{conflict}:{who}"


def on_table(pile: Pile) -> tuple[str, ...]:
    """The places that have cards."""
    return tuple(sorted({where for places in pile.out.values() for where in places} - {DISCARD}))


def has_cards_on_table(pile: Pile, conflict: int) -> bool:
    """Whether cards of this conflict lie on the table."""
    return any(where.startswith(f"{conflict}:") for where in on_table(pile))


def discard_cards(pile: Pile, conflict: int, blanks: str) -> None:
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


class Owed(Struct):
    """Complications of a party that is out of its conflict, so many of them still to be told."""

    conflict: int
    people: tuple[int, ...]
    number: int


class SpacetimeState(Struct):
    """What outlives a conflict: the one deck, tokens and Sleeve cards, and Complications yet to be told."""

    pile: Pile | None = None
    tokens: dict[int, int] = field(default_factory=dict)
    sleeve: dict[int, int] = field(default_factory=dict)
    owed: list[Owed] = field(default_factory=list)
    given: dict[int, int] = field(default_factory=dict)
    """How many tokens each was dealt last."""

    def rows(self) -> Iterable[Row]:
        """Tokens to overrule, and Sleeve cards."""
        for person, tokens in self.tokens.items():
            yield Row(person, "tokens", tokens, picture=Picture.POINTS, given=self.given.get(person))
        for person, cards in self.sleeve.items():
            yield Row(person, "sleeve", cards, picture=Picture.POINTS)

    def decks(self) -> Iterable[Deck]:
        """The shared deck, once somebody has drawn from it; its hands are what lies on the table."""
        if self.pile is None or not self.pile.out:
            return
        hands: dict[int, tuple[str, ...]] = {}
        for holder in on_table(self.pile):
            person = int(holder.rpartition(":")[2])
            hands[person] = (*hands.get(person, ()), *self.pile.held(holder))
        yield Deck(
            "shared",
            None,
            len(self.pile.cards),
            self.pile.remaining,
            tuple(sorted(hands.items())),
            self.pile.held(DISCARD),
            self.pile.cards,
        )

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        if self.pile is not None:
            self.pile.check()
