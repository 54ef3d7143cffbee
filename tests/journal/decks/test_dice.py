from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import dice
from retold.journal.refused import Refused

sizes = st.lists(st.sampled_from([dice.FUDGE, 2, 4, 6, 8, 10, 12, 20, 100, 1000]), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("expression", "parsed", "canonical"),
    [
        ("2d6+1d8", (6, 6, 8), "2d6+1d8"),
        ("d20", (20,), "1d20"),
        ("4dF", (0, 0, 0, 0), "4dF"),
        (" 1D6 + d6 ", (6, 6), "2d6"),
        ("d8+d6+d8", (8, 6, 8), "1d8+1d6+1d8"),
        ("d1000+d2", (1000, 2), "1d1000+1d2"),
    ],
)
def test_an_expression_names_dice_in_order(expression: str, parsed: tuple[int, ...], canonical: str) -> None:
    assert dice.parse_sizes(expression) == parsed
    assert dice.dice_text(parsed) == canonical


@pytest.mark.parametrize("expression", ["", "6", "2d", "d6+", "2d6+3", "d-6", "dx", "1d6-1d8"])
def test_invalid_dice_are_refused(expression: str) -> None:
    with pytest.raises(Refused, match="is not dice"):
        dice.parse_sizes(expression)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("d1", "There is no d1: a die has 2 to 1000 sides."),
        ("d0", "There is no d0: a die has 2 to 1000 sides."),
        ("1d999999999999999999", "There is no d999999999999999999: a die has 2 to 1000 sides."),  # X13
        ("d1001", "There is no d1001: a die has 2 to 1000 sides."),
        ("0d6", "0 dice cannot be rolled: it takes 1 to 100."),
        ("101d6", "101 dice cannot be rolled: it takes 1 to 100."),
        ("60d6+41d8", "101 dice cannot be rolled: it takes 1 to 100."),
    ],
)
def test_there_are_limits(expression: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        dice.parse_sizes(expression)

    assert str(refused.value) == sentence


def test_a_hundred_dice_are_not_too_many() -> None:
    assert dice.parse_sizes("60d6+40d8") == (6,) * 60 + (8,) * 40


@given(sizes)
def test_canonical_text_reads_as_the_same_dice(sizes: list[int]) -> None:
    assert dice.parse_sizes(dice.dice_text(sizes)) == tuple(sizes)


@pytest.mark.parametrize(
    ("given", "expression", "fitted"),
    [
        (["3", "5", "8"], "2d6+1d8", ("3", "5", "8")),
        (["8", "5", "3"], "2d6+1d8", ("5", "3", "8")),
        (["2", "7"], "1d8+1d6", ("7", "2")),
        (["+", "0", "-", "-"], "4dF", ("+", "0", "-", "-")),
        (["1", "0", "-1"], "3dF", ("+", "0", "-")),
        (["+", "4"], "1d6+1dF", ("4", "+")),
        (["+", "1"], "1d6+1dF", ("1", "+")),
    ],
)
def test_faces_lie_in_order_or_the_largest_on_the_largest(
    given: list[str], expression: str, fitted: tuple[str, ...]
) -> None:
    assert dice.arrange_faces(given, dice.parse_sizes(expression)) == fitted


@pytest.mark.parametrize(
    ("given", "expression", "sentence"),
    [
        (["7"], "d6", "A d6 has no 7."),
        (["7", "7"], "1d6+1d8", "A d6 has no 7."),
        (["0"], "d6", "A d6 has no 0."),
        (["+"], "d6", "A d6 has no +."),
        (["2"], "1dF", "A dF has no 2."),
        (["-3"], "d6", "A d6 has no -3."),
        (["JH"], "d6", "A d6 has no JH."),
        (["1", "2"], "1d6", "1d6 shows 1 face and 2 were given."),
        (["1"], "2d6", "2d6 shows 2 faces and 1 was given."),
    ],
)
def test_faces_that_cannot_lie_there_are_refused(given: list[str], expression: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        dice.arrange_faces(given, dice.parse_sizes(expression))

    assert str(refused.value) == sentence


@given(st.data(), sizes)
def test_whatever_was_rolled_fits_in_any_order(data: st.DataObject, sizes: list[int]) -> None:
    rolled = [data.draw(st.sampled_from(dice.faces(size))) for size in sizes]
    mixed = data.draw(st.permutations(rolled))

    fitted = dice.arrange_faces(mixed, sizes)

    assert sorted(fitted) == sorted(rolled)
    assert all(face in dice.faces(size) for face, size in zip(fitted, sizes, strict=True))


@given(st.lists(st.integers(1, 8).map(str), min_size=3, max_size=3))
def test_faces_are_refused_only_if_no_arrangement_fits(given: list[str]) -> None:
    sizes = (4, 8, 6)
    possible = any(
        all(int(face) <= size for face, size in zip(order, sizes, strict=True))
        for order in permutations(given)
    )

    try:
        dice.arrange_faces(given, sizes)
    except Refused:
        assert not possible
    else:
        assert possible


def test_a_fudge_die_has_three_faces_worth_one_each_way() -> None:
    assert [(face, dice.face_value(face)) for face in dice.faces(dice.FUDGE)] == [
        ("-", -1),
        ("0", 0),
        ("+", 1),
    ]
    assert [dice.face_value(face) for face in dice.faces(6)] == [1, 2, 3, 4, 5, 6]
