"""Exact odds, against every way there is and against icepool."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import pytest

from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.odds import DicePattern, pattern_odds, throw_odds, weighted_odds


@pytest.mark.parametrize(
    "expression", ["2d6", "4d4-1", "1d8-1d4", "2dF+1", "3d6kh2", "4d4kl1", "3d6>=5+1", "2d4+2d4kh1"]
)
def test_odds_are_those_of_every_way_the_dice_can_fall(expression: str) -> None:
    these = parse_throw(expression)
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

    assert throw_odds(these) == weighted_odds(every)


def test_what_is_thrown_again_has_the_odds_that_icepool_gives_it() -> None:
    until, once = throw_odds(parse_throw("2d6r1")), throw_odds(parse_throw("1d6ro<=2"))

    assert until == weighted_odds(dict((2 @ icepool.d6.reroll([1], depth="inf")).items()))
    assert once == weighted_odds(dict(icepool.d6.reroll([1, 2], depth=1).items()))


def test_dice_without_an_end_and_dice_without_number_have_none() -> None:
    assert throw_odds(parse_throw("3d6!")) is None
    assert throw_odds(parse_throw("100d1000")) is None
    assert throw_odds(parse_throw("13d6kh3")) is None


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        *((expression, (1, 2, 3, 4, 5, 6)) for expression in ("3d6kh1", "3d6kl2", "3d6", "2d6kl1")),
        ("3d4r1kh2", (2, 3, 4)),
        ("2d4ro1", (1, *(2, 3, 4) * 5)),
    ],
)
def test_N15_how_dice_lie_is_as_often_as_it_is_counted(expression: str, shown: tuple[int, ...]) -> None:
    """Every throw of three dice, those that are thrown again by their final faces."""
    (one,) = parse_throw(expression).dice
    counted = Counter[DicePattern]()
    for faces in product(shown, repeat=one.count):
        kept = sorted(faces, reverse=one.highest)[: one.keep]
        lie = faces if one.highest and one.again is None else kept
        pairs = frozenset(face for face in (2, 6) if lie.count(face) > 1)
        counted[
            DicePattern(sum(kept), frozenset(kept) & {1, 6}, pairs, alike=len(set(kept)) < len(kept))
        ] += 1

    found = pattern_odds(one, frozenset((1, 6)), frozenset((2, 6)))

    assert found == {key: Fraction(many, len(shown) ** one.count) for key, many in counted.items()}


@pytest.mark.parametrize("expression", ["2d6!", "3d6>=5", "13d6"])
def test_N15_other_dice_have_no_pattern_odds(expression: str) -> None:
    assert pattern_odds(parse_throw(expression).dice[0], frozenset(), frozenset()) is None
