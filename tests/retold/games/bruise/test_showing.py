"""What is shown and counted: cards nobody wrote down, Quantities that are said, jokers."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import ChooseColour, Quality
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import available_actions
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command
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
    won,
)
from tests.scenario import Story

UNNAMED = ("_",) * 5


def may_be_said(story: Story) -> list[Command]:
    """Every line that is proposed."""
    return [
        one.command for seen in available_actions(story.table, Luck(FirstDealer())) for one in seen.choices
    ]


def stands(story: Story) -> tuple[str, ...]:
    """The sentences that say where the conflict stands."""
    return next(iter(available_actions(story.table, Luck(FirstDealer())))).stands


# --- A21: a Quantity is said once the loser's Quality is known ----------------------------------------------


def a_king_of_six() -> Story:
    """Zel's king beats a nine, and of five cards nobody said what they are."""
    return stair().given(against(ZEL, GUARDS), hand(ZEL, "KS", *UNNAMED), Quality(who=GUARDS, rank="9"))


def test_A21_the_winner_says_the_quantity_that_the_cards_left_open() -> None:
    story = a_king_of_six()
    assert story.events[-1] == won(ZEL, GUARDS, 13, 9, None, "spades")

    story.when(Quality(who=ZEL, rank="K", quantity=2)).then(
        b.QuantitySaid(conflict=1, winner=ZEL, loser=GUARDS, quantity=2)
    )


@pytest.mark.parametrize("quantity", [0, 7])
def test_A21_a_quantity_that_the_cards_do_not_allow_is_refused(quantity: int) -> None:
    a_king_of_six().when(Quality(who=ZEL, rank="K", quantity=quantity)).then_refused(
        f"Zel's Quantity can be 1 to 6, and not {quantity}."
    )


def test_A21_the_quantity_of_unrecorded_cards_may_be_stated() -> None:
    story = stair().given(against(ZEL, GUARDS), Quality(who=ZEL, rank="K"), Quality(who=GUARDS, rank="9"))

    story.when(Quality(who=ZEL, rank="K", quantity=4)).then(
        b.QuantitySaid(conflict=1, winner=ZEL, loser=GUARDS, quantity=4)
    )


def test_A21_a_quantity_against_several_losers_names_the_loser() -> None:
    story = stair().given(
        against(ZEL, (GUARDS, RATS)),
        hand(ZEL, "KS", *UNNAMED),
        Quality(who=GUARDS, rank="9"),
        Quality(who=RATS, rank="5"),
    )

    story.when(Quality(who=ZEL, rank="K", quantity=2)).then_refused(
        "Name the loser that this counts against, after vs: Guards or Rats."
    )
    story.when(Quality(who=ZEL, rank="K", quantity=2, loser=RATS)).then(
        b.QuantitySaid(conflict=1, winner=ZEL, loser=RATS, quantity=2)
    )
    story.when(Quality(who=ZEL, rank="K", quantity=2, loser=NED)).then_refused(
        "No such hand was won against Ned this turn."
    )


def test_A21_once_it_is_told_a_rank_with_a_quantity_is_the_next_turns() -> None:
    told = a_king_of_six().given(c.Narrate(who=ZEL, text=WHY))

    told.when(Quality(who=ZEL, rank="K", quantity=2)).then(
        b.TurnEnded(conflict=1, turn=1), showed(ZEL, 13, 2)
    )


def test_A21_the_quantities_that_may_be_said_are_proposed() -> None:
    proposed = [one for one in may_be_said(a_king_of_six()) if isinstance(one, Quality)]

    assert [one.quantity for one in proposed] == [1, 2, 3, 4, 5, 6]


# --- A22: a hand of which no card is named ------------------------------------------------------------------


def test_A22_a_hand_without_a_named_card_is_called_out() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(GUARDS, "_", "_", "_"))

    called = story.when(Quality(who=GUARDS, rank="9")).then(showed(GUARDS, 9))
    called.when(hand(ZEL, "10S")).then(
        e.CardsDrawn(conflict=1, who=ZEL, deck="bruise:5", cards=("10S",), purpose="hand"),
        showed(ZEL, 10),
        won(ZEL, GUARDS, 10, 9, 1, "spades"),
    )


def test_A22_drawn_last_it_waits_to_be_called_out() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, "10S"))

    drawn = story.when(hand(GUARDS, "_", "_", "_"))
    assert [type(event) for event in drawn.events] == [e.CardsDrawn]
    drawn.story.when(Quality()).then_refused("No card of Guards' is named: quality Guards 9.")
    drawn.story.when(Quality(who=GUARDS)).then_refused(
        "Guards has a hand of which no card is named: say its rank (quality Guards 9)."
    )
    drawn.story.when(Quality(who=GUARDS, rank="0")).then_refused(
        "Guards holds cards, so their Quality is above 0."
    )
    drawn.story.when(Quality(who=GUARDS, rank="Q", quantity=2)).then(
        showed(GUARDS, 12, 2), showed(ZEL, 10), won(GUARDS, ZEL, 12, 10, 2)
    )
    assert stands(drawn.story)[0] == "turn 1 · to say their Quality: Guards."
    assert Quality(who=GUARDS, rank="9") in may_be_said(drawn.story)


# --- A23: what is said is held against the cards ------------------------------------------------------------

DUEL = ("JH", "JD", "10S", "7C", "4C", "3D")


def test_A23_the_cards_say_the_quantity_whatever_was_said_before() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, *DUEL))

    said = story.when(Quality(who=ZEL, rank="J", quantity=5)).then(showed(ZEL, 11))
    said.when(Quality(who=GUARDS, rank="9")).then(
        showed(GUARDS, 9), won(ZEL, GUARDS, 11, 9, 3, "hearts", "diamonds")
    )


@pytest.mark.parametrize("quantity", [0, 1, 7, 8])
def test_A23_a_quantity_that_no_rank_would_make_is_refused(quantity: int) -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, *DUEL))

    story.when(Quality(who=ZEL, rank="J", quantity=quantity)).then_refused(
        f"Zel's Quantity can be 2 to 6, and not {quantity}."
    )


def test_A23_said_last_it_has_to_be_what_the_cards_show() -> None:
    story = stair().given(against(ZEL, GUARDS, tied="fate"), hand(ZEL, *DUEL), Quality(who=GUARDS, rank="9"))

    story.when(Quality(who=ZEL, rank="J", quantity=5)).then_refused("Zel's Quantity can be 3, and not 5.")
    story.when(Quality(who=ZEL, rank="J", quantity=3)).then(
        showed(ZEL, 11, 3), won(ZEL, GUARDS, 11, 9, 3, "hearts", "diamonds")
    )


def test_A23_what_was_said_of_unnamed_cards_counts_only_if_it_can_be() -> None:
    story = stair().given(
        against(ZEL, GUARDS), hand(ZEL, "KS", *UNNAMED), Quality(who=ZEL, quantity=3, rank="K")
    )

    assert story.when(Quality(who=GUARDS, rank="9")).events[-1] == won(ZEL, GUARDS, 13, 9, 3, "spades")
    nothing = story.when(c.Draw(who=GUARDS, count=0))
    assert nothing.events[-1] == won(ZEL, GUARDS, 13, 0, 6, "spades")


@pytest.mark.parametrize("quantity", [0, 53])
def test_A23_the_quantity_of_unrecorded_cards_is_limited_to_the_deck(quantity: int) -> None:
    stair().given(against(ZEL, GUARDS)).when(Quality(who=GUARDS, rank="9", quantity=quantity)).then_refused(
        f"Guards' Quantity can be 1 to 52, and not {quantity}."
    )


# --- A36: ranks, jokers, what is proposed ------------------------------------------------------------------


@pytest.mark.parametrize(("ace", "rank"), [("high", "1"), ("low", "14"), ("high", "11"), ("low", "B")])
def test_A36_a_rank_that_no_card_has_is_refused(ace: str, rank: str) -> None:
    stair(ace=ace).given(against(ZEL, GUARDS)).when(Quality(who=GUARDS, rank=rank)).then_refused(
        f"{rank} is not a rank: A, K, Q, J, a number from 2 to 10, or 0 for no card that counts."
    )


def jokers(**options: str) -> Story:
    return stair(jokers="2", **options).given(
        against(ZEL, GUARDS), hand(ZEL, "joker"), c.Draw(who=GUARDS, count=0)
    )


def test_A36_what_a_joker_wins_has_no_colour() -> None:
    story = jokers(joker="15")

    assert story.events[-1] == won(ZEL, GUARDS, 15, 0, 1)
    story.when(ChooseColour(who=ZEL, suit="hearts")).then_refused(
        "No card on top of Zel's hand has a suit, so what they won has no colour."
    )


def test_A36_a_ruling_says_what_a_joker_counts_for_from_then_on() -> None:
    sets = (e.Setting(person=None, what="joker", op="=", value=15),)
    story = stair(jokers="1").given(against(ZEL, GUARDS), hand(ZEL, "joker", "2S"))

    ruled = story.when(c.Rule(sets=sets, text=WHY)).then(
        e.RulingMade(conflict=1, sets=sets, text=WHY),
        e.OptionSet(system="bruise", key="joker", value="15"),
    )
    assert ruled.when(hand(GUARDS, "AS")).events[1] == showed(ZEL, 15)
    for value in (16, "high"):
        beyond = (e.Setting(person=None, what="joker", op="=", value=value),)
        with pytest.raises(Exception, match="A ruling sets joker to one of 0, 1, 2"):
            _ = story.when(c.Rule(sets=beyond, text=WHY)).events


def test_A36_a_joker_stays_in_a_deck_that_is_played_with_and_comes_once_it_is_whole() -> None:
    story = stair().given(
        against(ZEL, GUARDS), hand(ZEL, "2S"), e.OptionSet(system="bruise", key="jokers", value="1")
    )

    told = story.given(Quality(who=GUARDS, rank="9"))
    told.when(hand(ZEL, "joker")).then(
        b.TurnEnded(conflict=1, turn=1),
        e.CardsDrawn(conflict=1, who=ZEL, deck="bruise:5", cards=("joker",), purpose="hand"),
    )


def test_A36_a_meme_is_proposed_beside_a_skill_and_beside_an_attribute() -> None:
    story = stair().given(
        e.SheetChanged(person=ZEL, system="bruise", values={"meme.spite": 3}), against(ZEL, GUARDS)
    )

    pairs = [one.traits for one in may_be_said(story) if isinstance(one, c.Draw) and one.who == ZEL]
    assert pairs == [("clubs", "melee"), ("clubs", "spite"), ("spite", "melee")]


def test_A36_the_status_shows_the_quantity_that_limits_the_teller() -> None:
    story = stair().given(against(ZEL, GUARDS), hand(ZEL, *DUEL), Quality(who=GUARDS, rank="9"))

    assert stands(story)[:2] == (
        "turn 1 · Zel narrates, Quantity 3.",
        "Zel won over Guards, J against 9: Quantity 3, hearts or diamonds.",
    )
    assert stands(a_king_of_six())[0] == "turn 1 · Zel narrates, Quantity to be said."
