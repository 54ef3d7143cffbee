"""A move against a number of somebody's sheet, and the damage it does: docs/rules/homebrew.md §3 and §6."""

from __future__ import annotations

import pytest

from retold.games.homebrew.commands import verbs as v
from retold.journal.refused import Refused
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.retold.games.homebrew.at_the_bridge import dice, made, total, track
from tests.retold.games.homebrew.at_the_mill import OSK, RAT, THIA, hit, mill, turned

# --- against a stat ---------------------------------------------------------------------------------------


def struck(face: int, result: str, **more: object) -> tuple[Event, ...]:
    """What a throw against Osk's parry of 12 comes to: the face, and a strength of 3."""
    return (
        dice(THIA, "1d20", face),
        total(THIA, "1d20+3[str]", face + 3, goal=12, margin=face - 9),
        made(THIA, "hit", "str", 3, result, target=OSK, against="parry", **more),
    )


def test_HB_24_N7_a_move_against_a_stat_needs_no_opposing_throw() -> None:
    """8 + 3 against 12 misses by one."""
    story = mill(damage=None).when(hit("8")).then(*struck(8, "a graze"))

    assert story.table.contests == {}


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        (
            RAT,
            (
                "The table does not know Rat's parry: vs Rat NUMBER gives it, cast Rat parry=NUMBER keeps it,"
                " reveal Rat --sheet shows a hidden one."
            ),
        ),
        (THIA, "Thia cannot throw against themselves: name another person or a number."),
    ],
)
def test_HB_24_N7_a_target_without_the_stat_is_refused_with_what_to_type(who: int, sentence: str) -> None:
    """Where the stat starts is not a number of theirs: nothing is guessed."""
    mill().when(hit("8", at=who)).then_refused(sentence)


def test_HB_24_N7_a_number_in_the_line_and_a_move_without_the_key_stay_as_they_were() -> None:
    mill(damage=None).when(hit("8", at=None, against="vs", target=11)).then(
        dice(THIA, "1d20", 8),
        total(THIA, "1d20+3[str]", 11, goal=11, margin=0),
        made(THIA, "hit", "str", 3, "a hit"),
    )
    look = v.Roll(who=THIA, move="look", against="vs", opponent=OSK, results=("4", "4"))
    assert mill().given(look).table.contests == {(OSK, THIA): 11}


def test_HB_24_a_number_replaces_the_stat_and_damage_keeps_its_target() -> None:
    """An ambush: everyone knows of Osk, and of his parry nobody may know; behind cover it is 15."""
    mill().when(hit("15 2", target=15)).then(
        dice(THIA, "1d20", 15),
        total(THIA, "1d20+3[str]", 18, goal=15, margin=3),
        made(THIA, "hit", "str", 3, "a hit", target=OSK, against="parry"),
        dice(THIA, "1d8", 2),
        total(THIA, "1d8[damage]+3[str]", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )
    look = v.Roll(who=THIA, move="look", against="vs", opponent=OSK, target=9)
    mill().when(look).then_refused(
        "look is against no number of Osk: after vs comes the name alone, or 9 alone."
    )


# --- damage -----------------------------------------------------------------------------------------------


def test_HB_25_wish_7_a_hit_takes_its_damage_off_in_the_same_act() -> None:
    """1d8 shows 2, and a strength of 3: 5 of 6 hit points."""
    mill().when(hit("15 2")).then(
        *struck(15, "a hit"),
        dice(THIA, "1d8", 2),
        total(THIA, "1d8[damage]+3[str]", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )


def test_HB_25_wish_7_damage_is_dealt_where_the_line_has_no_results() -> None:
    mill().when(hit(None), dealt="15 2").then(
        *struck(15, "a hit"),
        dice(THIA, "1d8", 2),
        total(THIA, "1d8[damage]+3[str]", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )


def test_HB_25_wish_7_a_result_may_double_the_dice_and_not_what_is_added() -> None:
    """Twice 1d8, 1 and 1, and 3 once."""
    mill().when(hit("20 1 1")).then(
        *struck(20, "a great hit"),
        dice(THIA, "2d8", 1, 1),
        total(THIA, "2d8[damage]+3[str]", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )


def test_HB_25_wish_7_a_result_may_do_half_of_it_rounded_down() -> None:
    mill().when(hit("8 4")).then(
        *struck(8, "a graze"),
        dice(THIA, "1d8", 4),
        total(THIA, "1d8[damage]+3[str]", 7),
        track(OSK, "hp", 6, 3, 6, move="hit", by=THIA),
    )


def test_HB_25_wish_7_the_line_may_say_the_damage_in_dice_or_as_a_number() -> None:
    story = mill(damage=None)

    story.when(hit("15 4", damage="1d6+1")).then(
        *struck(15, "a hit"),
        dice(THIA, "1d6", 4),
        total(THIA, "1d6[damage]+1", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )
    story.when(hit("20", damage="4")).then(
        *struck(20, "a great hit"), track(OSK, "hp", 6, 2, 6, move="hit", by=THIA)
    )


def test_HB_25_wish_7_no_more_is_taken_than_there_is_and_at_the_end_nothing() -> None:
    """Twelve off six leave none; the next hit changes no track."""
    story = (
        mill()
        .when(hit("15", damage="12"))
        .then(*struck(15, "a hit"), track(OSK, "hp", 6, 0, 6, move="hit", by=THIA))
    )

    story.when(hit("15", damage="12")).then(*struck(15, "a hit"))


def test_HB_25_wish_7_results_that_are_missing_or_too_many_are_told_by_what_came() -> None:
    mill().when(hit("15")).then_refused(
        "The result is a hit: its damage is 1d8+3[str], and its die was not given."
        " The results in order: = 15 DIE."
    )
    mill().when(hit("20 4")).then_refused(
        "A 20 is a great hit: its damage is 2d8+3[str], and 1 of its 2 dice was given."
        " The results in order: = 20 4 DIE."
    )
    mill().when(hit("2 5 5")).then_refused(
        "The result is a miss, which does no damage: leave out 5 5 and say = 2."
    )
    mill(damage="4").when(hit("2 5")).then_refused(
        "The result is a miss, which does no damage: leave out 5 and say = 2."
    )
    mill().when(hit("2 9")).then_refused("A d8 has no 9.")
    mill().when(hit("15 9")).then_refused(
        "The result is a hit, so 1d8[damage]+3[str] of Thia comes next: A d8 has no 9."
    )


def test_HB_25_wish_7_a_total_may_stand_for_the_faces_of_the_first_dice() -> None:
    mill().when(hit("total 18 2")).then(
        total(THIA, "1d20+3[str]", 18, goal=12, margin=6, saw=False),
        made(THIA, "hit", "str", 3, "a hit", target=OSK, against="parry"),
        dice(THIA, "1d8", 2),
        total(THIA, "1d8[damage]+3[str]", 5),
        track(OSK, "hp", 6, 1, 6, move="hit", by=THIA),
    )


def test_HB_25_wish_7_damage_that_goes_nowhere_is_refused_before_the_dice_are_thrown() -> None:
    story = mill()

    story.when(hit("15", at=None, against="vs", target=9, damage="1d6")).then_refused(
        "Say who takes the damage: after vs comes their name, and then the number: vs NAME 9."
    )
    story.when(hit("15", at=None, damage="1d6")).then_refused(
        "Say who takes the damage: after vs comes their name."
    )
    look = v.Roll(who=THIA, move="look", damage="1d6", against="vs", opponent=OSK)
    story.when(look).then_refused("look does no damage in Mills: change the track in a line of its own.")
    story.when(hit("15", damage="51d6")).then_refused(
        "Damage has 50 dice at the most, for a result may double them."
    )
    story.when(hit("15", damage="a lot")).then_refused(
        "“a lot” is not dice: write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7."
    )
    story.when(hit("15", damage="1000001")).then_refused("1000001 is too much damage: 1000000 is the most.")
    with_parry = story.given(e.SheetChanged(person=RAT, system="homebrew", values={"parry": 3}))
    with_parry.when(hit("15 2", at=RAT)).then_refused("Rat's hp has no value yet: track Rat hp 9/12.")


def test_HB_25_wish_7_a_move_without_a_margin_needs_no_throw_of_the_target_and_fills_what_fills() -> None:
    """Seven and more: 1d2 of stress; ten and more: three, however the dice fall."""
    scare = v.Roll(who=THIA, move="scare", against="vs", opponent=OSK, results=("3", "4", "2"))
    story = (
        mill()
        .when(scare)
        .then(
            dice(THIA, "2d6", 3, 4),
            total(THIA, "2d6", 7),
            made_without(THIA, "scare", "a start"),
            dice(THIA, "1d8", 2),
            total(THIA, "1d8[damage]+3[str]", 5),
            track(OSK, "stress", 0, 4, 4, move="scare", by=THIA),
        )
    )
    assert story.table.contests == {}
    mill(damage=None).when(scare.but({"results": ("6", "4")})).then(
        dice(THIA, "2d6", 6, 4),
        total(THIA, "2d6", 10),
        made_without(THIA, "scare", "deep"),
        track(OSK, "stress", 0, 3, 4, move="scare", by=THIA),
    )
    mill(damage=None).when(scare).then(
        dice(THIA, "2d6", 3, 4),
        total(THIA, "2d6", 7),
        made_without(THIA, "scare", "a start"),
        dice(THIA, "1d2", 2),
        total(THIA, "1d2[damage]", 2),
        track(OSK, "stress", 0, 2, 4, move="scare", by=THIA),
    )


def made_without(who: int, move: str, result: str) -> Event:
    """A move without a stat against Osk."""
    return made(who, move, "", 0, result, target=OSK).but({"stat": None, "number": None})


def test_HB_25_wish_7_what_a_sheet_says_of_damage_is_dice_or_a_number() -> None:
    for wrong, sentence in (("60d6", "Damage has 50 dice"), ("soft", "“soft” is not dice")):
        sheet = c.Cast(who=THIA, system="homebrew", values={"damage": wrong})
        with pytest.raises(Refused, match=sentence):
            _ = mill().when(sheet).events
    mill().given(c.Cast(who=THIA, system="homebrew", values={"damage": 4})).when(hit("15")).then(
        *struck(15, "a hit"), track(OSK, "hp", 6, 2, 6, move="hit", by=THIA)
    )


def test_HB_25_wish_7_what_a_move_marks_may_be_a_condition() -> None:
    mill().when(hit("2")).then(*struck(2, "a miss"), turned(THIA, "tired", move="hit"))


def test_Q37_damage_dice_thrown_with_a_miss_are_kept_without_a_total() -> None:
    """The d8 of the damage shows 5 and does nothing."""
    mill().when(hit("2 5")).then(
        *struck(2, "a miss"), turned(THIA, "tired", move="hit"), dice(THIA, "1d8", 5)
    )


def test_damage_read_aloud_without_damage_on_the_sheet_is_answered_with_both_lines() -> None:
    mill(damage=None).when(hit("15 8")).then_refused(
        "The result is a hit, and Thia has no damage on the sheet: = 15; then hp Osk -8."
    )


def test_Q37_dice_left_by_the_miss_of_one_of_several_are_no_damage() -> None:
    """Thia misses with 2, and what lies beside it is of nobody."""
    rat = mill().given(e.SheetChanged(person=RAT, system="homebrew", values={"parry": 12, "body": 6}))
    both = hit("2 2 5", at=RAT).but({"also": (OSK,)})

    rat.when(both).then_refused("The result is a miss, which does no damage: leave out 5 and say = 2 2.")


def test_2_the_miss_of_one_leaves_the_results_of_the_next_on_the_line() -> None:
    """Thia misses with 2, and Osk, who says no damage, hits with 15."""
    rat = mill().given(e.SheetChanged(person=RAT, system="homebrew", values={"parry": 12, "body": 6}))
    both = hit("2 15", at=RAT).but({"also": (OSK,)})

    thrown = [one.faces for one in rat.when(both).events if isinstance(one, e.DiceRolled)]
    assert thrown == [(2,), (15,)]


# --- temporary points -------------------------------------------------------------------------------------


def test_harm_takes_temporary_points_first() -> None:
    spare = v.Keep(who=OSK, track="temp", value="5/5")

    mill().given(spare).when(v.Keep(who=OSK, track="hp", value="-7")).then(
        track(OSK, "temp", 5, 0, most=5), track(OSK, "hp", 6, 4, most=6)
    )
    mill().given(spare).when(v.Keep(who=OSK, track="hp", value="-3")).then(track(OSK, "temp", 5, 2, most=5))
