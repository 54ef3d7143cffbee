"""What outlives a conflict: the one deck, tokens and Sleeve cards, and Complications yet to be told."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from journal.capabilities import Deck, Picture, Row
from journal.decks.pile import DISCARD, Pile
from journal.systems.spacetime.state.deck import on_table


class Owed(Struct):
    """Complications of a party that is out of its conflict, so many of them still to be told."""

    conflict: int
    people: tuple[int, ...]
    number: int


class Shelf(Struct):
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
