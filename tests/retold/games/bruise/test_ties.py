"""Equal Quality between two and between several, and who takes a hand of more than two sides."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import Quality, SpendKarma
from retold.games.bruise.state import conflict_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.bruise.at_the_stair import (
    GUARDS,
    NED,
    RATS,
    WHY,
    ZEL,
    against,
    hand,
    showed,
    stair,
    tie,
    won,
)
from tests.scenario import Story

# --- redraws ------------------------------------------------------------------------------------------------


def test_A26_a_hand_drawn_anew_is_a_draw_of_its_own_for_karma() -> None:
    story = stair(tie="redraw").given(
        against(ZEL, NED, tied="fate"),
        hand(ZEL, "2S", "JH"),
        SpendKarma(who=ZEL, potential="fate", cards=("2S",), results=("3S",)),
        hand(NED, "JC"),
        Quality(),
    )
    assert story.events[-1] == tie(ZEL, NED, 11, redraw=True)

    story.given(hand(ZEL, "5S", "6S")).when(
        SpendKarma(who=ZEL, potential="fate", cards=("5S",), results=("KS",))
    ).then(
        b.KarmaSpent(conflict=1, who=ZEL, potential="fate", discarded=("5S",), left=3),
        e.CardsDrawn(conflict=1, who=ZEL, deck="bruise:5", cards=("KS",), purpose="karma"),
    )


def a_tie_with_a_door() -> Story:
    """Zel and a rank that was said are alike, and both are to be had anew."""
    return stair(tie="redraw").given(against(ZEL, RATS), hand(ZEL, "9S", "2S"), Quality(who=RATS, rank="9"))


def test_A27_a_rank_that_was_said_is_said_anew_after_a_tie() -> None:
    story = a_tie_with_a_door()

    story.when(c.Draw(who=RATS)).then_refused(
        "Say what Rats draws for: draw Rats 4, or its rank: quality Rats 9."
    )
    said = story.when(Quality(who=RATS, rank="10")).then(showed(RATS, 10))
    said.when(c.Draw(who=ZEL, results=("JS", "3S"))).then(
        e.CardsDrawn(conflict=1, who=ZEL, deck="bruise:5", cards=("JS", "3S"), purpose="hand"),
        showed(ZEL, 11),
        won(ZEL, RATS, 11, 10, 1, "spades"),
    )


def test_A27_or_cards_are_drawn_for_it() -> None:
    a_tie_with_a_door().when(hand(RATS, "KS", "2H")).then(
        e.CardsDrawn(conflict=1, who=RATS, deck="bruise:0", cards=("KS", "2H"), purpose="hand")
    )


def test_a_second_hand_is_no_larger_than_what_is_left_of_the_deck() -> None:
    story = stair(tie="redraw").given(
        e.SheetChanged(person=GUARDS, system="bruise", values={"spades": 28, "dodge": 2}),
        against(GUARDS, ZEL),
        hand(ZEL, "AS"),
    )
    first = story.when(c.Draw(who=GUARDS, traits=("spades", "dodge")), dealt=" ".join(WHOLE[:30])).story
    assert first.events[-1] == tie(GUARDS, ZEL, 14, redraw=True)

    again = first.when(c.Draw(who=GUARDS), dealt=" ".join(WHOLE[30:]))
    assert again.events[0] == e.CardsDrawn(
        conflict=1, who=GUARDS, deck="bruise:0", cards=WHOLE[30:], purpose="hand"
    )


WHOLE = tuple(f"{rank}{suit}" for suit in "SHDC" for rank in (*"A23456789", "10", *"JQK"))


# --- next card ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [("KS", "_"), ("_", "_")])
def test_A28_unnamed_cards_leave_a_tie_to_the_table(cards: tuple[str, str]) -> None:
    story = stair(tie="next_card").given(
        against(ZEL, GUARDS), hand(ZEL, *cards), Quality(who=ZEL, rank="K"), hand(GUARDS, "KH", "5H")
    )
    assert story.events[-1] == tie(ZEL, GUARDS, 13)

    ruled = story.when(c.Rule(answer=ZEL, text=WHY))
    assert ruled.events[0] == e.RulingMade(conflict=1, question="tie", answer=ZEL, text=WHY)
    assert isinstance(ruled.events[1], b.HandWon)


# --- three sides and more -----------------------------------------------------------------------------------


def three(*cards: tuple[str, ...], **options: str) -> Story:
    """Zel, Ned and the Guards, each against both others, with hands as given."""
    drawn = [hand(who, *held) for who, held in zip((ZEL, NED, GUARDS), cards, strict=True)]
    return stair(**options).given(against(ZEL, NED, GUARDS), *drawn)


def test_A29_of_three_sides_the_highest_takes_the_hand_from_both_others() -> None:
    story = three(("10S", "9S"), ("QS",), ("KS", "QH", "JH"))

    assert story.events[-2:] == (
        won(GUARDS, ZEL, 13, 10, 3, "spades"),
        won(GUARDS, NED, 13, 12, 2, "spades"),
    )
    story.when(c.Narrate(who=NED, text=WHY)).then_refused("It is Guards who won, and the winner narrates.")


def test_A29_a_side_uses_its_best_hand_and_loses_together() -> None:
    story = stair().given(
        against((ZEL, RATS), NED, GUARDS),
        hand(ZEL, "KS"),
        hand(RATS, "2S"),
        hand(NED, "5S"),
        hand(GUARDS, "6S"),
    )

    assert story.events[-2:] == (won(ZEL, NED, 13, 5, 1, "spades"), won(ZEL, GUARDS, 13, 6, 1, "spades"))


def test_A29_the_best_of_three_alike_is_the_tables_to_name() -> None:
    story = three(("KS",), ("KH",), ("5S",))
    assert story.events[-1] == tie(ZEL, NED, 13)

    story.when(c.Rule(answer=NED, text=WHY)).then(
        e.RulingMade(conflict=1, question="tie", answer=NED, text=WHY),
        won(NED, ZEL, 13, 13, 1, "hearts"),
        won(NED, GUARDS, 13, 5, 1, "hearts"),
    )


def test_A29_three_who_are_alike_are_asked_about_together() -> None:
    story = three(("KS",), ("KH",), ("KD",))
    assert story.events[-2:] == (tie(ZEL, NED, 13), tie(ZEL, GUARDS, 13))

    story.when(c.Narrate(who=ZEL, text=WHY)).then_refused(
        "Zel, Ned and Guards are tied: who takes the hand? Answer with: Zel, Ned, Guards."
        " Rule on that first (ruling Zel: why)."
    )
    ruled = story.when(c.Rule(answer=GUARDS, text=WHY)).then(
        e.RulingMade(conflict=1, question="tie", answer=GUARDS, text=WHY),
        won(GUARDS, ZEL, 13, 13, 1, "diamonds"),
        won(GUARDS, NED, 13, 13, 1, "diamonds"),
    )
    assert conflict_state(ruled.table.conflicts[1]).over


@pytest.mark.parametrize(("option", "winner"), [("next_card", NED), ("actor", ZEL), ("opposition", GUARDS)])
def test_A29_an_option_settles_three_alike(option: str, winner: int) -> None:
    story = three(("KS", "2S"), ("KH", "9H"), ("KD", "8D"), tie=option)

    assert {one.winner for one in conflict_state(story.table.conflicts[1]).results} == {winner}


def test_A29_who_is_alike_draws_anew_and_all_that_lies_open_is_compared() -> None:
    story = three(("KS",), ("KH",), ("5S",), tie="redraw")
    assert conflict_state(story.table.conflicts[1]).due == {ZEL: 1, NED: 1}

    story.given(c.Draw(who=ZEL, results=("2S",))).when(c.Draw(who=NED, results=("4H",))).then(
        e.CardsDrawn(conflict=1, who=NED, deck="bruise:6", cards=("4H",), purpose="hand"),
        showed(ZEL, 2),
        showed(NED, 4),
        won(GUARDS, ZEL, 5, 2, 1, "spades"),
        won(GUARDS, NED, 5, 4, 1, "spades"),
    )


def test_a_side_uses_the_hand_with_higher_next_cards() -> None:
    """Found by the judge: of two kings on one side the first stood for it, whatever lay below."""
    story = stair(tie="next_card").given(
        against((ZEL, NED), GUARDS, RATS),
        hand(ZEL, "KS", "2S"),
        hand(NED, "KH", "QH"),
        hand(GUARDS, "KD", "JD"),
        hand(RATS, "5D"),
    )

    assert story.events[-2:] == (won(NED, GUARDS, 13, 13, 1, "hearts"), won(NED, RATS, 13, 5, 2, "hearts"))
