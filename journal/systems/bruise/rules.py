"""How a Bruise conflict comes out, from ratings and hands alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Final

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
    """What happens on equal Quality; a table option."""

    ASK = "ask"
    NEXT_CARD = "next_card"
    REDRAW = "redraw"
    ACTOR = "actor"
    OPPOSITION = "opposition"


class Verdict(StrEnum):
    """How two hands compare, as the acting side sees it."""

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
    """How many cards the two ratings give, 0..deck_size: `docs/rules/bruise.md §2`.

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


def quality(hand: Sequence[str], *, ace: Ace = Ace.HIGH) -> int:
    """The highest rank in the hand, 0..14; 0 for no cards: `docs/rules/bruise.md §3`.

    Cards nobody named are taken to lie below it; Refused if the hand has no others.
    """
    ranks = _ranks(hand, ace)
    if hand and not ranks:
        raise Refused("Nobody has named a card of this hand: say its Quality.")
    return max(ranks, default=0)


def compare(own: int, opposing: int) -> Verdict:
    """Which Quality wins the hand, the higher: `docs/rules/bruise.md §3`."""
    if own == opposing:
        return Verdict.TIED
    return Verdict.WON if own > opposing else Verdict.LOST


def settle(tie: Tie, own: Sequence[str], opposing: Sequence[str], *, ace: Ace = Ace.HIGH) -> Verdict:
    """What a tie comes to under the option: `docs/rules/bruise.md §4`. TIED where the table must rule.

    `next_card` needs every card named; Refused where one is not.
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
            return _by_next_card(own, opposing, ace)


def quantity_range(hand: Sequence[str], against: int, *, ace: Ace = Ace.HIGH) -> tuple[int, int]:
    """The least and the most that the Quantity can be while cards are unnamed: `docs/rules/bruise.md §5`."""
    ranks = _ranks(hand, ace)
    least = sum(1 for rank in ranks if rank >= against)
    unnamed = len(hand) - len(ranks)
    lies_below = bool(ranks) and against >= ranks[0]
    return least, least if lies_below else least + unnamed


def quantity(hand: Sequence[str], against: int, *, ace: Ace = Ace.HIGH) -> int:
    """How many of the winner's cards reach the loser's Quality: `docs/rules/bruise.md §5`.

    At least 1 for whoever won the hand with a higher Quality. Refused while a card that nobody named leaves
    it open.
    """
    least, most = quantity_range(hand, against, ace=ace)
    if least != most:
        raise Refused(f"Not every card is named: the Quantity is {least} to {most}, say which.")
    return least


def colours(hand: Sequence[str], *, ace: Ace = Ace.HIGH) -> tuple[french.Suit, ...]:
    """The suits the winner may choose among, those of the highest cards: `docs/rules/bruise.md §6`.

    In the order spades, hearts, diamonds, clubs; none if the hand has no card of any suit.
    """
    named = [card for card in hand if card != french.UNSEEN]
    top = max(_ranks(named, ace), default=0)
    suits = {french.suit(card) for card in named if _rank(card, ace) == top}
    return tuple(suit for suit in french.Suit if suit in suits)


@dataclass(frozen=True, slots=True)
class Wheel:
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
        """The Wheel after a deed tilts it towards one end; Refused if a rating would leave 0..10."""
        if by < 1:
            raise Refused("The Wheel tilts by 1 or more.")
        if self.rating(towards.other) < by:
            raise Refused(
                f"The Wheel cannot tilt by {by}: {towards.other} is at {self.rating(towards.other)}."
            )
        destiny = self.destiny + (by if towards is Potential.DESTINY else -by)
        return Wheel(destiny, STATIONS - destiny)


def karma_max(wheel: Wheel, potential: Potential) -> int:
    """The most Karma of one kind that a character can have, 0..10: `docs/rules/bruise.md §9`."""
    return wheel.rating(potential)


def karma_kept(points: int, wheel: Wheel, potential: Potential) -> int:
    """The points of that kind that remain after the Wheel has tilted; a tilt never adds any."""
    return min(points, karma_max(wheel, potential))


def _rank(card: str, ace: Ace) -> int:
    return french.rank(card, ace_high=ace is Ace.HIGH)


def _ranks(hand: Sequence[str], ace: Ace) -> list[int]:
    """The ranks of the cards that somebody named, highest first."""
    return sorted((_rank(card, ace) for card in hand if card != french.UNSEEN), reverse=True)


def _by_next_card(own: Sequence[str], opposing: Sequence[str], ace: Ace) -> Verdict:
    """The first difference going down both hands; a hand that has run out counts 0."""
    if french.UNSEEN in (*own, *opposing):
        raise Refused("Not every card is named: say who wins the tie.")
    pairs = zip_longest(_ranks(own, ace), _ranks(opposing, ace), fillvalue=0)
    return next((compare(ours, theirs) for ours, theirs in pairs if ours != theirs), Verdict.TIED)
