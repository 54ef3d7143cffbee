"""A storm, a lock, a crowd: what stands against somebody and has no sheet is so many loose dice."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask.commands import turn
from retold.games.guenask.facts import FACTS
from retold.games.guenask.rules import Answer, Approach
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Command, Event, Words
from tests.cli.test_dump_script import assert_says_the_same_again
from tests.retold.games.guenask.at_the_table import (
    CAST,
    FIGHT,
    RUN,
    SHEETS,
    THOSS,
    YOU,
    approach,
    bring,
    brought,
    cost,
    escalate,
    fallout,
    filled,
    gave,
    give,
    marks,
    opening,
    option,
    outlook,
    pool,
    raise_,
    raised,
    resist,
    results,
    see,
    seen,
    sheet,
    state,
    won,
)
from tests.scenario import Story, cast, given
from tests.wandering.evening import evening

STORM = 5
STAKES = Words("the boat")
ROWS = option("boxes_per_row", "3")


def storm(*, first: int | None = YOU, who: int = STORM) -> Story:
    """You against a storm, or against whatever the game master has; nobody has any dice yet."""
    return given(*CAST, *cast("Storm", first=STORM), *SHEETS, ROWS, opening((YOU,), (who,), first=first))


def roll(who: int | None, dice: str | None, faces: str | None = None) -> c.Roll:
    return c.Roll(who=who, dice=dice, results=results(faces))


def rolled(who: int, dice: str, faces: str) -> e.DiceRolled:
    return e.DiceRolled(conflict=1, who=who, dice=dice, faces=tuple(map(int, faces.split())))


MINE = approach(YOU, RUN, "1 2 3 4 4 6 6")
THEIRS = roll(STORM, "4d6", "1 2 5 6")


@pytest.mark.parametrize("who", [STORM, GM])
def test_A10_what_has_no_sheet_comes_in_with_loose_dice(who: int) -> None:
    story = storm(who=who).given(MINE).when(roll(who, "4d6", "1 2 5 6"))

    done = story.then(
        rolled(who, "4d6", "1 2 5 6"), g.TurnOrderSet(conflict=1, order=(YOU, who), best=(12, 11))
    )
    assert pool(done, who) == [1, 2, 5, 6]
    done.when(raise_("6+6")).then(raised(YOU, 6, 6, to=(who,)))


@pytest.mark.parametrize(
    ("wish", "events"),
    [
        (
            approach(STORM, FIGHT, "1 6", hail="2d6"),
            (
                g.ApproachChosen(conflict=1, who=STORM, approach=Approach.OPPOSED_PHYSICAL, stats=()),
                brought(STORM, "hail", "trait", "2d6"),
                rolled(STORM, "2d6", "1 6"),
            ),
        ),
        (
            bring(STORM, "1 6", hail="2d6", dangerous=True),
            (brought(STORM, "hail", "belonging", "2d6", dangerous=True), rolled(STORM, "2d6", "1 6")),
        ),
    ],
)
def test_it_may_as_well_come_by_an_approach_or_be_brought(wish: Command, events: tuple[Event, ...]) -> None:
    story = storm().when(wish).then(*events)

    assert state(story).without_approach() == (YOU,)
    assert state(story).people[STORM].loose


def test_a_blow_costs_it_nothing_but_the_dice() -> None:
    story = storm().given(MINE, THEIRS, raise_("4+4"))
    story = story.when(see("6+1+2")).then(seen(STORM, YOU, 8, Answer.BLOW, 6, 1, 2))

    assert (pool(story, STORM), state(story).owed, marks(story, STORM, "physical")) == ([5], {}, 0)
    story.when(fallout(STORM, "physical")).then_refused(
        "Storm has no fallout to take: it comes with a blow, a see of three dice or more."
    )


def test_a_character_without_a_sheet_names_no_track() -> None:
    storm().given(MINE, THEIRS, raise_("4+4")).when(see("6+1+2", "physical")).then_refused(
        "Storm has no sheet and bears no fallout: leave out physical."
    )


def test_it_bears_fallout_once_it_has_stages() -> None:
    story = storm().given(sheet(STORM, stages=1), MINE, THEIRS, raise_("4+4"))

    story.when(see("6+1+2")).then(
        seen(STORM, YOU, 8, Answer.BLOW, 6, 1, 2, cost=cost(1)),
        g.FalloutTaken(conflict=1, who=STORM, track="stages", cost=cost(1), points=1, total=1, boxes=3),
    )
    full = story.given(g.NumberSet(who=STORM, what="stages", value=2))
    full.when(see("6+1+2+5")).then(
        seen(STORM, YOU, 8, Answer.BLOW, 6, 1, 2, 5, cost=cost(1)),
        g.FalloutTaken(conflict=1, who=STORM, track="stages", cost=cost(1), points=1, total=3, boxes=3),
        filled(STORM, "stages", 1),
        gave(STORM, forced=True),
        *won(YOU),
    )


def test_what_it_does_costs_others_as_ever() -> None:
    story = storm(first=STORM).given(
        MINE, bring(STORM, "4 4 6", dangerous=True, lightning="3d6"), raise_("4+4")
    )

    assert FACTS["cost"].read(story.table, story.table.conflicts[1], YOU) == ("3",)
    assert FACTS["cost"].read(story.table, story.table.conflicts[1], STORM) == ("0",)
    assert FACTS["cost"].read(story.table, story.table.conflicts[1], THOSS) == ()
    assert FACTS["owed"].read(story.table, story.table.conflicts[1], YOU) == ()
    owing = story.given(see("6+1+2"))
    assert FACTS["owed"].read(owing.table, owing.table.conflicts[1], YOU) == ("3",)
    owing.when(resist(4)).then(g.FalloutResisted(conflict=1, who=YOU, die=4, amount=3))


def test_it_grows_by_more_dice_on_its_own_raise_or_see() -> None:
    story = storm().given(MINE, THEIRS)
    story.when(roll(STORM, "2d6", "1 1")).then_refused(
        "It is for You to raise now: Storm acts on a raise or see of their own."
    )

    story = story.given(raise_("6+6")).when(roll(STORM, "2d6", "1 1")).then(rolled(STORM, "2d6", "1 1"))
    assert pool(story, STORM) == [1, 1, 1, 2, 5, 6]


def test_it_gives_without_a_die_kept_for_later() -> None:
    story = storm(first=STORM).given(option("give_keeps", "yes"), MINE, THEIRS)

    story.when(give(STORM)).then(gave(STORM), *won(YOU))


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            approach(STORM, FIGHT, None),
            (
                "Storm has no sheet here, so roll loose dice: roll Storm 4d6; "
                "or write one: cast Storm guenask body=2 mind=2 soft=2 hard=2."
            ),
        ),
        (roll(None, "4d6"), "Say whose dice they are, and how many: roll Storm 4d6."),
        (roll(THOSS, "4d6"), "Captain Thoss is not in this conflict (You, Storm): roll Storm 4d6."),
        (roll(STORM, None), "Say which dice: roll Storm 4d6."),
        (roll(STORM, "4dF"), "Fudge dice have no place in a pool: write 1d6 or 2d8."),
        (raise_("4+4"), "No dice yet: loose ones stand for Storm (roll NAME 4d6)."),
        (
            roll(YOU, "2d6"),
            "Dice come onto this table by approach, escalate or bring, and lie there till they are spent.",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_line_that_does(wish: Command, sentence: str) -> None:
    storm().given(MINE).when(wish).then_refused(sentence)


def crossing(
    *sides: tuple[int, ...], dice: str = "4d6", faces: str | None = "1 2 5 6", stakes: Words | None = STAKES
) -> c.OpenConflict:
    return c.OpenConflict(
        system="guenask", sides=sides, setup={"dice": dice}, results=results(faces), text=stakes
    )


TWO_STORMS = (*CAST, *cast("Storm", first=STORM), *cast("Lock", first=STORM + 1), *SHEETS, ROWS)


def opened(*sides: tuple[int, ...]) -> e.ConflictOpened:
    return e.ConflictOpened(conflict=1, system="guenask", sides=sides, text=STAKES)


def test_loose_dice_on_the_conflicts_line_lie_there_as_it_opens() -> None:
    story = given(*TWO_STORMS).when(crossing((YOU,), (STORM,)))

    done = story.then(opened((YOU,), (STORM,)), rolled(STORM, "4d6", "1 2 5 6"))
    assert state(done).without_approach() == (YOU,)
    done.given(g.InitiatorNamed(conflict=1, who=YOU), MINE).when(raise_("6+6")).then(
        raised(YOU, 6, 6, to=(STORM,))
    )


def test_loose_dice_on_the_conflicts_line_are_for_each_who_has_no_sheet() -> None:
    story = given(*TWO_STORMS).when(crossing((YOU, STORM + 1), (STORM,), faces="1 2 5 6 3 3 4 4"))

    story.then(
        opened((YOU, STORM + 1), (STORM,)),
        rolled(STORM + 1, "4d6", "1 2 5 6"),
        rolled(STORM, "4d6", "3 3 4 4"),
    )


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            crossing((YOU,), (THOSS,)),
            "dice= on this line is for a side without a sheet, and here all have one.",
        ),
        (
            crossing((STORM,), (STORM + 1,)),
            "dice= on this line is for a side without a sheet, and here no other side opposes it.",
        ),
        (
            crossing((YOU,), (STORM,), stakes=None),
            "What is at stake comes before the dice, after a colon: … dice=4d6: the boat.",
        ),
        (crossing((YOU,), (STORM,), dice="x"), "“x” is not dice: write 2d6+1d8, d20 or 4dF."),
        (crossing((YOU,), (STORM,), faces="1 2"), "4 dice are rolled here and 2 were given."),
        (crossing((YOU,), (STORM,), faces="1 2 3 4 5"), "1 result too many: 5."),
    ],
)
def test_loose_dice_on_the_conflicts_line_that_do_not_fit(wish: c.OpenConflict, sentence: str) -> None:
    given(*TWO_STORMS).when(wish).then_refused(sentence)


def test_loose_dice_of_the_conflicts_line_are_dumped_with_it_and_no_side_is_dice_alone() -> None:
    with evening(("cast Hana guenask body=3 mind=3 soft=3 hard=3",)) as night:
        assert night.type('conflict "The crossing" guenask Hana vs Storm dice=4d6 = 1 2 5 6: the boat')
        assert not night.type('conflict "The crossing" guenask Hana vs 4d6: the boat')
        script = assert_says_the_same_again(night.scribe.campaign)

    assert 'conflict "The crossing" guenask Hana vs Storm dice=4d6 = 1 2 5 6: the boat' in script
    assert list(night.refused.values()) == [
        (
            "Dice have no name: what has no sheet is called something, and its dice stand in a key,"
            " such as conflict Hana vs Storm dice=4d6: what is at stake"
        )
    ]


def test_A10_the_game_master_is_told_of_dice_and_of_no_sheet() -> None:
    story = storm(who=GM).given(MINE)

    story.when(approach(GM, FIGHT, None)).then_refused(
        "gm has no sheet here, so roll loose dice: roll gm 4d6."
    )
    story.when(approach(GM, FIGHT, None, "rain")).then_refused(
        "gm has no rain. On the sheet: nothing yet. Bring it with its dice (rain=1d6)."
    )


def test_it_has_no_approach_to_change() -> None:
    story = storm(first=STORM).given(MINE, THEIRS)

    story.when(escalate(STORM, RUN, None)).then_refused(
        "Storm has loose dice and no approach; it grows by more of them: roll Storm 2d6."
    )
    story.when(approach(STORM, RUN, None)).then_refused(
        "Storm has rolled loose dice already; on a raise or see of their own: roll Storm 2d6."
    )


def test_the_stakes_come_before_loose_dice_too() -> None:
    story = given(
        *CAST,
        *cast("Storm", first=STORM),
        *SHEETS,
        c.OpenConflict(system="guenask", sides=((YOU,), (STORM,))),
    )

    for wish in (roll(STORM, "2d6"), bring(STORM, None, hail="2d6")):
        story.when(wish).then_refused(
            "Say what is at stake first (stakes: what is won, and what happens otherwise)."
        )


def test_a_person_who_is_out_or_full_rolls_nothing() -> None:
    story = storm().given(sheet(STORM, stages=1), g.NumberSet(who=STORM, what="stages", value=3))

    story.when(roll(STORM, "2d6")).then_refused(
        "Storm's track is full, so Storm takes no part; outside a conflict: clear Storm stages: why."
    )
    three = given(
        *CAST, *cast("Storm", first=STORM), *SHEETS, opening((YOU,), (STORM,), (THOSS,)), give(STORM)
    )
    three.when(roll(STORM, "2d6")).then_refused("Storm is out of this conflict.")


def test_the_toolbar_and_can_offer_the_roll() -> None:
    story = storm().given(MINE)
    offered = outlook(story)

    assert turn(story.table, story.table.conflicts[1]) == "dice: Storm"
    assert c.Roll(who=STORM, dice="4d6") in [one.command for one in offered.choices]


def test_can_promises_it_no_fallout() -> None:
    offered = outlook(storm().given(MINE, THEIRS, raise_("4+4")))

    assert {way.fallout for moves in offered.moves for way in moves.ways} == {None}
    assert {way.price for moves in offered.moves for way in moves.ways} == {""}
