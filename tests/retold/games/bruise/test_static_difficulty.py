"""Given `difficulty=static`, when somebody with a player or with ratings stands opposite, then they draw."""

from __future__ import annotations

import pytest

from retold.games.bruise.commands.verbs import Quality
from retold.journal.vocabulary import commands as c
from tests.retold.games.bruise.at_the_stair import (
    GUARDS,
    NED,
    RATS,
    ZEL,
    against,
    hand,
    showed,
    stair,
    tie,
    won,
)
from tests.scenario import Story


def static(*sides: int | tuple[int, ...], **options: str) -> Story:
    """A conflict at the stair under a static difficulty; Zel and Ned have players, the Guards a sheet."""
    return stair(difficulty="static", **options).given(against(*sides))


def test_R5_two_players_against_each_other_both_draw() -> None:
    story = static(ZEL, NED).given(hand(ZEL, "9C", "4D"))
    done = story.when(hand(NED, "KD", "QD"))

    assert done.events[-3:] == (showed(ZEL, 9), showed(NED, 13), won(NED, ZEL, 13, 9, 2, "diamonds"))


def test_R5_opposition_with_a_sheet_may_draw() -> None:
    story = static(ZEL, GUARDS).given(hand(ZEL, "9C", "4D"))
    done = story.when(c.Draw(who=GUARDS, traits=("spades", "dodge"), results=("2S", "3S", "4S", "5S", "6S")))

    assert done.events[-1] == won(ZEL, GUARDS, 9, 6, 1, "clubs")


def test_R5_opposition_with_a_sheet_may_state_a_rank_and_meeting_it_is_enough() -> None:
    story = static(ZEL, GUARDS).given(hand(ZEL, "9C", "4D"))

    assert story.when(Quality(who=GUARDS, rank="9")).events[-1] == won(ZEL, GUARDS, 9, 9, 1, "clubs")


@pytest.mark.parametrize("sides", [(ZEL, RATS), (ZEL, NED, RATS), (ZEL, (NED, RATS))])
def test_R5_opposition_without_player_and_sheet_is_a_rank(sides: tuple[int | tuple[int, ...], ...]) -> None:
    static(*sides).when(hand(RATS, "9C")).then_refused(
        "The difficulty is static here: say its rank, quality Rats 9."
    )


def test_R5_of_three_sides_all_with_players_or_sheets_draw() -> None:
    story = static(ZEL, NED, GUARDS).given(hand(ZEL, "9C"), hand(NED, "KD"))
    done = story.when(hand(GUARDS, "QS"))

    assert done.events[-2:] == (won(NED, ZEL, 13, 9, 1, "diamonds"), won(NED, GUARDS, 13, 12, 1, "diamonds"))


def test_R5_equal_hands_of_two_players_follow_the_option_for_ties() -> None:
    asked = static(ZEL, NED).given(hand(ZEL, "KC", "4D")).when(hand(NED, "KD", "QD"))
    by_next = static(ZEL, NED, tie="next_card").given(hand(ZEL, "KC", "4D")).when(hand(NED, "KD", "QD"))

    assert asked.events[-1] == tie(ZEL, NED, 13)
    assert by_next.events[-1] == won(NED, ZEL, 13, 13, 1, "diamonds")


def test_R5_a_stated_rank_of_a_player_is_a_hand_and_no_difficulty_to_meet() -> None:
    story = static(ZEL, NED).given(hand(ZEL, "9C", "4D"))

    assert story.when(Quality(who=NED, rank="9")).events[-1] == tie(ZEL, NED, 9)
