"""Whose deck a card comes from, and where it lies: in a hand or thrown away, conflict by conflict."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from journal.decks import french
from journal.decks.pile import Pile
from journal.systems.bruise.options import NAME, chosen
from journal.table import Table
from journal.vocabulary.base import GM

_THROWN: Final = "thrown"


def deck_of(table: Table, person: int) -> int:
    """Whose deck `person` draws from: their player's, else the Tale Weaver's, who has one for everybody."""
    player = table.people[person].player
    return GM if player is None else player


def deck_name(owner: int) -> str:
    """What the record calls somebody's deck."""
    return f"{NAME}:{owner}"


def owner_of(deck: str) -> int:
    """Whose deck the record means; those of before 22 November 2026 name one for every character."""
    return int(deck.removeprefix(f"{NAME}:"))


def hand_of(conflict: int, who: int) -> str:
    """Where the hand of `who` in this conflict lies, as the pile knows it."""
    return f"{conflict}:{who}"


def heap_of(conflict: int) -> str:
    """Where the cards thrown away in this conflict lie until its turn is over."""
    return f"{conflict}:{_THROWN}"


def conflict_at(place: str) -> int:
    """The conflict that a place of cards belongs to."""
    return int(place.partition(":")[0])


def person_at(place: str) -> int | None:
    """Whose hand a place is; None for cards thrown away."""
    who = place.rpartition(":")[2]
    return None if who == _THROWN else int(who)


def new_pile(table: Table) -> Pile:
    """A full deck, with as many jokers as the table plays with."""
    return Pile(french.deck(chosen.number(table, "jokers")))


def pile_of(table: Table, piles: dict[int, Pile], owner: int) -> Pile:
    """The deck of `owner` as it lies; a whole one has the jokers that the table plays with now."""
    pile = piles.get(owner)
    return pile if pile is not None and pile.out else new_pile(table)


def take(pile: Pile, card: str, place: str) -> None:
    """The card leaves the deck for that place.

    Records of before 22 November 2026 may draw one that lies elsewhere: there a turn that ended took back
    what its people held in other conflicts, and a deck kept the jokers it had begun with.
    """
    if card == french.UNSEEN:
        return
    if card in _EVERYWHERE and card not in pile.out:  # as nearly every card is drawn
        pile.out[card] = (place,)
        return
    if card not in pile.cards:
        pile.cards = (*pile.cards, card)
    elif not pile.has(card):
        pile.out[card] = pile.out[card][1:]
    pile.take(card, place)


_EVERYWHERE: Final = frozenset(french.DECK)
"""The cards that every deck has, each of them once."""


def throw(pile: Pile, card: str, conflict: int, who: int) -> None:
    """The card goes from that hand to what was thrown away, if it lies there still."""
    place = hand_of(conflict, who)
    if place in pile.out.get(card, ()):
        pile.discard(card, place, heap_of(conflict))


def put_back(pile: Pile, place: str) -> None:
    """What lies in that place returns to the deck."""
    pile.gather(keep=tuple(_places(pile) - {place}))


def gather(pile: Pile, conflicts: Collection[int]) -> None:
    """Every card returns to the deck, save those that lie in these conflicts."""
    if not conflicts:
        pile.gather()
        return
    pile.gather(keep=tuple(place for place in _places(pile) if conflict_at(place) in conflicts))


def _places(pile: Pile) -> set[str]:
    return {place for places in pile.out.values() for place in places}
