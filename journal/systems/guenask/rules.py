"""Rules of Guenašk as pure functions of numbers: dice of a raise and a see, fallout, rows and tracks.

A raise is an attack with two dice; a see is the defence against it: one die reverses, two block, three or
more take the blow. Fallout is the harm of a blow, marked in the boxes of a track.
"""

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
    """One of a character's four stats; its value is a number of d6."""

    BODY = "body"
    MIND = "mind"
    SOFT = "soft"
    HARD = "hard"


class Track(StrEnum):
    """One of a character's four tracks, on which fallout is marked."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"
    SOCIETAL = "societal"


STAGES: Final = "stages"
"""Name of the single track of an NPC or organisation."""


class Approach(StrEnum):
    """A way to enter a conflict, such as "opposed physical"; each approach rolls two stats."""

    UNOPPOSED_NEUTRAL = "unopposed neutral"
    OPPOSED_NEUTRAL = "opposed neutral"
    UNOPPOSED_PHYSICAL = "unopposed physical"
    OPPOSED_PHYSICAL = "opposed physical"

    @property
    def stats(self) -> tuple[Stat, Stat]:
        """The two stats rolled: Body or Mind, and Hard or Soft; "opposed physical" → Body, Hard."""
        opposed, means = self.value.split()
        first = Stat.BODY if means == "physical" else Stat.MIND
        return first, Stat.HARD if opposed == "opposed" else Stat.SOFT


class Answer(StrEnum):
    """Result of seeing a raise (defending against it), by the number of dice.

    One die reverses the raise, two dice block it, three or more take the blow.
    """

    REVERSE = "reverse"
    BLOCK = "block"
    BLOW = "blow"


class Order(StrEnum):
    """Rule for the turn order among three or more people: by best two dice, by seats, or free."""

    BEST_TWO = "best_two"
    SEATS = "seats"
    FREE = "free"


class Fallout(NamedTuple):
    """Causes of one blow's fallout: Body rolled, Hard rolled, and the number of dangerous objects."""

    body: bool
    hard: bool
    dangerous: int

    @property
    def amount(self) -> int:
        """Points of fallout: 1, plus 1 for Body, 1 for Hard, and 1 per dangerous object."""
        return 1 + self.body + self.hard + self.dangerous


def fallout(brought: Collection[Stat], dangerous: int) -> Fallout:
    """Returns the fallout that a blow costs a person who has rolled the stats `brought`.

    `dangerous` is the number of dangerous objects that count against that person.
    """
    return Fallout(Stat.BODY in brought, Stat.HARD in brought, dangerous)


def answered(dice: int) -> Answer:
    """Returns the result of seeing a raise with that many dice: 1 reverses, 2 block, more take the blow."""
    return {1: Answer.REVERSE, 2: Answer.BLOCK}.get(dice, Answer.BLOW)


def least_to_resist(amount: int) -> int:
    """Returns the lowest face of a die that resists (cancels) `amount` points of fallout: `amount` + 1."""
    return amount + 1


# --- tracks -----------------------------------------------------------------------------------------------


def dice_rolled(dice: int, rows: int) -> int:
    """Returns the number of a stat's dice to roll: `dice` less one per full row; 0 with three full rows."""
    return 0 if rows >= ROWS else max(0, dice - rows)


class Marked(NamedTuple):
    """Fallout put on a track: `points` marked in free boxes, and points `over` for which no box was free."""

    points: int
    over: int


def marked(points: int, before: int, room: int) -> Marked:
    """Returns how many of `points` fit a track of `room` boxes with `before` marked, and how many do not."""
    taken = min(points, max(0, room - before))
    return Marked(taken, points - taken)


# --- the pool ---------------------------------------------------------------------------------------------


def best_two(pool: Sequence[int]) -> int:
    """Returns the sum of the two highest dice in a pool."""
    return sum(sorted(pool)[-2:])


def turn_order(best: Mapping[int, int], initiator: int | None, order: Order) -> tuple[int, ...]:
    """Returns the people in turn order: first `initiator`, or if None the person with the best two dice.

    `best` maps each person, in seat order, to the sum of their two highest dice. The others follow by that
    sum under `Order.BEST_TWO`, otherwise by seats.
    """
    ranked = sorted(best, key=lambda who: -best[who])
    first = initiator if initiator is not None else ranked[0]
    if order is Order.BEST_TWO:
        return (first, *(who for who in ranked if who != first))
    seats = list(best)
    turn = seats.index(first)
    return (*seats[turn:], *seats[:turn])


def with_newcomer(order: Sequence[int], who: int, after: Collection[int]) -> tuple[int, ...]:
    """Returns the turn order with `who` inserted behind every person of `after`.

    At the end if `after` is empty.
    """
    place = max((order.index(person) for person in after), default=len(order))
    return (*order[: place + 1], who, *order[place + 1 :])


def on_top(best: Mapping[int, int]) -> tuple[int, ...]:
    """Returns the people with the highest sum in `best` (person → sum): one person, or several if tied."""
    return tuple(who for who, total in best.items() if total == max(best.values()))


def lacking(pool: Iterable[int], dice: Iterable[int]) -> tuple[int, ...]:
    """Returns the dice that the pool lacks: two fours wanted from a pool with a single four → (4,)."""
    return tuple((Counter(dice) - Counter(pool)).elements())


# --- what a pool allows -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """Dice from a pool and their total: one possible raise (attack) or see (defence)."""

    dice: tuple[int, ...]
    total: int


def _way_of(dice: Iterable[int]) -> Way:
    down = tuple(sorted(dice, reverse=True))
    return Way(down, sum(down))


def _sorted_ways(ways: Iterable[Way]) -> tuple[Way, ...]:
    return tuple(sorted(set(ways), key=lambda way: (way.total, way.dice)))


def raises(pool: Sequence[int], kept: Sequence[int] = ()) -> tuple[Way, ...]:
    """Returns every pair of dice the pool could attack with, lowest total first.

    Dice in `kept` (kept from a reversal) are part of every pair; with more than two of them the result is
    empty.
    """
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
    """Returns each die that alone reverses a raise of `total` (shows `total` or more), lowest first."""
    return _sorted_ways(_way_of((die,)) for die in pool if die >= total)


def blocks(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Returns each pair of dice that blocks a raise of `total` (adds up to it or more), lowest first."""
    return _sorted_ways(_way_of(two) for two in combinations(pool, 2) if sum(two) >= total)


def blows(pool: Sequence[int], total: int) -> tuple[Way, ...]:
    """Returns the cheapest dice, for each number of dice from three up, that reach a raise of `total`."""
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
