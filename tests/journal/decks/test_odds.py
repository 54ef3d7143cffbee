"""Odds are exact: another library, which knows them by another way, has the same."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.odds import (
    BITS,
    NOTHING,
    Odds,
    approximate_tail,
    equal_odds,
    mean_and_variance_of_draw,
    rounded_sum,
    sum_drawn,
    sum_of_copies,
    throw_odds,
)

D6, D8, FUDGE = equal_odds(range(1, 7)), equal_odds(range(1, 9)), equal_odds((-1, 0, 1))
RANKS = tuple(range(2, 15)) * 4
WHISKEY_HALF = tuple(range(-12, 14))

VALUES = st.lists(st.integers(-5, 5), min_size=1, max_size=12).map(tuple)


def same(ours: Odds, theirs: Any) -> bool:  # noqa: ANN401 -- the other library has no types
    """True if both give every total the same chance."""
    totals = range(min(ours.low, *theirs) - 1, max(ours.low + len(ours.ways), *theirs) + 2)
    return all(
        ours.chance(total) == Fraction(theirs.quantity(total), theirs.denominator()) for total in totals
    )


def theirs_as_far_off(theirs: Any, value: int) -> Fraction:  # noqa: ANN401 -- as above
    mean = Fraction(theirs.mean())
    far = theirs.map(lambda total: abs(total - mean) >= abs(value - mean))
    return Fraction(far.quantity(True), far.denominator())


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (D6, icepool.d6),
        (sum_of_copies(D6, 5), 5 @ icepool.d6),
        (sum_of_copies(D6, 45), 45 @ icepool.d6),
        (sum_of_copies(FUDGE, 4), 4 @ icepool.Die([-1, 0, 1])),
        (sum_of_copies(sum_of_copies(FUDGE, 4), 20), 80 @ icepool.Die([-1, 0, 1])),
        (sum_of_copies(D6, 2) + D8, 2 @ icepool.d6 + icepool.d8),
        (sum_drawn(RANKS, 6), icepool.Deck(RANKS).deal(6).sum()),
        (sum_drawn(WHISKEY_HALF, 9), icepool.Deck(WHISKEY_HALF).deal(9).sum()),
        (sum_drawn((1,) * 21 + (0,) * 46, 7), icepool.Deck((1,) * 21 + (0,) * 46).deal(7).sum()),
        (
            sum_drawn(RANKS, 3) + sum_drawn(RANKS[:30], 2),
            icepool.Deck(RANKS).deal(3).sum() + icepool.Deck(RANKS[:30]).deal(2).sum(),
        ),
    ],
    ids=[
        "d6",
        "5d6",
        "45d6",
        "4dF",
        "20 rolls of 4dF",
        "2d6+1d8",
        "a hand",
        "a half",
        "Triumphs",
        "two hands",
    ],
)
def test_odds_are_those_another_library_has(ours: Odds, theirs: Any) -> None:  # noqa: ANN401 -- as above
    assert same(ours, theirs)
    assert ours.mean == Fraction(theirs.mean())
    assert ours.variance == Fraction(theirs.variance())
    for value in (ours.low, ours.low + 1, round(ours.mean), ours.low + len(ours.ways) - 1):
        assert ours.as_far_off(value) == theirs_as_far_off(theirs, value)


@pytest.mark.parametrize(
    ("odds", "value", "chance"),
    [
        (D6, 6, Fraction(2, 6)),  # 1 and 6
        (D6, 4, Fraction(1)),  # nothing lies nearer to 3.5
        (sum_of_copies(D6, 2), 12, Fraction(2, 36)),
        (sum_of_copies(FUDGE, 4), 4, Fraction(2, 81)),
        (sum_drawn((0, 0, 0, 1), 1), 1, Fraction(1, 4)),  # 1/4 off for a 0, 3/4 for a 1
        (sum_drawn((1, 2, 3), 3), 6, Fraction(1)),  # all of a deck is no luck
    ],
)
def test_as_far_off_counts_both_sides(odds: Odds, value: int, chance: Fraction) -> None:
    assert odds.as_far_off(value) == chance


@given(VALUES, st.data())
def test_mean_and_variance_of_cards_need_no_working_out(values: tuple[int, ...], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(values)))

    odds = sum_drawn(values, n)
    assert mean_and_variance_of_draw(values, n) == (odds.mean, odds.variance)
    assert odds.ways[0] > 0 < odds.ways[-1]


@given(VALUES, VALUES)
def test_what_knows_nothing_of_each_other_adds_up(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    both = equal_odds(one) + equal_odds(other)

    assert both == equal_odds([a + b for a in one for b in other])
    assert both == equal_odds(other) + equal_odds(one)
    assert both + NOTHING == both


@given(VALUES, st.integers(0, 6))
def test_so_many_times_is_that_many_added(values: tuple[int, ...], n: int) -> None:
    one = equal_odds(values)

    assert sum_of_copies(one, n) == sum([one] * n, NOTHING)


def test_more_cards_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="4 of 3 cannot be drawn"):
        sum_drawn((1, 2, 3), 4)


@pytest.mark.parametrize("off", [0, 5, 20, 40, 60])
@pytest.mark.parametrize(
    ("odds", "n"), [(D6, 200), (sum_of_copies(FUDGE, 4), 100), (sum_drawn(RANKS, 6), 50)]
)
def test_the_normal_approximation_is_near_where_there_are_many(odds: Odds, n: int, off: int) -> None:
    many = sum_of_copies(odds, n)
    value = round(many.mean) + off

    near = approximate_tail(value, many.mean, many.variance)
    assert near == pytest.approx(float(many.as_far_off(value)), abs=0.01)


@pytest.mark.parametrize(
    ("odds", "n"),
    [
        (D6, 4000),
        (equal_odds(range(1, 101)), 83),
        (equal_odds(range(1, 1001)), 9),
        (equal_odds((0, 0, 0, 0, 1)), 9000),
        (sum_drawn(RANKS, 4), 1700),
    ],
    ids=["d6", "d100", "d1000", "shares", "hands"],
)
@pytest.mark.parametrize("off", range(0, 31, 2))
def test_beyond_the_widest_sum_the_normal_approximation_is_off_by_less_than_a_hundredth(
    odds: Odds, n: int, off: int
) -> None:
    mean, variance = n * odds.mean, n * odds.variance
    value = round(float(mean) + off / 10 * float(variance) ** 0.5)

    exact = float(rounded_sum(frozenset([(odds, n)])).as_far_off(value, mean))
    assert approximate_tail(value, mean, variance) == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize(
    "parts",
    [
        [(D6, 300)],
        [(D6, 61), (D8, 47), (FUDGE, 90)],
        [(sum_drawn(RANKS, 3), 24), (sum_drawn(RANKS, 4), 23), (sum_drawn(RANKS[:30], 5), 9)],
    ],
    ids=["dice", "several dice", "hands"],
)
@pytest.mark.parametrize("deviations", [0, 0.3, 1, 2.5, 8, 11])
def test_rounded_sums_are_exact_to_four_digits(parts: Sequence[tuple[Odds, int]], deviations: float) -> None:
    exact = sum((sum_of_copies(odds, n) for odds, n in parts), NOTHING)
    value = round(float(exact.mean) + deviations * float(exact.variance) ** 0.5)

    rounded = rounded_sum(frozenset(parts))
    assert max(rounded.ways).bit_length() <= BITS < max(exact.ways).bit_length()
    chance = float(exact.as_far_off(value))
    assert float(rounded.as_far_off(value, exact.mean)) == pytest.approx(chance, rel=1e-5)


@pytest.mark.parametrize("values", [(3,), (3, 3, 3)])
def test_what_can_come_out_one_way_only_is_never_off(values: Sequence[int]) -> None:
    assert approximate_tail(3, Fraction(3), Fraction(0)) == 1.0
    assert sum_drawn(tuple(values), 1).as_far_off(3) == 1


def test_I6_odds_know_what_low_and_high_faces_count_as() -> None:
    d20, d6 = icepool.d20, icepool.d6
    limited = throw_odds(parse_throw("2d20mi10kh1"))
    again = throw_odds(parse_throw("3d6ro1mi2ma5"))

    assert limited is not None
    assert again is not None
    assert same(
        limited, icepool.highest(d20.map(lambda face: max(face, 10)), d20.map(lambda face: max(face, 10)))
    )
    assert same(again, 3 @ d6.reroll([1], depth=1).map(lambda face: min(max(face, 2), 5)))
    assert throw_odds(parse_throw("1d8*1d2")) is None
