"""Each result of a move, how often it came and how often its dice promised it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from retold.games.homebrew.options import game_as_json
from retold.games.homebrew.rules import Band, Game, Move, band_odds
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.odds import face_odds
from retold.journal.decks.throws import Against
from retold.journal.language.writing import write_value
from retold.projections.statistics import count
from retold.projections.statistics.luck import Came, MoveResults
from tests.projections.statistics.played import Evening

Shares = dict[str, tuple[int, Fraction]]
"""By result how often it came, and how often it was to be expected."""


def made(evening: Evening, session: int | None = None) -> MoveResults:
    found = count(evening.asked(), ("moves",), session)["moves"]
    assert isinstance(found, MoveResults)
    return found


@pytest.mark.parametrize(
    ("game", "sheet", "rolls", "expected"),
    [
        (
            "d20",
            "str=3",
            ("attack str vs 16 = 20", "attack str vs 16 = 13", "attack str vs 11 = 1"),
            # against 16: 20 | 13 to 19 | 1 to 12, against 11: 20 | 8 to 19 | 1 to 7
            {
                "a critical hit": (1, Fraction(3, 20)),
                "a miss": (1, Fraction(12 + 12 + 7, 20)),
                "a hit": (1, Fraction(7 + 7 + 12, 20)),
            },
        ),
        (
            "percentile",
            "fight=63",
            ("skill fight = 12", "skill fight = 100"),
            # 100 | to 12 | to 31 | to 63 | to 99
            {
                "a fumble": (1, Fraction(2, 100)),
                "an extreme success": (1, Fraction(2 * 12, 100)),
                "a hard success": (0, Fraction(2 * 19, 100)),
                "a success": (0, Fraction(2 * 32, 100)),
                "a failure": (0, Fraction(2 * 36, 100)),
            },
        ),
        (
            "moves",
            "hard=1",
            ('"force it" = 5 4', '"force it" = 1 2', '"force it" = total 8'),
            # 2d6 of 9 or more 10, of 6 to 8 16, of less 10 ways
            {
                "10 and more": (1, Fraction(3 * 10, 36)),
                "7 to 9": (1, Fraction(3 * 16, 36)),
                "a miss": (1, Fraction(3 * 10, 36)),
            },
        ),
        (
            "fate",
            "quick=2",
            ("act quick vs 2 = ++++", "act quick vs 2 = 0000"),
            # of 81: 3 and 4 in 4 + 1, 1 and 2 in 16 + 10, 0 in 19 ways
            {
                "a success with style": (1, Fraction(2 * 5, 81)),
                "a success": (0, Fraction(2 * 26, 81)),
                "a tie": (1, Fraction(2 * 19, 81)),
                "a failure": (0, Fraction(2 * 31, 81)),
            },
        ),
    ],
)
def test_each_result_is_listed_with_its_expected_share(
    evening: Evening, game: str, sheet: str, rolls: tuple[str, ...], expected: Shares
) -> None:
    evening.play("\n".join((f"game {game}", f"cast Zel {sheet}", *(f"roll Zel {roll}" for roll in rolls))))

    (move,) = made(evening).moves
    assert move.n == len(rolls)
    assert {one.result: (one.came, one.expected) for one in move.results} == {
        result: (came, round(float(hoped), 4)) for result, (came, hoped) in expected.items()
    }


def test_a_pool_whose_tens_bring_more_is_held_against_its_odds(evening: Evening) -> None:
    """Of two tens: none of 7 and more in 36 of 100, no 1 either in 25; five hits take three tens or more."""
    evening.play("game pool\ncast Zel body=2\nroll Zel test body = 1 3\nroll Zel test body = 7 2")

    (move,) = made(evening).moves
    results = {one.result: one for one in move.results}
    assert [(one, results[one].expected) for one in ("a botch", "a failure")] == [
        ("a botch", 0.22),
        ("a failure", 0.5),
    ]
    assert results["a botch"].came == results["a success"].came == 1
    assert sum(one.expected for one in move.results) == pytest.approx(2)


def test_how_far_off_is_the_chance_of_coming_as_far_from_what_is_expected(evening: Evening) -> None:
    """Two of two 20s: 1/10 is expected, and only two are as far from it, with 1/400."""
    evening.play("game d20\ncast Zel\nroll Zel attack str vs 10 = 20\nroll Zel attack str vs 10 = 20")

    (move,) = made(evening).moves
    assert move.results[0] == Came("a critical hit", 2, 0.1, 0.0025, "far more than mostly: 1 run in 400")


def test_rolls_without_odds_are_left_out_and_counted(evening: Evening) -> None:
    """Doubles among dice that bring others."""
    bands = (Band(name="twins", doubles=True), Band(name="none"))
    game = Game(name="twins", title="Twins", about="pairs", moves={"pair": Move(dice="3d6!", bands=bands)})
    evening.scribe.say(f"game {write_value(game_as_json(game))}")
    evening.play("cast Zel\nsession One\nroll Zel pair = 2 2 3\nend session\nsession Two")
    evening.play("game d20\nroll Zel check str vs 5 = 9")

    assert [made(evening, session).uncounted for session in (None, 1, 2)] == [1, 1, 0]
    assert "1 more could not be held against any odds." in made(evening).sheets()[-1].notes[0]


def test_a_contest_counts_once_it_is_answered(evening: Evening) -> None:
    """The first throw has no odds, for its number is yet to come; of the answers 10 to 20 pass."""
    evening.play("game d20\ncast Zel str=1\ncast Orc\nsession One\nroll Zel check str vs Orc = 9")
    assert made(evening) == MoveResults((), 0)

    evening.play("roll Orc check str vs Zel = 10\nend session\nsession Two\nroll Zel check dex vs 5 = 2")
    assert [[(one.result, one.came) for one in move.results] for move in made(evening).moves] == [
        [("a success", 1), ("a failure", 1)]
    ]
    assert made(evening, 1).moves[0].results[0].expected == round(11 / 20, 4)
    assert [move.n for move in made(evening, 2).moves] == [1]


def test_they_stand_as_a_table_under_what_the_game_is_called(evening: Evening) -> None:
    evening.play("game moves\ncast Zel cool=0\nroll Zel cool = 6 6")
    told = made(evening)

    (sheet,) = told.sheets()
    assert sheet.title == "Two dice and a stat: keep your head (1)"
    assert [row.cells[:3] for row in sheet.rows] == [
        ("10 and more", "1", "0.17"),
        ("7 to 9", "0", "0.42"),
        ("a miss", "0", "0.42"),
    ]
    assert told.charts() == ()
    assert told.to_json()["moves"][0]["results"][0] == {
        "result": "10 and more",
        "came": 1,
        "expected": 0.1667,
        "chance": 0.1667,
        "said": "too few to say anything",
    }


@pytest.mark.parametrize("game", ["d20", "fate", "moves"])
def test_another_game_chosen_later_leaves_the_moves_before_as_they_were(evening: Evening, game: str) -> None:
    evening.play(f"game pool\ncast Zel\nroll Zel test body = 8\ngame {game}")

    assert [move.move for move in made(evening).moves] == ["test"]


@pytest.mark.parametrize("throw", ["2d4", "3d4>=3", "2d6<=2"])
def test_what_dice_come_to_and_show_is_what_all_ways_there_are_say(throw: str) -> None:
    """Every way the dice can lie, each as likely."""
    (dice,) = parse_throw(throw).dice
    asked = frozenset({1, 3})
    found: dict[tuple[int, frozenset[int]], Fraction] = {}
    for faces in product(range(1, dice.size + 1), repeat=dice.count):
        hits = sum(faces) if dice.counted is None else sum(map(dice.counted.has, faces))
        key = hits, asked & set(faces)
        found[key] = found.get(key, Fraction(0)) + Fraction(1, dice.size**dice.count)

    assert face_odds(dice, asked) == found


def test_a_die_that_brings_others_shows_what_they_show() -> None:
    """A coin: 1 alone in a half, and after one 2 in a quarter; all of it is 1."""
    (dice,) = parse_throw("1d2!").dice
    found = face_odds(dice, frozenset({1, 2})) or {}

    assert found[1, frozenset({1})] == Fraction(1, 2)
    assert found[3, frozenset({1, 2})] == Fraction(1, 4)
    assert sum(found.values()) == 1


def test_of_twenty_dice_it_is_worked_out() -> None:
    """Four of ten faces each."""
    found = face_odds(parse_throw("20d10>=7").dice[0], frozenset()) or {}

    assert found[20, frozenset()] == Fraction(4, 10) ** 20


def test_what_is_added_to_dice_that_bring_others_counts() -> None:
    """A coin and two: 3 where it shows 1, and more in the other half."""
    move = Move(dice="1d2!", bands=(Band(name="high", least=4),))

    assert band_odds(move, parse_throw("1d2!+2"), Against()) == {"high": Fraction(1, 2)}


def test_thirty_of_a_move_are_enough_to_draw(evening: Evening) -> None:
    evening.play("game moves\ncast Zel cool=0\n" + "roll Zel cool = 6 6\n" * 29)
    assert made(evening).charts() == ()

    (chart,) = made(evening.play("roll Zel cool = 6 1")).charts()
    assert chart.title == "Two dice and a stat: keep your head, how often each result came"
    assert [(bar.label, bar.value, bar.said) for bar in chart.bars] == [
        ("10 and more", 29, "29, expected 5.0 (+24.0)"),
        ("7 to 9", 1, "1, expected 12.5 (-11.5)"),
        ("a miss", 0, "0, expected 12.5 (-12.5)"),
    ]


@pytest.mark.parametrize("throw", ["3d6kh2", "2d6r1", "1d20-1d6", "21d6!"])
def test_face_odds_are_unknown_for_selected_or_too_many_dice(throw: str) -> None:
    assert face_odds(parse_throw(throw).dice[-1], frozenset()) is None
