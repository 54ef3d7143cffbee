"""How a challenge is met, from the cards alone (the option `obstacle_mode=challenge`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import takewhile
from typing import Final

from msgspec import Struct

from journal.decks.spacetime import Card
from journal.refused import Refused
from journal.systems.spacetime.rules.flow import BeatsTable, beats

WIPE_OUT: Final = 5
MOST_EFFECT: Final = 5
RANKS: Final = range(10)
ATTRIBUTES: Final = range(1, 6)
READINGS: Final = range(1, 6)
"""What risk and reach are read against."""


class Ended(StrEnum):
    """What ended the drawing against a challenge, other than the player's wish."""

    EXCUSE = "excuse"
    WIPE_OUT = "wipe_out"


class Meeting(Struct, frozen=True):
    """How a challenge stands: `docs/rules/spacetime.md §9`.

    `cost` is -5..5, and 0 or less costs nothing; `effect` is 0..5. `ended` says why no more may be drawn, or
    is None; `sleeve` is the number of Sleeve cards gained.
    """

    cost: int
    effect: int
    success: bool
    ended: Ended | None = None
    sleeve: int = 0


DECLINED: Final = Meeting(cost=0, effect=0, success=False, sleeve=1)
"""A challenge whose player refused to draw: it fails, costs nothing, and yields a Sleeve card."""


def laid(turned: Sequence[str], rank: int) -> tuple[str, ...]:
    """The challenge's own cards: as many as its rank, but none from the Excuse on.

    Raises Refused for a rank outside 0..9, and where fewer were turned than that takes.
    """
    if rank not in RANKS:
        raise Refused(f"A challenge has a rank of {RANKS[0]} to {RANKS[-1]}.")
    cards = tuple(takewhile(lambda card: not Card.of(card).is_excuse, turned[:rank]))
    if len(turned) < rank and len(cards) == len(turned):
        raise Refused(f"The challenge's rank is {rank} and {len(turned)} drawn.")
    return cards


def meet(
    attribute: int,
    challenge: Sequence[str],
    drawn: Sequence[str],
    beats_table: BeatsTable = BeatsTable.AUTHOR,
) -> Meeting:
    """How a challenge stands after the player's cards, in the order drawn: `docs/rules/spacetime.md §9`.

    Raises Refused for an attribute outside 1..5, and for a card drawn after the Excuse or a wipe-out.
    """
    if attribute not in ATTRIBUTES:
        raise Refused(f"An attribute is {ATTRIBUTES[0]} to {ATTRIBUTES[-1]}.")
    kept = tuple(takewhile(lambda card: not Card.of(card).is_excuse, drawn))
    start = _reversed(challenge) - attribute
    costs = [start + _reversed(kept[:number]) for number in range(1, len(drawn) + 1)]
    wiped_out = next((number for number, cost in enumerate(costs, 1) if cost >= WIPE_OUT), None)
    if len(drawn) > (wiped_out or len(kept) + 1):
        raise Refused("No more may be drawn against this challenge.")
    excused = Ended.EXCUSE if len(kept) < len(drawn) else None
    return Meeting(
        cost=min([start, *costs][-1], WIPE_OUT),
        effect=effect((*challenge, *kept)),
        success=all(any(beats(card, other, beats_table) for card in kept) for other in challenge),
        ended=Ended.WIPE_OUT if wiped_out else excused,
    )


def effect(cards: Iterable[str]) -> int:
    """The size of the largest group of equal figures, 0..5; Triumphs and the Excuse show none."""
    figures = Counter(Card.of(card).figure for card in cards)
    del figures[None]
    return min(max(figures.values(), default=0), MOST_EFFECT)


def _reversed(cards: Iterable[str]) -> int:
    return sum(1 for card in cards if Card.of(card).reversed)
