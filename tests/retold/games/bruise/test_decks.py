"""One deck for the Tale Weaver and one for each player; a card lies in one place, over all conflicts."""

from __future__ import annotations

import pytest

from retold.games.bruise import events as b
from retold.games.bruise.commands import Quality, SpendKarma
from retold.games.bruise.state import conflict_state, game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.bruise.at_the_stair import (
    GUARDS,
    JON,
    NED,
    OMAR,
    RATS,
    WHY,
    ZEL,
    against,
    hand,
    stair,
)
from tests.scenario import Story


def drawn(who: int, deck: int, *cards: str, conflict: int = 1, purpose: str = "hand") -> e.CardsDrawn:
    return e.CardsDrawn(conflict=conflict, who=who, deck=f"bruise:{deck}", cards=cards, purpose=purpose)


def held(story: Story, owner: int) -> dict[int, set[str]]:
    """Who holds what of somebody's deck, after it has been found whole."""
    kept = game_state(story.table)
    kept.check()
    hands = next(deck.hands for deck in kept.decks() if deck.owner == owner)
    return {who: set(cards) for who, cards in hands}


# --- whose deck ---------------------------------------------------------------------------------------------


def test_A30_characters_without_a_player_draw_from_the_tale_weavers_deck() -> None:
    story = stair().given(against(ZEL, (GUARDS, RATS)))

    first = story.when(hand(GUARDS, "KS")).then(drawn(GUARDS, 0, "KS"))
    first.when(hand(RATS, "KS")).then_refused("KS is out already: Guards holds it.")
    first.when(hand(ZEL, "KS")).then(drawn(ZEL, JON, "KS"))


def test_A30_a_record_that_named_a_deck_for_each_character_goes_on() -> None:
    old = stair().given(
        against(ZEL, GUARDS, tied="fate"), drawn(GUARDS, GUARDS, "KS", "2S"), drawn(ZEL, JON, "KS")
    )
    assert held(old, GUARDS) == {GUARDS: {"2S", "KS"}}

    old.when(SpendKarma(who=GUARDS, potential="fate", cards=("2S",), results=("3S",))).then(
        b.KarmaSpent(conflict=1, who=GUARDS, potential="fate", discarded=("2S",), left=4),
        drawn(GUARDS, GUARDS, "3S", purpose="karma"),
    )
    over = old.given(Quality(), c.Rule(answer=ZEL, text=WHY), hand(GUARDS, "KS"))
    assert held(over, 0) == {GUARDS: {"KS"}}


def test_A30_a_hand_stays_with_the_deck_it_came_from_when_a_player_sits_down() -> None:
    story = stair().given(
        against(ZEL, GUARDS, tied="fate"),
        hand(GUARDS, "KS", "2S"),
        e.PlayerSeated(person=GUARDS, player=OMAR),
    )

    story.when(SpendKarma(who=GUARDS, potential="fate", cards=("2S",), results=("3S",))).then(
        b.KarmaSpent(conflict=1, who=GUARDS, potential="fate", discarded=("2S",), left=4),
        drawn(GUARDS, 0, "3S", purpose="karma"),
    )


@pytest.mark.parametrize(("count", "left"), [(23, 22), (52, 22)])
def test_A30_a_deck_of_which_others_hold_a_part_says_what_is_left(count: int, left: int) -> None:
    story = stair().given(against(ZEL, (GUARDS, RATS)), hand(GUARDS, *WHOLE[:30]))

    story.when(c.Draw(who=RATS, count=count)).then_refused(
        f"The Tale Weaver's deck has {left} cards left, so {count} cannot be drawn: draw no more than that."
    )
    ratings = e.SheetChanged(person=RATS, system="bruise", values={"clubs": 20, "bite": 9})
    story.given(ratings).when(c.Draw(who=RATS, traits=("clubs", "bite")), dealt=" ".join(WHOLE[30:])).then(
        b.TraitsAssigned(conflict=1, who=RATS, attribute="clubs", skill="bite", cards=22),
        drawn(RATS, 0, *WHOLE[30:]),
    )


WHOLE = tuple(f"{rank}{suit}" for suit in "SHDC" for rank in (*"A23456789", "10", *"JQK"))


# --- two conflicts at once ----------------------------------------------------------------------------------


def two_at_once() -> Story:
    """Zel holds three cards in the first conflict while a second is fought out and ended."""
    return stair().given(
        against(ZEL, GUARDS, tied="fate"),
        hand(ZEL, "KS", "4S", "3C"),
        against(ZEL, RATS),
        hand(ZEL, "QS", "2C", conflict=2),
        Quality(who=RATS, rank="9", conflict=2),
    )


@pytest.mark.parametrize("ending", [c.End(what="conflict", conflict=2), c.Shuffle(conflict=2)])
def test_A31_a_turn_that_ends_leaves_what_its_people_hold_elsewhere(ending: c.End | c.Shuffle) -> None:
    story = two_at_once().given(ending)
    assert held(story, JON) == {ZEL: {"3C", "4S", "KS"}}

    after = story.when(
        SpendKarma(who=ZEL, potential="fate", cards=("3C",), results=("9D",), conflict=1)
    ).then(
        b.KarmaSpent(conflict=1, who=ZEL, potential="fate", discarded=("3C",), left=4),
        drawn(ZEL, JON, "9D", purpose="karma"),
    )
    assert held(after, JON) == {ZEL: {"4S", "9D", "KS"}}


def test_A31_what_was_thrown_away_in_one_conflict_stays_away_while_another_ends() -> None:
    story = two_at_once().given(
        SpendKarma(who=ZEL, potential="fate", cards=("3C",), results=("9D",), conflict=1),
        c.End(what="conflict", conflict=2),
        against(ZEL, RATS),
    )

    story.when(hand(ZEL, "3C", conflict=3)).then_refused("3C is out already: it was discarded this turn.")
    story.when(hand(ZEL, "KS", conflict=3)).then_refused("KS is out already: Zel holds it.")
    story.given(c.End(what="conflict", conflict=1)).when(hand(ZEL, "3C", "KS", conflict=3)).then(
        drawn(ZEL, JON, "3C", "KS", conflict=3)
    )


def test_A31_an_old_record_that_drew_cards_held_elsewhere_is_readable() -> None:
    old = two_at_once().given(b.TurnEnded(conflict=2, turn=1), drawn(ZEL, JON, "KS", "3C", conflict=2))

    assert held(old, JON) == {ZEL: {"4S", "3C", "KS"}}
    old.given(SpendKarma(who=ZEL, potential="fate", cards=("3C",), results=("9D",), conflict=1))


def test_A31_a_joker_that_an_old_record_drew_after_the_option_changed_is_in_the_deck() -> None:
    old = stair().given(against(ZEL, GUARDS), drawn(ZEL, JON, "joker"))

    assert held(old, JON) == {ZEL: {"joker"}}


def test_cards_thrown_away_for_a_tie_are_back_once_the_conflict_has_ended() -> None:
    story = stair(tie="redraw").given(against(ZEL, NED), hand(ZEL, "KS"), hand(NED, "KH"))

    ended = story.when(c.End(what="conflict")).then(
        b.TurnEnded(conflict=1, turn=1), e.ConflictEnded(conflict=1, how="ended")
    )
    ended.given(against(ZEL, NED)).when(hand(ZEL, "KS", conflict=2)).then(drawn(ZEL, JON, "KS", conflict=2))


def test_the_decks_are_not_shuffled_during_a_redraw() -> None:
    story = stair(tie="redraw").given(against(ZEL, NED), hand(ZEL, "KS"), hand(NED, "KH"))

    story.when(c.Shuffle()).then_refused(
        "Cards are on the table: the decks are shuffled when the turn is over."
    )


def test_unreturned_cards_of_old_records_return_when_a_conflict_opens() -> None:
    old = stair().given(against(ZEL, GUARDS), drawn(ZEL, JON, "KS"), e.ConflictEnded(conflict=1, how="ended"))

    assert conflict_state(old.given(against(ZEL, GUARDS)).table.conflicts[2]).hands == {}
    old.given(against(ZEL, GUARDS), hand(ZEL, "KS"))
