"""The rules of Guenašk as numbers only: approaches, answers to a raise, fallout and what fills a track."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

ROWS: Final = 3
"""The rows of every track a character has."""

FULL_TRACKS_OF_DEATH: Final = 2
DICE_OF_A_RAISE: Final = 2
LEAST_STAT: Final = 2


class Stat(StrEnum):
    """What a character is made of, in d6."""

    BODY = "body"
    MIND = "mind"
    SOFT = "soft"
    HARD = "hard"


class Track(StrEnum):
    """Where a character's fallout goes."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"
    SOCIETAL = "societal"


STAGES: Final = "stages"
"""The one track of an NPC or an organisation."""


class Approach(StrEnum):
    """How somebody goes about a conflict: each has two stats."""

    UNOPPOSED_NEUTRAL = "unopposed neutral"
    OPPOSED_NEUTRAL = "opposed neutral"
    UNOPPOSED_PHYSICAL = "unopposed physical"
    OPPOSED_PHYSICAL = "opposed physical"

    @property
    def stats(self) -> tuple[Stat, Stat]:
        """The two stats it brings."""
        opposed, means = self.value.split()
        first = Stat.BODY if means == "physical" else Stat.MIND
        return first, Stat.HARD if opposed == "opposed" else Stat.SOFT


class Answer(StrEnum):
    """What seeing a raise comes to, by how many dice it took."""

    REVERSE = "reverse"
    BLOCK = "block"
    BLOW = "blow"


class Order(StrEnum):
    """Who raises after whom where there are more than two."""

    BEST_TWO = "best_two"
    SEATS = "seats"
    FREE = "free"


class Fallout(NamedTuple):
    """What one blow costs, and how that is made up: 1, Body, Hard, and each dangerous object."""

    body: bool
    hard: bool
    dangerous: int

    @property
    def amount(self) -> int:
        """How much it is in all."""
        return 1 + self.body + self.hard + self.dangerous


def fallout(brought: Collection[Stat], dangerous: int) -> Fallout:
    """The fallout of a blow for somebody who brought these stats, with so many dangerous objects in play."""
    return Fallout(Stat.BODY in brought, Stat.HARD in brought, dangerous)


def answered(dice: int) -> Answer:
    """What a see with so many dice is: one reverses the blow, two block it, three or more take it."""
    return {1: Answer.REVERSE, 2: Answer.BLOCK}.get(dice, Answer.BLOW)


def least_to_resist(amount: int) -> int:
    """What one die must show, at least, to resist so much fallout."""
    return amount + 1


# --- tracks -----------------------------------------------------------------------------------------------


def rows_full(points: int, boxes: int) -> int:
    """How many rows of so many boxes those points fill."""
    return min(ROWS, points // boxes)


def dice_rolled(dice: int, rows: int) -> int:
    """How many of a stat's dice are rolled with so many full rows against it; with three, none."""
    return 0 if rows >= ROWS else max(0, dice - rows)


class Marked(NamedTuple):
    """Points that found a box, and those that found none."""

    points: int
    over: int


def marked(points: int, before: int, room: int) -> Marked:
    """What becomes of so many points on a track that holds `before` of `room` boxes."""
    taken = min(points, max(0, room - before))
    return Marked(taken, points - taken)


# --- the pool ---------------------------------------------------------------------------------------------


def best_two(pool: Sequence[int]) -> int:
    """The sum of the two highest dice."""
    return sum(sorted(pool)[-2:])


def turn_order(best: Mapping[int, int], initiator: int | None, order: Order) -> tuple[int, ...]:
    """Who raises after whom: the initiator first, or whoever has the best two dice.

    `best` has the two highest dice of each, in the order of the conflict. From the first on it goes round by
    best two, or by seats.
    """
    ranked = sorted(best, key=lambda who: -best[who])
    first = initiator if initiator is not None else ranked[0]
    if order is Order.BEST_TWO:
        return (first, *(who for who in ranked if who != first))
    seats = list(best)
    turn = seats.index(first)
    return (*seats[turn:], *seats[:turn])


def with_newcomer(order: Sequence[int], who: int, after: Collection[int]) -> tuple[int, ...]:
    """The order with one more in it: right behind the last of those they come after, else at its end."""
    place = max((order.index(one) for one in after), default=len(order))
    return (*order[: place + 1], who, *order[place + 1 :])


def on_top(best: Mapping[int, int]) -> tuple[int, ...]:
    """Whose two highest dice come to the most: one, or several who tie."""
    return tuple(who for who, total in best.items() if total == max(best.values()))


def lacking(pool: Iterable[int], dice: Iterable[int]) -> tuple[int, ...]:
    """The dice that are not in the pool, however often each is wanted."""
    return tuple((Counter(dice) - Counter(pool)).elements())


# --- what a pool allows -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """Dice that could be put forward, and what they come to."""

    dice: tuple[int, ...]
    total: int


def _way(dice: Iterable[int]) -> Way:
    down = tuple(sorted(dice, reverse=True))
    return Way(down, sum(down))


def _sorted(ways: Iterable[Way]) -> tuple[Way, ...]:
    return tuple(sorted(set(ways), key=lambda way: (way.total, way.dice)))


def raises(pool: Sequence[int], kept: Sequence[int] = ()) -> tuple[Way, ...]:
    """Every raise the pool allows, lowest first; dice kept from a reversal are in each."""
    others = list(pool)
    for die in kept:
        others.remove(die)
    missing = DICE_OF_A_RAISE - len(kept)
    return _sorted(_way((*kept, *more)) for more in combinations(others, missing)) if missing >= 0 else ()


def reversals(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Every single die that reverses such a raise, lowest first."""
    return _sorted(_way((die,)) for die in pool if die >= total)


def blocks(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Every two dice that block such a raise, lowest first."""
    return _sorted(_way(two) for two in combinations(pool, 2) if sum(two) >= total)


def blows(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """For each number of dice from three that reaches such a raise: the dice that do it most cheaply."""
    return tuple(_cheapest_of_each(pool, total))


def _cheapest_of_each(pool: Sequence[int], total: int) -> Iterator[Way]:
    found: list[dict[int, tuple[int, ...]]] = [{0: ()}, *({} for _ in pool)]
    for die in sorted(pool):
        for number in range(len(pool), 0, -1):
            for reached, dice in found[number - 1].items():
                found[number].setdefault(reached + die, (*dice, die))
    for number in range(3, len(pool) + 1):
        enough = [reached for reached in found[number] if reached >= total]
        if enough:
            yield _way(found[number][min(enough)])
