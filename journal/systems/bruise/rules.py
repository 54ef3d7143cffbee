"""The rules of Bruise, computed from ratings and hands alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from journal.decks import french
from journal.refused import Refused

DECK_SIZE: Final = len(french.DECK)
STATIONS: Final = 10


class Trait(StrEnum):
    """The two kinds of rating that make a draw."""

    ATTRIBUTE = "attribute"
    SKILL = "skill"


class Ace(StrEnum):
    """Whether aces count above the king or below the two; a table option."""

    HIGH = "high"
    LOW = "low"


class Tie(StrEnum):
    """Resolution of equal Qualities; a table option."""

    ASK = "ask"
    NEXT_CARD = "next_card"
    REDRAW = "redraw"
    ACTOR = "actor"
    OPPOSITION = "opposition"


class JokerSuit(StrEnum):
    """The suit a joker lends to what it wins; a table option."""

    NONE = "none"
    ANY = "any"
    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"


class Verdict(StrEnum):
    """Result of comparing two hands, for the acting side."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"
    REDRAW = "redraw"


class Potential(StrEnum):
    """The two ends of the Wheel of Potential, and the two kinds of Karma."""

    DESTINY = "destiny"
    FATE = "fate"

    @property
    def other(self) -> Potential:
        """The opposite end."""
        return Potential.FATE if self is Potential.DESTINY else Potential.DESTINY


def draw_size(
    attribute: int,
    skill: int,
    *,
    meme: int | None = None,
    replaces: Trait | None = None,
    deck_size: int = DECK_SIZE,
) -> int:
    """Returns the number of cards two ratings give, 0..deck_size: `docs/rules/bruise.md §2`.

    A meme's rating stands in for the one it replaces, even a higher one. Raises Refused for a negative
    rating, and for a meme that replaces nothing.
    """
    if (meme is None) != (replaces is None):
        raise Refused("A meme stands in for the attribute or for the skill: say which.")
    ratings = {Trait.ATTRIBUTE: attribute, Trait.SKILL: skill}
    if meme is not None and replaces is not None:
        ratings[replaces] = meme
    if min(ratings.values()) < 0:
        raise Refused("A rating cannot be less than 0.")
    return min(sum(ratings.values()), deck_size)


def readable(hand: Sequence[str]) -> bool:
    """True if a hand's Quality can be computed: at least one card is named, or the hand is empty."""
    return not hand or any(card != french.UNSEEN for card in hand)


def named_in_full(hand: Sequence[str]) -> bool:
    """True if every card of the hand is named."""
    return french.UNSEEN not in hand


def quality(hand: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0) -> int:
    """Returns the highest rank in the hand, 0..15; 0 for an empty one: `docs/rules/bruise.md §3`.

    Unnamed cards count as lower; raises Refused if no card is named.
    """
    ranks = _ranks(hand, ace, joker)
    if not readable(hand):
        raise Refused("Nobody has named a card of this hand: say its Quality.")
    return max(ranks, default=0)


def compare(own: int, opposing: int) -> Verdict:
    """Compares two Qualities, the higher wins: `docs/rules/bruise.md §3`."""
    if own == opposing:
        return Verdict.TIED
    return Verdict.WON if own > opposing else Verdict.LOST


def settle(
    tie: Tie, own: Sequence[str], opposing: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0
) -> Verdict:
    """Resolves a tie by the option; TIED means the table must rule: `docs/rules/bruise.md §4`.

    `next_card` needs every card named; raises Refused otherwise.
    """
    match tie:
        case Tie.ASK:
            return Verdict.TIED
        case Tie.REDRAW:
            return Verdict.REDRAW
        case Tie.ACTOR:
            return Verdict.WON
        case Tie.OPPOSITION:
            return Verdict.LOST
        case Tie.NEXT_CARD:
            return _by_next_card(own, opposing, ace, joker)


def quantity_range(
    hand: Sequence[str], against: int, *, ace: Ace = Ace.HIGH, joker: int = 0
) -> tuple[int, int]:
    """Returns the least and greatest possible Quantity with unnamed cards: `docs/rules/bruise.md §5`."""
    if against <= 0:
        return len(hand), len(hand)
    ranks = _ranks(hand, ace, joker)
    least = sum(1 for rank in ranks if rank >= against)
    unnamed = len(hand) - len(ranks)
    lies_below = bool(ranks) and against >= ranks[0]
    return least, least if lies_below else least + unnamed


def quantity(hand: Sequence[str], against: int, *, ace: Ace = Ace.HIGH, joker: int = 0) -> int:
    """Returns the number of the winner's cards that reach the loser's Quality: `docs/rules/bruise.md §5`.

    At least 1 for a winner with a higher Quality. Raises Refused while an unnamed card leaves it open.
    """
    least, most = quantity_range(hand, against, ace=ace, joker=joker)
    if least != most:
        raise Refused(f"Not every card is named: the Quantity is {least} to {most}, say which.")
    return least


def colours(
    hand: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0, joker_suit: JokerSuit = JokerSuit.NONE
) -> tuple[french.Suit, ...]:
    """Returns the suits of the hand's highest cards, to choose from: `docs/rules/bruise.md §6`.

    In the order spades, hearts, diamonds, clubs; empty if no highest card has a suit.
    """
    named = [card for card in hand if card != french.UNSEEN]
    top = max(_ranks(named, ace, joker), default=0)
    lent = {suit for card in named if _rank(card, ace, joker) == top for suit in _suits(card, joker_suit)}
    return tuple(suit for suit in french.Suit if suit in lent)


def _suits(card: str, joker_suit: JokerSuit) -> tuple[french.Suit, ...]:
    """Returns a card's suit; for a joker, the suits of the table's option."""
    suit = french.suit(card)
    if suit is not None:
        return (suit,)
    return tuple(lent for lent in french.Suit if joker_suit in (JokerSuit.ANY, JokerSuit(lent.value)))


class Wheel(Struct, frozen=True):
    """The Wheel of Potential: two ratings that make ten, five each at first (`docs/rules/bruise.md §8`)."""

    destiny: int = STATIONS // 2
    fate: int = STATIONS // 2

    def __post_init__(self) -> None:
        if self.destiny + self.fate != STATIONS or min(self.destiny, self.fate) < 0:
            raise Refused(f"Destiny and Fate are 0 to {STATIONS} and make {STATIONS} together.")

    def rating(self, potential: Potential) -> int:
        """The rating of one end, 0..10."""
        return self.destiny if potential is Potential.DESTINY else self.fate

    def tilted(self, towards: Potential, by: int = 1) -> Wheel:
        """Returns the Wheel tilted towards one end; raises Refused if a rating would leave 0..10."""
        if by < 1:
            raise Refused("The Wheel tilts by 1 or more.")
        if self.rating(towards.other) < by:
            raise Refused(
                f"The Wheel cannot tilt by {by}: {towards.other} is at {self.rating(towards.other)}."
            )
        destiny = self.destiny + (by if towards is Potential.DESTINY else -by)
        return Wheel(destiny, STATIONS - destiny)


def karma_max(wheel: Wheel, potential: Potential) -> int:
    """Returns a character's greatest Karma of one kind, 0..10: `docs/rules/bruise.md §9`."""
    return wheel.rating(potential)


def karma_kept(points: int, wheel: Wheel, potential: Potential) -> int:
    """Returns the Karma left after a tilt of the Wheel: `points`, capped at the new rating."""
    return min(points, karma_max(wheel, potential))


def _rank(card: str, ace: Ace, joker: int) -> int:
    return joker if card == french.JOKER else french.rank(card, ace_high=ace is Ace.HIGH)


def _ranks(hand: Sequence[str], ace: Ace, joker: int) -> list[int]:
    """Returns the ranks of the named cards, highest first."""
    return sorted((_rank(card, ace, joker) for card in hand if card != french.UNSEEN), reverse=True)


def _by_next_card(own: Sequence[str], opposing: Sequence[str], ace: Ace, joker: int) -> Verdict:
    """Returns the first difference going down both hands; missing cards count as 0."""
    if french.UNSEEN in (*own, *opposing):
        raise Refused("Not every card is named: say who wins the tie.")
    pairs = zip_longest(_ranks(own, ace, joker), _ranks(opposing, ace, joker), fillvalue=0)
    return next((compare(ours, theirs) for ours, theirs in pairs if ours != theirs), Verdict.TIED)
