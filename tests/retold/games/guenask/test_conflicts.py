"""Raise and see at the table: whose turn it is, what is refused, who leaves, and who wins."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask.commands import SetStakes, turn
from retold.games.guenask.rules import Answer
from retold.games.guenask.state import game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    CAST,
    CY,
    FIGHT,
    SHEETS,
    STAKES,
    TALK,
    TALKING,
    TEXT,
    THOSS,
    TO_THE_REVERSAL,
    YOU,
    approach,
    begun,
    bring,
    escalate,
    gave,
    give,
    kept,
    opening,
    pool,
    raise_,
    raised,
    ruling,
    see,
    seen,
    state,
    won,
)
from tests.scenario import given

GROUP: tuple[Event | Command, ...] = (
    approach(YOU, ASK, "3 3 3 4 4 4 5"),
    approach(BEA, ASK, "6 6 6 6"),
    approach(THOSS, ASK, "1 2 3 4 4 4 5"),
    approach(CY, ASK, "1 1 2 2"),
)
"""You and Bea against Captain Thoss and against Cy: three sides."""

SIDES = ((YOU, BEA), (THOSS,), (CY,))


# --- opening ----------------------------------------------------------------------------------------------


def test_the_stakes_come_first() -> None:
    story = given(*CAST, *SHEETS, c.OpenConflict(system="guenask", sides=((YOU,), (THOSS,))))

    story.when(TALKING[0]).then_refused(  # type: ignore[arg-type]
        "Say what is at stake first (stakes: what is won, and what happens otherwise)."
    )
    story = story.when(SetStakes(text=STAKES)).then(g.StakesSet(conflict=1, text=STAKES))
    story.when(SetStakes(who=BEA, text=STAKES)).then_refused(
        "Bea is not in this conflict: You, Captain Thoss."
    )
    assert pool(story.given(TALKING[0]), YOU) == [1, 2, 2, 3, 4, 4, 7]


def test_the_stakes_are_fixed_after_the_first_raise() -> None:
    begun().given(*TALKING, raise_("4+3")).when(SetStakes(text=STAKES)).then_refused(
        "These stakes have a raise already, and can no longer change."
    )


def test_a_person_who_begins_it_is_in_it() -> None:
    given(*CAST, *SHEETS).when(opening(first=BEA)).then_refused(
        "first= names who initiates it, so a person in this conflict, not Bea."
    )


def test_the_initiator_is_recorded() -> None:
    given(*CAST, *SHEETS).when(opening(first=YOU)).then(
        e.ConflictOpened(conflict=1, system="guenask", sides=((YOU,), (THOSS,)), text=STAKES),
        g.InitiatorNamed(conflict=1, who=YOU),
    )


def test_raising_waits_until_all_have_dice() -> None:
    begun().given(TALKING[0]).when(raise_("4+3")).then_refused(
        "No dice yet: Captain Thoss must choose an approach first."
    )


def test_an_approach_is_chosen_once() -> None:
    begun().given(TALKING[0]).when(approach(YOU, FIGHT, None)).then_refused(
        "You has chosen already (opposed neutral); to go about it otherwise, on a raise or see:"
        " escalate You unopposed neutral."
    )


def test_the_last_without_an_approach_need_not_be_named() -> None:
    story = begun().given(TALKING[0], approach(None, TALK, "1 1 1 3 4 5 6"))

    assert state(story).people[THOSS].pool == [1, 1, 1, 3, 4, 5, 6]


# --- who raises -------------------------------------------------------------------------------------------


def test_without_an_initiator_the_best_two_dice_begin() -> None:
    story = begun(first=None).given(*TALKING)

    assert story.events[-1] == g.TurnOrderSet(conflict=1, order=(THOSS, YOU), best=(12, 11))


def test_equal_best_dice_are_the_tables_to_settle() -> None:
    story = begun(first=None).given(
        approach(YOU, TALK, "6 6 1 1 1 1"), approach(THOSS, TALK, "6 6 1 1 1 1 1")
    )
    asked = "You and Captain Thoss have the same best two dice: who raises first?"

    story.when(raise_("6+6")).then_refused(
        f"{asked} Answer with: You, Captain Thoss. Rule on that first (ruling You: why)."
    )
    story.when(ruling("first", THOSS)).then(
        e.RulingMade(conflict=1, question="first", answer=THOSS, text=TEXT),
        g.TurnOrderSet(conflict=1, order=(THOSS, YOU), best=(12, 12)),
    )


def test_two_alternate() -> None:
    begun().given(*TALKING, raise_("4+3"), see("4+3")).when(raise_("4+2", who=YOU)).then_refused(
        "It is for Captain Thoss to raise now: You acts on a raise or see of their own."
    )


@pytest.mark.parametrize(
    ("chosen", "order"),
    [("best_two", (THOSS, BEA, YOU, CY)), ("seats", (THOSS, CY, YOU, BEA)), ("free", (THOSS, CY, YOU, BEA))],
)
def test_more_than_two_go_round_as_the_table_has_chosen(chosen: str, order: tuple[int, ...]) -> None:
    story = begun(*SIDES, first=THOSS, turn_order=chosen).given(*GROUP)

    assert state(story).order == order


def test_free_order_lets_the_named_character_raise_next() -> None:
    story = begun(*SIDES, first=THOSS, turn_order="free").given(*GROUP, raise_("2+1", CY), see("2+1", who=CY))

    assert state(story).raisers() == (CY, YOU, BEA)
    story.when(raise_("6+6", CY)).then_refused("Say who raises: Cy, You, Bea.")
    story.when(raise_("6+6", CY, who=BEA)).then(raised(BEA, 6, 6, to=(CY,)))


# --- raising ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        ("7", "A raise is two dice, such as raise 4+3; 1 die was put forward."),
        ("4+3+2", "A raise is two dice, such as raise 4+3; 3 dice were put forward."),
        ("6+4", "You has no 6 left: 1 2 2 3 4 4 7."),
        ("3+3", "You has only one 3: 1 2 2 3 4 4 7."),
    ],
)
def test_a_raise_is_two_dice_of_the_pool(forward: str, sentence: str) -> None:
    begun().given(*TALKING).when(raise_(forward)).then_refused(sentence)


def test_a_kept_die_must_be_in_the_raise() -> None:
    begun().given(*TO_THE_REVERSAL[:8]).when(raise_("1+1")).then_refused(
        "The 6 kept from the reversal must be in this raise: raise 6+…"
    )


def test_a_raise_waits_until_the_last_one_is_seen() -> None:
    begun().given(*TALKING, raise_("4+3")).when(raise_("6+6", who=THOSS)).then_refused(
        "You's raise of 7 is for Captain Thoss to see first (or see none)."
    )


def test_a_raise_names_its_targets_when_several_are_possible() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP)

    story.when(raise_("4+3")).then_refused(
        'Name the people it affects, for they must see it: raise 4+3 "Captain Thoss"+Cy, or fewer of them.'
    )
    story.when(raise_("4+3", CY, THOSS)).then(raised(YOU, 4, 3, to=(CY, THOSS)))
    story.when(raise_("4+3", YOU)).then_refused("You cannot be affected by their own raise.")


def test_a_person_who_is_out_cannot_be_affected() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP, give(CY))

    story.when(raise_("4+3", CY)).then_refused("Cy is not in play here: You, Bea, Captain Thoss.")


# --- seeing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        ("5+1", "6 does not reach the raise of 7: 1 more, or see none."),
        ("7", "Captain Thoss has no 7 left: 1 1 1 3 4 5 6 6."),
    ],
)
def test_a_see_reaches_the_raise_with_dice_of_the_pool(forward: str, sentence: str) -> None:
    begun().given(*TALKING, raise_("4+3")).when(see(forward)).then_refused(sentence)


def test_only_a_blow_has_a_track() -> None:
    begun().given(*TALKING, raise_("4+3")).when(see("4+3", "social")).then_refused(
        "2 dice bring no fallout, so there is no track to name."
    )


def test_there_must_be_a_raise_to_see() -> None:
    begun().given(*TALKING).when(see("4+3")).then_refused(
        "No raise is on the table, so there is nothing to see."
    )


def test_all_affected_characters_see_before_the_next_raise() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP, raise_("3+3", THOSS, CY))

    story.when(see("2+4")).then_refused("Say who sees: Captain Thoss, Cy.")
    story = story.given(see("2+4", who=THOSS))
    assert state(story).to_act() == (CY,)
    story = story.when(see("1+1+2+2")).then(
        seen(CY, YOU, 6, Answer.BLOW, 1, 1, 2, 2, cost=g.Cost(amount=1, body=False, hard=False))
    )
    story.when(raise_("6+6", CY)).then_refused(
        "Cy takes 1 fallout: on which track, and why (or resist)? Answer with: physical, mental, social, "
        "societal. Rule on that first (ruling physical: why)."
    )


def test_a_kept_die_is_for_the_next_raise_and_nothing_else() -> None:
    story = begun(*SIDES, first=YOU, turn_order="best_two").given(
        approach(YOU, ASK, "2 2 2 2 2 2 1"),
        approach(BEA, ASK, "1 1 1 1"),
        approach(THOSS, ASK, "1 1 1 1 1 1 1"),
        approach(CY, ASK, "6 6 5 1"),
        raise_("2+2", CY),
        see("6"),
        raise_("6+6", THOSS),
        see(None),
    )
    assert kept(story, CY) == []

    story = begun((YOU,), (BEA,), (CY,), first=YOU).given(
        approach(YOU, ASK, "2 2 2 2 2 2 1"),
        approach(BEA, ASK, "5 5 1 1"),
        approach(CY, ASK, "4 4 4 2"),
        raise_("2+2", CY),
        see("4"),
        raise_("5+5", CY, who=BEA),
    )
    story.when(see("4+4+4")).then_refused("The 4 is kept for Cy's next raise; what may be spent now: 2 4 4.")


def test_two_reversals_make_the_whole_of_the_next_raise() -> None:
    story = begun((YOU,), (BEA,), (CY,), first=YOU, turn_order="seats").given(
        approach(YOU, ASK, "2 2 2 2 2 2 1"),
        approach(BEA, ASK, "3 1 1 1"),
        approach(CY, ASK, "6 5 1 1"),
        raise_("2+2", CY),
        see("5"),
        raise_("3+1", CY, who=BEA),
        see("6"),
    )
    assert kept(story, CY) == [5, 6]

    story.when(raise_("6+1", YOU, who=CY)).then_refused(
        "The 5 6 kept from the reversal must be in this raise: raise 5+…"
    )
    assert kept(story.given(raise_("5+6", YOU, who=CY)), CY) == []


# --- escalating and bringing ------------------------------------------------------------------------------


def test_one_escalates_on_ones_own_raise_or_see() -> None:
    begun().given(*TALKING).when(escalate(THOSS, FIGHT, None)).then_refused(
        "It is for You to raise now: Captain Thoss acts on a raise or see of their own."
    )
    begun().given(*TALKING, raise_("4+3")).when(bring(YOU, None, "legs")).then_refused(
        "It is for Captain Thoss to see now: You acts on a raise or see of their own."
    )


def test_escalating_is_to_another_approach() -> None:
    begun().given(*TALKING).when(escalate(YOU, TALK, None)).then_refused(
        "You goes about it opposed neutral already: choose another approach."
    )


def test_others_keep_their_approach() -> None:
    story = begun().given(*TALKING, escalate(YOU, FIGHT, "1 2 3"))

    assert [one.approach for one in state(story).people.values()] == ["opposed physical", "opposed neutral"]


# --- leaving ----------------------------------------------------------------------------------------------


def test_giving_is_possible_at_any_time() -> None:
    begun().given(*TALKING).when(give(THOSS)).then(gave(THOSS), *won(YOU))
    begun().when(give(THOSS)).then(gave(THOSS), *won(YOU))


def test_a_person_who_gives_need_not_be_named_on_their_turn() -> None:
    begun().given(*TALKING).when(give()).then(gave(YOU), *won(THOSS))


def test_a_person_who_cannot_raise_loses_the_stakes() -> None:
    begun().given(*TO_THE_REVERSAL[:8]).given(raise_("6+1")).when(see(None)).then(
        g.StakesLost(conflict=1, who=YOU, how="unseen"), *won(THOSS)
    )
    begun().given(*TALKING).when(raise_(None)).then(
        g.StakesLost(conflict=1, who=YOU, how="unraised"), *won(THOSS)
    )


def test_a_conflict_goes_on_until_one_side_is_left() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP).when(give(THOSS)).then(gave(THOSS))
    story = story.when(give(YOU)).then(gave(YOU))

    story.when(give(CY)).then(gave(CY), *won(YOU))


def test_with_the_raiser_gone_there_is_nothing_to_see() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP, raise_("3+3", THOSS, CY), give(YOU))

    assert state(story).raised is None
    assert state(story).raisers() == (BEA,)


def test_a_person_who_is_out_is_out() -> None:
    story = begun(*SIDES, first=YOU).given(*GROUP, give(THOSS))

    story.when(give(THOSS)).then_refused("Captain Thoss is out of this conflict.")
    story.when(raise_("4+4", who=THOSS)).then_refused("Captain Thoss is out of this conflict.")


def test_a_person_who_gave_before_choosing_an_approach_is_not_waited_for() -> None:
    story = (
        begun(*SIDES, first=YOU)
        .given(*GROUP[:3])
        .when(give(CY))
        .then(gave(CY), g.TurnOrderSet(conflict=1, order=(YOU, BEA, THOSS), best=(9, 12, 9)))
    )

    assert state(story).raisers() == (YOU,)


def test_the_best_die_is_kept_for_the_next_conflict_where_the_table_plays_so() -> None:
    story = begun(give_keeps="yes").given(*TALKING).when(give(YOU)).then(gave(YOU, die=7), *won(THOSS))
    story = story.given(opening(first=YOU), approach(YOU, ASK, "1 1 1 1 1 1 1"))

    assert story.table.conflicts[2].state.people[YOU].pool == [1] * 7 + [7]  # type: ignore[attr-defined]
    assert game_state(story.table).follow_ups == {}


def test_no_die_is_kept_by_who_gives_instead_of_seeing() -> None:
    begun(give_keeps="yes").given(*TALKING, raise_("4+3")).when(give(THOSS)).then(gave(THOSS), *won(YOU))


def test_the_table_may_end_it() -> None:
    story = begun().given(*TALKING)

    story.when(c.End(what="conflict", how="stalemate")).then(e.ConflictEnded(conflict=1, how="stalemate"))
    story.when(c.End(what="conflict", how="rained off")).then_refused(
        "A Guenašk conflict ends without a word, as stalemate, or as victory NAME; rained off is not known."
    )


def test_other_games_words_are_answered_with_this_ones() -> None:
    story = begun().given(*TALKING)

    story.when(c.Concede(who=YOU, text=TEXT)).then_refused(
        "Guenašk has no concessions; giving up needs no offer: give NAME: how."
    )
    story.when(c.Roll(who=YOU, dice="2d6")).then_refused(
        "Dice come onto this table by approach, escalate or bring, and lie there till they are spent."
    )


# --- rulings ----------------------------------------------------------------------------------------------


def test_a_ruling_may_lay_other_dice() -> None:
    story = begun().given(*TALKING, c.Rule(sets=(setting(YOU, "pool", "1 1 1 3 4 4 7"),), text=TEXT))

    assert pool(story, YOU) == [1, 1, 1, 3, 4, 4, 7]
    story.when(c.Rule(sets=(setting(YOU, "pool", "many"),), text=TEXT)).then_refused(
        "Say which dice lie before You: ruling You.pool=1,1,4: why."
    )


def test_a_die_that_a_ruling_takes_away_is_kept_no_longer() -> None:
    story = begun().given(*TO_THE_REVERSAL[:8], c.Rule(sets=(setting(THOSS, "pool", "1,1"),), text=TEXT))

    assert (pool(story, THOSS), kept(story, THOSS)) == ([1, 1], [])


def test_a_ruling_sets_stats_below_what_a_sheet_may_say() -> None:
    story = begun().given(c.Rule(sets=(setting(YOU, "mind", 1),), text=TEXT))

    assert game_state(story.table).sheets[YOU].stats["mind"] == 1
    story.when(c.Rule(sets=(setting(YOU, "charm", 1),), text=TEXT)).then_refused(
        "A ruling sets physical, mental, social, societal, body, mind, soft, hard, pool, follow-up or dead, "
        "not charm."
    )


def setting(person: int, what: str, value: int | str) -> e.Setting:
    return e.Setting(person=person, what=what, op="=", value=value)


# --- where it stands --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("happened", "stands"),
    [
        ((), "approach: You, Captain Thoss"),
        (TALKING, "You to raise"),
        ((*TALKING, raise_("4+3")), "Captain Thoss to see 7"),
        (TO_THE_REVERSAL[:8], "Captain Thoss to raise, with the 6 kept"),
        (TO_THE_REVERSAL[:9], "You to see 7"),
    ],
)
def test_a_toolbar_says_whose_turn_it_is(happened: tuple[Event | Command, ...], stands: str) -> None:
    table = begun().given(*happened).table

    assert turn(table, table.conflicts[1]) == stands


def test_a_toolbar_says_what_is_waited_for() -> None:
    unstaked = given(*CAST, *SHEETS, c.OpenConflict(system="guenask", sides=((YOU,), (THOSS,)))).table
    owing = begun(first=THOSS).given(*TALKING, raise_("1+1"), see("1+2+2")).table
    tied = begun(first=None).given(approach(YOU, TALK, "6 6 1 1 1 1"), approach(THOSS, TALK, "6 6 1 1 1 1 1"))

    assert turn(unstaked, unstaked.conflicts[1]) == "what is at stake?"
    assert turn(owing, owing.conflicts[1]) == "You takes 2 fallout: fallout You TRACK: why"
    assert turn(tied.table, tied.table.conflicts[1]) == "who raises first?"
