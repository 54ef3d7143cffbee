"""Space·Time state that persists between conflicts: the deck, and people's tokens and Sleeve cards.

A token lets a player strike another's narration. A Complication, a text owed for a card drawn against an
obstacle, may still be owed after its conflict.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from retold.game import DISCARD, Deck, Picture, Pile, Row, Table, triumphs
from retold.games.spacetime.options import chosen

DECK = "spacetime"


def cards_for(table: Table) -> tuple[str, ...]:
    """Returns all cards of the deck, with blank cards if option `blank_cards` is "suits"."""
    return triumphs.deck("suits" if chosen(table, "blank_cards") == "suits" else "none")


def place_of_cards(conflict: int, who: int) -> str:
    """Returns the name of the place where a person's cards of a conflict lie on the table, such as "3:7"."""
    return f"{conflict}:{who}"


def on_table(pile: Pile) -> tuple[str, ...]:
    """Returns the places on the table where cards lie, such as "3:7" (conflict 3, person 7)."""
    return tuple(sorted({where for places in pile.out.values() for where in places} - {DISCARD}))


def has_cards_on_table(pile: Pile, conflict: int) -> bool:
    """True if cards of the conflict lie on the table."""
    return any(where.startswith(f"{conflict}:") for where in on_table(pile))


def discard_cards(table: Table, pile: Pile, conflict: int) -> None:
    """Discards the conflict's cards that lie on the table; removes cards the deck should no longer have."""
    for where in on_table(pile):
        if where.startswith(f"{conflict}:"):
            for card in pile.held(where):
                pile.discard(card, where)
    refit(table, pile)


def make_whole(table: Table, pile: Pile) -> None:
    """Puts every card back into the deck, except cards that lie on the table."""
    pile.gather(keep=on_table(pile))
    refit(table, pile)


def refit(table: Table, pile: Pile) -> None:
    """Adds or removes the blank cards by the value of option `blank_cards`.

    Blank cards on the table stay until they are discarded.
    """
    cards = cards_for(table)
    laid = {card for card, places in pile.out.items() if places != (DISCARD,)}
    pile.cards = (*cards, *sorted(laid - set(cards)))
    pile.out = {card: places for card, places in pile.out.items() if card in pile.cards}


class Owed(Struct):
    """Complications (setbacks) that people must still narrate after a conflict: one text per card drawn."""

    conflict: int
    people: tuple[int, ...]
    number: int


class SpacetimeState(Struct):
    """State that persists between conflicts: the deck, tokens, Sleeve cards, and Complications owed."""

    pile: Pile | None = None
    tokens: dict[int, int] = field(default_factory=dict)
    sleeve: dict[int, int] = field(default_factory=dict)
    owed: list[Owed] = field(default_factory=list)
    given: dict[int, int] = field(default_factory=dict)
    """Number of tokens each person was dealt last."""

    def rows(self) -> Iterable[Row]:
        """Yields a `Row` for views for each person's tokens, and for each person's Sleeve cards."""
        for person, tokens in self.tokens.items():
            yield Row(person, "tokens", tokens, picture=Picture.POINTS, given=self.given.get(person))
        for person, cards in self.sleeve.items():
            yield Row(person, "sleeve", cards, picture=Picture.POINTS)

    def decks(self) -> Iterable[Deck]:
        """Yields the shared deck as a `Deck` for views, once a card is drawn.

        Its hands are cards on the table.
        """
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
        """Raises ValueError if a card of the deck is in two places or nowhere."""
        if self.pile is not None:
            self.pile.check()
