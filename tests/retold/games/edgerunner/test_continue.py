"""What was done in the last exchange goes on: without new dice, with all that was put into it."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.verbs import Boost, Invoke
from retold.games.edgerunner.rules import Act
from retold.journal.vocabulary.base import Command, Event
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    GRUDGE_WORDS,
    GUN,
    GUN_WORDS,
    HARGAN,
    JADE,
    REX,
    TEXT,
    applied,
    apply_,
    attack,
    begun,
    claimed,
    declare,
    defend,
    deploy,
    exchange,
    exchange_began,
    go_on,
    kept,
    maneuver,
    marked,
    move,
    next_,
    out,
    path,
    place,
    placed,
    recover,
    reverted,
    roll,
    sheet,
    shifts,
    simple,
    state,
    told,
    waits,
)
from tests.scenario import Story

STEAM = "Blind with steam"
SHOT = attack(GATTO, HARGAN, "cool", "firearms", "+000")
OTHERS = waits(JADE, HARGAN)


def continued(who: int, act: Act, skill: str | None, times: int = 1, **fields: object) -> g.ActionContinued:
    meant = {"conflict": 1, "who": who, "act": act, "skill": skill, "times": times}
    return g.ActionContinued.of({**meant, **fields})


def in_the_next(story: Story, *acted: Event | Command) -> Story:
    """The exchange goes on with these acts, and the next begins."""
    return story.given(*acted, exchange())


# --- no dice a second time --------------------------------------------------------------------------------


def test_the_same_skill_act_and_target_are_not_rolled_again() -> None:
    story = in_the_next(begun(), SHOT, apply_(), *OTHERS)

    story.when(SHOT).then_refused(
        "Gatto's attack on Hargan was made in the last exchange, and is not rolled again: continue Gatto."
    )
    story.when(declare(GATTO, "attack", thing=HARGAN, track="cool", skill="fire")).then_refused(
        "Gatto's attack on Hargan was made in the last exchange, and is not rolled again: continue Gatto."
    )


@pytest.mark.parametrize(
    "other",
    [
        attack(GATTO, HARGAN, "cool", "resolve", "+000"),
        maneuver(GATTO, HARGAN, STEAM, "firearms", "+000"),
        defend(GATTO, "cool", "firearms", "+000"),
    ],
)
def test_another_skill_act_or_target_is_rolled(other: Command) -> None:
    story = in_the_next(begun(), SHOT, apply_(), *OTHERS)

    assert isinstance(story.when(other).events[1], g.ActionDeclared)


def test_only_the_last_exchange_counts_and_a_simple_act_never_does() -> None:
    story = in_the_next(begun(), SHOT, apply_(), *OTHERS)
    story = in_the_next(story, *waits(GATTO, JADE, HARGAN))

    assert isinstance(story.when(SHOT).events[1], g.ActionDeclared)
    assert isinstance(story.when(simple(GATTO)).events[1], g.ActionDeclared)


def test_an_act_that_goes_on_has_the_shifts_it_had() -> None:
    story = in_the_next(begun(sheets=(sheet(HARGAN, cool=9),)), SHOT, apply_(), *OTHERS)

    story = story.when(go_on(GATTO).but({"text": TEXT})).then(
        claimed(GATTO),
        continued(GATTO, Act.ATTACK, "firearms", target=HARGAN, text=TEXT),
        shifts(GATTO, 3, dice=1, level=2),
    )
    story = story.when(apply_()).then(
        applied(GATTO, "attack", 3),
        marked(HARGAN, "cool", 4, 4, threshold=9).but({"amount": 3}),
    )
    again = in_the_next(story, *OTHERS).when(go_on(GATTO)).events
    assert again[1] == continued(GATTO, Act.ATTACK, "firearms", 2, target=HARGAN)


def test_what_was_announced_to_go_on_is_rolled_without_dice() -> None:
    story = in_the_next(begun(), SHOT, apply_(), *OTHERS)

    story = story.when(declare(GATTO, "continue")).then(
        claimed(GATTO), continued(GATTO, Act.ATTACK, "firearms", target=HARGAN)
    )
    story.when(roll(GATTO)).then(shifts(GATTO, 3, dice=1, level=2))
    story.when(roll(GATTO, "0000")).then_refused("4 results too many: 0 0 0 0.")


def test_invokes_and_boosts_go_on_too_and_no_aspect_is_invoked_twice() -> None:
    story = in_the_next(
        begun(sheets=(sheet(HARGAN, cool=9),)),
        SHOT,
        Invoke(who=GATTO, aspect=GUN_WORDS),
        Boost(who=GATTO, mild="Torn sleeve"),
        apply_(),
        *OTHERS,
    )

    story = story.when(go_on(GATTO)).then(
        claimed(GATTO),
        continued(GATTO, Act.ATTACK, "firearms", target=HARGAN),
        shifts(GATTO, 6, dice=1, level=2, invoked=2, boosted=1),
    )
    assert state(story).acts[0].used == {GUN}
    more = story.given(Invoke(who=GATTO, aspect=GRUDGE_WORDS))
    assert more.events[-1] == shifts(GATTO, 8, dice=1, level=2, invoked=4, boosted=1)


def test_what_the_target_took_off_is_there_again() -> None:
    story = in_the_next(
        begun(sheets=(sheet(HARGAN, cool=9),)),
        SHOT,
        v.Resist(who=HARGAN, moderate="Limping"),
        apply_(),
        *OTHERS,
    )
    assert shifts(GATTO, 1, dice=1, level=2, resisted=-2) in story.events

    assert shifts(GATTO, 3, dice=1, level=2) in story.when(go_on(GATTO)).events


def test_range_is_that_of_now() -> None:
    story = in_the_next(begun(sheets=(sheet(HARGAN, cool=9),)), SHOT, apply_(), *OTHERS)

    assert (
        shifts(GATTO, 1, dice=1, level=2, range=-2)
        in story.given(placed("Office", HARGAN)).when(go_on(GATTO)).events
    )


def test_a_new_bid_comes_off_too() -> None:
    story = in_the_next(begun(), next_(GATTO, 1, hargan=0), SHOT, apply_(), *OTHERS)
    story = story.given(next_(GATTO, 2, jade=1))

    story.when(go_on(GATTO)).then(
        continued(GATTO, Act.ATTACK, "firearms", target=HARGAN), shifts(GATTO, 0, dice=1, level=2, bid=-3)
    )


def test_an_upgrade_is_not_counted_twice_and_does_not_strain_again() -> None:
    wired = (sheet(GATTO, humanity=9, upgrade__link="firearms+2/1"), sheet(HARGAN, cool=9))
    shot = attack(GATTO, HARGAN, "cool", "firearms", "+000", upgrade="link")
    strain = v.Resist(who=GATTO, tracks=("humanity",), amounts=(2,))
    story = in_the_next(begun(sheets=wired), shot, strain, apply_(), *OTHERS)

    story.when(go_on(GATTO)).then(
        claimed(GATTO),
        continued(GATTO, Act.ATTACK, "firearms", target=HARGAN),
        shifts(GATTO, 5, dice=1, level=4),
    )


# --- each act as it goes on -------------------------------------------------------------------------------


def test_a_defence_that_goes_on_stays_up() -> None:
    story = in_the_next(begun(), defend(GATTO, "cool", "firearms", "+++0"), apply_(), *OTHERS)

    story = story.when(go_on(GATTO)).then(
        claimed(GATTO),
        continued(GATTO, Act.DEFEND, "firearms"),
        shifts(GATTO, 5, dice=3, level=2),
    )
    assert kept(story).threshold(GATTO, "cool") == 5
    story.when(apply_()).then(
        applied(GATTO, "defend", 5),
        g.ThresholdReplaced(conflict=1, who=GATTO, on=GATTO, track="cool", threshold=5, own=3),
    )


def test_J3_a_defence_that_goes_on_into_another_track_is_that_ones_alone() -> None:
    # One act defends one track: cool is 3 again, and humanity what came of the roll, 3 and 2.
    story = in_the_next(begun(), defend(GATTO, "cool", "firearms", "+++0"), apply_(), *OTHERS)

    story = story.given(v.Declare(who=GATTO, act="continue", track="humanity"))
    assert story.events[-1] == reverted(GATTO, GATTO, "cool", 3)
    story = story.given(roll(GATTO), apply_())
    assert (kept(story).threshold(GATTO, "cool"), kept(story).threshold(GATTO, "humanity")) == (3, 5)


def test_a_maneuver_that_goes_on_gives_more_free_invokes_on_its_aspect() -> None:
    story = in_the_next(begun(), maneuver(GATTO, HARGAN, STEAM, "firearms", "+000"), apply_(), *OTHERS)

    gained = g.FreeInvokesGained(conflict=1, who=GATTO, aspect=4, on=HARGAN, wording=STEAM, free=2, shifts=3)
    more = story.given(go_on(GATTO)).when(apply_()).then(applied(GATTO, "maneuver", 3), gained)
    assert kept(more).aspects[4].free == {GATTO: 4}
    gone = g.AspectRemoved(conflict=1, aspect=4, on=HARGAN, wording=STEAM, why="said")
    anew = story.given(gone, go_on(GATTO), apply_())
    assert isinstance(anew.events[-1], g.AspectPlaced)
    assert anew.events[-1].aspect == 5


def test_a_blocked_maneuver_may_go_on_and_a_bare_aspect_gains_nothing() -> None:
    story = in_the_next(begun(), maneuver(GATTO, HARGAN, STEAM, "firearms", "---0"), apply_(), *OTHERS)
    story = story.given(go_on(GATTO))

    story.when(apply_()).then(applied(GATTO, "maneuver", -1))
    story = in_the_next(begun(), maneuver(GATTO, HARGAN, STEAM, "firearms", "--00"), apply_(), *OTHERS)
    story.given(go_on(GATTO)).when(apply_()).then(applied(GATTO, "maneuver", 0))


def test_a_recovery_that_goes_on_clears_other_boxes() -> None:
    story = begun().given(marked(GATTO, "cool", 3, 1, 2, 3, threshold=3))
    story = in_the_next(story, recover(GATTO, "cool", "resolve", "+000"), apply_(2), *OTHERS)

    story = story.given(go_on(GATTO))
    story.when(apply_(1)).then(
        applied(GATTO, "recover", 2),
        g.BoxesCleared(conflict=1, who=GATTO, on=GATTO, track="cool", boxes=(1,)),
    )


def test_a_deployment_grows_by_one_each_time_it_goes_on() -> None:
    """ED-26: 5 shifts, and 8 after going on three times."""
    story = begun((GATTO,), (HARGAN, CORP), sheets=(sheet(REX, kind="character"),))
    story = story.given(deploy(CORP, REX, "Dock", "logistics", "0000"), apply_())
    others = waits(GATTO, HARGAN)
    for times in (1, 2):
        story = in_the_next(story, *others).given(go_on(CORP))
        assert story.events[-1] == shifts(CORP, 5 + times, level=5, continued=times)
        story = story.when(apply_()).then(applied(CORP, "deploy", 5 + times))

    story = in_the_next(story, *others).given(go_on(CORP))
    story = story.when(apply_()).then(
        applied(CORP, "deploy", 8), g.Deployed(conflict=1, who=CORP, asset=REX, zone="Dock", cost=8)
    )
    in_the_next(story, *others).given(simple(REX)).when(go_on(CORP)).then_refused("Rex is here already.")


def test_another_asset_is_another_deployment() -> None:
    both = (sheet(REX, kind="goon"), sheet(JADE, kind="goon"))
    story = begun((GATTO,), (HARGAN, CORP), sheets=both)
    story = in_the_next(
        story, deploy(CORP, REX, "Dock", "logistics", "0000"), apply_(), *waits(GATTO, HARGAN)
    )

    assert isinstance(story.when(deploy(CORP, JADE, "Dock", "logistics", "0000")).events[1], g.ActionDeclared)


# --- a move goes on ---------------------------------------------------------------------------------------


def test_a_move_goes_on_over_what_is_left_of_its_path() -> None:
    """Athletics 3 and borders of 3: one border an exchange."""
    story = begun(passes=(3, 3))
    story = in_the_next(
        story, move(GATTO, "Aisle", "Office", skill="athletics", faces="0000"), apply_(), *OTHERS
    )

    story = story.when(go_on(GATTO)).then(
        claimed(GATTO),
        continued(GATTO, Act.MOVE, "athletics", path=path("Office")),
        shifts(GATTO, 3, level=3),
    )
    story = story.when(apply_()).then(
        applied(GATTO, "move", 3),
        g.Moved(conflict=1, who=GATTO, start="Aisle", path=("Office",), spent=3),
    )
    story = in_the_next(story, *OTHERS)
    story.when(go_on(GATTO)).then_refused(
        "Gatto's move has come to its end; say where it goes on: continue Gatto to ZONE."
    )


def test_where_a_move_goes_on_may_be_said() -> None:
    story = in_the_next(begun(), move(GATTO, "Aisle", skill="athletics", faces="0000"), apply_(), *OTHERS)

    story.when(move(GATTO, "Office", skill="athletics", faces="0000")).then_refused(
        "Gatto's move was made in the last exchange, and is not rolled again: continue Gatto to Office."
    )
    back = story.when(go_on(GATTO, "Dock")).then(
        claimed(GATTO),
        continued(GATTO, Act.MOVE, "athletics", path=path("Dock")),
        shifts(GATTO, 3, level=3),
    )
    assert place(back.given(apply_()), GATTO) == "Dock"
    story.when(go_on(GATTO, "Roof")).then_refused("There is no “Roof” here.")
    begun().given(SHOT, apply_(), *OTHERS, exchange()).when(go_on(GATTO, "Aisle")).then_refused(
        "Gatto's attack on Hargan crosses no zones, so name none: continue Gatto."
    )


def test_a_push_continues_from_the_targets_current_zone() -> None:
    push = move(GATTO, "Aisle", "Office", skill="resolve", faces="0000", whom=(HARGAN,))
    story = in_the_next(begun(), push, apply_(), *OTHERS)

    story.when(go_on(GATTO)).then(
        claimed(GATTO),
        continued(GATTO, Act.MOVE, "resolve", target=HARGAN, path=path("Office")),
        shifts(GATTO, 0, level=1, range=-1),
    )
    story.given(placed("Office", HARGAN)).when(go_on(GATTO)).then_refused(
        "Gatto's move on Hargan has come to its end; say where it goes on: continue Gatto to ZONE."
    )


# --- what does not go on ----------------------------------------------------------------------------------


def test_nothing_goes_on_that_was_not_done() -> None:
    nothing = "Gatto did nothing in the last exchange that goes on: attack Gatto …, or another act."

    begun().when(go_on(GATTO)).then_refused(nothing)
    in_the_next(begun(), *waits(GATTO, JADE, HARGAN)).when(go_on(GATTO)).then_refused(nothing)
    let_go = begun().given(declare(GATTO, "attack", thing=HARGAN, track="cool"))
    let_go = in_the_next(let_go, g.ActionForfeited(conflict=1, who=GATTO, why="choice"), *OTHERS)
    let_go.when(go_on(GATTO)).then_refused(nothing)


def test_an_act_cannot_continue_against_a_missing_target() -> None:
    two = begun((GATTO, JADE), (HARGAN, REX))
    story = two.given(
        SHOT, apply_(), attack(JADE, HARGAN, "cool", "deception", "+000"), apply_(text=TEXT), simple(REX)
    )
    assert told(HARGAN, JADE)[1] in story.events
    assert out(HARGAN, "cool", 5, by=JADE, beyond=1) in story.events
    story.given(exchange()).when(go_on(GATTO)).then_refused(
        "Gatto's attack on Hargan cannot go on: its target is gone."
    )

    wiping = begun().given(maneuver(JADE, GATTO, STEAM, "deception", "---0"), apply_())
    wiping = wiping.given(attack(GATTO, STEAM, skill="firearms", faces="0000"), apply_(), simple(HARGAN))
    wiping.given(exchange()).when(go_on(GATTO)).then_refused(
        f"Gatto's attack on {STEAM} cannot go on: its target is gone."
    )

    door = begun().given(g.NumberSet(conflict=1, on="Dock-Aisle", what="threshold", value=1))
    door = door.given(attack(GATTO, "Dock-Aisle", skill="firearms", faces="0000"), apply_(), *OTHERS)
    door.given(exchange()).when(go_on(GATTO)).then_refused(
        "Gatto's attack on Dock-Aisle cannot go on: its target is gone."
    )


def test_going_on_waits_for_its_turn_like_any_act() -> None:
    story = in_the_next(begun(), SHOT, apply_(), *OTHERS).given(next_(JADE))

    story.when(go_on(GATTO)).then_refused("It is Jade's turn. If it is Gatto's: next Gatto.")


def test_a_solo_may_interrupt_by_going_on() -> None:
    story = begun((GATTO,), (HARGAN, REX)).given(
        attack(REX, GATTO, "humanity", "firearms", "----"), apply_(), *waits(GATTO, HARGAN), exchange_began(2)
    )
    story = story.given(next_(GATTO, 2, hargan=1))

    story.when(declare(REX, "continue", interrupt=True)).then(
        continued(REX, Act.ATTACK, "firearms", target=GATTO)
    ).when(roll(REX)).then(shifts(REX, 0, dice=-4, level=4))


# --- laws -------------------------------------------------------------------------------------------------

FACES = st.text("+0-", min_size=4, max_size=4)


@settings(max_examples=50, deadline=None)
@drawn_from(
    faces=FACES,
    invoke=st.booleans(),
    boost=st.booleans(),
    resist=st.booleans(),
    where=st.sampled_from(["Dock", "Aisle", "Office"]),
)
def test_what_goes_on_is_made_of_what_it_was_made_of(
    faces: str, where: str, *, invoke: bool, boost: bool, resist: bool
) -> None:
    tough = (sheet(HARGAN, cool=20),)
    story = begun(sheets=tough).given(attack(GATTO, HARGAN, "cool", "firearms", faces))
    more: list[Command] = []
    more += [Invoke(who=GATTO, aspect=GUN_WORDS)] if invoke else []
    more += [Boost(who=GATTO, moderate="Out of breath")] if boost else []
    story = story.given(*more)
    if resist and state(story).acts[0].shifts > 0:
        story = story.given(v.Resist(who=HARGAN, mild="Scratched"))
    story = story.given(apply_(), *OTHERS, exchange())
    before = state(story).last[GATTO]

    now = state(story.given(placed(where, HARGAN), go_on(GATTO))).acts[0]

    assert now.made == before.made
    assert now.dice == before.dice
    assert now.resisted == 0
    assert now.shifts == now.made - ["Dock", "Aisle", "Office"].index(where)
