"""What a game says of itself so that it can be counted: what of a card counts, and what a round is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from journal.decks.pile import as_written
from journal.table import Table
from journal.vocabulary.base import Event
from journal.vocabulary.events import CardsDrawn
from projections import games


@dataclass(frozen=True, slots=True)
class Cards:
    """What is counted of a game's cards. Every function is given the table just after the draw."""

    what: str
    """What is counted, in a word for a column."""
    about: str
    """What is held against what, as a sentence."""
    lay: Callable[[Table, CardsDrawn], Sequence[str] | None]
    """The cards any of which might have come up first; none for a draw that counts for nothing, and None
    where nobody can say."""
    value: Callable[[Table, str], int]
    label: Callable[[str], str]
    name: Callable[[str], str] = as_written
    """A drawn card as the deck has it."""
    share: bool = False
    """True where a value is 1 or 0, and the mean a share."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What a round is called, and which events mark one: where it begins, or else where it is over."""

    name: str
    marks: frozenset[type[Event]]
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """What can be counted of one game."""

    rounds: Rounds | None = None
    cards: Cards | None = None


def counted_of(game: str | None) -> Counted:
    """What is counted of a game; of one that says nothing of it, and outside any game, dice are."""
    room = None if game is None else games.room(game, "statistics")
    return Counted() if room is None else room.COUNTED
