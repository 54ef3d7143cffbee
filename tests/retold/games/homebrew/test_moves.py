"""Dice at any table, and the moves of a game: docs/rules/homebrew.md §2 and §3."""

from __future__ import annotations

from fractions import Fraction

import pytest

from retold.games.homebrew import events as h
from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.commands.rolling import planned_roll
from retold.games.homebrew.options import built_in_game, game_as_json
from retold.games.homebrew.rules import band_odds
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.system import Situation
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value
from tests.retold.games.homebrew.at_the_bridge import (
    CHOSEN,
    ORCS,
    OSK,
    THIA,
    WHY,
    bridge,
    dice,
    fight,
    made,
    roll,
    total,
    track,
)
from tests.scenario import cast, given


def thrown(expression: str, faces: str, **more: object) -> c.Roll:
    return c.Roll.of({"who": THIA, "dice": expression, "results": tuple(faces.split()), **more})


# --- dice -------------------------------------------------------------------------------------------------


def test_HB_18_plain_dice_have_a_total_and_a_single_die_is_its_face() -> None:
    """3 + 5 + 7."""
    given(*cast("Thia")).when(thrown("2d6+1d8", "3 5 7")).then(
        dice(THIA, "2d6+1d8", 3, 5, 7), total(THIA, "2d6+1d8", 15)
    )
    given(*cast("Thia")).when(thrown("d8", "7")).then(dice(THIA, "1d8", 7))


def test_HB_10_what_is_added_makes_a_total() -> None:
    """3 + 5 + 2."""
    given(*cast("Thia")).when(thrown("2d6+2", "3 5", text=WHY)).then(
        e.DiceRolled(who=THIA, dice="2d6", faces=(3, 5), text=WHY), total(THIA, "2d6+2", 10)
    )


def test_HB_10_a_name_is_a_number_of_the_sheet() -> None:
    """14 and a strength of 3; and 14 less 1."""
    bridge().when(thrown("d20+str", "14")).then(dice(THIA, "1d20", 14), total(THIA, "1d20+3[str]", 17))
    bridge().when(thrown("d20+dex", "14", who=OSK)).then(dice(OSK, "1d20", 14), total(OSK, "1d20-1[dex]", 13))
    bridge().when(thrown("d20+luck", "14")).then_refused(
        "Thia has no luck: put it on the sheet, or add a number."
    )
    bridge().when(thrown("4d6-L", "1 2 3 4")).then_refused(
        "Thia has no l: put it on the sheet, or add a number. To drop the lowest die, write 4d6dl1."
    )


def test_HB_11_of_two_the_higher_counts_with_an_advantage() -> None:
    given(*cast("Thia")).when(thrown("d20+5", "4 17", twice="adv")).then(
        dice(THIA, "2d20", 4, 17), total(THIA, "2d20kh1+5", 22, kept=(2,))
    )


def test_HB_15_a_total_alone_is_marked_so_and_has_to_be_one_of_theirs() -> None:
    story = given(*cast("Thia"))

    story.when(thrown("2d6+1", "total 9", text=WHY)).then(total(THIA, "2d6+1", 9, saw=False, text=WHY))
    story.when(thrown("2d6", "total 9")).then(total(THIA, "2d6", 9, saw=False))
    story.when(thrown("2d6+1", "total 14")).then_refused("2d6+1 does not come to 14: it comes to 3 to 13.")
    story.when(thrown("d6!", "total 6")).then_refused("1d6! does not come to 6: it comes to 1 or more.")
    story.when(thrown("10-d6!", "total 10")).then_refused(
        "10-1d6! does not come to 10: it comes to 9 or less."
    )
    story.when(thrown("2d6", "total")).then_refused("Say the total as one number: = total 19.")


def test_HB_16_a_number_is_reached_or_stayed_under() -> None:
    """15 - 15, 14 - 15; 60 - 60, 60 - 61."""
    story = given(*cast("Thia"))
    for face, margin in ((12, 0), (11, -1)):
        story.when(thrown("d20+3", str(face), against="vs", target=15)).then(
            dice(THIA, "1d20", face), total(THIA, "1d20+3", face + 3, goal=15, margin=margin)
        )
    for face, margin in ((60, 0), (61, -1)):
        story.when(thrown("d%", str(face), against="under", target=60)).then(
            dice(THIA, "1d100", face), total(THIA, "1d100", face, goal=60, under=True, margin=margin)
        )


def test_HB_16_an_opposed_roll_gets_its_margin_on_the_second_throw() -> None:
    first = thrown("d20+2", "11", against="vs", opponent=OSK)
    open_ = total(THIA, "1d20+2", 13, opponent=OSK)
    answered = total(OSK, "1d20", 15, goal=13, opponent=THIA, margin=2)
    story = given(*cast("Thia", "Osk")).when(first).then(dice(THIA, "1d20", 11), open_)

    answer = thrown("d20", "15", who=OSK, against="vs", opponent=THIA)
    after = story.when(answer).then(dice(OSK, "1d20", 15), answered)
    after.when(thrown("d20", "3", who=OSK)).then(dice(OSK, "1d20", 3))
    story.when(thrown("d8", "3", who=OSK)).then(dice(OSK, "1d8", 3))
    story.when(thrown("d20", "15", who=OSK, against="vs", target=5)).then(
        dice(OSK, "1d20", 15), total(OSK, "1d20", 15, goal=5, margin=10)
    )


def test_HB_16_a_second_throw_before_the_answer_counts_and_is_reported() -> None:
    """9 + 2 in place of 11 + 2; the answer is against 11, and then nothing waits any more."""
    story = given(*cast("Thia", "Osk"), thrown("d20+2", "11", against="vs", opponent=OSK))
    again = thrown("d20+2", "9", against="vs", opponent=OSK)

    story.when(again).then(dice(THIA, "1d20", 9), total(THIA, "1d20+2", 11, opponent=OSK, instead=13))
    story = story.given(again, thrown("d20", "15", who=OSK, against="vs", opponent=THIA))
    assert story.table.contests == {}
    story.when(again).then(dice(THIA, "1d20", 9), total(THIA, "1d20+2", 11, opponent=OSK))


def test_HB_16_two_may_wait_for_one_and_each_has_an_answer() -> None:
    story = given(
        *cast("Thia", "Osk", "Orcs"),
        thrown("d20+2", "11", against="vs", opponent=ORCS),
        thrown("d20", "18", who=OSK, against="vs", opponent=ORCS),
    )

    story.when(thrown("d20", "15", who=ORCS, against="vs", opponent=THIA)).then(
        dice(ORCS, "1d20", 15), total(ORCS, "1d20", 15, goal=13, opponent=THIA, margin=2)
    )
    story.when(thrown("d20", "15", who=ORCS, against="vs", opponent=OSK)).then(
        dice(ORCS, "1d20", 15), total(ORCS, "1d20", 15, goal=18, opponent=OSK, margin=-3)
    )


def test_HB_16_an_unanswered_contest_ends_with_the_session() -> None:
    story = given(*cast("Thia", "Osk"), c.OpenSession(), thrown("d20+2", "11", against="vs", opponent=OSK))

    story.given(c.End(what="session")).when(thrown("d20", "15", who=OSK, against="vs", opponent=THIA)).then(
        dice(OSK, "1d20", 15), total(OSK, "1d20", 15, opponent=THIA)
    )


def test_HB_16_an_opposed_throw_needs_two_different_characters() -> None:
    story = given(*cast("Thia", "Osk"))

    story.when(thrown("d20", "3", against="vs", opponent=THIA)).then_refused(
        "Thia cannot throw against themselves: name another person or a number."
    )
    story.when(thrown("d20", "3", who=None, against="vs", opponent=OSK)).then_refused(
        "Say who throws against Osk: roll NAME DICE vs NAME."
    )
    story.when(thrown("d20", "3", against="vs", target=1_000_001)).then_refused(
        "1000001 is out of reach: 1000000 is the most."
    )


# --- moves ------------------------------------------------------------------------------------------------


def test_HB_20_a_move_is_dice_a_stat_and_a_bonus() -> None:
    """12 + 3 + 1 against 16."""
    bridge().when(roll(THIA, "strike", "str", bonus=1, against="vs", target=16, results=("12",))).then(
        dice(THIA, "1d20", 12),
        total(THIA, "1d20+3[str]+1", 16, goal=16, margin=0),
        made(THIA, "strike", "str", 3, "a hit"),
    )


@pytest.mark.parametrize(("who", "number"), [(THIA, 6), (OSK, -1)])
def test_HB_20_a_skill_counts_by_the_sheet_and_by_its_ability_without_one(who: int, number: int) -> None:
    """Thia has stealth on the sheet, Osk only dex."""
    played = given(
        *cast("Thia", "Osk"),
        h.GameChosen(name="d20", definition=game_as_json(built_in_game("d20"))),
        e.SheetChanged(person=THIA, system="homebrew", values={"dex": 3, "stealth": 6}),
        e.SheetChanged(person=OSK, system="homebrew", values={"dex": -1}),
    )

    played.when(roll(who, "check", "stealth", against="vs", target=9, results=("10",))).then(
        dice(who, "1d20", 10),
        total(who, f"1d20{number:+}[stealth]", 10 + number, goal=9, margin=1 + number),
        made(who, "check", "stealth", number, "a success"),
    )


@pytest.mark.parametrize("typed", [("strike", "dex"), ("str", "dex"), ("dex", None)])
def test_HB_20_names_are_cut_short_and_a_stat_makes_its_first_move(typed: tuple[str, str | None]) -> None:
    """`str` is the whole name of a stat and no name of a move: a stat that is named beside it counts."""
    bridge().when(roll(OSK, *typed, against="vs", target=10, results=("15",))).then(
        dice(OSK, "1d20", 15),
        total(OSK, "1d20-1[dex]", 14, goal=10, margin=4),
        made(OSK, "strike", "dex", -1, "a hit"),
    )


def test_HB_20_a_move_that_is_none_or_needs_a_stat_is_refused() -> None:
    bridge().when(roll(THIA, "fly")).then_refused(
        "Bridges has no move fly. Its moves: strike, sneak, hold on."
    )
    bridge().when(roll(ORCS, "strike")).then_refused("Say which stat: str, dex.")
    bridge().when(roll(THIA, "strike", "dots")).then_refused(
        "strike is not rolled with dots: str, dex (roll Thia strike STAT)."
    )
    bridge().when(roll(THIA, "hold", "on")).then_refused(
        'A move of several words needs quotes: roll Thia "hold on"'
    )


def test_HB_20_Q37_a_stat_alone_on_the_sheet_needs_no_naming() -> None:
    bridge().when(roll(THIA, "strike", results=("15",))).then(
        dice(THIA, "1d20", 15),
        total(THIA, "1d20+3[str]", 18),
        made(THIA, "strike", "str", 3, None),
    )


@pytest.mark.parametrize(
    ("values", "stat"),
    [
        ({"str": 3, "dex": 1, "damage": "1d8+str"}, "str"),
        ({"str": 3, "dex": 1, "damage": "1d6+dex"}, "dex"),
        ({"dex": 2, "damage": "1d6+2"}, "dex"),
        ({"str": 3, "dex": 1, "damage": "1d8+2"}, None),
        ({"damage": "1d8+2"}, None),
    ],
)
def test_HB_20_Q37_an_attack_is_rolled_with_the_stat_that_the_damage_adds(
    values: dict[str, Value | None], stat: str | None
) -> None:
    d20 = h.GameChosen(name="d20", definition=game_as_json(built_in_game("d20")))
    story = given(*cast("Thia", "Orc"), d20, e.SheetChanged(person=THIA, system="homebrew", values=values))
    attack = v.Roll(who=THIA, move="attack", against="vs", target=12, results=("15",))

    if stat is None:
        form = "" if "str" in values else ' (roll Thia "attack" STAT)'
        story.when(attack).then_refused(f"Say which stat: str, dex, con, int, wis, cha{form}.")
    else:
        number = values[stat]
        assert isinstance(number, int)
        story.when(attack).then(
            dice(THIA, "1d20", 15),
            total(THIA, f"1d20+{number}[{stat}]", 15 + number, goal=12, margin=3 + number),
            made(THIA, "attack", stat, number, "a hit"),
        )


def test_HB_21_a_total_stays_under_a_stat_which_a_bonus_changes() -> None:
    """Under 12 - 2."""
    bridge().when(roll(THIA, "sneak", bonus=-2, results=("10",))).then(
        dice(THIA, "1d100", 10),
        total(THIA, "1d100", 10, goal=10, under=True, margin=0),
        made(THIA, "sneak", "body", 12, "unseen"),
    )
    bridge().when(roll(THIA, "sneak", against="vs", target=3)).then_refused(
        "sneak is thrown under body: change it by a bonus, such as -20."
    )


def test_HB_21_a_stat_says_how_many_dice_and_a_bonus_is_so_many_more() -> None:
    """Two dots and one; the ten brings a four, and a seven counts."""
    bridge().when(roll(THIA, "hold on", bonus=1, results=("10", "7", "1", "4"))).then(
        dice(THIA, "4d10", 10, 7, 1, 4),
        total(THIA, "3d10!>=7", 2, kept=(1, 2)),
        made(THIA, "hold on", "dots", 2, "held"),
    )
    bridge().when(roll(OSK, "hold on")).then_refused("Osk has 0 dice of dots to roll: it takes 1 to 100.")


def test_HB_22_no_result_is_named_while_a_margin_is_to_come_but_a_face_is_one() -> None:
    bridge().when(roll(THIA, "strike", "str", results=("12",))).then(
        dice(THIA, "1d20", 12), total(THIA, "1d20+3[str]", 15), made(THIA, "strike", "str", 3, None)
    )
    bridge().when(roll(THIA, "hold on", results=("1", "2"))).then(
        dice(THIA, "2d10", 1, 2),
        total(THIA, "2d10!>=7", 0, kept=()),
        made(THIA, "hold on", "dots", 2, "slipped"),
    )


def test_HB_23_a_result_marks_tracks_as_far_as_they_go() -> None:
    miss = roll(THIA, "strike", "str", against="vs", target=30, results=("2",))
    story = bridge()
    for harm in (1, 2, 3):
        story = story.when(miss).then(
            dice(THIA, "1d20", 2),
            total(THIA, "1d20+3[str]", 5, goal=30, margin=-25),
            made(THIA, "strike", "str", 3, "a miss"),
            track(THIA, "harm", harm - 1, harm, 3, move="strike"),
        )
    story.when(miss).then(
        dice(THIA, "1d20", 2),
        total(THIA, "1d20+3[str]", 5, goal=30, margin=-25),
        made(THIA, "strike", "str", 3, "a miss"),
    )


def test_HB_23_in_a_fight_all_of_it_is_of_the_fight() -> None:
    fight().when(roll(ORCS, "strike", "str", results=("20",))).then(
        dice(ORCS, "1d20", 20, conflict=1),
        total(ORCS, "1d20+1[str]", 21, conflict=1),
        made(ORCS, "strike", "str", 1, "a great hit", conflict=1),
        track(ORCS, "coin", 0, 2, None, move="strike", conflict=1),
    )


# --- odds -------------------------------------------------------------------------------------------------


def likely(move: str, stat: str | None = None, *, who: int = THIA, **more: object) -> dict[str, Fraction]:
    table = bridge().table
    situation = Situation(table, Luck(FirstDealer()), SYSTEMS)
    plan = planned_roll(situation, who, roll(who, move, stat, **more))
    return dict(band_odds(plan.made.move, plan.these, plan.against))


def test_how_likely_each_result_is_follows_from_dice_stat_and_target() -> None:
    """A d20 and 3 against 16: 20 is one face, 13 to 19 are seven, twelve miss; 12 of 100 are under 12."""
    assert likely("strike", "str", against="vs", target=16) == {
        "a great hit": Fraction(1, 20),
        "a hit": Fraction(7, 20),
        "a miss": Fraction(12, 20),
    }
    assert likely("sneak") == {"unseen": Fraction(12, 100), "seen": Fraction(88, 100)}


def test_of_two_dice_the_better_one_is_likelier_to_hit() -> None:
    """Both miss where both show 1 to 12, and one of 20s is missing in 19 times 19 of 400."""
    assert likely("strike", "str", against="vs", target=16, twice="adv") == {
        "a great hit": Fraction(400 - 19 * 19, 400),
        "a hit": Fraction(19 * 19 - 12 * 12, 400),
        "a miss": Fraction(12 * 12, 400),
    }


def test_nothing_is_said_of_what_hangs_on_more() -> None:
    assert likely("strike", "str") == {}, "against what"


def test_of_dice_that_bring_others_it_is_known_too_what_they_come_to_and_show() -> None:
    """Two tens: neither shows 7 or more in 6 times 6 of 100, and neither shows 1 to that in 5 times 5."""
    assert likely("hold on") == {
        "held": Fraction(64, 100),
        "slipped": Fraction(36 - 25, 100),
        "still there": Fraction(25, 100),
    }


def test_HB_20_a_character_without_a_sheet_uses_the_games_moves() -> None:
    story = given(*cast("Thia", "Osk", "Orcs"), CHOSEN)

    story.when(roll(ORCS, "fly")).then_refused("Bridges has no move fly. Its moves: strike, sneak, hold on.")
