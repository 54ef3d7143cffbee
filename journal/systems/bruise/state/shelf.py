"""What outlives a conflict: everybody's sheet and every deck."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from journal.capabilities import Deck, Picture, Row
from journal.decks.pile import Pile
from journal.systems.bruise.rules import Potential, Wheel
from journal.systems.bruise.state.decks import person_at
from journal.vocabulary.base import GM

ATTRIBUTES = ("clubs", "spades", "hearts", "diamonds")


class Sheet(Struct):
    """One character: traits by key, which of them are memes, the Wheel, Karma and Legacy."""

    traits: dict[str, int] = field(default_factory=dict)
    memes: set[str] = field(default_factory=set)
    doula: int | None = None
    wheel: Wheel = field(default_factory=Wheel)
    karma: dict[Potential, int] = field(default_factory=lambda: dict.fromkeys(Potential, 5))
    legacy: int = 0
    on_the_wheel: bool = False
    """False for somebody of whom only Legacy is known: a player who told well."""


class Shelf(Struct):
    """What outlives a conflict: everybody's sheet and every deck, by whose it is."""

    sheets: dict[int, Sheet] = field(default_factory=dict)
    piles: dict[int, Pile] = field(default_factory=dict)

    def sheet(self, person: int) -> Sheet:
        """The sheet of `person`, a new one if they have none."""
        return self.sheets.setdefault(person, Sheet())

    def rows(self) -> Iterable[Row]:
        """Karma against the Wheel's ratings, and Legacy."""
        for person, sheet in self.sheets.items():
            for potential in Potential if sheet.on_the_wheel else ():
                karma, rating = sheet.karma[potential], sheet.wheel.rating(potential)
                yield Row(person, potential.value, karma, rating, Picture.POINTS)
            yield Row(person, "legacy", sheet.legacy, picture=Picture.POINTS)

    def decks(self) -> Iterable[Deck]:
        """Every deck drawn from."""
        for owner, pile in self.piles.items():
            yield Deck(
                "Tale Weaver" if owner == GM else "own",
                owner,
                len(pile.cards),
                pile.remaining,
                _hands(pile),
                _thrown(pile),
                pile.cards,
            )

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        for pile in self.piles.values():
            pile.check()


def _hands(pile: Pile) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What everybody holds of this deck, over all conflicts."""
    held: dict[str, tuple[str, ...]] = {}
    for card, place in pile.lying():
        held[place] = (*held.get(place, ()), card)
    hands: dict[int, tuple[str, ...]] = {}
    for place in sorted(held):
        who = person_at(place)
        if who is not None:
            hands[who] = (*hands.get(who, ()), *held[place])
    return tuple(sorted(hands.items()))


def _thrown(pile: Pile) -> tuple[str, ...]:
    """What was thrown away of this deck, over all conflicts."""
    return tuple(card for card, place in pile.lying() if person_at(place) is None)
