"""The Space·Time deck: Excuse, Triumphs (trumps), and five suits of nine figures; which card beats which.

Canonical text of a card: `unknown:ruler`, `T14` or `Excuse`, with `:r` after it when reversed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.refused import Refused


class Suit(StrEnum):
    """The five suits; players may say scissors for blades."""

    ROCK = "rock"
    PAPER = "paper"
    BLADES = "blades"
    SERPENT = "serpent"
    UNKNOWN = "unknown"


class Figure(StrEnum):
    """Figures on the cards of a suit, all of equal rank; mover and child go on the deck's blank cards."""

    RULER = "ruler"
    DRAGON = "dragon"
    TREASURE = "treasure"
    SOLDIER = "soldier"
    BUILDER = "builder"
    SEEKER = "seeker"
    LOVER = "lover"
    SERVANT = "servant"
    HOME = "home"
    MOVER = "mover"
    CHILD = "child"


TRIUMPHS: Final = 21
EXCUSE: Final = "Excuse"
BLANK_FIGURES: Final = (Figure.MOVER, Figure.CHILD)
FIGURES: Final = tuple(figure for figure in Figure if figure not in BLANK_FIGURES)
BEATS: Final = {
    Suit.ROCK: frozenset({Suit.BLADES, Suit.SERPENT}),
    Suit.PAPER: frozenset({Suit.ROCK, Suit.UNKNOWN}),
    Suit.BLADES: frozenset({Suit.PAPER, Suit.SERPENT}),
    Suit.SERPENT: frozenset({Suit.PAPER, Suit.UNKNOWN}),
    Suit.UNKNOWN: frozenset({Suit.ROCK, Suit.BLADES}),
}
"""The suits that each suit beats: `docs/rules/spacetime.md §2`."""

Blanks = Literal["none", "suits"]

_REVERSED: Final = ":r"


class Card(Struct, frozen=True):
    """One card, upright or reversed: a suit's figure, a Triumph (1 to 21), or with neither the Excuse.

    `str` gives its canonical text: `unknown:ruler`, `T14`, `Excuse`, with `:r` after it when reversed.
    """

    suit: Suit | None = None
    figure: Figure | None = None
    triumph: int | None = None
    reversed: bool = False

    def __post_init__(self) -> None:
        if (self.suit is None) != (self.figure is None) or (self.suit and self.triumph is not None):
            raise ValueError("a card is a figure of a suit, a Triumph, or the Excuse")
        if self.triumph is not None and not 1 <= self.triumph <= TRIUMPHS:
            raise ValueError(f"Triumphs go from 1 to {TRIUMPHS}")

    @classmethod
    def of(cls, text: str) -> Card:
        """Parses a canonical text such as `T14:r`; raises Refused for any other text.

        For text as users type it, see `read_card`.
        """
        return _cards(text)

    @property
    def is_excuse(self) -> bool:
        """True if the card is the Excuse."""
        return self.suit is None and self.triumph is None

    def turned(self, *, reversed: bool) -> Card:  # noqa: A002 - the game's own word
        """Returns the same card upright or, if `reversed`, upside down."""
        return replace(self, reversed=reversed)

    def __str__(self) -> str:
        tail = _REVERSED if self.reversed else ""
        if self.suit is not None:
            return f"{self.suit}:{self.figure}{tail}"
        return (EXCUSE if self.triumph is None else f"T{self.triumph}") + tail


def deck(blanks: Blanks = "none") -> tuple[str, ...]:
    """Returns the 67 upright cards in fixed order: Excuse, Triumphs, then suit by suit.

    With `blanks="suits"` each suit has its two blank figures as well, which makes 77. The printed deck's
    blank Triumphs are not supported: their strength is nowhere defined (`docs/rules/spacetime.md §1`).
    """
    figures = FIGURES if blanks == "none" else tuple(Figure)
    suits = (f"{suit}:{figure}" for suit in Suit for figure in figures)
    return (EXCUSE, *(f"T{number}" for number in range(1, TRIUMPHS + 1)), *suits)


DECK: Final = deck()
"""The 67 canonical upright cards."""


def upright(card: str) -> str:
    """Returns a card's text without the `:r` of reversed cards: the identity of the physical card."""
    return card.removesuffix(_REVERSED)


def both_ways(cards: Iterable[str]) -> tuple[str, ...]:
    """Returns each card's upright and reversed text, so that a draw decides the orientation too."""
    return tuple(way for card in cards for way in (upright(card), upright(card) + _REVERSED))


def beats(a: Card, b: Card) -> bool:
    """True if card `a` beats card `b` (`docs/rules/spacetime.md §2`); the Excuse neither wins nor loses."""
    if a.is_excuse or b.is_excuse:
        return False
    if a.triumph is not None:
        return b.triumph is None or a.triumph > b.triumph
    return a.suit is not None and b.suit in BEATS[a.suit]


def recognise(text: str) -> str | None:
    """Returns the canonical text of a card, written as `Triumph XIV`, `u:ru` or `Ruler of Unknown r`.

    Suit and figure may be cut to any unique beginning; scissors, for blades, may not. None if the text is
    not shaped like a card. Raises Refused if it is, but matches no card or several.
    """
    match = re.fullmatch(_ORIENTED, " ".join(text.casefold().split()))
    if match is None:
        return None
    name = match["compact"] or match["name"]
    upright_name = _triumph(name) or _suit_card(name) or (EXCUSE if name == EXCUSE.casefold() else None)
    if upright_name is None:
        return None
    is_reversed = match["compact"] or match["first"] or match["reversed"]
    return upright_name + (_REVERSED if is_reversed else "")


def read_card(text: str) -> str:
    """Returns the canonical text of a card typed in full or short; raises Refused if it is not a card."""
    card = recognise(text)
    if card is None:
        raise Refused(
            f"“{text}” is not a Space·Time card: write T14, Excuse or unknown:ruler, and :r if reversed."
        )
    return card


# `r` may follow without a blank only after a number: `u:ruler` must not read as a reversed `u:rule`.
_ORIENTED: Final = (
    r"(?P<compact>t\d{1,9})r|(?:(?P<first>reversed)\s+|upright\s+)?(?P<name>.+?)"
    r"(?:(?P<reversed>(?::|\s+)(?:r|reversed))|\s+upright)?"
)
_TRIUMPH: Final = r"t(?P<number>\d{1,9})|triumph\s+(?P<word>\d{1,9}|[ivxlcdm]+)|(?P<numeral>[ivx]+)"
_SUIT_CARD: Final = (
    r"(?P<suit>[a-z]+):(?P<figure>[a-z]+)|(?P<figure_>[a-z]+)\s+of\s+(?P<suit_>[a-z]+)"
    rf"|(?P<suit__>{'|'.join((*Suit, 'scissors'))})\s+(?P<figure__>{'|'.join(Figure)})"
)


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


_NUMERALS: Final = {_roman(number): number for number in range(1, TRIUMPHS + 1)}


def _triumph(name: str) -> str | None:
    match = re.fullmatch(_TRIUMPH, name)
    if match is None:
        return None
    word = match["number"] or match["word"] or match["numeral"]
    number = int(word) if word.isdecimal() else _NUMERALS.get(word, 0)
    if not 1 <= number <= TRIUMPHS:
        raise Refused(f"There is no Triumph {word.upper()}: they go from I to XXI.")
    return f"T{number}"


def _suit_card(name: str) -> str | None:
    match = re.fullmatch(_SUIT_CARD, name)
    if match is None:
        return None
    suit = _beginning(match["suit"] or match["suit_"] or match["suit__"], Suit)
    figure = _beginning(match["figure"] or match["figure_"] or match["figure__"], Figure)
    if not suit and not figure and match["suit_"]:
        return None  # other decks have suit cards too
    return f"{_only(suit, name, Suit)}:{_only(figure, name, Figure)}"


_ON_BLANKS: Final = (Figure.MOVER, Figure.CHILD)

_SCISSORS: Final = "scissors"


def _beginning(word: str, names: type[StrEnum]) -> tuple[str, ...]:
    """Returns the suits or figures whose names begin with `word`; `scissors`, in full, is blades."""
    return (Suit.BLADES,) if word == _SCISSORS else tuple(name for name in names if name.startswith(word))


def _only(found: tuple[str, ...], name: str, names: type[StrEnum]) -> str:
    """Returns the single suit or figure in `found`; raises Refused, quoting `name`, for none or several."""
    kind = names.__name__.lower()
    if not found:
        there, blanks = (
            [one for one in names if (one in _ON_BLANKS) is on_blanks] for on_blanks in (False, True)
        )
        also = f"; on blank cards also {' and '.join(blanks)}" if blanks else ""
        raise Refused(f"“{name}” has no {kind} of these: {', '.join(there)}{also}.")
    if len(found) > 1:
        raise Refused(f"In “{name}” the {kind} may be {' or '.join(found)}.")
    return found[0]


@lru_cache(maxsize=256)
def _cards(text: str) -> Card:
    name = upright(text)
    if name not in _KNOWN:
        raise Refused(f"“{text}” is not a Space·Time card.")
    return _KNOWN[name].turned(reversed=name != text)


_KNOWN: Final = (
    {EXCUSE: Card()}
    | {f"T{number}": Card(triumph=number) for number in range(1, TRIUMPHS + 1)}
    | {f"{suit}:{figure}": Card(suit, figure) for suit in Suit for figure in Figure}
)
