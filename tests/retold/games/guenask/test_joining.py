"""Who joins a conflict takes a place in the order, and who leaves it has given."""

from __future__ import annotations

import pytest

from retold.games.guenask import events as g
from retold.games.guenask.commands import turn
from retold.games.guenask.rules import with_newcomer
from retold.games.guenask.state import game_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.guenask.at_the_table import (
    ASK,
    BEA,
    CY,
    FIGHT,
    RUN,
    TALK,
    TEXT,
    THOSS,
    YOU,
    approach,
    begun,
    bring,
    condition,
    fallout,
    give,
    outlook,
    raise_,
    resist,
    ruling,
    see,
    sets,
    sheet,
    state,
    won,
)
from tests.scenario import Story


def quarrel(*sides: tuple[int, ...], first: int | None = YOU, **options: str) -> Story:
    """You and Captain Thoss have dice; best two 8 and 12."""
    return begun(*sides, first=first, **options).given(
        approach(YOU, TALK, "1 2 2 3 4 4"), approach(THOSS, TALK, "1 1 1 3 4 6 6")
    )


def join(*who: int, side: int | None = None) -> c.Join:
    return c.Join(who=who, side=side, text=TEXT)


def leave(*who: int) -> c.Leave:
    return c.Leave(who=who, text=TEXT)


def joined(*who: int, side: int | None = None) -> e.Joined:
    return e.Joined(conflict=1, people=who, side=side, text=TEXT)


def left(side: int, *who: int) -> e.Left:
    return e.Left(conflict=1, people=who, side=side, text=TEXT)


# --- joining ----------------------------------------------------------------------------------------------


def test_A60_a_joiner_rolls_before_the_next_raise() -> None:
    story = quarrel().given(raise_("4+4")).when(join(BEA, side=THOSS)).then(joined(BEA, side=THOSS))
    table = story.table
    assert turn(table, table.conflicts[1]) == "Captain Thoss to see 8"

    story = story.given(see("6+3"))
    assert turn(story.table, story.table.conflicts[1]) == "approach: Bea"
    story.when(raise_("6+1")).then_refused("No dice yet: Bea must choose an approach first.")


@pytest.mark.parametrize(
    ("value", "faces", "order", "best"),
    [
        ("best_two", "5 5 1 1", (YOU, THOSS, BEA, CY), (8, 12, 10, 6)),
        ("best_two", "6 6 1 1", (YOU, THOSS, BEA, CY), (8, 12, 12, 6)),
        ("best_two", "1 1 1 1", (YOU, THOSS, CY, BEA), (8, 12, 6, 2)),
        ("seats", "6 6 1 1", (YOU, BEA, THOSS, CY), (8, 12, 12, 6)),
        ("free", "6 6 1 1", (YOU, BEA, THOSS, CY), (8, 12, 12, 6)),
    ],
)
def test_A60_a_joiner_is_added_to_the_turn_order(
    value: str, faces: str, order: tuple[int, ...], best: tuple[int, ...]
) -> None:
    story = begun((YOU,), (THOSS,), (CY,), first=YOU, turn_order=value).given(
        approach(YOU, TALK, "1 2 2 3 4 4"),
        approach(THOSS, TALK, "1 1 1 3 4 6 6"),
        approach(CY, TALK, "1 1 3 3"),
        raise_("4+4", THOSS),
        see("6+6"),
        join(BEA, side=YOU),
        approach(BEA, TALK, faces),
    )

    assert story.events[-1] == g.TurnOrderSet(conflict=1, order=order, best=best, free=value == "free")


def test_A60_the_last_raiser_keeps_their_place_when_out() -> None:
    story = quarrel((YOU, CY), (THOSS,)).given(
        approach(CY, TALK, "1 1 1 1"), raise_("4+4"), see("6+6"), raise_("4+3", CY), give(CY), give(THOSS)
    )
    assert story.table.conflicts == {}

    story = quarrel((YOU, CY), (THOSS,)).given(
        approach(CY, TALK, "1 1 1 1"),
        raise_("4+4"),
        see("6+6"),
        give(YOU),
        join(BEA, side=CY),
        approach(BEA, TALK, "2 2 2 2"),
    )
    assert state(story).order == (YOU, THOSS, BEA, CY)
    assert state(story).raisers() == (THOSS,)


def test_A60_before_the_first_raise_the_order_is_made_anew() -> None:
    story = quarrel(first=None).given(join(BEA, side=YOU), approach(BEA, TALK, "5 5 1 1"))
    assert story.events[-1] == g.TurnOrderSet(conflict=1, order=(THOSS, BEA, YOU), best=(12, 10, 8))

    ruled = quarrel(first=None).given(
        join(BEA, side=YOU),
        c.Rule(sets=(e.Setting(person=None, what="first", op="=", value=YOU),), text=TEXT),
        approach(BEA, TALK, "5 5 1 1"),
    )
    assert state(ruled).order == (YOU, THOSS, BEA)


def test_A60_before_all_have_dice_there_is_one_more_to_choose() -> None:
    story = begun().given(join(BEA))

    assert state(story).without_approach() == (YOU, THOSS, BEA)
    assert story.table.conflicts[1].sides == ((YOU,), (THOSS,), (BEA,))


def test_A60_a_raise_on_the_table_is_not_for_who_joins() -> None:
    story = quarrel().given(raise_("4+4"), join(BEA, side=THOSS), approach(BEA, TALK, "5 5 1 1"))

    assert state(story).to_act() == (THOSS,)
    assert state(story.given(see("6+3"))).raisers() == (THOSS,)


def test_A60_can_offers_the_newcomer_an_approach() -> None:
    seen = outlook(quarrel().given(join(BEA)))

    assert {one.who for one in seen.choices if isinstance(one.command, type(approach(BEA, TALK, None)))} >= {
        BEA
    }


def test_A60_what_has_no_sheet_joins_with_loose_dice() -> None:
    story = quarrel().given(e.CastIntroduced(person=5, name=TEXT, role="side"), join(5))

    story = story.given(c.Roll(who=5, dice="2d6", results=("3", "4")))
    assert state(story).order == (YOU, THOSS, 5)


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        (sets(BEA, "dead", 1), "Bea is dead (ruling Bea.dead=0: why, if that is no longer so)."),
        (
            sheet(BEA, stages=1),
            "Bea's track is full, so Bea takes no part; outside a conflict: clear Bea stages: why.",
        ),
    ],
)
def test_A60_the_dead_and_the_full_do_not_join(before: c.Rule | e.SheetChanged, sentence: str) -> None:
    full = g.NumberSet(who=BEA, what="stages", value=3)

    quarrel().given(before, full).when(join(BEA)).then_refused(sentence)


def test_A60_a_won_conflict_cannot_be_joined() -> None:
    story = quarrel().given(sets(YOU, "social", 9), sets(YOU, "mental", 9), give(THOSS))

    story.when(join(BEA)).then_refused(
        "You has two full tracks: do they die when this conflict is over? Answer with: dies, lives. "
        "Rule on that first (ruling dies: why)."
    )


def test_a_place_in_an_order_is_behind_those_one_comes_after() -> None:
    assert with_newcomer((1, 2, 3), 9, (1, 2)) == (1, 2, 9, 3)
    assert with_newcomer((1, 2, 3), 9, ()) == (1, 2, 3, 9)
    assert with_newcomer((1,), 9, (1,)) == (1, 9)


# --- leaving ----------------------------------------------------------------------------------------------


def test_A60_leaving_is_giving_and_the_last_side_wins() -> None:
    quarrel().when(leave(THOSS)).then(left(THOSS, THOSS), *won(YOU))


def test_A60_the_conflict_goes_on_while_two_sides_are_left() -> None:
    story = quarrel((YOU, BEA), (THOSS,)).given(approach(BEA, TALK, "5 5 1 1"), raise_("4+4"))

    story = story.when(leave(YOU)).then(left(YOU, YOU))
    assert story.table.conflicts[1].sides == ((BEA,), (THOSS,))
    assert state(story).raised is None
    assert state(story).raisers() == (THOSS,)
    story.when(leave(THOSS)).then(left(THOSS, THOSS), *won(BEA))


def test_A60_a_raise_is_seen_no_more_by_who_has_left() -> None:
    story = quarrel((YOU,), (THOSS, BEA)).given(approach(BEA, TALK, "5 5 1 1"), raise_("4+4", THOSS, BEA))

    story = story.given(leave(THOSS))
    assert state(story).to_act() == (BEA,)


def test_A60_what_a_leaver_brought_is_a_danger_no_more() -> None:
    story = quarrel((YOU, BEA), (THOSS,)).given(
        approach(BEA, TALK, "5 5 1 1"),
        raise_("4+4"),
        bring(THOSS, "1", dangerous=True, axe="1d4"),
        see("6+6"),
    )
    story = story.given(join(CY, side=THOSS), approach(CY, ASK, "1 1 1 1"))
    assert state(story).cost(CY).amount == 2

    story = story.given(leave(THOSS))
    assert state(story).cost(CY).amount == 1
    assert state(story).cost(THOSS).amount == 2


def test_A60_leaving_keeps_no_die_and_brings_no_fallout() -> None:
    story = quarrel(give_keeps="yes", loss_fallout="blow").given(raise_("4+4"))

    story = story.when(leave(THOSS)).then(left(THOSS, THOSS), *won(YOU))
    assert game_state(story.table).follow_ups == {}


def test_A60_a_blow_comes_before_leaving() -> None:
    struck = quarrel(first=THOSS).given(raise_("1+1"), see("1+2+2"))

    struck.when(leave(YOU)).then_refused(
        "You takes 2 fallout: on which track, and why (or resist)? Answer with: physical, mental, social, "
        "societal. Rule on that first (ruling physical: why)."
    )
    gone = struck.given(fallout(YOU, "mental"), join(BEA), leave(YOU))
    gone.when(resist(4, YOU)).then_refused(
        "There is no fallout to resist: it is done right after a blow, before the next raise."
    )


def test_A60_an_ousted_character_may_leave_but_not_return() -> None:
    story = quarrel((YOU, BEA), (THOSS,)).given(approach(BEA, TALK, "5 5 1 1"), give(BEA))

    story = story.when(leave(BEA)).then(left(YOU, BEA))
    story.when(join(BEA, side=YOU)).then_refused("Bea has left this conflict, and cannot come back.")


def test_A60_a_leaver_may_still_die_from_the_conflict() -> None:
    story = quarrel((YOU, BEA), (THOSS,)).given(
        approach(BEA, FIGHT, "5 5 1 1"), sets(YOU, "social", 9), sets(YOU, "mental", 9), leave(YOU)
    )
    assert state(story).fates == {YOU: None}
    story.when(c.Clear(who=YOU, track="social", n=3, text=TEXT)).then_refused(
        "You is in a conflict, and fallout is cleared outside of one; "
        "a ruling sets it here: ruling You.social-=3: why."
    )

    story.given(ruling("death", "dies")).when(give(THOSS)).then(
        g.Gave(conflict=1, who=THOSS),
        g.StakesWon(conflict=1, winner=BEA),
        g.CharacterDied(conflict=1, who=YOU),
        e.ConflictEnded(conflict=1, how="won", winner=BEA),
    )


def test_a_condition_of_one_who_left_is_named_beside_the_conflict() -> None:
    story = quarrel((YOU, BEA), (THOSS,)).given(
        approach(BEA, RUN, "5 5 1 1"), sets(YOU, "social", 3), leave(YOU)
    )

    story.when(condition(YOU)).then(g.ConditionNamed(who=YOU, track="social", row=1, text=TEXT))
