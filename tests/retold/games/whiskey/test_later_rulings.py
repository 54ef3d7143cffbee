"""What was ruled or chosen holds while what it is about stands (docs/rules/whiskey.md §6 and §8)."""

from __future__ import annotations

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import Clash, pending
from retold.games.whiskey.state import conflict_state, game_state
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.whiskey.at_the_ford import duels, pairs
from tests.retold.games.whiskey.spoken import (
    ANN,
    BOB,
    XENA,
    YUL,
    ZED,
    come_of,
    outlook,
    refusal,
    table,
    typed,
)
from tests.scenario import Story

BY_GM = "option whiskey.loop_break=gm"


def ring() -> Story:
    """Ann is after Bob, Bob after Xena and Xena after Ann, and Bob was said to get through."""
    return table(
        BY_GM,
        'conflict "x" whiskey Ann+Bob vs Xena',
        "declare Ann engage Bob",
        "declare Bob engage Xena",
        "declare Xena engage Ann",
        "ruling loop=Bob: q",
    )


# --- rings ------------------------------------------------------------------------------------------------


def test_A1_the_fighter_let_through_the_ring_may_fall_first() -> None:
    story = typed(ring(), "ruling Bob.hp=0: trap")

    assert outlook(story).choices[0].command == Clash()
    assert pairs(typed(story, "clash")) == duels((XENA, ANN))


def test_A1_a_person_who_is_raised_again_is_in_the_ring_and_through_it_again() -> None:
    story = typed(ring(), "ruling Bob.hp=0: trap", "ruling Bob.hp=9: a hand up")

    assert pairs(typed(story, "clash")) == duels((BOB, XENA), (ANN, BOB))


def fallen_open() -> Story:
    """A ring of Ann, Bob and Xena beside two who are after each other's friends, with Bob let through."""
    return table(
        BY_GM,
        'conflict "x" whiskey Ann+Bob vs Xena+Yul+Zed+Dee',
        "declare Ann engage Bob",
        "declare Bob engage Xena",
        "declare Xena guard Zed",
        "declare Dee guard Zed",
        "declare Zed stand",
        "declare Yul engage Zed",
        "ruling Xena.engage=Ann Dee.engage=Yul: a",
        "ruling loop=Bob: b",
        "ruling Xena.engage=Yul Dee.engage=Xena: c",
    )


def test_A2_a_person_who_got_through_a_ring_does_not_when_the_ring_is_no_more() -> None:
    story = typed(fallen_open(), "clash")

    assert conflict_state(story.table.conflicts[1]).phase.fates[BOB].by == (ANN,)
    assert pairs(story) == duels((ANN, BOB), (6, XENA), (YUL, ZED))


def test_A2_a_returning_fighter_can_break_the_ring() -> None:
    story = table(
        BY_GM,
        'conflict "x" whiskey Ann+Bob vs Xena+Zed',
        "ruling Zed.hp=0: down",
        "declare Ann engage Bob",
        "declare Bob engage Xena",
        "declare Xena engage Ann",
        "ruling loop=Bob: b",
        "ruling Zed.hp=5: up",
        "declare Zed engage Bob",
    )

    assert pairs(typed(story, "clash")) == duels((ZED, BOB), (XENA, ANN))


def test_A2_another_ring_is_another_question() -> None:
    story = typed(fallen_open(), "ruling Xena.engage=Ann Dee.engage=Ann: as it was, nearly")
    assert pending(story.table, story.table.conflicts[1]) == ()

    story = table(
        BY_GM,
        'conflict "x" whiskey Ann+Bob vs Xena+Yul',
        "declare Ann engage Bob",
        "declare Bob guard: the gate",
        "declare Xena engage Ann",
        "declare Yul engage Xena",
        "ruling Bob.engage=Xena: one",
    )
    assert pending(story.table, story.table.conflicts[1]) == ()
    story = typed(story, "ruling Bob.engage=Yul: a longer way round")
    (asked,) = pending(story.table, story.table.conflicts[1])
    assert asked.answers == (ANN, BOB, YUL, XENA)


# --- guards -----------------------------------------------------------------------------------------------


def guarded() -> Story:
    """Ann and Bob are after Xena, whom Yul guards, and Yul is to stop Bob."""
    return table(
        'conflict "x" whiskey Ann+Bob vs Xena+Yul+Zed',
        "declare Ann engage Xena",
        "declare Bob engage Xena",
        "declare Yul guard Xena",
        "declare Xena stand",
        "declare Zed stand",
        "ruling Yul.engage=Bob: so",
    )


def test_A4_a_guard_whose_man_has_fallen_stops_the_other() -> None:
    assert pairs(typed(guarded(), "ruling Bob.hp=0: trap", "clash")) == duels((YUL, ANN))
    assert pairs(typed(guarded(), "clash")) == duels((YUL, BOB), (ANN, XENA))


def test_A4_a_guard_of_a_fallen_fighter_stops_no_attacker() -> None:
    story = table(
        'conflict "x" whiskey Ann+Bob vs Xena+Yul',
        "declare Ann engage Xena",
        "declare Bob engage Xena",
        "declare Yul guard Xena",
        "declare Xena stand",
        "ruling Xena.hp=0: trap",
    )

    assert pending(story.table, story.table.conflicts[1]) == ()
    assert pairs(typed(story, "clash")) == set()


def test_A4_a_ruling_may_let_a_guard_stop_no_attacker() -> None:
    for word in ("nobody", "none"):
        story = typed(guarded(), f"ruling Yul.engage={word}: He looks the other way.")
        assert story.events[-1] == w.GuardAssigned(conflict=1, who=YUL)
        assert pairs(typed(story, "clash")) == duels((ANN, XENA), (BOB, XENA))


def test_A4_a_guard_question_accepts_stopping_no_attacker() -> None:
    story = Story(guarded().events[:-2])
    (asked,) = pending(story.table, story.table.conflicts[1])
    assert asked.answers == (ANN, BOB, "nobody")

    story = typed(story, "ruling nobody: He sleeps.")
    assert story.events[-1] == w.GuardAssigned(conflict=1, who=YUL)


# --- whoever falls before a check -------------------------------------------------------------------------


def two_clashes(*more: str) -> Story:
    """Ann is on Xena and Bob on Yul; then these lines."""
    return table(
        'conflict "x" whiskey Ann+Bob vs Xena+Yul',
        "declare Ann engage Xena",
        "declare Bob engage Yul",
        "declare Xena stand",
        "declare Yul stand",
        "clash",
        *more,
    )


def test_a_person_who_falls_by_a_ruling_has_no_check_any_more() -> None:
    story = two_clashes()

    assert come_of(story, "ruling Xena.hp=0: The bridge goes.")[1:] == [
        w.NumberSet(who=XENA, what="hp", value=0),
        w.Incapacitated(conflict=1, who=XENA),
        w.ClashDropped(conflict=1, one=ANN, other=XENA, gone=(XENA,)),
    ]


def test_with_the_last_check_that_falls_away_the_phase_is_over() -> None:
    story = two_clashes("check Ann Xena = 5H 6")

    assert come_of(story, "ruling Yul.hp=0: The bridge goes.")[2:] == [
        w.Incapacitated(conflict=1, who=YUL),
        w.ClashDropped(conflict=1, one=BOB, other=YUL, gone=(YUL,)),
        w.DamageDealt(conflict=1, winner=ANN, loser=XENA, amount=8, left=12),
        w.PhaseEnded(conflict=1, phase=1),
    ]


def test_a_pair_made_by_hand_that_falls_away_ends_no_phase() -> None:
    story = table('conflict "x" whiskey Ann+Bob vs Xena', "clash Ann Xena", "ruling Xena.hp=0: gone")

    assert not conflict_state(story.table.conflicts[1]).phase.clashes
    assert conflict_state(story.table.conflicts[1]).phase.number == 1
    typed(story, "declare Ann stand", "declare Bob stand", "clash")


def test_a_triangle_that_loses_a_corner_is_not_asked_about() -> None:
    story = table("conflict whiskey Ann vs Xena vs Yul", "clash Ann Xena", "clash Ann Yul", "clash Xena Yul")
    assert len(pending(story.table, story.table.conflicts[1])) == 1

    story = typed(story, "ruling Yul.hp=0: gone")
    assert pending(story.table, story.table.conflicts[1]) == ()
    assert pairs(story) == duels((ANN, XENA))


def test_a_ruling_of_several_numbers_takes_each_as_the_one_before_left_it() -> None:
    story = typed(two_clashes(), "ruling Ann.hp-=2 Ann.hp-=3 Xena.combat+=1 Xena.combat+=1: twice")

    typed(story, "expect hp Ann 15", "expect combat Xena 12")


def test_a_person_who_falls_in_one_fight_has_no_check_in_another() -> None:
    story = two_clashes(
        "check Bob Yul = 5H 6",
        'conflict "y" whiskey Xena vs Dee',
        "clash Xena Dee",
    )
    events = come_of(story, "ruling Xena.hp=0: gone")

    assert events[1:] == [
        w.NumberSet(who=XENA, what="hp", value=0),
        w.Incapacitated(conflict=2, who=XENA),
        w.ClashDropped(conflict=1, one=ANN, other=XENA, gone=(XENA,)),
        w.DamageDealt(conflict=1, winner=BOB, loser=YUL, amount=8, left=12),
        w.PhaseEnded(conflict=1, phase=1),
        w.ClashDropped(conflict=2, one=XENA, other=6, gone=(XENA,)),
    ]
    assert Story((*story.events, *events)).table.addressed == 2


# --- a fight that breaks off ------------------------------------------------------------------------------


def passed() -> Story:
    """Xena has four hit points left, and Ann's check passed for eight; Bob's is to be made."""
    return typed(two_clashes(), "ruling Xena.hp=4: so it is", "check Ann Xena = 5H 6", "concede Xena: Mercy.")


def test_A5_finished_checks_count_when_a_fighter_concedes() -> None:
    story = passed()

    assert come_of(story, "accept Ann") == [
        e.ConcessionAccepted(conflict=1, who=ANN, whose=XENA),
        w.ClashDropped(conflict=1, one=BOB, other=YUL),
        w.DamageDealt(conflict=1, winner=ANN, loser=XENA, amount=8, left=-4),
        w.Incapacitated(conflict=1, who=XENA),
        w.PhaseEnded(conflict=1, phase=1),
        e.ConflictEnded(conflict=1, how="conceded", winner=ANN),
    ]
    assert XENA in game_state(typed(story, "accept Ann").table).down


def test_A5_a_fight_can_be_broken_off_with_checks_due() -> None:
    story = typed(two_clashes(), "check Ann Xena = 5H 6")

    assert refusal(story, "end conflict") == (
        "These still need their check: Bob and Yul. "
        "A fight that breaks off before it: end conflict retreat, or surrender, or stalemate."
    )
    assert come_of(story, "end conflict retreat: Down the stairs.") == [
        w.ClashDropped(conflict=1, one=BOB, other=YUL),
        w.DamageDealt(conflict=1, winner=ANN, loser=XENA, amount=8, left=12),
        w.PhaseEnded(conflict=1, phase=1),
        e.ConflictEnded(conflict=1, how="retreat", text=Words("Down the stairs.")),
    ]


def test_A5_if_nothing_was_checked_nothing_counts() -> None:
    assert come_of(two_clashes(), "end conflict stalemate") == [e.ConflictEnded(conflict=1, how="stalemate")]
