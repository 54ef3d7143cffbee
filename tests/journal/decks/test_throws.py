"""Dice as people write them, and what they come to; sums are shown where they are expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks.chance import Luck, SeededDealer
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import Thrown, throw
from retold.journal.refused import Refused


def thrown(expression: str, *faces: str) -> Thrown:
    luck = Luck(SeededDealer(b"", 1, {}), faces)
    found = throw(parse_throw(expression), luck)
    luck.finish()
    return found


# --- as people write them ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "canonical"),
    [
        ("d20", "1d20"),
        ("2D6 + 3", "2d6+3"),
        ("d%", "1d100"),
        ("4dF-1", "4dF-1"),
        ("4d6k3", "4d6kh3"),
        ("4d6dl1", "4d6kh3"),
        ("4d6dh", "4d6kl3"),
        ("d20+5 adv", "2d20kh1+5"),
        ("d20 dis", "2d20kl1"),
        ("2d20adv", "2d20kh1"),
        ("max(1d6, 1d8)+2", "{1d6,1d8}kh1+2"),
        ("min(1d6,1d8)", "{1d6,1d8}kl1"),
        ("3d6x", "3d6!"),
        ("8d10t7", "8d10>=7"),
        ("5d6<=2+1", "5d6<=2+1"),
        ("4d6kh3ro<=2!", "4d6ro<=2!kh3"),
        ("-d6+2", "-1d6+2"),
        ("1d8[slashing]+1d6[fire]-dex", "1d8[slashing]+1d6[fire]-dex"),
    ],
)
def test_an_expression_has_one_canonical_form(expression: str, canonical: str) -> None:
    assert str(parse_throw(expression)) == canonical
    assert parse_throw(canonical) == parse_throw(expression)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("d1!", "There is no d1: a die has 2 to 1000 sides."),
        ("d1000000", "There is no d1000000: a die has 2 to 1000 sides."),
        ("1d999999999999999999", "There is no d999999999999999999: a die has 2 to 1000 sides."),  # X13
        ("10000d6", "10000 dice cannot be rolled: it takes 1 to 100."),
        ("60d6+60d8", "120 dice cannot be rolled: it takes 1 to 100."),
        ("0d6", "0 dice cannot be rolled: it takes 1 to 100."),
        ("+".join(["d6"] * 21), "21 terms are too many: a throw has 20 at the most."),
        ("d20+1000001", "1000001 is too much to add to dice: 1000000 is the most."),
        ("4d6kh5", "Of 4d6, 1 to 4 are kept, not 5."),
        ("4d6dl4", "Of 4d6, 1 to 4 are kept, not 0."),
        ("4d6r<=6", "4d6r<=6 would be thrown again for ever: leave a face that stays."),
        ("4d6r7", "No face of a d6 is 7."),
        ("4d6>=7", "No face of a d6 is >=7."),
        ("4dF!", "A fudge die does not explode."),
        (
            "8d10>=7+2d6",
            "“8d10>=7+2d6” counts some dice and adds others up: throw them one after the other.",
        ),
    ],
)
def test_impossible_dice_are_refused(expression: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_throw(expression)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "6",
        "dex",
        "2d",
        "2d6+",
        "+",
        "d20[",
        "d6[a]b",
        "2d6kh1kx",
        "d-6",
        "(2d6",
        "2d6)",
        "{2d6,}",
        "()",
        "(6)",
    ],
)
def test_invalid_dice_are_refused(expression: str) -> None:
    with pytest.raises(Refused, match=r"is not (dice|known in .*): write 2d6"):
        parse_throw(expression)


def test_brackets_within_brackets_have_a_limit() -> None:
    with pytest.raises(Refused, match="too many brackets"):
        parse_throw("(" * 20 + "2d6" + ")" * 20)


@given(st.text("d0123456789+-khlr!x<=>t[]Ff%oadvis e*/(){},", max_size=14))
def test_whatever_is_typed_is_refused_or_has_a_canonical_form_that_stays(text: str) -> None:
    try:
        canonical = str(parse_throw(text))
    except Refused:
        return
    assert str(parse_throw(canonical)) == canonical


# --- what they come to ------------------------------------------------------------------------------------


def test_a_sum_counts_every_die_and_what_is_added() -> None:
    assert thrown("2d6+3", "4", "5") == Thrown((6, 6), (4, 5), (1, 2), 12)
    assert thrown("1d8-1d4-1", "2", "4") == Thrown((8, 4), (2, 4), (1, 2), -3)
    assert thrown("4dF+2", "+", "-", "-", "0").total == 1


def test_the_highest_or_the_lowest_count() -> None:
    assert thrown("4d6kh3", "1", "6", "3", "3") == Thrown((6,) * 4, (1, 6, 3, 3), (2, 3, 4), 12)
    assert thrown("2d20kl1+5", "17", "4") == Thrown((20, 20), (17, 4), (2,), 9)


def test_an_exploding_die_brings_another_as_often_as_it_shows_its_highest() -> None:
    """3d6!: the second shows 6 and brings 6, which brings 2: 1 + 6 + 6 + 2 + 5."""
    assert thrown("3d6!", "1", "6", "5", "6", "2") == Thrown((6,) * 5, (1, 6, 5, 6, 2), (1, 2, 3, 4, 5), 20)


def test_a_die_thrown_again_does_not_count() -> None:
    """Until the face does not show, or once."""
    assert thrown("2d6r1", "1", "4", "1", "3") == Thrown((6,) * 4, (1, 4, 1, 3), (2, 4), 7)
    assert thrown("2d6ro1", "1", "4", "1") == Thrown((6,) * 3, (1, 4, 1), (2, 3), 5)


def test_successes_are_counted() -> None:
    """Those of 7 and more, with the one that the ten brought; and one more for nothing."""
    assert thrown("4d10!>=7+1", "3", "7", "10", "6", "8") == Thrown((10,) * 5, (3, 7, 10, 6, 8), (2, 3, 5), 4)
    assert thrown("3d6<=2", "1", "2", "3").total == 2


def test_B12_a_throw_is_multiplied_and_divided() -> None:
    """A quarter of 55 is 13, rounded down; brackets come first."""
    assert thrown("1d10*10", "7").total == 70
    assert thrown("4d20/4", "17", "4", "18", "16").total == 13
    assert thrown("(2d6+6)*5", "3", "4").total == 65
    assert thrown("10-(1d4+1)*2/3", "3").total == 8


def test_B12_a_die_explodes_from_a_number() -> None:
    assert thrown("1d6!>4", "5", "2") == Thrown((6, 6), (5, 2), (1, 2), 7)
    assert thrown("3d6!5", "5", "6", "1", "2").total == 14


def test_B10_a_die_that_an_explosion_brought_may_bring_no_other() -> None:
    """10d2!o: each of five twos brings a die, whose twos bring none; the three highest count."""
    twos, ones = ["2"] * 5, ["1"] * 5
    assert thrown("10d2!okh3", *twos, *ones, "2", "2", "2", "1", "1").total == 6
    assert thrown("3d6!o", "6", "4", "2", "6").total == 18


def test_I6_a_low_or_a_high_face_counts_as_another() -> None:
    """The faces stay as they lay."""
    assert thrown("2d8mi3+4", "1", "5") == Thrown((8, 8), (1, 5), (1, 2), 12)
    assert thrown("2d20mi10kh1", "4", "7").total == 10
    assert thrown("3d6ma4", "6", "5", "1").total == 9
    assert thrown("3d10mi5>=5", "2", "5", "9").total == 3


def test_B10_dice_are_multiplied_by_dice() -> None:
    assert thrown("1d8*1d2", "3", "2") == Thrown((8, 2), (3, 2), (1, 2), 6)
    assert thrown("10-1d4*(1d6+1)*2", "3", "4").total == -20


def test_B12_ones_take_successes_away() -> None:
    """7, 8 and 9 succeed, and the 1 takes one of them; four dice count."""
    assert thrown("5d10>=7f1", "1", "7", "8", "9", "2") == Thrown((10,) * 5, (1, 7, 8, 9, 2), (1, 2, 3, 4), 2)
    assert thrown("2d10>=7f1", "1", "1").total == -2


def test_B12_the_highest_of_two_pools_counts() -> None:
    """Pools are thrown one after the other: the d8 comes to 8 + 2, the d6 to 6 + 3, which does not count."""
    assert thrown("{1d8!,1d6!}kh1", "8", "2", "6", "3") == Thrown((8, 8, 6, 6), (8, 2, 6, 3), (1, 2), 10)
    assert thrown("{2d6,1d10+1}kl1", "5", "6", "4").total == 5
    assert thrown("1d4!+{1d6,(1d6+1)*2}kh1", "4", "2", "5", "1") == Thrown(
        (4, 4, 6, 6), (4, 2, 5, 1), (1, 2, 3), 11
    )
    assert thrown("{1d6,1d4}*2", "3", "4").total == 14


@pytest.mark.parametrize(
    ("expression", "possible", "impossible"),
    [
        ("1d10*10", (10, 70, 100), (0, 5, 75, 110)),
        ("(2d6+6)*5", (40, 65, 90), (35, 66, 95)),
        ("4d20/4", (1, 13, 20), (0, 21)),
        ("5d10>=7f1", (-5, 0, 5), (-6, 6)),
        ("{1d8,1d6}kh1", (1, 8), (0, 9)),
        ("-(1d6)*2", (-12, -2), (-11, 0)),
        ("1d6!*2", (2, 14), (12, 3)),
    ],
)
def test_totals_that_a_throw_cannot_reach_are_known(
    expression: str, possible: tuple[int, ...], impossible: tuple[int, ...]
) -> None:
    throw = parse_throw(expression)

    assert [total for total in (*possible, *impossible) if throw.attains(total)] == [*possible]


def test_dice_stop_bringing_others_at_a_hundred() -> None:
    assert len(thrown("99d6!", *["6"] * 100).faces) == 100


def test_a_face_too_few_or_too_many_is_refused() -> None:
    with pytest.raises(Refused, match="1 die is rolled here and 0 were given"):
        thrown("2d6!", "6", "3")
    with pytest.raises(Refused, match="1 result too many: 4"):
        thrown("2d6!", "5", "3", "4")


def test_a_name_in_a_throw_resolves_to_a_number() -> None:
    numbered = parse_throw("d20+dex-str").with_numbers({"dex": 3, "str": -1}.__getitem__)

    assert str(numbered) == "1d20+3[dex]+1[str]"
    assert parse_throw("d20+dex").names == ("dex",)
    with pytest.raises(ValueError, match="dex"):
        throw(parse_throw("d20+dex"), Luck(SeededDealer(b"", 1, {})))


# --- laws -------------------------------------------------------------------------------------------------

EXPRESSIONS = st.builds(
    lambda before, count, size, after, added: f"{before}{count}d{size}{after}{added:+}",
    st.sampled_from(["", "-", "12-", "1d8-", "1d8!-", "2d4!+"]),
    st.integers(1, 8),
    st.sampled_from([2, 4, 6, 10, 20]),
    st.sampled_from(
        [
            "",
            "!",
            "!kh1",
            "!kl1",
            "kh1",
            "kl1",
            "r1",
            "ro1",
            "r1!kh1",
            "!o",
            "r1!okl1",
            "mi2",
            "!ma1kh1",
            "*1d4",
        ]
    ),
    st.integers(-9, 9),
) | st.builds(
    lambda before, count, size, after, added: f"{before}{count}d{size}{after}{added:+}",
    st.sampled_from(["", "-", "12-"]),
    st.integers(1, 8),
    st.sampled_from([2, 4, 6, 10, 20]),
    st.sampled_from([">=2", "<=2", "!>=2", "!<=2", "kh1>=2", "!o>=2f1", "mi2>=2"]),
    st.integers(-9, 9),
)


@given(EXPRESSIONS, st.binary(min_size=1, max_size=4))
def test_what_is_dealt_can_be_called_and_comes_to_what_these_dice_attain(
    expression: str, seed: bytes
) -> None:
    these = parse_throw(expression)
    dealt = throw(these, Luck(SeededDealer(seed, 1, {})))

    assert these.attains(dealt.total)
    assert thrown(expression, *map(str, dealt.faces)) == dealt
    assert {*dealt.kept} <= {*range(1, len(dealt.faces) + 1)}


@pytest.mark.parametrize(
    ("expression", "ends"),
    [
        ("2d6+3", (5, 15)),
        ("4d6kh3", (3, 18)),
        ("1d8-1d4", (-3, 7)),
        ("2d6r1", (4, 12)),
        ("2d6ro1", (2, 12)),
        ("8d10>=7+1", (1, 9)),
        ("4dF", (-4, 4)),
        ("3d6!", (3, None)),
        ("10-d6!", (None, 9)),
        ("d6!-2d4!", (None, None)),
        ("4d6!kh3", (3, 18)),
        ("10-4d6!kh3", (-8, 7)),
        ("10-3d6!>=5", (None, 10)),
        ("3d6!o", (3, 36)),
        ("2d20mi10", (20, 40)),
        ("2d6ma4", (2, 8)),
        ("1d8*1d2", (1, 16)),
        ("4dF*1d6", (-24, 24)),
    ],
)
def test_a_total_lies_between_the_least_and_the_most(
    expression: str, ends: tuple[int | None, int | None]
) -> None:
    these = parse_throw(expression)
    least, most = ends

    assert (these.least(), these.most()) == ends
    assert least is None or not these.attains(least - 1)
    assert most is None or not these.attains(most + 1)


def test_a_lone_exploding_die_never_comes_to_its_own_sides() -> None:
    assert [total for total in range(1, 14) if not parse_throw("d6!").attains(total)] == [6, 12]
    assert not parse_throw("d6!+1").attains(7)
    assert parse_throw("d6!+1").attains(8)
    assert parse_throw("2d6!").attains(12), "6 that brings 1, and 5"
    assert parse_throw("d6!kh1").attains(6), "6 that brings 3, and the highest counts"


def test_a_subtracted_exploding_die_comes_to_any_number_below() -> None:
    """10-d6! with 6, 6 and 3 comes to -5."""
    these = parse_throw("10-d6!")

    assert thrown("10-d6!", "6", "6", "3").total == -5
    assert [total for total in range(-5, 12) if not these.attains(total)] == [-2, 4, 10, 11]


@pytest.mark.parametrize(
    ("expression", "ends"),
    [
        ("2d6", "2 to 12"),
        ("3d6!", "3 or more"),
        ("10-d6!", "9 or less"),
        ("d6!-d4!", "any number"),
    ],
)
def test_the_possible_totals_are_said_in_words(expression: str, ends: str) -> None:
    assert parse_throw(expression).ends() == ends


def test_dice_that_only_lie_there_are_plain() -> None:
    assert parse_throw("2d6+1d8").plain
    assert not any(
        parse_throw(one).plain
        for one in ("2d6+1", "2d6kh1", "3d6!", "4d6r1", "2d6>=5", "2d6-1d4", "d20[fire]")
    )


def test_a_stat_of_nothing_is_added_as_nothing() -> None:
    assert str(parse_throw("d20+dex").with_numbers(lambda _: 0)) == "1d20+0[dex]"
    assert str(parse_throw("d20-dex").with_numbers(lambda _: 0)) == "1d20-0[dex]"
