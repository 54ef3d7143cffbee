"""Exact odds, against every way there is and against icepool."""

from __future__ import annotations

from collections import Counter
from itertools import product

import icepool
import pytest

from journal.decks.expressions import parse
from journal.decks.odds import weighed
from journal.decks.ways import ways


@pytest.mark.parametrize(
    "expression", ["2d6", "4d4-1", "1d8-1d4", "2dF+1", "3d6kh2", "4d4kl1", "3d6>=5+1", "2d4+2d4kh1"]
)
def test_odds_are_those_of_every_way_the_dice_can_fall(expression: str) -> None:
    these = parse(expression)
    every: Counter[int] = Counter()
    sizes = [one.size for one in these.dice for _ in range(one.count)]
    for fallen in product(*[range(1, size + 1) if size else range(-1, 2) for size in sizes]):
        total, place = these.added, 0
        for one in these.dice:
            mine = sorted(fallen[place : place + one.count], reverse=one.highest)[: one.keep]
            place += one.count
            hits = [face for face in mine if one.counted is None or one.counted.has(face)]
            total += one.sign * (len(hits) if one.counted else sum(hits))
        every[total] += 1

    assert ways(these) == weighed(every)


def test_what_is_thrown_again_has_the_odds_that_icepool_gives_it() -> None:
    until, once = ways(parse("2d6r1")), ways(parse("1d6ro<=2"))

    assert until == weighed(dict((2 @ icepool.d6.reroll([1], depth="inf")).items()))
    assert once == weighed(dict(icepool.d6.reroll([1, 2], depth=1).items()))


def test_dice_without_an_end_and_dice_without_number_have_none() -> None:
    assert ways(parse("3d6!")) is None
    assert ways(parse("100d1000")) is None
    assert ways(parse("13d6kh3")) is None
