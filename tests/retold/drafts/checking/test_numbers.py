"""Numbers read from texts, with what they count."""

from __future__ import annotations

import pytest

from retold.drafts.checking.numbers import Number, numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Eleven boards, and a knife on each", [Number(11, "boar", "eleven")]),
        ("forty-two guards", [Number(42, "guar", "forty two")]),
        ("Three of them got up", [Number(3, "get", "three")]),
        ("1,200 coins", [Number(1200, "coin", "1,200")]),
        ("She hit him for 13.", [Number(13, "", "13")]),
        ("One of the hats nods, the first of a few", []),
        ("the time is 4:30", []),
    ],
)
def test_numbers_of_a_text(text: str, numbers: list[Number]) -> None:
    assert [*numbers_in(text)] == numbers
