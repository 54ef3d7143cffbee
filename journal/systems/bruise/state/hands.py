"""One conflict of Bruise, turn by turn: hands, what was shown, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from journal.decks import french
from journal.systems.bruise.rules import Potential
from journal.vocabulary.base import GM
from journal.words import Words


class Hand(Struct):
    """What somebody drew this turn, how many cards that was, and whose deck they came from."""

    cards: list[str]
    due: int
    owner: int = GM


class Shown(Struct):
    """A Quality that is locked, and a Quantity where the cards were not written down."""

    quality: int
    quantity: int | None


class Result(Struct):
    """One hand won."""

    winner: int
    loser: int
    quality: int
    against: int
    quantity: int | None
    colours: tuple[str, ...]
    colour: str | None
    told: bool = False


class Play(Struct):
    """One conflict, turn by turn."""

    turn: int = 1
    began: int = 0
    """Where in the record this turn began."""
    length: Words | None = None
    """How long this turn lasts in the story, once that is said."""
    tied_to: Potential | None = None
    tied: dict[int, Potential | None] = field(default_factory=dict)
    """To which end of the Wheel it is tied for somebody, where that is not what it is for all."""
    declared: set[int] = field(default_factory=set)
    hands: dict[int, Hand] = field(default_factory=dict)
    shown: dict[int, Shown] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    due: dict[int, int | None] = field(default_factory=dict)
    """Who draws anew after a tie, and how many cards; None for a hand nobody wrote down."""
    ties: list[tuple[int, int]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    called_on: dict[int, list[str]] = field(default_factory=dict)
    """What of their own somebody called on this turn, which belongs in the telling: a meme, Karma."""
    late: set[int] = field(default_factory=set)
    """Who came in after a Quality was locked: they draw from the next turn on."""

    @property
    def over(self) -> bool:
        """True once this turn has come out; the next declaration or draw begins another."""
        return bool(self.results) and not self.ties and not self.due

    @property
    def compared(self) -> bool:
        """True once a Quality is locked in this turn."""
        return bool(self.shown or self.results or self.due)

    def face_down(self) -> Iterator[tuple[int, int]]:
        """Before whom cards lie that nobody named, and how many."""
        for who, hand in self.hands.items():
            if count := hand.cards.count(french.UNSEEN):
                yield who, count

    def end_of_wheel(self, who: int) -> Potential | None:
        """The end of the Wheel that this conflict is tied to for `who`."""
        return self.tied.get(who, self.tied_to)

    def next_turn(self, began: int = 0) -> Play:
        """The turn after this one, with nothing on the table."""
        return Play(turn=self.turn + 1, began=began, tied_to=self.tied_to, tied=dict(self.tied))
