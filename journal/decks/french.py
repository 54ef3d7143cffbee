"""The 52 playing cards: ranks, suits, and parsing of cards as users write them.

Canonical text of a card: rank and suit letter, such as `JH` or `10S`; `joker`; `_` for an unseen card.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final

from retold.journal.refused import Refused

JOKER: Final = "joker"
UNSEEN: Final = "_"
"""A held card that was not written down."""


class Suit(StrEnum):
    """The four suits of playing cards."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"

    @property
    def letter(self) -> str:
        """The suit's letter in a card's text: `S`, `H`, `D` or `C`."""
        return self.value[0].upper()


RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
DECK: Final = tuple(rank + suit.letter for suit in Suit for rank in RANKS)
"""The 52 canonical cards: spades, hearts, diamonds, clubs, each from the ace to the king."""

CARDINALS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS: Final = ("ace", *CARDINALS[1:], "jack", "queen", "king")
_RANKS: Final = {rank.lower(): rank for rank in RANKS} | dict(zip(_WORDS, RANKS, strict=True)) | {"t": "10"}
_SUITS: Final = {
    name: suit
    for suit, signs in zip(Suit, ("♠♤", "♥♡", "♦♢", "♣♧"), strict=True)
    for name in (suit.value, suit.value[:-1], suit.value[0], *signs)
}
_VALUES: Final = {rank + suit.letter: value for suit in Suit for value, rank in enumerate(RANKS, 1)}
_ACE: Final = 1
_ACE_HIGH: Final = 14

_SUIT_SHAPE: Final = f"(?P<suit>{'|'.join(_SUITS)})"
_SHAPES: Final = (
    rf"(?P<rank>\w+)\s+of\s+{_SUIT_SHAPE}",
    rf"(?P<rank>\d+|{'|'.join(_RANKS)}){_SUIT_SHAPE}",
    rf"(?P<suit>[♠♤♥♡♦♢♣♧])(?P<rank>\d+|{'|'.join(_RANKS)})",
)
_EMOJI: Final = "\ufe0f"


@cache
def deck(jokers: int = 0) -> tuple[str, ...]:
    """Returns the 52 cards of `DECK` and `jokers` times the text `joker`."""
    return DECK + (JOKER,) * jokers


def rank(card: str, *, ace_high: bool = True) -> int:
    """Returns a card's value: number cards 2 to 10, jack 11, queen 12, king 13, ace 14, joker 0.

    Without `ace_high`, an ace is 1. Raises Refused for the unseen card `_` and for other texts.
    """
    if card == JOKER:
        return 0
    if card == UNSEEN:
        raise Refused("That card has not been named, so it has no rank.")
    value = _VALUES.get(card)
    if value is None:
        raise Refused(f"“{card}” is not a playing card.")
    return _ACE_HIGH if ace_high and value == _ACE else value


def suit(card: str) -> Suit | None:
    """Returns a card's suit; None for a joker or the unseen card `_`. Raises Refused for other texts."""
    if card in {JOKER, UNSEEN}:
        return None
    if card not in _VALUES:
        raise Refused(f"“{card}” is not a playing card.")
    return _SUITS[card[-1].lower()]


def recognise(text: str) -> str | None:
    """Returns the canonical text of a card written `JH`, `J♥`, `♥J`, `TS`, `jack of hearts` or `joker`.

    None if the text is not shaped like a card. Raises Refused if it is, but no such card exists.
    """
    folded = " ".join(text.replace(_EMOJI, "").casefold().split())
    if folded in {JOKER, UNSEEN}:
        return folded
    match = next(filter(None, (re.fullmatch(shape, folded) for shape in _SHAPES)), None)
    if match is None:
        return None
    found = _SUITS[match["suit"]]
    if match["rank"] not in _RANKS:
        raise Refused(f"There is no {match['rank']} of {found}.")
    return _RANKS[match["rank"]] + found.letter


def read_card(text: str) -> str:
    """Returns the canonical text of a card: `jack of hearts` → `JH`; raises Refused if it is not a card."""
    card = recognise(text)
    if card is None:
        raise Refused(f"“{text}” is not a playing card: write JH, 10♠ or jack of hearts.")
    return card
