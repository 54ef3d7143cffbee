"""State that persists between conflicts: the deck, tokens, Sleeve cards, and Complications owed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from journal.capabilities import Deck, Picture, Row
from journal.decks import spacetime
from journal.decks.pile import DISCARD, Pile

DECK = "spacetime"


def cards_for(blanks: str) -> tuple[str, ...]:
    """Returns every card of the deck for a value of option `blank_cards`."""
    return spacetime.deck("suits" if blanks == "suits" else "none")


def place_of_cards(conflict: int, who: int) -> str:
    """Returns the pile's name for the table place of a person's cards in a conflict, such as "3:7"."""
    return f"{conflict}:{who}"


def on_table(pile: Pile) -> tuple[str, ...]:
    """Returns the table places that hold cards."""
    return tuple(sorted({where for places in pile.out.values() for where in places} - {DISCARD}))


def has_cards_on_table(pile: Pile, conflict: int) -> bool:
    """True if cards of this conflict are on the table."""
    return any(where.startswith(f"{conflict}:") for where in on_table(pile))


def discard_cards(pile: Pile, conflict: int, blanks: str) -> None:
    """Discards the conflict's cards on the table; cards no longer part of the deck disappear."""
    for where in on_table(pile):
        if where.startswith(f"{conflict}:"):
            for card in pile.held(where):
                pile.discard(card, where)
    refit(pile, blanks)


def make_whole(pile: Pile, blanks: str) -> None:
    """Returns every card to the deck, except cards on the table."""
    pile.gather(keep=on_table(pile))
    refit(pile, blanks)


def refit(pile: Pile, blanks: str) -> None:
    """Adjusts the deck to option `blank_cards`; cards on the table stay until discarded."""
    cards = cards_for(blanks)
    laid = {card for card, places in pile.out.items() if places != (DISCARD,)}
    pile.cards = (*cards, *sorted(laid - set(cards)))
    pile.out = {card: places for card, places in pile.out.items() if card in pile.cards}


class Owed(Struct):
    """Complications still owed by a party that has left its conflict."""

    conflict: int
    people: tuple[int, ...]
    number: int


class SpacetimeState(Struct):
    """State that persists between conflicts."""

    pile: Pile | None = None
    tokens: dict[int, int] = field(default_factory=dict)
    sleeve: dict[int, int] = field(default_factory=dict)
    owed: list[Owed] = field(default_factory=list)
    given: dict[int, int] = field(default_factory=dict)
    """Number of tokens each person was dealt last."""

    def rows(self) -> Iterable[Row]:
        """Yields each person's tokens and Sleeve cards."""
        for person, tokens in self.tokens.items():
            yield Row(person, "tokens", tokens, picture=Picture.POINTS, given=self.given.get(person))
        for person, cards in self.sleeve.items():
            yield Row(person, "sleeve", cards, picture=Picture.POINTS)

    def decks(self) -> Iterable[Deck]:
        """Yields the shared deck once used; its hands are the cards on the table."""
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
