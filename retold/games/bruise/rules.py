"""Rules of Bruise as pure functions of ratings and hands (`docs/rules/bruise.md`).

Quality is the rank of a hand's highest card, 0 to 15; the higher Quality wins. Quantity is the number of
the winner's cards that reach the loser's Quality. Colour is the suit of the winner's highest card. Karma
points replace cards of a hand; the Wheel of Potential sets their maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from retold.game import Refused, french

DECK_SIZE: Final = len(french.DECK)
STATIONS: Final = 10


class Trait(StrEnum):
    """Kinds of rating: attribute and skill, whose sum is the number of cards drawn."""

    ATTRIBUTE = "attribute"
    SKILL = "skill"


class Ace(StrEnum):
    """Rank of an ace: above the king (`high`, 14) or below the two (`low`, 1); a table option."""

    HIGH = "high"
    LOW = "low"


class Tie(StrEnum):
    """Ways to resolve two hands of equal Quality (highest rank); a table option."""

    ASK = "ask"
    NEXT_CARD = "next_card"
    REDRAW = "redraw"
    ACTOR = "actor"
    OPPOSITION = "opposition"


class Verdict(StrEnum):
    """Result of comparing two hands, from the first hand's side; `redraw`: both draw again."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"
    REDRAW = "redraw"


class Potential(StrEnum):
    """Destiny and Fate: the two ratings on a character's Wheel, and the two kinds of Karma points."""

    DESTINY = "destiny"
    FATE = "fate"

    @property
    def other(self) -> Potential:
        """Fate for Destiny, and Destiny for Fate."""
        return Potential.FATE if self is Potential.DESTINY else Potential.DESTINY


def draw_size(
    attribute: int,
    skill: int,
    *,
    meme: int | None = None,
    replaces: Trait | None = None,
    deck_size: int = DECK_SIZE,
) -> int:
    """Returns the number of cards to draw, attribute plus skill, 0..deck_size: `docs/rules/bruise.md §2`.

    With a `meme` (a rated belief), its rating is used instead of the rating named by `replaces`, even if
    the meme's is lower. Raises Refused for a negative rating, and if only one of `meme` and `replaces` is
    given.
    """
    if (meme is None) != (replaces is None):
        raise Refused("A meme replaces the attribute or the skill: say which.")
    ratings = {Trait.ATTRIBUTE: attribute, Trait.SKILL: skill}
    if meme is not None and replaces is not None:
        ratings[replaces] = meme
    if min(ratings.values()) < 0:
        raise Refused("A rating cannot be less than 0.")
    return min(sum(ratings.values()), deck_size)


def readable(hand: Sequence[str]) -> bool:
    """True if the highest rank of a hand can be told: the hand is empty or at least one card is named."""
    return not hand or any(card != french.UNSEEN for card in hand)


def named_in_full(hand: Sequence[str]) -> bool:
    """True if every card of the hand is named, none being the placeholder `_`."""
    return french.UNSEEN not in hand


def quality(hand: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0) -> int:
    """Returns a hand's Quality, its highest rank, 0..15; 0 for an empty hand: `docs/rules/bruise.md §3`.

    `joker` is the rank of a joker. Unnamed cards (`_`) count as lower than named ones; raises Refused if
    no card of a hand is named.
    """
    ranks = _ranks(hand, ace, joker)
    if not readable(hand):
        raise Refused("No card of this hand is named: say its Quality.")
    return max(ranks, default=0)


def compare(own: int, opposing: int) -> Verdict:
    """Returns the verdict on two Qualities for the first: WON, LOST or TIED: `docs/rules/bruise.md §3`."""
    if own == opposing:
        return Verdict.TIED
    return Verdict.WON if own > opposing else Verdict.LOST


def settle(
    tie: Tie, own: Sequence[str], opposing: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0
) -> Verdict:
    """Returns the verdict on two hands of equal Quality, by the option `tie`: `docs/rules/bruise.md §4`.

    TIED means that a ruling must decide. With `next_card`, raises Refused if a hand holds an unnamed card
    (`_`, drawn without saying which).
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
    """Returns the least and the greatest number of cards in `hand` with rank `against` or more.

    The two differ if unnamed cards may reach that rank: `docs/rules/bruise.md §5`.
    """
    if against <= 0:
        return len(hand), len(hand)
    ranks = _ranks(hand, ace, joker)
    least = sum(1 for rank in ranks if rank >= against)
    unnamed = len(hand) - len(ranks)
    lies_below = bool(ranks) and against >= ranks[0]
    return least, least if lies_below else least + unnamed


def quantity(hand: Sequence[str], against: int, *, ace: Ace = Ace.HIGH, joker: int = 0) -> int:
    """Returns the number of the winner's cards with the loser's Quality or more: `docs/rules/bruise.md §5`.

    At least 1 if the winner's Quality is higher than `against`. Raises Refused if the number depends on which
    cards the unnamed ones (`_`) are.
    """
    least, most = quantity_range(hand, against, ace=ace, joker=joker)
    if least != most:
        raise Refused(f"Not every card is named: the Quantity is {least} to {most}, say which.")
    return least


def colours(hand: Sequence[str], *, ace: Ace = Ace.HIGH, joker: int = 0) -> tuple[french.Suit, ...]:
    """Returns the suits of the hand's highest cards, one of which colours a win: `docs/rules/bruise.md §6`.

    In the order spades, hearts, diamonds, clubs; empty if no highest card has a suit.
    """
    named = [card for card in hand if card != french.UNSEEN]
    top = max(_ranks(named, ace, joker), default=0)
    highest = {french.suit(card) for card in named if _rank(card, ace, joker) == top}
    return tuple(suit for suit in french.Suit if suit in highest)


class Wheel(Struct, frozen=True):
    """A character's Wheel of Potential: ratings of Destiny and Fate that sum to 10, 5 each at first.

    Raises Refused for other sums or negative ratings (`docs/rules/bruise.md §8`).
    """

    destiny: int = STATIONS // 2
    fate: int = STATIONS // 2

    def __post_init__(self) -> None:
        if self.destiny + self.fate != STATIONS or min(self.destiny, self.fate) < 0:
            raise Refused(f"Destiny and Fate are 0 to {STATIONS} and make {STATIONS} together.")

    def rating(self, potential: Potential) -> int:
        """Returns the rating of Destiny or of Fate, 0..10."""
        return self.destiny if potential is Potential.DESTINY else self.fate

    def tilted(self, towards: Potential, by: int = 1) -> Wheel:
        """Returns a new Wheel: `by` points move from the other rating to the rating `towards`.

        Raises Refused if `by` is below 1 or a rating would leave 0..10.
        """
        if by < 1:
            raise Refused("The Wheel tilts by 1 or more.")
        if self.rating(towards.other) < by:
            raise Refused(
                f"The Wheel cannot tilt by {by}: {towards.other} is at {self.rating(towards.other)}."
            )
        destiny = self.destiny + (by if towards is Potential.DESTINY else -by)
        return Wheel(destiny, STATIONS - destiny)


def karma_max(wheel: Wheel, potential: Potential) -> int:
    """Returns the most Karma points of one kind a character can hold, 0..10: `docs/rules/bruise.md §9`.

    It is the Wheel's rating of that kind.
    """
    return wheel.rating(potential)


def karma_kept(points: int, wheel: Wheel, potential: Potential) -> int:
    """Returns the Karma points left once the Wheel is tilted to `wheel`: `points`, or the rating if lower."""
    return min(points, karma_max(wheel, potential))


def _rank(card: str, ace: Ace, joker: int) -> int:
    return joker if card == french.JOKER else french.rank(card, ace_high=ace is Ace.HIGH)


def _ranks(hand: Sequence[str], ace: Ace, joker: int) -> list[int]:
    """Returns the ranks of a hand's cards, highest first; unnamed cards (`_`) are left out."""
    return sorted((_rank(card, ace, joker) for card in hand if card != french.UNSEEN), reverse=True)


def _by_next_card(own: Sequence[str], opposing: Sequence[str], ace: Ace, joker: int) -> Verdict:
    """Compares two tied hands card by card, highest first; the first difference decides, else TIED.

    If one hand has fewer cards, its missing cards count 0. `ace` and `joker` say what these cards are worth.
    Raises Refused if a hand holds an unnamed card (`_`, drawn without saying which).
    """
    if french.UNSEEN in (*own, *opposing):
        raise Refused("Not every card is named: say who wins the tie.")
    pairs = zip_longest(_ranks(own, ace, joker), _ranks(opposing, ace, joker), fillvalue=0)
    return next((compare(ours, theirs) for ours, theirs in pairs if ours != theirs), Verdict.TIED)
