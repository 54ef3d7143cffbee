"""Rules of Guenašk as pure numbers: approaches, answers to a raise, fallout, rows and tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

ROWS: Final = 3
"""Number of rows in each track of a character."""

FULL_TRACKS_OF_DEATH: Final = 2
DICE_OF_A_RAISE: Final = 2
LEAST_STAT: Final = 2


class Stat(StrEnum):
    """A character's stat, counted in d6."""

    BODY = "body"
    MIND = "mind"
    SOFT = "soft"
    HARD = "hard"


class Track(StrEnum):
    """A character's track for fallout."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"
    SOCIETAL = "societal"


STAGES: Final = "stages"
"""Name of the single track of an NPC or organisation."""


class Approach(StrEnum):
    """A way to enter a conflict; each uses two stats."""

    UNOPPOSED_NEUTRAL = "unopposed neutral"
    OPPOSED_NEUTRAL = "opposed neutral"
    UNOPPOSED_PHYSICAL = "unopposed physical"
    OPPOSED_PHYSICAL = "opposed physical"

    @property
    def stats(self) -> tuple[Stat, Stat]:
        """The two stats the approach rolls."""
        opposed, means = self.value.split()
        first = Stat.BODY if means == "physical" else Stat.MIND
        return first, Stat.HARD if opposed == "opposed" else Stat.SOFT


class Answer(StrEnum):
    """The result of seeing a raise, decided by the number of dice put forward."""

    REVERSE = "reverse"
    BLOCK = "block"
    BLOW = "blow"


class Order(StrEnum):
    """The turn order among three or more people."""

    BEST_TWO = "best_two"
    SEATS = "seats"
    FREE = "free"


class Fallout(NamedTuple):
    """The fallout of one blow by its causes: always 1, plus Body, Hard, and each dangerous object."""

    body: bool
    hard: bool
    dangerous: int

    @property
    def amount(self) -> int:
        """The sum of all causes, in points."""
        return 1 + self.body + self.hard + self.dangerous


def fallout(brought: Collection[Stat], dangerous: int) -> Fallout:
    """Returns the fallout of a blow for a person who rolled the stats `brought`.

    `dangerous` counts the dangerous objects in play.
    """
    return Fallout(Stat.BODY in brought, Stat.HARD in brought, dangerous)


def answered(dice: int) -> Answer:
    """Returns the answer for a number of dice: one reverses the blow, two block it, three or more take it."""
    return {1: Answer.REVERSE, 2: Answer.BLOCK}.get(dice, Answer.BLOW)


def least_to_resist(amount: int) -> int:
    """Returns the lowest die value that resists `amount` fallout."""
    return amount + 1


# --- tracks -----------------------------------------------------------------------------------------------


def rows_full(points: int, boxes: int) -> int:
    """Returns the number of rows of `boxes` boxes that `points` fill, at most 3."""
    return min(ROWS, points // boxes)


def dice_rolled(dice: int, rows: int) -> int:
    """Returns the number of a stat's dice to roll: one less per full row, and none with three full rows."""
    return 0 if rows >= ROWS else max(0, dice - rows)


class Marked(NamedTuple):
    """Points that found a free box, and points `over` that did not."""

    points: int
    over: int


def marked(points: int, before: int, room: int) -> Marked:
    """Splits `points` by the free boxes of a track with `before` of `room` boxes marked."""
    taken = min(points, max(0, room - before))
    return Marked(taken, points - taken)


# --- the pool ---------------------------------------------------------------------------------------------


def best_two(pool: Sequence[int]) -> int:
    """The sum of the two highest dice."""
    return sum(sorted(pool)[-2:])


def turn_order(best: Mapping[int, int], initiator: int | None, order: Order) -> tuple[int, ...]:
    """Returns the turn order: the initiator first, or if None the person with the best two dice.

    `best` maps each person, in seat order, to the sum of their two highest dice. The rest follows by
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
    """Returns the order with `who` inserted behind the last person of `after`, or at the end if empty."""
    place = max((order.index(person) for person in after), default=len(order))
    return (*order[: place + 1], who, *order[place + 1 :])


def on_top(best: Mapping[int, int]) -> tuple[int, ...]:
    """Returns the people with the highest sum: one person, or several if tied."""
    return tuple(who for who, total in best.items() if total == max(best.values()))


def lacking(pool: Iterable[int], dice: Iterable[int]) -> tuple[int, ...]:
    """Returns the dice missing from the pool; a value wanted twice must be there twice."""
    return tuple((Counter(dice) - Counter(pool)).elements())


# --- what a pool allows -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """Dice that could be put forward, and their total."""

    dice: tuple[int, ...]
    total: int


def _way_of(dice: Iterable[int]) -> Way:
    down = tuple(sorted(dice, reverse=True))
    return Way(down, sum(down))


def _sorted_ways(ways: Iterable[Way]) -> tuple[Way, ...]:
    return tuple(sorted(set(ways), key=lambda way: (way.total, way.dice)))


def raises(pool: Sequence[int], kept: Sequence[int] = ()) -> tuple[Way, ...]:
    """Returns every raise the pool allows, lowest first; dice kept from a reversal are part of each."""
    others = list(pool)
    for die in kept:
        others.remove(die)
    missing = DICE_OF_A_RAISE - len(kept)
    return (
        _sorted_ways(_way_of((*kept, *more)) for more in combinations(others, missing))
        if missing >= 0
        else ()
    )


def reversals(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Returns every single die that reverses a raise of `total`, lowest first."""
    return _sorted_ways(_way_of((die,)) for die in pool if die >= total)


def blocks(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Returns every pair of dice that blocks a raise of `total`, lowest first."""
    return _sorted_ways(_way_of(two) for two in combinations(pool, 2) if sum(two) >= total)


def blows(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Returns, for each number of dice from three up, the cheapest dice that reach a raise of `total`."""
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
            yield _way_of(found[number][min(enough)])
