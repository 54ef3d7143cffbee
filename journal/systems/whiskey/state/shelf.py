"""What outlives a conflict: sheets, who is out of the fight, and each faction's deck."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from journal.capabilities import Deck, Picture, Row
from journal.decks import french
from journal.decks.pile import DISCARD, Pile
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.rules import DeckMode, Half
from journal.systems.whiskey.state.sheets import Sheet


class Cards(Struct):
    """One faction's deck, and the half of it that is in play."""

    pile: Pile = field(default_factory=lambda: Pile(french.DECK))
    half: Half = Half.HEARTS_SPADES

    def left(self, half: Half | None = None) -> tuple[str, ...]:
        """The cards still to be drawn, of one half or of all."""
        return tuple(card for card in self.pile.left() if half in (None, rules.half_of(card)))

    def discarded(self, half: Half | None = None) -> tuple[str, ...]:
        """The cards that are out, of one half or of all."""
        return tuple(card for card in self.pile.held(DISCARD) if half in (None, rules.half_of(card)))

    def gather(self, half: Half | None = None) -> None:
        """The discards, of one half or of all, go back."""
        back = self.discarded(half)
        self.pile.out = {card: where for card, where in self.pile.out.items() if card not in back}


class Shelf(Struct):
    """What outlives a conflict: sheets, who is out of the fight, each faction's deck, and the last check."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)
    cards: dict[str, Cards] = field(default_factory=dict)
    mode: DeckMode = DeckMode.HALVES
    last_check: w.CheckMade | None = None

    def rows(self) -> Iterable[Row]:
        """The hit points of everybody who has any."""
        for person, sheet in self.sheets.items():
            if sheet.hp is not None:
                yield Row(person, "hp", sheet.hp, sheet.full, Picture.HEALTH, out=person in self.down)

    def decks(self) -> Iterable[Deck]:
        """Every deck that has been drawn from; of halves, the one in play and the one that rests."""
        if self.mode is DeckMode.D26:
            return
        for faction, cards in self.cards.items():
            if self.mode is DeckMode.WHOLE:
                yield _deck(faction, cards, None)
            else:
                yield _deck(f"{faction}, {cards.half} in play", cards, cards.half)
                yield _deck(f"{faction}, {cards.half.other} at rest", cards, cards.half.other)

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        for cards in self.cards.values():
            cards.pile.check()


def _deck(name: str, cards: Cards, half: Half | None) -> Deck:
    left, discarded = cards.left(half), cards.discarded(half)
    whole = tuple(card for card in cards.pile.cards if half in (None, rules.half_of(card)))
    return Deck(name, None, len(whole), len(left), (), discarded, whole)
