"""Invokes: aspects that tell on a roll, for a fate point across the table or for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.measures import ladder
from retold.games.edgerunner.rules import Act, Severity
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    FEET,
    FEET_WORDS,
    GATTO,
    GM,
    GRUDGE,
    GRUDGE_WORDS,
    GUN,
    GUN_WORDS,
    HARGAN,
    JADE,
    JON,
    LOCK,
    PEOPLE,
    REX,
    SANDRA,
    SHEETS,
    WILLIAM,
    ActName,
    applied,
    begun,
    claimed,
    declared,
    exchange_began,
    kept,
    out,
    rolled,
    sheet,
    shifts,
)
from tests.retold.games.edgerunner.open_rolls import (
    boost,
    free_of,
    invoke,
    invoked,
    open_act,
    outside_roll,
    paid,
    points,
    purse,
    put,
    resist,
    spin,
    taken,
)
from tests.scenario import Story, given

BLIND, SIGHTS = 4, 5


def shot(total: int = 5, story: Story | None = None) -> Story:
    """Hargan shoots at Gatto's cool, with firearms 3."""
    return open_act(total=total, story=story)


# --- the acting side --------------------------------------------------------------------------------------


def test_an_invoke_adds_two_and_the_point_goes_across_the_table() -> None:
    """The example of the text: Hargan shoots, and Gatto's gun is what tells."""
    story = shot()

    story = story.when(invoke(HARGAN, "fired once")).then(
        invoked(HARGAN, GUN, GATTO, GUN_WORDS),
        paid(WILLIAM, JON, "invoke"),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2),
    )

    assert (points(story, WILLIAM), points(story, JON)) == (5 - 1, 5 + 1)


def test_as_many_aspects_as_one_can_pay_for() -> None:
    shot().given(invoke(HARGAN, "fired once")).when(invoke(HARGAN, "never lets")).then(
        invoked(HARGAN, GRUDGE, HARGAN, GRUDGE_WORDS),
        paid(WILLIAM, JON, "invoke"),
        shifts(HARGAN, 9, dice=2, level=3, invoked=4),
    )


def test_an_ally_may_invoke_for_the_roll_and_pays_for_it() -> None:
    story = open_act(GATTO, target=HARGAN, track="cool", level=2, total=2)

    story.when(invoke(JADE, "light on her")).then(
        invoked(JADE, FEET, JADE, FEET_WORDS),
        paid(SANDRA, WILLIAM, "invoke"),
        shifts(GATTO, 4, level=2, invoked=2),
    )


UNOPPOSED: list[tuple[ActName, dict[str, Any]]] = [
    ("move", {"path": (g.Step(zone="Aisle"),)}),
    ("defend", {"track": "cool"}),
    ("maneuver", {"target": "Dock", "aspect": "Steam"}),
    ("defend", {"target": JADE, "track": "cool"}),
    ("attack", {"target": LOCK, "track": "stress"}),
]


@pytest.mark.parametrize(("act", "fields"), UNOPPOSED)
def test_if_no_player_opposes_the_point_is_the_referees(act: ActName, fields: dict[str, Any]) -> None:
    story = open_act(GATTO, act, 3, level=3, **fields)

    story.when(invoke(GATTO, "fired once")).then(
        invoked(GATTO, GUN, GATTO, GUN_WORDS),
        paid(JON, GM, "invoke"),
        shifts(GATTO, 5, level=3, invoked=2),
    )


def test_a_person_who_has_no_player_draws_on_the_referee() -> None:
    story = open_act(REX, target=GATTO, track="cool", story=begun((GATTO,), (REX,)), level=4, total=4)

    story = story.when(invoke(REX, "fired once")).then(
        invoked(REX, GUN, GATTO, GUN_WORDS),
        paid(GM, JON, "invoke"),
        shifts(REX, 6, level=4, invoked=2),
    )

    assert points(story, JON) == 6


# --- the target -------------------------------------------------------------------------------------------


def test_the_target_takes_two_off_and_pays_who_rolled() -> None:
    story = shot()

    story = story.when(invoke(GATTO, "light on her")).then(
        invoked(GATTO, FEET, JADE, FEET_WORDS, "-2"),
        paid(JON, WILLIAM, "invoke"),
        shifts(HARGAN, 3, dice=2, level=3, resisted=-2),
    )

    assert (points(story, WILLIAM), points(story, JON)) == (5 + 1, 5 - 1)


def test_a_target_on_ones_own_side_is_of_the_acting_side() -> None:
    story = open_act(GATTO, "defend", 3, level=3, target=JADE, track="cool")

    story.when(invoke(JADE, "light on her")).then(
        invoked(JADE, FEET, JADE, FEET_WORDS),
        paid(SANDRA, GM, "invoke"),
        shifts(GATTO, 5, level=3, invoked=2),
    )


def test_a_target_that_is_on_no_side_invokes_with_the_referees_points() -> None:
    story = open_act(GATTO, target=LOCK, track="stress", total=3)

    story.when(invoke(LOCK, "fired once")).then(
        invoked(LOCK, GUN, GATTO, GUN_WORDS, "-2"),
        paid(GM, JON, "invoke"),
        shifts(GATTO, 1, level=3, resisted=-2),
    )


# --- all the dice again -----------------------------------------------------------------------------------


def test_a_reroll_replaces_the_dice_and_what_other_invokes_added_stays() -> None:
    story = shot().given(invoke(HARGAN, "fired once"))

    story.when(invoke(HARGAN, "never lets", reroll=True, faces="+-00")).then(
        invoked(HARGAN, GRUDGE, HARGAN, GRUDGE_WORDS, "reroll"),
        paid(WILLIAM, JON, "invoke"),
        rolled(HARGAN, "+-00"),
        shifts(HARGAN, 5, level=3, invoked=2),
    )


def test_the_target_may_force_new_dice() -> None:
    shot().when(invoke(GATTO, "light on her", reroll=True), dealt="- - 0 0").then(
        invoked(GATTO, FEET, JADE, FEET_WORDS, "reroll"),
        paid(JON, WILLIAM, "invoke"),
        rolled(HARGAN, "--00"),
        shifts(HARGAN, 1, dice=-2, level=3),
    )


def test_dice_may_be_thrown_again_for_nothing() -> None:
    story = shot(story=begun().given(put(BLIND, GATTO, "Blind with steam", free=1, by=HARGAN)))

    story = story.when(invoke(HARGAN, "steam", free=True, reroll=True, faces="++++")).then(
        invoked(HARGAN, BLIND, GATTO, "Blind with steam", "reroll", free=True),
        rolled(HARGAN, "++++"),
        shifts(HARGAN, 7, dice=4, level=3),
    )

    assert free_of(story, BLIND) == {}


def test_four_dice_are_thrown_again() -> None:
    shot().when(invoke(HARGAN, "fired once", reroll=True, faces="+-0")).then_refused(
        "4 dice are rolled here and 3 were given."
    )


def test_an_invoke_that_adds_two_takes_no_dice() -> None:
    shot().when(invoke(HARGAN, "fired once", faces="++++")).then_refused("4 results too many: + + + +.")


# --- for nothing ------------------------------------------------------------------------------------------


def test_two_aspects_made_ready_and_used_one_after_the_other() -> None:
    """ED-14: the first is used for the second, free; then both for the shot, the second free."""
    story = begun().given(put(BLIND, HARGAN, "Blind with steam", free=1, by=JADE))
    story = open_act(JADE, "maneuver", 4, level=4, target=HARGAN, aspect="In her sights", story=story)

    story = story.when(invoke(JADE, "steam", free=True)).then(
        invoked(JADE, BLIND, HARGAN, "Blind with steam", free=True),
        shifts(JADE, 6, level=4, invoked=2),
    )
    assert free_of(story, BLIND) == {}

    story = story.given(
        applied(JADE, "maneuver", 6),
        put(SIGHTS, HARGAN, "In her sights", free=1, by=JADE),
        exchange_began(2),
    )
    story = open_act(JADE, "attack", 2, level=2, target=HARGAN, track="cool", story=story)
    story = story.when(invoke(JADE, "sights", free=True)).then(
        invoked(JADE, SIGHTS, HARGAN, "In her sights", free=True),
        shifts(JADE, 4, level=2, invoked=2),
    )
    story = story.when(invoke(JADE, "steam")).then(
        invoked(JADE, BLIND, HARGAN, "Blind with steam"),
        paid(SANDRA, WILLIAM, "invoke"),
        shifts(JADE, 6, level=2, invoked=4),
    )
    assert points(story, SANDRA) == 4


def test_a_free_invoke_is_lent_within_a_side() -> None:
    story = open_act(
        GATTO,
        target=HARGAN,
        track="cool",
        level=2,
        total=2,
        story=begun().given(put(BLIND, HARGAN, "Blind with steam", free=2, by=JADE)),
    )

    story = story.when(invoke(GATTO, "steam", free=True)).then(
        invoked(GATTO, BLIND, HARGAN, "Blind with steam", free=True, by=JADE),
        shifts(GATTO, 4, level=2, invoked=2),
    )

    assert free_of(story, BLIND) == {JADE: 1}


def test_ones_own_free_invoke_goes_before_a_lent_one() -> None:
    story = begun().given(
        put(BLIND, HARGAN, "Blind with steam", free=1, by=JADE),
        g.FreeInvokesGained(
            conflict=1, who=GATTO, aspect=BLIND, on=HARGAN, wording="Blind with steam", free=1, shifts=1
        ),
    )

    story = open_act(GATTO, target=HARGAN, track="cool", level=2, total=2, story=story)
    story = story.when(invoke(GATTO, "steam", free=True)).then(
        invoked(GATTO, BLIND, HARGAN, "Blind with steam", free=True),
        shifts(GATTO, 4, level=2, invoked=2),
    )

    assert free_of(story, BLIND) == {JADE: 1}


def test_the_other_side_has_no_part_in_a_free_invoke() -> None:
    story = shot(story=begun().given(put(BLIND, HARGAN, "Blind with steam", free=1, by=JADE)))

    story.when(invoke(HARGAN, "steam", free=True)).then_refused(
        "Hargan has no free invoke of “Blind with steam”: without --free it takes a fate point."
    )


def test_any_opponent_invokes_a_consequence_once_for_free() -> None:
    hurt = taken(GATTO, Severity.MILD, 1, aspect=BLIND, wording="Torn sleeve", why="boost")
    story = shot(story=begun().given(hurt))

    story = story.when(invoke(HARGAN, "sleeve", free=True)).then(
        invoked(HARGAN, BLIND, GATTO, "Torn sleeve", free=True),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2),
    )
    assert free_of(story, BLIND) == {}


@pytest.mark.parametrize("who", [GATTO, JADE])
def test_the_bearers_side_pays_to_invoke_a_consequence(who: int) -> None:
    hurt = taken(GATTO, Severity.MILD, 1, aspect=BLIND, wording="Torn sleeve", why="boost")
    story = open_act(JADE, target=HARGAN, track="cool", story=begun().given(hurt))
    name = {GATTO: "Gatto", JADE: "Jade"}[who]

    story.when(invoke(who, "sleeve", free=True)).then_refused(
        f"{name} has no free invoke of “Torn sleeve”: without --free it takes a fate point."
    )


def test_a_resisted_hits_consequence_is_free_for_the_attackers_side() -> None:
    hurt = taken(GATTO, Severity.MILD, 1, aspect=BLIND, wording="Torn sleeve", why="resist", holder=HARGAN)
    story = open_act(REX, target=JADE, track="cool", story=begun((GATTO, JADE), (HARGAN, REX)).given(hurt))

    story.when(invoke(REX, "sleeve", free=True)).then(
        invoked(REX, BLIND, GATTO, "Torn sleeve", free=True, by=HARGAN),
        shifts(REX, 7, dice=2, level=3, invoked=2),
    )


# --- ghosts -----------------------------------------------------------------------------------------------


def test_a_ghosts_aspect_serves_once_and_is_gone() -> None:
    story = shot(story=begun().given(sheet(HARGAN, ghost__oath="An oath long kept")))

    story = story.when(invoke(HARGAN, "oath")).then(
        invoked(HARGAN, 4, HARGAN, "An oath long kept"),
        paid(WILLIAM, JON, "ghost"),
        g.AspectRemoved(conflict=1, aspect=4, on=HARGAN, wording="An oath long kept", why="used"),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2),
    )

    assert 4 not in kept(story).aspects


def test_a_ghosts_aspect_is_never_free() -> None:
    story = shot(story=begun().given(sheet(HARGAN, ghost__oath="An oath long kept")))

    story.when(invoke(HARGAN, "oath", free=True)).then_refused(
        "Hargan has no free invoke of “An oath long kept”: without --free it takes a fate point."
    )


# --- a continued act --------------------------------------------------------------------------------------


def test_what_told_on_an_act_tells_on_it_still_when_it_is_continued() -> None:
    story = shot().given(
        invoke(HARGAN, "fired once"),
        applied(HARGAN, "attack", 7),
        exchange_began(2),
        claimed(HARGAN),
        g.ActionContinued(conflict=1, who=HARGAN, act=Act.ATTACK, skill="firearms", target=GATTO, times=1),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2),
    )

    story.when(invoke(HARGAN, "fired once")).then_refused(
        f"“{GUN_WORDS}” has been invoked on this roll already: each aspect is once."
    )
    story.when(invoke(HARGAN, "never lets", reroll=True, faces="0000")).then(
        invoked(HARGAN, GRUDGE, HARGAN, GRUDGE_WORDS, "reroll"),
        paid(WILLIAM, JON, "invoke"),
        rolled(HARGAN, "0000"),
        shifts(HARGAN, 5, level=3, invoked=2),
    )


# --- range, and the rest of the sum -----------------------------------------------------------------------


def test_range_and_all_that_was_done_before_stay_in_the_sum() -> None:
    story = begun(at={HARGAN: "Office"}).given(
        g.SpinGained(conflict=1, who=GATTO, holder=HARGAN, spins=1),
    )
    story = open_act(HARGAN, total=5, story=story)

    story = story.given(boost(HARGAN, ("cool", 2)), spin(HARGAN), resist(GATTO, mild="Torn sleeve"))
    story.when(invoke(HARGAN, "fired once")).then(
        invoked(HARGAN, GUN, GATTO, GUN_WORDS),
        paid(WILLIAM, JON, "invoke"),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2, boosted=2, spins=1, range=-2, resisted=-1),
    )


# --- outside the exchanges --------------------------------------------------------------------------------


def test_a_challenge_is_raised_by_an_invoke() -> None:
    """ED-02: a skill of 2 and + + - 0 make 3; an invoke makes 5, for a fate point to the referee."""
    story = given(*PEOPLE, *SHEETS).given(
        g.SkillRolled(who=JADE, skill="driving", level=2),
        rolled(JADE, "++-0", None),
        shifts(JADE, 3, None, dice=1, level=2),
    )

    story = story.when(invoke(JADE, "light on her")).then(
        invoked(JADE, FEET, JADE, FEET_WORDS, conflict=None),
        paid(SANDRA, GM, "invoke", conflict=None),
        shifts(JADE, 5, None, dice=1, level=2, invoked=2),
    )

    assert ladder(5) == "Superb"
    assert points(story, SANDRA) == 4


def test_in_a_contest_the_points_go_between_the_two() -> None:
    story = outside_roll(JADE, 1, level=4, against=3, opponent=HARGAN)

    story = story.when(invoke(JADE, "light on her")).then(
        invoked(JADE, FEET, JADE, FEET_WORDS, conflict=None),
        paid(SANDRA, WILLIAM, "invoke", conflict=None),
        shifts(JADE, 3, None, level=4, invoked=2, opposed=-3),
    )
    story.when(invoke(HARGAN, "never lets", reroll=True, faces="---0")).then(
        invoked(HARGAN, GRUDGE, HARGAN, GRUDGE_WORDS, "reroll", conflict=None),
        paid(WILLIAM, SANDRA, "invoke", conflict=None),
        rolled(JADE, "---0", None),
        shifts(JADE, 0, None, dice=-3, level=4, invoked=2, opposed=-3),
    )


def test_the_referee_pays_to_invoke_against_an_unopposed_roll() -> None:
    outside_roll(JADE, 3, level=2).when(invoke(GM, "light on her")).then(
        invoked(GM, FEET, JADE, FEET_WORDS, "-2", conflict=None),
        paid(GM, SANDRA, "invoke", conflict=None),
        shifts(JADE, 1, None, dice=1, level=2, resisted=-2),
    )


def test_the_referee_has_no_part_in_what_others_oppose() -> None:
    outside_roll(JADE, 1, level=4, against=3, opponent=HARGAN).when(invoke(GM, "light on her")).then_refused(
        "It is Jade's roll: that side may invoke for it, and Hargan against it."
    )
    move = open_act(GATTO, "move", 3, path=(g.Step(zone="Aisle"),))
    move.when(invoke(GM, "fired once")).then_refused("It is Gatto's roll: that side may invoke for it.")


def test_outside_conflicts_a_bystander_cannot_invoke_on_a_roll() -> None:
    outside_roll(JADE, 3, level=2).when(invoke(GATTO, "light on her")).then_refused(
        "It is Jade's roll: that side may invoke for it."
    )


def test_outside_conflicts_a_bystander_may_lend_a_free_invoke() -> None:
    story = outside_roll(JADE, 3, level=2).given(put(BLIND, "Dock", "Fog", free=1, by=GATTO, conflict=None))

    story.when(invoke(JADE, "fog", free=True)).then(
        invoked(JADE, BLIND, "Dock", "Fog", free=True, by=GATTO, conflict=None),
        shifts(JADE, 5, None, dice=1, level=2, invoked=2),
    )


def test_a_conflict_of_another_game_is_no_bar() -> None:
    another = e.ConflictOpened(conflict=1, system="bruise", sides=((JADE,), (HARGAN,)))
    story = outside_roll(JADE, 3, level=2, story=given(*PEOPLE, *SHEETS, another))

    story.when(invoke(JADE, "light on her")).then(
        invoked(JADE, FEET, JADE, FEET_WORDS, conflict=None),
        paid(SANDRA, GM, "invoke", conflict=None),
        shifts(JADE, 5, None, dice=1, level=2, invoked=2),
    )


def test_an_opponent_lends_no_free_invoke() -> None:
    story = outside_roll(JADE, 1, level=4, against=3, opponent=HARGAN).given(
        put(BLIND, "Dock", "Fog", free=1, by=HARGAN, conflict=None)
    )

    story.when(invoke(JADE, "fog", free=True)).then_refused(
        "Jade has no free invoke of “Fog”: without --free it takes a fate point."
    )


# --- which aspect is meant --------------------------------------------------------------------------------


def test_among_equal_aspects_an_invoke_means_one_on_a_participant() -> None:
    story = shot(story=begun().given(put(4, JADE, "Nervous"), put(5, GATTO, "Nervous")))

    story.when(invoke(HARGAN, "nervous")).then(
        invoked(HARGAN, 5, GATTO, "Nervous"),
        paid(WILLIAM, JON, "invoke"),
        shifts(HARGAN, 7, dice=2, level=3, invoked=2),
    )


def test_where_that_does_not_tell_them_apart_it_is_refused() -> None:
    story = shot(story=begun().given(put(4, GATTO, "Nervous hands"), put(5, GATTO, "Nervous eyes")))

    story.when(invoke(HARGAN, "nervous")).then_refused("nervous may be Nervous hands or Nervous eyes.")


def test_an_aspect_must_be_in_play() -> None:
    shot().when(invoke(HARGAN, "Afraid of rats")).then_refused("There is no “Afraid of rats” here.")


# --- what is refused --------------------------------------------------------------------------------------


def test_an_aspect_counts_once_on_a_roll() -> None:
    shot().given(invoke(HARGAN, "fired once")).when(invoke(GATTO, "fired once")).then_refused(
        f"“{GUN_WORDS}” has been invoked on this roll already: each aspect is once."
    )


def test_an_invoke_takes_a_fate_point() -> None:
    shot().given(purse(WILLIAM, 0)).when(invoke(HARGAN, "fired once")).then_refused(
        "William has 0 fate points, and this takes 1."
    )


def test_only_the_sides_of_a_roll_may_invoke_on_it() -> None:
    story = shot(story=begun((GATTO, JADE), (HARGAN,), (REX,)))

    story.when(invoke(JADE, "light on her")).then_refused(
        "It is Hargan's roll: that side may invoke for it, and Gatto against it."
    )
    story.when(invoke(REX, "light on her")).then_refused(
        "It is Hargan's roll: that side may invoke for it, and Gatto against it."
    )
    story.when(invoke(CORP, "light on her")).then_refused(
        "It is Hargan's roll: that side may invoke for it, and Gatto against it."
    )


def test_an_unopposed_move_cannot_be_invoked_against() -> None:
    open_act(GATTO, "move", 3, path=(g.Step(zone="Aisle"),)).when(invoke(HARGAN, "never lets")).then_refused(
        "It is Gatto's roll: that side may invoke for it."
    )


def test_a_person_who_is_taken_out_invokes_nothing() -> None:
    story = shot(story=begun((GATTO, JADE), (HARGAN, REX)).given(out(REX, "cool", 1, GATTO)))

    story.when(invoke(REX, "fired once")).then_refused("Rex is taken out.")


def test_an_invoke_comes_after_the_dice() -> None:
    story = begun().given(claimed(HARGAN), declared(HARGAN, "attack", target=GATTO, track="cool"))

    story.when(invoke(HARGAN, "fired once")).then_refused(
        "Hargan's act is announced and its dice are not thrown yet: roll Hargan."
    )


def test_there_must_be_a_roll() -> None:
    begun().when(invoke(HARGAN, "fired once")).then_refused(
        "No roll is open: act first (attack NAME TARGET with SKILL)."
    )
    given(*PEOPLE, *SHEETS).when(invoke(HARGAN, "fired once")).then_refused(
        "No roll is open: roll NAME SKILL comes first."
    )


# --- spin -------------------------------------------------------------------------------------------------


def holding(*holders: int, story: Story | None = None) -> Story:
    """Gatto's bad moves have given these people a spin each."""
    gained = [g.SpinGained(conflict=1, who=GATTO, holder=holder, spins=1) for holder in holders]
    return (story or begun((GATTO, JADE), (HARGAN, REX))).given(*gained)


def test_a_spin_raises_a_roll_of_its_holder_by_one() -> None:
    story = shot(story=holding(HARGAN))

    story = story.when(spin(HARGAN)).then(
        g.SpinSpent(conflict=1, who=HARGAN), shifts(HARGAN, 6, dice=2, level=3, spins=1)
    )
    story.when(spin(HARGAN)).then_refused("Hargan holds no spin.")


def test_a_spin_raises_a_roll_of_its_holders_side() -> None:
    shot(story=holding(REX)).when(spin(REX)).then(
        g.SpinSpent(conflict=1, who=REX), shifts(HARGAN, 6, dice=2, level=3, spins=1)
    )


def test_several_spins_may_go_into_one_roll() -> None:
    shot(story=holding(HARGAN, HARGAN)).given(spin(HARGAN)).when(spin(HARGAN)).then(
        g.SpinSpent(conflict=1, who=HARGAN), shifts(HARGAN, 7, dice=2, level=3, spins=2)
    )


def test_a_spin_is_its_holders() -> None:
    shot(story=holding(REX)).when(spin(HARGAN)).then_refused("Hargan holds no spin; Rex does.")


def test_a_spin_does_nothing_for_the_other_side() -> None:
    story = open_act(GATTO, target=HARGAN, track="cool", story=holding(HARGAN))

    story.when(spin(HARGAN)).then_refused(
        "It is Gatto's roll: a spin of Hargan's raises those of Hargan's side."
    )


def test_a_spin_needs_a_roll() -> None:
    holding(HARGAN).when(spin(HARGAN)).then_refused(
        "No roll is open: act first (attack NAME TARGET with SKILL)."
    )
