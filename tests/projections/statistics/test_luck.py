"""Luck is what nobody chose, held against what else might have come, and no more is said than can be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.decks import french
from retold.journal.decks.odds import equal_odds, sum_drawn, sum_of_copies
from retold.projections.statistics import COUNTED
from retold.projections.statistics.luck import Luck, verdict
from tests.projections.statistics.played import Evening, row

BRUISE = """
session "One"
cast Zel bruise by=Jon clubs=4 melee=2
cast Ash bruise by=Kim clubs=3 melee=1
scene The stair
conflict "Out" bruise Zel vs Ash
"""
WHISKEY = """
session "One"
cast Ada whiskey by=Jon combat=10 base=4 die=1 hp=90
cast Bolt whiskey by=Kim combat=10 base=4 die=1 hp=90
conflict "First" whiskey Ada vs Bolt
"""
SPACETIME = """
session "One"
cast Ondine by=Kjell
conflict "Boiler" spacetime Ondine vs Furnace
outcome Ondine: calm
outcome Furnace: not calm
"""


# --- dice ---


def test_dice_are_counted_singly_and_fudge_dice_as_one_roll(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 2d6+1d8 = 6 5 2\nroll Zel 4dF = ++0-\nroll Zel 4dF = ++++")

    groups = {one.what: one for one in evening.luck().groups}
    assert {what: one.rows[0].n for what, one in groups.items()} == {"4dF": 2, "d6": 2, "d8": 1}
    assert {what: one.rows[0].mean for what, one in groups.items()} == {"4dF": 2.5, "d6": 5.5, "d8": 2.0}
    assert {what: one.rows[0].expected for what, one in groups.items()} == {"4dF": 0, "d6": 3.5, "d8": 4.5}


def test_the_chance_of_being_as_far_off_is_exact(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 4dF = ++++\nroll Zel 2d6 = 6 6")

    # + + + + and - - - - lie as far off, of 81; 6 6 and 1 1, of 36
    assert evening.group("4dF").rows[0].chance == pytest.approx(2 / 81, rel=1e-3)
    assert evening.group("d6").rows[0].chance == pytest.approx(2 / 36, rel=1e-3)
    assert evening.group("d6").rows[0].exact


def test_each_value_is_listed_with_its_expected_count(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 6d6 = 6 6 6 1 2 2\nroll Zel 4dF = 0000")

    assert [(face.label, face.seen, face.expected) for face in evening.group("d6").faces] == [
        ("1", 1, 1.0),
        ("2", 2, 1.0),
        ("3", 0, 1.0),
        ("4", 0, 1.0),
        ("5", 0, 1.0),
        ("6", 3, 1.0),
    ]
    ways = [1, 4, 10, 16, 19, 16, 10, 4, 1]  # of 81
    assert [face.expected for face in evening.group("4dF").faces] == [round(way / 81, 2) for way in ways]


def test_luck_belongs_to_the_player_or_the_unplayed_character(evening: Evening) -> None:
    evening.play(
        "cast Zel by=Jon\ncast Zoe by=Jon\ncast Rat\n"
        "roll Zel 1d6 = 6\nroll Zoe 1d6 = 4\nroll Rat 1d6 = 1\nroll 1d6 = 3"
    )

    rows = [one for one in evening.group("d6").rows if one.of == "player"]
    assert [(one.name, one.n, one.mean) for one in rows] == [
        ("Jon", 2, 5.0),
        ("Rat", 1, 1.0),
        ("nobody in particular", 1, 3.0),
    ]


def test_what_was_dealt_and_what_was_called_are_told_apart_where_both_are(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 3d6 = 6 6 6")
    assert {one.of for one in evening.group("d6").rows} == {"all", "player"}

    evening.play("roll Zel 2d6\nroll Zel 2d6 --provenance reconstructed = 1 1")
    sources = {one.name: one.n for one in evening.group("d6").rows if one.of == "source"}
    assert sources == {"called from the table": 3, "dealt here": 2, "written down later": 2}


def test_what_was_undone_is_no_luck(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 3d6 = 6 6 6\nroll Zel 1d6 = 1\nundo")

    assert evening.group("d6").rows[0].n == 3


def test_a_session_is_counted_by_itself(evening: Evening) -> None:
    evening.play(
        "cast Zel by=Jon\nroll Zel 1d6 = 2\nsession One\nroll Zel 2d6 = 6 6\nend session\n"
        "session Two\nroll Zel 1d6 = 1"
    )

    assert {one.name: one.n for one in evening.group("d6").rows if one.of == "session"} == {
        "before the first session": 1,
        "session 1": 2,
        "session 2": 1,
    }
    assert [one.n for one in evening.group("d6", session=1).rows] == [2, 2]
    assert evening.luck(session=2).groups[0].rows[0].mean == 1.0


def test_dice_of_a_games_own_act_are_its_dice(evening: Evening) -> None:
    evening.play(
        "session One\ncast Vera edgerunner by=Jon streetwise=1\n"
        "roll Vera streetwise vs 3 = +++-\nroll Vera 4dF = ++++"
    )

    assert [(one.system, one.rows[0].n) for one in evening.luck().groups] == [
        ("At the table", 1),
        ("Edgerunner", 1),
    ]


# --- cards ---


def test_ranks_are_held_against_hands_of_the_same_deck(evening: Evening) -> None:
    evening.play(f"{BRUISE}draw Zel clubs+melee = JH JD 10S 7C 4C 3D")

    (everybody, jon) = evening.group("rank").rows
    odds = sum_drawn(tuple(sorted(tuple(range(2, 15)) * 4)), 6)
    assert (everybody.n, everybody.mean, everybody.expected) == (6, round(46 / 6, 4), 8.0)
    assert everybody.chance == pytest.approx(float(odds.as_far_off(46)), rel=1e-3)
    assert jon == everybody._replace(of="player", name="Jon")


def test_a_deck_is_drawn_down_until_it_is_shuffled(evening: Evening) -> None:
    turn = "draw Zel 3 = {}\ndraw Ash 1 = 2C\ncolour clubs\nnarrate: So."
    evening.play(f"{BRUISE}{turn.format('AC KC QC')}\n{turn.format('AC KS QC')}")

    jon = row(evening.group("rank").rows, "Jon")
    hand = sum_drawn(tuple(sorted(tuple(range(2, 15)) * 4)), 3)
    assert (jon.n, jon.mean, jon.expected) == (6, 13.0, 8.0)
    # Two hands of three, each from the whole deck, and not one of six.
    assert jon.chance == pytest.approx(float(sum_of_copies(hand, 2).as_far_off(78)), rel=1e-3)


def test_aces_count_as_the_table_has_them(evening: Evening) -> None:
    evening.play(f"option bruise.ace=low\n{BRUISE}draw Zel 1 = AC")

    assert (evening.group("rank").rows[0].mean, evening.group("rank").rows[0].expected) == (1.0, 7.0)


def test_an_incompletely_recorded_hand_is_not_counted(evening: Evening) -> None:
    evening.play(f"{BRUISE}draw Zel clubs+melee = KH _ _ _ _ _\ndraw Ash 1 = 9C")

    luck = evening.luck()
    assert [one.name for one in luck.groups[0].rows] == ["everybody", "Kim"]
    assert luck.uncounted == 6
    assert "6 cards are not counted: nobody wrote down the whole hand." in luck.sheets()[-1].notes
    assert luck.sheets()[-1].rows


def test_if_nothing_can_be_counted_that_is_said(evening: Evening) -> None:
    evening.play(f"{BRUISE}draw Zel clubs+melee = KH _ _ _ _ _")

    (sheet,) = evening.luck().sheets()
    assert (sheet.rows, sheet.notes) == ((), ("6 cards are not counted: nobody wrote down the whole hand.",))


def phase(card: str, die: int) -> str:
    return f"declare Ada engage Bolt\ndeclare Bolt stand\nclash\ncheck Ada Bolt = {card} {die}"


def test_whiskeys_cards_count_by_value_against_their_half(evening: Evening) -> None:
    evening.play(f"{WHISKEY}{phase('KH', 2)}\n{phase('AS', 5)}")

    everybody = evening.group("value").rows[0]
    # Hearts and spades: -12 to 13, each once, 1/2 on average; king of hearts 13, ace of spades -12.
    assert (everybody.n, everybody.mean, everybody.expected) == (2, 0.5, 0.5)
    assert everybody.chance == 1.0
    assert evening.group("d6").rows[0].n == 2


def test_a_person_who_draws_all_of_a_half_comes_out_even(evening: Evening) -> None:
    hearts = [f"{rank}H" for rank in french.RANKS]
    spades = [card.replace("H", "S") for card in hearts]
    evening.play(WHISKEY + "\n".join(phase(card, 1) for card in [*hearts, *spades]))

    everybody = evening.group("value").rows[0]
    assert (everybody.n, everybody.mean, everybody.expected, everybody.chance) == (26, 0.5, 0.5, 1.0)

    evening.play(phase("KD", 1))
    # The other half now: a card of 13 from -12..13, where only -12 lies as far from 1/2.
    assert evening.group("value").rows[0].chance == pytest.approx(2 / 26, rel=1e-3)


def test_decks_are_told_apart_where_people_share_them(evening: Evening) -> None:
    evening.play(f"option whiskey.checker=choose\n{WHISKEY}")
    evening.play("cast Cog whiskey combat=10 base=4 die=1 hp=90 faction=harbour")
    evening.play("end conflict\nconflict Next whiskey Ada+Bolt vs Cog")
    evening.play("declare Ada engage Cog\ndeclare Bolt stand\ndeclare Cog stand\nclash\ncheck Ada Cog = 5H 1")
    evening.play(
        "declare Bolt engage Cog\ndeclare Ada stand\ndeclare Cog stand\nclash\ncheck Bolt Cog = 6H 1"
    )
    evening.play("declare Cog engage Ada\ndeclare Bolt stand\ndeclare Ada stand\nclash\ncheck Cog Ada = 5S 1")

    names = {one.name: one.n for one in evening.group("value").rows if one.of == "deck"}
    assert names == {"deck players": 2, "deck harbour": 1}


def test_of_spacetimes_cards_the_triumphs_are_counted(evening: Evening) -> None:
    evening.play(f"{SPACETIME}declare Ondine: I listen.\ndeclare Furnace: It hums.")
    evening.play("draw Ondine = T4\ndraw Furnace = rock:ruler:r")

    group = evening.group("Triumphs")
    assert (group.share, group.rows[0].n, group.rows[0].mean) == (True, 2, 0.5)
    assert group.rows[0].expected == pytest.approx(21 / 67, abs=1e-4)
    assert evening.luck().sheets()[0].rows[0].cells[2:4] == ("50%", "31%")
    # Of 0, 1 or 2 Triumphs 1 lies nearest to 42/67, so nothing is nearer: the chance is everything.
    assert group.rows[0].chance == 1.0


def test_the_card_in_place_of_the_excuse_decides_nothing_and_is_not_counted(evening: Evening) -> None:
    evening.play(f"{SPACETIME}declare Ondine: I listen.\ndeclare Furnace: It hums.")
    evening.play("draw Ondine = Excuse T3\ndraw Furnace = rock:ruler")

    luck = evening.luck()
    assert (luck.groups[0].rows[0].n, luck.groups[0].rows[0].mean, luck.uncounted) == (2, 0.0, 0)


# --- what is said ---


@pytest.mark.parametrize(
    ("n", "chance", "off", "said"),
    [
        (23, 0.4, 1, "too few to say anything"),
        (23, 0.03, 1, "too few to say anything"),
        (30, 0.4, 1, "as chance has it"),
        (30, 0.05, 1, "as chance has it"),
        (30, 0.04, 1, "higher than mostly: 1 run in 25"),
        (30, 0.04, -1, "lower than mostly: 1 run in 25"),
        (6, 0.004, -1, "far lower than mostly: 1 run in 250"),
        (900, 1e-5, 1, "far higher than mostly: 1 run in 100,000"),
        (900, 0.0, 1, "far higher than mostly: 1 run in more than a thousand million"),
    ],
)
def test_no_more_is_said_than_can_be(n: int, chance: float, off: int, said: str) -> None:
    assert verdict(n, chance, Fraction(off)) == said


@given(st.integers(1, 29), st.floats(0.01, 1))
def test_few_results_have_no_verdict(n: int, chance: float) -> None:
    assert verdict(n, chance, Fraction(1)) == "too few to say anything"


def test_very_many_results_go_by_the_normal_approximation_and_say_so(evening: Evening) -> None:
    evening.play(f"cast Zel by=Jon\nroll Zel 90d100 = {'50 51 ' * 45}")
    assert evening.group("d100").rows[0].exact

    evening.play(f"roll Zel 30d100 = {'50 51 ' * 15}")

    (everybody, *_) = evening.group("d100").rows
    assert (everybody.n, everybody.exact, everybody.said) == (120, False, "as chance has it")
    sheet = evening.luck().sheets()[0]
    assert sheet.rows[0].cells[4] == "≈ 100%"
    assert any("save after ≈ (normal approximation, off by less than one" in note for note in sheet.notes)


def test_some_thousand_results_are_judged_exactly(evening: Evening) -> None:
    evening.play("cast Zel by=Jon")
    for _ in range(12):
        evening.play(f"roll Zel 90d6 = {'1 2 3 4 5 6 ' * 14 + '6 ' * 6}")

    (everybody, *_) = evening.group("d6").rows
    odds = sum_of_copies(equal_odds(range(1, 7)), 1080)
    total = 12 * (21 * 14 + 36)
    assert (everybody.n, everybody.exact) == (1080, True)
    assert everybody.chance == float(f"{float(odds.as_far_off(total)):.4g}")


def test_decks_with_the_same_cards_in_another_order_count_as_one(evening: Evening) -> None:
    turn = "draw Zel 3 = {}\ndraw Ash 1 = 2C\ncolour clubs\nnarrate: So."
    evening.play(f"{BRUISE}{turn.format('AC KC QC')}\n{turn.format('AC KS QC')}")

    gathered = COUNTED.of(evening.asked()).results
    assert len(gathered.shapes) == 1 < len(gathered.pools)


def test_the_notes_say_what_is_compared_and_how_many_look_odd_by_chance(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 2d6 = 1 3")

    (sheet,) = evening.luck().sheets()
    assert sheet.notes[0] == "Each d6 by what it shows, against as many fair ones."
    assert sheet.notes[-1] == (
        "2 rows are held against chance here: about 1 in 20 of such rows looks odd with nothing wrong."
    )
    assert "High is not always lucky" in sheet.notes[-2]


def test_a_chart_has_a_bar_for_each_value_unless_there_are_too_many(evening: Evening) -> None:
    evening.play(f"cast Zel by=Jon\nroll Zel 30d6 = {'1 ' * 30}\nroll Zel 30d100 = {'7 ' * 30}")

    (chart,) = evening.luck().charts()
    # Of 30 dice each face is to be expected 30/6 = 5 times.
    assert [bar.said for bar in chart.bars[:2]] == ["30, expected 5.0 (+25.0)", "0, expected 5.0 (-5.0)"]
    assert chart.longest == 30


def test_C15_of_too_few_results_there_is_no_chart(evening: Evening) -> None:
    evening.play("cast Zel by=Jon\nroll Zel 29d6 = " + "1 2 3 4 5 6 " * 4 + "1 2 3 4 5")
    assert evening.group("d6").rows[0].said == "too few to say anything"
    assert evening.luck().charts() == ()

    evening.play("roll Zel d6 = 6")
    assert len(evening.luck().charts()) == 1


def test_C15_a_deck_is_called_by_whose_it_is(evening: Evening) -> None:
    evening.play(
        "session One\ncast Zel bruise by=Jon clubs=4\ncast Ash bruise clubs=3\ncast Bo bruise clubs=3"
    )
    evening.play(
        "conflict Out bruise Zel vs Ash\ndraw Zel 1 = KC\ndraw Ash 1 = 2C\ncolour clubs\nend conflict"
    )
    evening.play("conflict On bruise Zel vs Bo\ndraw Zel 1 = QC\ndraw Bo 1 = 3C")

    names = [one.name for one in evening.luck().groups[0].rows if one.of == "deck"]
    # What the Tale Weaver plays is drawn from one deck.
    assert names == ["Jon's deck", "the game master's deck"]


def test_there_may_be_nothing_to_count(evening: Evening) -> None:
    assert evening.luck() == Luck((), 0)
    assert (evening.luck().sheets(), evening.luck().charts()) == ((), ())
