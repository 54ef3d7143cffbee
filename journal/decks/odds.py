"""Exact odds: how many equally likely ways come to each total, of dice or of cards without replacement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, sqrt
from operator import mul
from typing import Final

from msgspec import Struct

LARGEST: Final = 2**22
"""Odds of more bits than this, all ways together, are not worked out; the normal approximation is near."""


class Odds(Struct, frozen=True):
    """How many ways come to `low`, `low` + 1, and so on; the first and the last are not 0."""

    low: int
    ways: tuple[int, ...]

    @property
    def total(self) -> int:
        """All ways together."""
        return sum(self.ways)

    @property
    def mean(self) -> Fraction:
        """The expected total."""
        return Fraction(sum(map(mul, self._values, self.ways)), self.total)

    @property
    def variance(self) -> Fraction:
        """The expected square of the distance from the mean."""
        square = Fraction(sum(value * value * ways for value, ways in self.each()), self.total)
        return square - self.mean**2

    @property
    def _values(self) -> range:
        return range(self.low, self.low + len(self.ways))

    def each(self) -> Iterable[tuple[int, int]]:
        """Every total with its ways, the lowest first."""
        return enumerate(self.ways, self.low)

    def chance(self, value: int) -> Fraction:
        """The chance of exactly that total."""
        place = value - self.low
        return Fraction(self.ways[place], self.total) if 0 <= place < len(self.ways) else Fraction(0)

    def as_far_off(self, value: int) -> Fraction:
        """The chance of a total at least as far from the mean as `value` is, to either side."""
        top, bottom = self.mean.as_integer_ratio()
        distance = abs(value * bottom - top)
        if distance == 0:
            return Fraction(1)
        below = (top - distance) // bottom + 1 - self.low
        above = -((-top - distance) // bottom) - self.low
        return Fraction(sum(self.ways[: max(below, 0)]) + sum(self.ways[max(above, 0) :]), self.total)

    def __add__(self, other: Odds) -> Odds:
        """The odds of the sum of two that know nothing of each other.

        Both rows of ways are multiplied as one large number each, with room enough between them.
        """
        size = (self.total * other.total).bit_length() // 8 + 1
        length = len(self.ways) + len(other.ways) - 1
        product = _packed(self.ways, size) * _packed(other.ways, size)
        data = product.to_bytes(size * length, "little")
        ways = (data[start : start + size] for start in range(0, len(data), size))
        return Odds(self.low + other.low, tuple(int.from_bytes(one, "little") for one in ways))

    def __neg__(self) -> Odds:
        """The odds of what is taken away."""
        return Odds(1 - self.low - len(self.ways), self.ways[::-1])

    @property
    def bits(self) -> int:
        """How much room they take."""
        return len(self.ways) * self.total.bit_length()


NOTHING: Final = Odds(0, (1,))
"""The odds of no dice at all."""


def _packed(ways: Sequence[int], size: int) -> int:
    return int.from_bytes(b"".join(one.to_bytes(size, "little") for one in ways), "little")


def of_values(values: Iterable[int]) -> Odds:
    """Each of these values is as likely."""
    return weighed(Counter(values))


def weighed(ways: Mapping[int, int]) -> Odds:
    """As many ways to each value; ValueError where there is none to any."""
    values = [value for value, many in ways.items() if many]
    low, high = min(values), max(values)
    return Odds(low, tuple(ways.get(value, 0) for value in range(low, high + 1)))


@lru_cache(maxsize=512)
def times(odds: Odds, n: int) -> Odds:
    """The sum of n such, each on its own."""
    if n < 2:  # noqa: PLR2004 -- one is itself
        return odds if n else NOTHING
    half = times(odds, n // 2)
    return half + half + odds if n % 2 else half + half


@lru_cache(maxsize=512)
def drawn(values: tuple[int, ...], n: int) -> Odds:
    """The sum of n of these, drawn without replacement; ValueError if there are not so many."""
    if n > len(values):
        raise ValueError(f"{n} of {len(values)} cannot be drawn")
    sums: list[Counter[int]] = [Counter({0: 1}), *(Counter() for _ in range(n))]
    for value, alike in sorted(Counter(values).items()):
        for taken in range(n, 0, -1):
            for of_these in range(1, min(alike, taken) + 1):
                for total, ways in sums[taken - of_these].items():
                    sums[taken][total + value * of_these] += ways * comb(alike, of_these)
    return weighed(sums[n])


def mean_and_variance_drawn(values: Sequence[int], n: int) -> tuple[Fraction, Fraction]:
    """The mean and the variance of what `drawn` gives, without working it out."""
    size = len(values)
    mean = Fraction(sum(values), size)
    variance = Fraction(sum(value * value for value in values), size) - mean**2
    spared = Fraction(size - n, size - 1) if size > 1 else Fraction(0)
    return n * mean, n * variance * spared


def nearly_as_far_off(value: int, mean: Fraction, variance: Fraction) -> float:
    """As `as_far_off`, by the normal approximation with its correction for whole numbers."""
    if variance == 0:
        return 1.0
    distance = max(0.0, abs(float(value - mean)) - 0.5)
    return erfc(distance / sqrt(2 * variance))
