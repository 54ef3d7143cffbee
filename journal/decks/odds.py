"""Exact odds of totals, as counts of equally likely outcomes: for dice, and for draws without replacement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import count
from math import comb, erfc, sqrt
from operator import add, mul
from typing import Final, NamedTuple

from msgspec import Struct

from retold.journal.decks.dice import face_value, faces
from retold.journal.decks.throws import Added, Dice, Faces, Group, Throw

BITS: Final = 128
"""Bits of a rounded count; chances below 2 to the power of -128 are then lost."""
WIDEST: Final = 2**13
"""Most totals that a rounded sum may have; beyond, the normal approximation is off by less than 0.01."""
DEVIATIONS: Final = 26
"""Standard deviations between the lowest and the highest total that rounding to BITS keeps."""


class Odds(Struct, frozen=True):
    """Probabilities of totals, as counts of equally likely outcomes: `ways[0]` of them give the total `low`.

    `ways[1]` gives `low` + 1, and so on; the first and the last count are above 0.
    """

    low: int
    ways: tuple[int, ...]

    @property
    def total(self) -> int:
        """Number of equally likely outcomes, all totals together."""
        return sum(self.ways)

    @property
    def mean(self) -> Fraction:
        """Expected value of the total."""
        return Fraction(sum(map(mul, self._values, self.ways)), self.total)

    @property
    def variance(self) -> Fraction:
        """Variance of the total: its expected squared distance from the mean."""
        square = Fraction(sum(value * value * ways for value, ways in self.each()), self.total)
        return square - self.mean**2

    @property
    def _values(self) -> range:
        return range(self.low, self.low + len(self.ways))

    def each(self) -> Iterable[tuple[int, int]]:
        """Yields each total with its number of outcomes, lowest total first."""
        return enumerate(self.ways, self.low)

    def chance(self, value: int) -> Fraction:
        """Returns the probability of the total `value`; 0 if it cannot come up."""
        place = value - self.low
        return Fraction(self.ways[place], self.total) if 0 <= place < len(self.ways) else Fraction(0)

    def as_far_off(self, value: int, mean: Fraction | None = None) -> Fraction:
        """Returns the probability of a total at least as far from the mean as `value`, on either side.

        `mean` is the exact one of rounded odds.
        """
        top, bottom = (self.mean if mean is None else mean).as_integer_ratio()
        distance = abs(value * bottom - top)
        if distance == 0:
            return Fraction(1)
        below = (top - distance) // bottom + 1 - self.low
        above = -((-top - distance) // bottom) - self.low
        return Fraction(sum(self.ways[: max(below, 0)]) + sum(self.ways[max(above, 0) :]), self.total)

    def __add__(self, other: Odds) -> Odds:
        """Returns the odds of the sum of two independent totals.

        Each list of ways is packed into one large integer, so that one multiplication does all the products.
        """
        size = (self.total * other.total).bit_length() // 8 + 1
        length = len(self.ways) + len(other.ways) - 1
        packed = _packed(self.ways, size)
        product = packed * (packed if other is self else _packed(other.ways, size))  # a square takes less
        data = product.to_bytes(size * length, "little")
        ways = (data[start : start + size] for start in range(0, len(data), size))
        return Odds(self.low + other.low, tuple(int.from_bytes(packed, "little") for packed in ways))

    def rounded(self) -> Odds:
        """Returns these odds with counts of BITS bits at most, without totals that are then impossible."""
        spare = max(self.ways).bit_length() - BITS
        return self if spare <= 0 else weighted_odds({total: ways >> spare for total, ways in self.each()})

    def __neg__(self) -> Odds:
        """Returns the odds of the negated total."""
        return Odds(1 - self.low - len(self.ways), self.ways[::-1])


NOTHING: Final = Odds(0, (1,))
"""Odds without any dice: always 0."""


def _packed(ways: Sequence[int], size: int) -> int:
    return int.from_bytes(b"".join(number.to_bytes(size, "little") for number in ways), "little")


def equal_odds(values: Iterable[int]) -> Odds:
    """Returns the odds of a value picked at random from `values`; a value listed twice counts twice."""
    return weighted_odds(Counter(values))


def weighted_odds(ways: Mapping[int, int]) -> Odds:
    """Returns the odds given the number of outcomes per value; ValueError if every number is 0."""
    values = [value for value, many in ways.items() if many]
    low, high = min(values), max(values)
    return Odds(low, tuple(ways.get(value, 0) for value in range(low, high + 1)))


@lru_cache(maxsize=512)
def sum_of_copies(odds: Odds, n: int, *, is_rounded: bool = False) -> Odds:
    """Returns the odds of the sum of `n` independent totals with the same odds, such as `n` like dice."""
    if n < 2:  # noqa: PLR2004 -- one copy needs no further step
        return odds if n else NOTHING
    half = sum_of_copies(odds, n // 2, is_rounded=is_rounded)
    found = half + half + odds if n % 2 else half + half
    return found.rounded() if is_rounded else found


@lru_cache(maxsize=512)
def rounded_sum(parts: frozenset[tuple[Odds, int]]) -> Odds:
    """Returns the rounded odds of a sum of independent totals: of each of `parts` (one at least) so many."""
    sums = [sum_of_copies(odds, n, is_rounded=True) for odds, n in parts]
    while len(sums) > 1:
        sums.sort(key=lambda odds: len(odds.ways))
        sums = [reduce(add, sums[at : at + 2]).rounded() for at in range(0, len(sums), 2)]
    return sums[0]


@lru_cache(maxsize=512)
def sum_drawn(values: tuple[int, ...], n: int) -> Odds:
    """Returns the odds of the sum of `n` values drawn from `values` without replacement.

    Raises ValueError if there are fewer than `n`.
    """
    if n > len(values):
        raise ValueError(f"{n} of {len(values)} cannot be drawn")
    sums: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in range(n))]
    for value, alike in sorted(Counter(values).items()):
        for taken in range(n, 0, -1):
            for of_these in range(1, min(alike, taken) + 1):
                for total, ways in sums[taken - of_these].items():
                    sums[taken][total + value * of_these] += ways * comb(alike, of_these)
    return weighted_odds(sums[n])


def mean_and_variance_of_draw(values: Sequence[int], n: int) -> tuple[Fraction, Fraction]:
    """Returns mean and variance of the sum of `n` values drawn without replacement, by formula.

    So the odds themselves (`sum_drawn`) need not be computed.
    """
    size = len(values)
    mean = Fraction(sum(values), size)
    variance = Fraction(sum(value * value for value in values), size) - mean**2
    spared = Fraction(size - n, size - 1) if size > 1 else Fraction(0)
    return n * mean, n * variance * spared


def is_narrow(width: int, variance: Fraction) -> bool:
    """True if a sum of this range and variance has few enough totals to be worked out, once it is rounded."""
    return min(width, DEVIATIONS * sqrt(variance)) <= WIDEST


def approximate_tail(value: int, mean: Fraction, variance: Fraction) -> float:
    """Approximates `Odds.as_far_off` by a normal distribution of this mean and variance.

    Applies a continuity correction.
    """
    if variance == 0:
        return 1.0
    distance = max(0.0, abs(float(value - mean)) - 0.5)
    return erfc(distance / sqrt(2 * variance))


MOST_SUMMED: Final = 20_000
"""Faces, all dice together, up to which a sum is worked out."""

MOST_PICKED: Final = 12
"""Maximum number of dice for exact odds of the highest or lowest ones."""


MOST_SEEN: Final = 20
"""Maximum number of dice for exact odds of totals with faces."""

HARDLY: Final = 10**12
"""A die that brings others is followed until only one time in so many it would bring one more."""

TotalAndFaces = tuple[int, frozenset[int]]
"""Total of dice, and the asked faces among them."""


def throw_odds(throw: Throw) -> Odds | None:
    """Returns the odds of a throw's total.

    None for exploding dice, which have no highest total, for pools of which some are kept, for too many dice,
    and for successes counted among kept dice.
    """
    found = Odds(throw.added, (1,))
    for term in throw.terms:
        if isinstance(term, Added):
            continue
        odds = _term_odds(term)
        if odds is None:
            return None
        found += odds if term.sign > 0 else -odds
    return found


def _term_odds(term: Dice | Group) -> Odds | None:
    """Returns the odds of a term, its factors applied and its sign not."""
    found = _dice_odds(term) if isinstance(term, Dice) else _group_odds(term)
    for factor in term.by:
        if found is None or len(found.ways) * (factor.number if factor.sign == "*" else 1) > MOST_SUMMED:
            return None
        ways = Counter[int]()
        for value, many in found.each():
            ways[factor.of(value)] += many
        found = weighted_odds(ways)
    return found


def _group_odds(group: Group) -> Odds | None:
    pools = [throw_odds(pool) for pool in group.pools]
    if group.keep is not None or group.product:
        return None
    return None if None in pools else sum((pool for pool in pools if pool is not None), NOTHING)


def _dice_odds(dice: Dice) -> Odds | None:
    if dice.explodes or dice.count * max(dice.size, 1) > MOST_SUMMED:
        return None
    each = _die_odds(dice)
    if dice.counted is not None and dice.keep is None:
        return sum_of_copies(_successes(dice.counted, dice.failed, each), dice.count)
    if dice.counted is not None or (dice.keep is not None and dice.count > MOST_PICKED):
        return None
    return _picked(dice, each) if dice.keep is not None else sum_of_copies(each, dice.count)


def _die_odds(dice: Dice) -> Odds:
    """Returns the odds of the face that one die finally shows, rerolls included.

    With `once`, a face to reroll can still come up in the second roll, so it keeps some outcomes.
    """
    shown = [face_value(face) for face in faces(dice.size)]
    if dice.again is None:
        return equal_odds(map(dice.worth, shown))
    gone = sum(dice.again.has(face) for face in shown)
    if not dice.once:
        return equal_odds(dice.worth(face) for face in shown if not dice.again.has(face))
    ways = Counter[int]()
    for face in shown:
        ways[dice.worth(face)] += gone + (0 if dice.again.has(face) else len(shown))
    return weighted_odds(ways)


def _successes(counted: Faces, failed: Faces | None, each: Odds) -> Odds:
    """Returns the odds of what one die adds to the successes: 1, 0, or -1 for a face that takes one away."""
    ways = Counter[int]()
    for face, many in each.each():
        ways[counted.has(face) - (failed is not None and failed.has(face))] += many
    return weighted_odds(ways)


def _picked(dice: Dice, each: Odds) -> Odds:
    """Returns the odds of the sum of the highest or lowest dice kept (`4d6kh3`).

    Dice are assigned face by face, the faces kept first.
    """
    keep = dice.keep or 0
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    """Ways by number of dice already assigned and sum of the kept ones."""
    for face, many in sorted(each.each(), reverse=dice.highest):
        after: Counter[tuple[int, int]] = Counter()
        for (placed, total), often in states.items():
            for more in range(dice.count - placed + 1):
                counts = max(0, min(more, keep - placed))
                key = placed + more, total + counts * face
                after[key] += often * comb(dice.count - placed, more) * many**more
        states = after
    return weighted_odds({total: often for (placed, total), often in states.items() if placed == dice.count})


@lru_cache(maxsize=256)
def face_odds(dice: Dice, asked: frozenset[int]) -> Mapping[TotalAndFaces, Fraction] | None:
    """Returns the probability of each total combined with the faces of `asked` that show.

    Exploded dice are included. None for dice with kept, rerolled or subtracted ones, and for more than 20.
    """
    if dice.keep is not None or dice.again is not None or dice.sign < 0 or dice.count > MOST_SEEN:
        return None
    if dice.by or dice.failed or dice.explodes not in (None, Faces("=", dice.size)) or dice.bursts_once:
        return None
    if dice.least is not None or dice.most is not None:
        return None
    each, found = _chain(dice, asked), Counter[TotalAndFaces]({(0, frozenset()): 1})
    for _ in range(dice.count):
        after = Counter[TotalAndFaces]()
        for (total, shown), many in found.items():
            for (more, new), often in each.items():
                after[total + more, shown | new] += many * often
        found = after
    everything = sum(found.values())
    return {key: Fraction(many, everything) for key, many in found.items()}


class DicePattern(NamedTuple):
    """Outcome of like dice: their total, and which of the faces and pairs asked for show.

    `faces` show on counted dice, `pairs` on two dice or more, and `alike` is True if two counted dice match.
    """

    total: int
    faces: frozenset[int]
    pairs: frozenset[int]
    alike: bool


@lru_cache(maxsize=256)
def pattern_odds(
    dice: Dice, asked: frozenset[int], paired: frozenset[int]
) -> Mapping[DicePattern, Fraction] | None:
    """Returns the probability of each outcome of like dice: total, faces of `asked`, pairs of `paired`.

    Dropped dice make pairs too if the highest are kept and none is rerolled. Dice are assigned face by face,
    the faces kept first. None for dice that explode, count successes or are subtracted, and for more than 12.
    """
    if dice.explodes or dice.counted is not None or dice.by or dice.sign < 0 or dice.count > MOST_PICKED:
        return None
    if dice.least is not None or dice.most is not None:
        return None
    keep = dice.count if dice.keep is None else dice.keep
    all_lie = dice.highest and dice.again is None
    states: Counter[tuple[int, DicePattern]] = Counter(
        {(0, DicePattern(0, frozenset(), frozenset(), alike=False)): 1}
    )
    each = _die_odds(dice)
    for face, many in sorted(each.each(), reverse=dice.highest):
        after: Counter[tuple[int, DicePattern]] = Counter()
        for (placed, so_far), often in states.items():
            for more in range(dice.count - placed + 1 if many else 1):
                counts = max(0, min(more, keep - placed))
                pairs = {face} & paired if (more if all_lie else counts) > 1 else frozenset[int]()
                new = DicePattern(
                    so_far.total + counts * face,
                    so_far.faces | ({face} & asked if counts else frozenset[int]()),
                    so_far.pairs | pairs,
                    so_far.alike or counts > 1,
                )
                after[placed + more, new] += often * comb(dice.count - placed, more) * many**more
        states = after
    every = each.total**dice.count
    return {new: Fraction(often, every) for (placed, new), often in states.items() if placed == dice.count}


def _chain(dice: Dice, asked: frozenset[int]) -> Counter[TotalAndFaces]:
    """Counts the outcomes of one die, explosions included, by their total and the set of `asked` faces shown.

    A count is weighted by the length of its chain of explosions, so that counts are proportional to
    probabilities.
    """
    shown = [face_value(face) for face in faces(dice.size)]
    last = next(deep for deep in count() if dice.size**deep >= HARDLY) if dice.explodes else 0
    found = Counter[TotalAndFaces]()
    for deep in range(last + 1):
        before = deep * _worth(dice, dice.size), frozenset({dice.size} if deep else ()) & asked
        for face in shown:
            if face != dice.size or deep == last or not dice.explodes:
                key = before[0] + _worth(dice, face), before[1] | ({face} & asked)
                found[key] += len(shown) ** (last - deep)
    return found


def _worth(dice: Dice, face: int) -> int:
    return face if dice.counted is None else int(dice.counted.has(face))
