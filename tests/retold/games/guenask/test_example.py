"""The rulebook's one long example, GU-01 to GU-11: `docs/rules/guenask.md`, test vectors."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.rules import Answer, Approach, Stat
from tests.retold.games.guenask.at_the_table import (
    FIGHT,
    RUN,
    TALK,
    TALKING,
    THE_CHASE,
    THE_FIGHT,
    THOSS,
    TO_THE_REVERSAL,
    YOU,
    approach,
    begun,
    brought,
    cost,
    escalate,
    filled,
    gave,
    give,
    kept,
    marks,
    pool,
    raise_,
    raised,
    rolled,
    see,
    seen,
    state,
    stats,
    won,
)


def test_GU_01_two_stats_and_a_relationship_are_seven_dice_and_family_by_default_makes_eight() -> None:
    story = (
        begun()
        .when(approach(YOU, TALK, "1 2 2 3 4 4 7", "brother"))
        .then(
            g.ApproachChosen(
                conflict=1,
                who=YOU,
                approach=Approach.OPPOSED_NEUTRAL,
                stats=stats((Stat.MIND, 3), (Stat.HARD, 3)),
            ),
            rolled(YOU, "3d6", "1 2 2"),
            rolled(YOU, "3d6", "3 4 4"),
            brought(YOU, "brother", "relationship", "1d8"),
            rolled(YOU, "1d8", "7"),
        )
    )

    story.when(approach(THOSS, TALK, "1 1 1 3 4 5 6 6", **{"rel.sister": "family"})).then(
        g.ApproachChosen(
            conflict=1,
            who=THOSS,
            approach=Approach.OPPOSED_NEUTRAL,
            stats=stats((Stat.MIND, 4), (Stat.HARD, 3)),
        ),
        rolled(THOSS, "4d6", "1 1 1 3"),
        rolled(THOSS, "3d6", "4 5 6"),
        brought(THOSS, "sister", "relationship", "1d6"),
        rolled(THOSS, "1d6", "6"),
        g.TurnOrderSet(conflict=1, order=(YOU, THOSS), best=(11, 12)),
    )


def test_GU_02_a_seven_is_raised_and_blocked() -> None:
    story = begun().given(*TALKING)
    assert (pool(story, YOU), pool(story, THOSS)) == ([1, 2, 2, 3, 4, 4, 7], [1, 1, 1, 3, 4, 5, 6, 6])

    story = story.when(raise_("4+3")).then(raised(YOU, 4, 3, to=(THOSS,)))
    assert pool(story, YOU) == [1, 2, 2, 4, 7]
    story = story.when(see("4+3")).then(seen(THOSS, YOU, 7, Answer.BLOCK, 4, 3))

    assert pool(story, THOSS) == [1, 1, 1, 5, 6, 6]


def test_GU_03_an_eleven_is_raised_and_blocked() -> None:
    story = begun().given(*TO_THE_REVERSAL[:6])

    assert (pool(story, YOU), pool(story, THOSS)) == ([1, 2, 2], [1, 1, 1, 6])
    assert story.events[-2:] == (
        raised(THOSS, 5, 6, to=(YOU,)),
        seen(YOU, THOSS, 11, Answer.BLOCK, 7, 4),
    )


def test_GU_04_a_reversing_die_is_kept_for_the_next_raise() -> None:
    story = begun().given(*TO_THE_REVERSAL[:7]).when(see("6")).then(seen(THOSS, YOU, 4, Answer.REVERSE, 6))
    assert (pool(story, YOU), pool(story, THOSS), kept(story, THOSS)) == ([1], [1, 1, 1, 6], [6])

    story = story.when(raise_("6+1")).then(raised(THOSS, 6, 1, to=(YOU,)))
    assert (pool(story, THOSS), kept(story, THOSS)) == ([1, 1], [])

    story.when(see(None)).then(g.StakesLost(conflict=1, who=YOU, how="unseen"), *won(THOSS))


def test_GU_04_the_corrected_roll_comes_to_the_same() -> None:
    corrected = (
        approach(YOU, TALK, "1 1 1 3 4 4 7", "brother"),
        *TO_THE_REVERSAL[1:6],
        raise_("1+1"),
        see("6"),
    )
    story = begun().given(*corrected, raise_("6+1"))

    assert (pool(story, YOU), pool(story, THOSS)) == ([1], [1, 1])


def test_GU_05_escalating_at_that_moment_rolls_the_other_two_stats_and_goes_on() -> None:
    story = (
        begun()
        .given(*TO_THE_REVERSAL)
        .when(escalate(YOU, RUN, "1 3 4 5 5 5 6 4", "legs"))
        .then(
            g.Escalated(
                conflict=1,
                who=YOU,
                approach=Approach.UNOPPOSED_PHYSICAL,
                was=Approach.OPPOSED_NEUTRAL,
                stats=stats((Stat.BODY, 3), (Stat.SOFT, 4)),
            ),
            rolled(YOU, "3d6", "1 3 4"),
            rolled(YOU, "4d6", "5 5 5 6"),
            brought(YOU, "legs", "trait", "1d8"),
            rolled(YOU, "1d8", "4"),
        )
    )
    assert pool(story, YOU) == [1, 1, 3, 4, 4, 5, 5, 5, 6]

    story = story.given(see("4+3"), raise_("5+5"))

    assert pool(story, YOU) == [1, 1, 4, 5, 6]


def test_GU_06_four_dice_take_the_blow_for_three_fallout() -> None:
    three = cost(3, body=True, hard=True)
    story = begun().given(*TO_THE_REVERSAL, *THE_CHASE[:4])
    assert pool(story, THOSS) == [1, 1, 1, 1, 2, 2, 2, 5]

    story = story.when(see("5+2+2+1")).then(
        seen(THOSS, YOU, 10, Answer.BLOW, 5, 2, 2, 1, cost=three),
        g.FalloutTaken(conflict=1, who=THOSS, track="stages", cost=three, points=3, total=3, boxes=15),
        filled(THOSS, "stages", 1),
    )
    assert pool(story, THOSS) == [1, 1, 1, 2]

    story.when(give(THOSS)).then(gave(THOSS), *won(YOU))


def test_GU_07_fighting_rolls_no_stat_again_and_the_pistol_makes_a_blow_cost_four() -> None:
    story = (
        begun()
        .given(*TO_THE_REVERSAL, *THE_CHASE)
        .when(THE_FIGHT[0])  # type: ignore[arg-type]
        .then(
            g.Escalated(
                conflict=1,
                who=THOSS,
                approach=Approach.OPPOSED_PHYSICAL,
                was=Approach.UNOPPOSED_PHYSICAL,
            ),
            brought(THOSS, "sharpshooter", "trait", "2d6"),
            rolled(THOSS, "2d6", "3 4"),
            brought(THOSS, "pistol", "belonging", "1d4+1d8", dangerous=True),
            rolled(THOSS, "1d4+1d8", "3 7"),
        )
    )
    assert pool(story, THOSS) == [1, 1, 1, 2, 3, 3, 4, 7]

    story = story.given(raise_("3+4"))

    assert pool(story, THOSS) == [1, 1, 1, 2, 3, 7]
    assert [state(story).cost(who).amount for who in (YOU, THOSS)] == [4, 4]


def test_GU_08_a_late_trait_blocks_and_the_last_raise_lands() -> None:
    four = cost(4, body=True, hard=True, dangerous=1)
    story = begun().given(*TO_THE_REVERSAL, *THE_CHASE, *THE_FIGHT[:3])
    assert pool(story, YOU) == [1, 1, 3, 4, 5, 6, 8]

    story = story.given(*THE_FIGHT[3:5])
    assert pool(story, YOU) == [1, 3, 5]
    story = story.when(see("7+3+2")).then(
        seen(THOSS, YOU, 12, Answer.BLOW, 7, 3, 2, cost=four),
        g.FalloutTaken(conflict=1, who=THOSS, track="stages", cost=four, points=4, total=7, boxes=15),
        filled(THOSS, "stages", 2),
    )

    assert (pool(story, THOSS), marks(story, THOSS, "stages")) == ([1, 1, 1], 7)
    story.when(give()).then(gave(THOSS), *won(YOU))


@pytest.mark.parametrize(
    ("approach_", "dangerous", "amount"),
    [
        (Approach.UNOPPOSED_NEUTRAL, 0, 1),
        (Approach.OPPOSED_NEUTRAL, 0, 2),
        (Approach.UNOPPOSED_PHYSICAL, 0, 2),
        (Approach.OPPOSED_PHYSICAL, 0, 3),
        (Approach.OPPOSED_PHYSICAL, 1, 4),
        (Approach.UNOPPOSED_NEUTRAL, 2, 3),
    ],
)
def test_GU_10_what_was_brought_makes_up_the_fallout(
    approach_: Approach, dangerous: int, amount: int
) -> None:
    assert rules.fallout(approach_.stats, dangerous).amount == amount


def test_GU_11_each_stat_is_rolled_once_in_a_conflict() -> None:
    story = begun().given(*TO_THE_REVERSAL, escalate(YOU, RUN, "1 3 4 5 5 5 6"))

    story.when(escalate(YOU, FIGHT, None)).then(
        g.Escalated(conflict=1, who=YOU, approach=Approach.OPPOSED_PHYSICAL, was=Approach.UNOPPOSED_PHYSICAL)
    )
