"""The rules as numbers: approaches, answers, tracks, orders, and what a pool allows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.systems.guenask import rules
from journal.systems.guenask.rules import Answer, Approach, Marked, Order, Stat, Way

POOLS = st.lists(st.integers(1, 10), max_size=8)


def test_every_approach_brings_two_stats() -> None:
    assert {approach.value: approach.stats for approach in Approach} == {
        "unopposed neutral": (Stat.MIND, Stat.SOFT),
        "opposed neutral": (Stat.MIND, Stat.HARD),
        "unopposed physical": (Stat.BODY, Stat.SOFT),
        "opposed physical": (Stat.BODY, Stat.HARD),
    }


@pytest.mark.parametrize(
    ("dice", "answer"), [(1, Answer.REVERSE), (2, Answer.BLOCK), (3, Answer.BLOW), (4, Answer.BLOW)]
)
def test_the_number_of_dice_says_what_a_see_is(dice: int, answer: Answer) -> None:
    assert rules.answered(dice) is answer


def test_resisting_takes_one_more_than_the_amount() -> None:
    assert rules.least_to_resist(2) == 3


@pytest.mark.parametrize(("dice", "rows", "left"), [(4, 0, 4), (4, 1, 3), (4, 2, 2), (4, 3, 0), (2, 2, 0)])
def test_a_full_row_takes_a_die_and_three_take_all(dice: int, rows: int, left: int) -> None:
    assert rules.dice_rolled(dice, rows) == left


def test_points_beyond_the_last_box_find_none() -> None:
    assert rules.marked(4, 7, 9) == Marked(2, 2)
    assert rules.marked(1, 9, 9) == Marked(0, 1)


def test_the_initiator_is_first_and_the_rest_go_by_their_best_two() -> None:
    best = {1: 7, 2: 12, 3: 9, 4: 12}

    assert rules.turn_order(best, 1, Order.BEST_TWO) == (1, 2, 4, 3)
    assert rules.turn_order(best, 3, Order.SEATS) == (3, 4, 1, 2)
    assert rules.turn_order({1: 7, 2: 9}, None, Order.BEST_TWO) == (2, 1)


def test_equal_best_dice_leave_it_open_who_begins() -> None:
    assert rules.on_top({1: 7, 2: 12, 3: 12}) == (2, 3)


def test_every_pair_is_a_raise_and_a_kept_die_is_in_each() -> None:
    assert rules.raises([1, 2, 2]) == (Way((2, 1), 3), Way((2, 2), 4))
    assert rules.raises([1, 1, 6], [6]) == (Way((6, 1), 7),)
    assert rules.raises([4, 6], [4, 6]) == (Way((6, 4), 10),)
    assert rules.raises([3]) == ()


def test_raises_stand_by_what_they_come_to_and_not_by_their_highest_die() -> None:
    assert [way.dice for way in rules.raises([5, 1, 3])] == [(3, 1), (5, 1), (5, 3)]
    assert [way.dice for way in rules.raises([5, 1, 4, 3])][2:4] == [(5, 1), (4, 3)]


def test_more_kept_dice_than_a_raise_has_allow_none() -> None:
    assert rules.raises([6, 5, 4], kept=[6, 5, 4]) == ()


def test_a_see_may_reverse_block_or_take_the_blow() -> None:
    pool = [1, 1, 1, 6, 7]

    assert rules.reversals(pool, 7) == (Way((7,), 7),)
    assert rules.blocks(pool, 7) == (Way((6, 1), 7), Way((7, 1), 8), Way((7, 6), 13))
    assert rules.blows(pool, 7)[:2] == (Way((6, 1, 1), 8), Way((6, 1, 1, 1), 9))


def test_it_is_told_where_no_dice_reach() -> None:
    assert (rules.reversals([1], 7), rules.blocks([1], 7), rules.blows([1], 7)) == ((), (), ())


@given(POOLS, st.integers(1, 30))
def test_the_cheapest_blow_of_each_size_is_the_cheapest(pool: list[int], total: int) -> None:
    found = {len(way.dice): way for way in rules.blows(pool, total)}

    for number in range(3, len(pool) + 1):
        enough = [sum(some) for some in combinations(pool, number) if sum(some) >= total]
        assert (min(enough) if enough else None) == (found[number].total if number in found else None)
    assert all(not Counter(way.dice) - Counter(pool) for way in found.values())


@given(POOLS, st.integers(1, 20))
def test_what_is_offered_lies_in_the_pool_and_reaches(pool: list[int], total: int) -> None:
    for way in (*rules.reversals(pool, total), *rules.blocks(pool, total)):
        assert way.total >= total
        assert not rules.lacking(pool, way.dice)
