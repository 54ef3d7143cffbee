"""Reinforcements, who gets away, and what fights without a sheet (docs/rules/whiskey.md §6)."""

from __future__ import annotations

import pytest

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import turn
from retold.games.whiskey.state import conflict_state, game_state, sheet_of
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.whiskey.at_the_ford import duels, pairs
from tests.retold.games.whiskey.spoken import (
    ANN,
    BOB,
    DEE,
    XENA,
    YUL,
    ZED,
    come_of,
    refusal,
    table,
    typed,
)
from tests.scenario import Story


def fight(*lines: str) -> Story:
    """Ann and Bob against Xena and Yul; then these lines."""
    return table('conflict "x" whiskey Ann+Bob vs Xena+Yul', *lines)


def upon_each_other(*lines: str) -> Story:
    """Ann is on Xena and Bob on Yul, and no check is made; then these lines."""
    return fight("clash Ann Xena", "clash Bob Yul", *lines)


def stands(story: Story) -> str:
    return turn(story.table, story.table.conflicts[1])


# --- joining ----------------------------------------------------------------------------------------------


def test_A60_a_person_who_joins_while_all_declare_declares_too() -> None:
    story = fight("declare Ann engage Xena", "declare Bob stand", "declare Xena stand", "declare Yul stand")

    assert come_of(story, "join Zed Xena: Over the wall.") == [
        e.Joined(conflict=1, people=(ZED,), side=XENA, text=Words("Over the wall."))
    ]
    story = typed(story, "join Zed Xena: Over the wall.")
    assert stands(story) == "phase 1 · to declare: Zed"
    assert pairs(typed(story, "declare Zed engage Bob", "clash")) == duels((ANN, XENA), (ZED, BOB))


def test_A60_a_person_who_joins_between_checks_acts_in_the_next_phase() -> None:
    story = upon_each_other("join Zed Yul: Late.")

    assert refusal(story, "declare Zed stand") == (
        "The clashes of this phase come first: Ann and Xena, Bob and Yul (check)."
    )
    story = typed(story, "check Ann Xena = 5H 1", "check Bob Yul = 6H 1")
    assert stands(story) == "phase 2 · to declare: Ann, Bob, Xena, Yul, Zed"
    typed(story, "declare Zed engage Ann")


def test_A60_a_person_who_joins_after_the_reveal_has_seen_too_much_for_this_phase() -> None:
    story = table(
        'conflict "x" whiskey Ann vs Xena',
        "declare Ann engage Xena --sealed",
        "declare Xena stand --sealed",
        "reveal",
        "join Zed Xena: Late.",
    )

    assert refusal(story, "declare Zed engage Ann") == (
        "Zed came after the reveal, and declares from the next phase on."
    )
    story = typed(story, "clash", "check = 5H 1")
    assert stands(story) == "phase 2 · to declare: Ann, Xena, Zed"


def test_A60_a_person_who_joins_before_the_reveal_seals_too() -> None:
    story = table(
        'conflict "x" whiskey Ann vs Xena', "declare Ann stand --sealed", "declare Xena stand --sealed"
    )

    assert refusal(typed(story, "join Zed Xena: x"), "reveal") == (
        "All is revealed at once, and these have not declared yet this phase: Zed."
    )


def test_A60_a_new_character_may_form_a_new_side() -> None:
    story = fight("join Wolves: Out of the wood.", "cast Wolves whiskey combat=8 base=1 die=1 hp=6")

    assert story.table.conflicts[1].sides == ((ANN, BOB), (XENA, YUL), (9,))
    assert pairs(typed(story, "clash Wolves Ann")) == duels((9, ANN))


# --- leaving ----------------------------------------------------------------------------------------------


def test_A60_a_person_who_leaves_before_the_clashes_takes_their_intent_along() -> None:
    story = fight(
        "declare Ann engage Xena",
        "declare Bob engage Xena",
        "declare Xena stand",
        "declare Yul guard Xena",
        "ruling Yul.engage=Bob: so",
    )

    assert come_of(story, "leave Bob: Out by the window.") == [
        e.Left(conflict=1, people=(BOB,), side=ANN, text=Words("Out by the window."))
    ]
    story = typed(story, "leave Bob: Out by the window.")
    assert list(conflict_state(story.table.conflicts[1]).phase.intents) == [ANN, XENA, YUL]
    assert pairs(typed(story, "clash")) == duels((ANN, YUL))


def test_A60_a_person_who_comes_back_in_the_same_phase_declares_anew() -> None:
    story = fight("declare Bob engage Xena", "leave Bob: Out.", "join Bob Ann: And in again.")

    assert "Bob" in stands(story)
    story = fight("declare Bob stand --sealed", "leave Bob: Out.")
    assert not conflict_state(story.table.conflicts[1]).phase.sealed


def test_A60_a_clashing_fighter_cannot_leave_before_the_check() -> None:
    story = upon_each_other("join Zed Xena: x", "check Bob Yul = 5H 1")

    for name in ("Ann", "Bob", "Yul"):
        assert refusal(story, f"leave {name}: Away.") == (
            f"{name} cannot get away before this phase is over, for they are in a clash. "
            "These still need their check: Ann and Xena (check)."
        )
    assert isinstance(typed(story, "leave Zed: He is upon nobody.").events[-1], e.Left)
    typed(story, "check Ann Xena = 6H 1", "leave Ann: Away.")


def test_A60_the_side_that_stays_has_won() -> None:
    story = table('conflict "x" whiskey Ann vs Xena', "declare Ann stand")

    assert come_of(story, "leave Xena: Away.")[1:] == [e.ConflictEnded(conflict=1, how="left", winner=ANN)]


# --- a side without a sheet -------------------------------------------------------------------------------


def storm(numbers: str) -> Story:
    return table(f'conflict "The crossing" whiskey Ann+Bob vs Storm {numbers}', "clash Ann Storm")


def test_A60_a_storm_fights_by_the_numbers_on_the_line() -> None:
    story = storm("combat=12 base=1 die=1")

    assert sheet_of(story.table, 9).combat == 12
    assert come_of(story, "check Ann Storm = AS 3")[3:] == [
        w.DamageDealt(conflict=1, winner=9, loser=ANN, amount=4, left=16),
        w.PhaseEnded(conflict=1, phase=1),
    ]
    # It has no hit points to lose, and is never out.
    assert come_of(story, "check Ann Storm = KH 3")[3:] == [
        w.DamageDealt(conflict=1, winner=ANN, loser=9, amount=5),
        w.PhaseEnded(conflict=1, phase=1),
    ]
    assert not game_state(typed(story, "check Ann Storm = KH 3").table).down


def test_A60_several_upon_a_storm_never_put_it_out() -> None:
    story = typed(storm("combat=12 base=1"), "clash Bob Storm", "check Ann Storm = AS 1")

    came = come_of(story, "check Bob Storm = KH 6")
    assert not [one for one in came if isinstance(one, w.DamageSuppressed | w.Incapacitated)]


def test_A60_with_hit_points_it_can_be_put_out() -> None:
    story = storm("combat=5 hp=3")

    assert w.Incapacitated(conflict=1, who=9) in come_of(story, "check Ann Storm = KH 3")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "conflict whiskey Ann vs Xena combat=12",
            "Numbers on this line are for a side without a sheet, and here all have one.",
        ),
        (
            "conflict whiskey Ann vs Storm hp=12",
            "A side without a sheet needs its combat at least: combat=12.",
        ),
        ("conflict whiskey Ann vs Storm combat=high", "combat is a whole number, not high: combat=4."),
    ],
)
def test_A60_invalid_numbers_for_a_side_are_refused(line: str, sentence: str) -> None:
    assert refusal(table(), line) == sentence


def test_A60_numbers_skip_fighters_with_a_sheet_or_a_player() -> None:
    story = table("cast Eve by=Pa", 'conflict "x" whiskey Ann+Eve vs Storm+Dee combat=12')

    assert [sheet_of(story.table, who).combat for who in (ANN, DEE, 10)] == [10, 10, 12]
    assert refusal(story, "clash Eve Storm").startswith("Eve cannot fight without combat, base, die, hp")
