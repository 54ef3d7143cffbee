"""Numbers read from texts, with what they count."""

from __future__ import annotations

import pytest

from retold.drafts.checking.numbers import Number, numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Eleven boards, and a knife on each", [Number(11, ("boar",), "eleven")]),
        ("forty-two guards", [Number(42, ("guar",), "forty two")]),
        ("Three of them got up", [Number(3, (), "three")]),
        ("1,200 coins", [Number(1200, ("coin",), "1,200")]),
        ("She hit him for 13.", [Number(13, (), "13")]),
        ("One of the hats nods, the first of a few", []),
        (
            "Half a dozen eggs on Monday",
            [Number(6, ("eg",), "half a dozen"), Number(0, ("weekday",), "monday")],
        ),
        ("the time is 4:30", []),
        ("six hundred and eleven lanterns", [Number(611, ("lant",), "six hundred and eleven")]),
        ("two dozen eggs", [Number(24, ("eg",), "two dozen")]),
        ("three silver spoons", [Number(3, ("silv", "spoo"), "three")]),
        ("four of Moss's fingers", [Number(4, ("fing",), "four")]),
        ("the third sack", [Number(3, ("sack",), "third", is_ordinal=True)]),
        ("hp 9 \u2192 3", [Number(9, (), "9"), Number(3, (), "3"), Number(6, (), "9 to 3")]),
    ],
)
def test_numbers_of_a_text(text: str, numbers: list[Number]) -> None:
    assert [*numbers_in(text)] == numbers
