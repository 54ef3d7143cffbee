"""Who keeps a side in a conflict, who acts for it, and whose turn goes into whose: §5, §6, §8."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Severity
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    LOCK,
    REX,
    TEXT,
    applied,
    apply_,
    attack,
    begun,
    declare,
    defend,
    ended,
    exchange,
    go_on,
    kept,
    marked,
    move,
    option,
    out,
    placed,
    recover,
    reverted,
    sheet,
    simple,
    state,
    told,
    waits,
)
from tests.retold.games.edgerunner.open_rolls import boost, open_act, resist, taken
from tests.scenario import Story

GATE = sheet(REX, kind="problem", role=None, threshold=2)
"""Rex stands in for a second problem."""
TURRET = sheet(LOCK, kind="device", threshold=None, integrity=3, aim=2)
HURT = marked(JADE, "cool", 1, 1, threshold=2)


# --- who keeps a side in it -------------------------------------------------------------------------------


def test_A37_of_two_problems_both_must_be_solved() -> None:
    story = begun((GATTO, JADE), (LOCK, REX), sheets=(GATE,))
    first = story.given(out(LOCK, "stress", 9, by=GATTO)).when(told_by(GATTO)).then(*told(LOCK, GATTO))

    first.given(out(REX, "stress", 9, by=GATTO)).when(told_by(GATTO)).then(*told(REX, GATTO), ended(GATTO))


def test_A37_a_lock_does_not_fight_on_for_a_beaten_defender() -> None:
    story = begun((GATTO,), (HARGAN, LOCK)).given(out(HARGAN, "cool", 9, by=GATTO))

    story.when(told_by(GATTO)).then(*told(HARGAN, GATTO), ended(GATTO))


def test_A37_a_side_with_only_the_referee_is_not_beaten_automatically() -> None:
    story = begun((GATTO, JADE), (GM,)).given(out(JADE, "cool", 9, by=GATTO))

    story.when(told_by(GATTO)).then(*told(JADE, GATTO))


def told_by(who: int) -> c.Narrate:
    return c.Narrate(who=who, text=TEXT)


# --- devices that can do something ------------------------------------------------------------------------


def test_A42_a_device_with_a_capability_acts() -> None:
    story = begun((GATTO,), (HARGAN, LOCK), sheets=(TURRET,))

    story.when(attack(LOCK, GATTO, "cool", "aim", "00+0")).story.given(apply_())
    story.given(*waits(GATTO, HARGAN)).when(exchange()).then_refused(
        "Lock has yet to act in this exchange; to wait is: simple Lock."
    )


def test_A42_a_device_that_can_do_something_keeps_its_side_in_the_conflict() -> None:
    story = begun((GATTO,), (HARGAN, LOCK), sheets=(TURRET,)).given(out(HARGAN, "cool", 9, by=GATTO))

    story.when(told_by(GATTO)).then(*told(HARGAN, GATTO))


def test_A42_one_without_capabilities_takes_no_turn() -> None:
    hollow = sheet(LOCK, kind="device", threshold=None, integrity=3)

    begun((GATTO,), (HARGAN, LOCK), sheets=(hollow,)).when(simple(LOCK)).then_refused(
        "Lock takes no turn: Gatto, Hargan."
    )


# --- helping another --------------------------------------------------------------------------------------


def test_A40_being_helped_for_a_turn_ends_a_fighters_defence() -> None:
    story = begun().given(
        HURT, defend(JADE, "cool", "athletics", "0000"), apply_(), *waits(GATTO, HARGAN), exchange()
    )

    story.given(recover(GATTO, "cool", "resolve", "0000", thing=JADE)).when(apply_(1)).then(
        applied(GATTO, "recover", 1),
        reverted(JADE, JADE, "cool", 2),
        g.BoxesCleared(conflict=1, who=GATTO, on=JADE, track="cool", boxes=(1,)),
    )


def test_A41_helping_a_fighter_who_has_acted_cannot_continue() -> None:
    story = begun().given(HURT, recover(GATTO, "cool", "resolve", "--00", thing=JADE), apply_())
    story = story.given(simple(HARGAN), exchange(), simple(JADE))

    story.when(go_on(GATTO)).then_refused(
        "Jade has acted in this exchange, and to recover another takes both turns."
    )


def test_A41_a_helped_fighter_cannot_interrupt() -> None:
    story = begun((GATTO, REX), (HARGAN,)).given(marked(REX, "cool", 1, 1, threshold=2))
    story = story.given(declare(GATTO, "recover", thing=REX, track="cool"))

    story.when(attack(REX, HARGAN, "cool", faces="0000", interrupt=True)).then_refused(
        "Rex is being helped to recover, and gives their turn for it."
    )


def test_A51_a_foe_gives_their_turn_only_if_they_have_agreed() -> None:
    story = begun().given(marked(HARGAN, "cool", 1, 1, threshold=4))

    story.when(recover(GATTO, "cool", "resolve", "0000", thing=HARGAN)).then_refused(
        "Hargan is on another side, and would give up their turn: add --agreed."
    )
    agreed = recover(GATTO, "cool", "resolve", "0000", thing=HARGAN, agreed=True)
    assert state(story.given(agreed, apply_(1))).acted == {GATTO, HARGAN}


def test_A51_a_problem_of_theirs_agrees_to_nothing() -> None:
    story = begun((GATTO,), (HARGAN, LOCK)).given(marked(LOCK, "stress", 1, 1, threshold=4))

    story = story.given(recover(GATTO, "stress", "resolve", "0000", thing=LOCK), apply_(1))
    assert kept(story).marked(LOCK, "stress") == set()


# --- a faction and what it has brought --------------------------------------------------------------------


def deployed() -> Story:
    """Corp's drones, of threat level 3, are at the dock."""
    story = begun((GATTO,), (HARGAN, CORP))
    return story.given(g.Deployed(conflict=1, who=CORP, asset=DRONES, zone="Dock", cost=4))


def test_A38_what_an_asset_has_taken_before_leaves_less_room() -> None:
    story = deployed().given(marked(DRONES, "stress", 2, 1, 2, threshold=3))

    open_act(GATTO, total=5, story=story, target=DRONES, track="stress").when(apply_()).then(
        applied(GATTO, "attack", 5),
        out(DRONES, "stress", 5, by=GATTO, beyond=2),
        marked(CORP, "prestige", 2, 1, 2, threshold=3, why="overflow"),
    )


def test_A38_a_faction_takes_a_consequence_for_what_strikes_it_through_its_asset() -> None:
    story = open_act(GATTO, total=5, story=deployed(), target=DRONES, track="stress")

    story = story.when(resist(CORP, mild="In the papers")).then(
        g.Resisted(conflict=1, who=CORP, shifts=1, asset=DRONES),
        taken(CORP, Severity.MILD, 1, aspect=4, wording="In the papers", why="resist", holder=GATTO),
        g.ShiftsSet(conflict=1, who=GATTO, shifts=5, dice=2, level=3),
    )
    story.when(apply_()).then(
        applied(GATTO, "attack", 5),
        out(DRONES, "stress", 5, by=GATTO, beyond=2),
        marked(CORP, "prestige", 1, 1, threshold=3, why="overflow"),
    )
    assert story.given(resist(CORP, moderate="Sued")).when(apply_()).events[-1] == out(
        DRONES, "stress", 5, by=GATTO, beyond=2
    )


def test_A38_if_nothing_strikes_through_a_faction_has_nothing_to_resist() -> None:
    story = open_act(GATTO, total=3, story=deployed(), target=DRONES, track="stress")

    story.when(resist(CORP, mild="In the papers")).then_refused(
        "Drones takes all of it, and nothing of it strikes Corp."
    )


def test_A38_stress_that_strikes_through_goes_where_it_goes() -> None:
    story = open_act(GATTO, total=5, story=deployed(), target=DRONES, track="stress")

    story.when(resist(CORP, ("prestige", 2))).then_refused(
        "What is beyond Drones' stress goes on Corp's prestige by itself;"
        " a consequence takes of it: resist Corp mild as “what it is”."
    )


# --- stress on one track ----------------------------------------------------------------------------------


@pytest.mark.parametrize("split", ["no", "yes"])
def test_A47_several_lines_are_one_resist_or_boost_all_the_same(split: str) -> None:
    story = open_act(act="move", target=GATTO, path=(g.Step(zone="Aisle"),), total=4)
    story = story.given(option("split_stress", split), resist(GATTO, ("cool", 1)))
    again = story.when(resist(GATTO, ("humanity", 1)))

    if split == "no":
        again.then_refused("Stress goes on one track at a time here (option split_stress).")
    else:
        assert again.events
    assert story.when(resist(GATTO, ("cool", 1))).events


def test_A47_a_boost_is_counted_apart_from_what_was_marked_for_another_roll() -> None:
    story = open_act(GATTO, target=HARGAN, track="cool", total=2).given(boost(GATTO, ("cool", 1)))

    story.when(boost(GATTO, ("humanity", 1))).then_refused(
        "Stress goes on one track at a time here (option split_stress)."
    )
    later = open_act(HARGAN, story=story.given(apply_()), act="maneuver", target=GATTO, aspect="Seen")
    assert later.when(resist(GATTO, ("humanity", 1))).events


# --- who is out -------------------------------------------------------------------------------------------


def test_A52_it_is_the_comrade_who_is_out_where_a_nomad_has_no_room() -> None:
    nomad = sheet(JADE, role="nomad", slots__mild=0, slots__moderate=0, slots__severe=0)
    story = open_act(total=5, story=begun(sheets=(nomad,)))

    story.when(resist(JADE, ("cool", 5), comrade=GATTO)).then_refused(
        "5 do not fit on cool (2): apply, and Gatto is out."
    )


# --- where no way leads -----------------------------------------------------------------------------------

ISLAND = g.ZonesMapped(conflict=1, zones=("Island",))
CUT_OFF = (
    "No way on the map leads from Dock to where Gatto's attack on Hargan is aimed:"
    " map ZONE 1 ZONE draws a border."
)


def test_A50_an_attack_needs_a_path_to_its_target() -> None:
    story = begun().given(ISLAND, placed("Island", HARGAN))

    story.when(attack(GATTO, HARGAN, "cool", "firearms", "0000")).then_refused(CUT_OFF)
    assert (
        story.given(option("range_penalty", "off")).when(attack(GATTO, HARGAN, "cool", faces="0000")).events
    )


def test_A50_an_act_at_a_cut_off_target_cannot_continue() -> None:
    story = begun().given(attack(GATTO, HARGAN, "cool", "firearms", "0000"), apply_(), *waits(JADE, HARGAN))

    story.given(exchange(), ISLAND, placed("Island", HARGAN)).when(go_on(GATTO)).then_refused(CUT_OFF)


def test_A50_nothing_comes_of_an_act_whose_target_is_cut_off_meanwhile() -> None:
    story = open_act().given(ISLAND, placed("Island", GATTO))

    story.when(apply_()).then(applied(HARGAN, "attack", 5))


def test_A50_a_border_is_reached_from_its_nearer_end() -> None:
    story = begun().given(ISLAND, placed("Island", GATTO))

    story.when(attack(GATTO, "Dock-Aisle", faces="0000")).then_refused(
        "No way on the map leads from Island to where Gatto's attack on Dock-Aisle is aimed:"
        " map ZONE 1 ZONE draws a border."
    )


# --- the same act -----------------------------------------------------------------------------------------


def in_the_second_exchange(*first: object) -> Story:
    """Gatto has done something in the first exchange, and the others waited."""
    story = begun().given(*first)  # type: ignore[arg-type]  # commands and events
    return story.given(
        *waits(*(who for who in (GATTO, JADE, HARGAN) if who not in state(story).acted)), exchange()
    )


def test_the_same_skill_and_target_on_another_track_is_the_same_act() -> None:
    story = in_the_second_exchange(attack(GATTO, HARGAN, "cool", "firearms", "000-"), apply_())

    story.when(attack(GATTO, HARGAN, "humanity", "firearms", "0000")).then_refused(
        "Gatto's attack on Hargan was made in the last exchange, and is not rolled again:"
        " continue Gatto humanity."
    )
    story = story.given(go_on(GATTO, track="humanity"))
    assert story.when(apply_()).events[-1] == marked(HARGAN, "humanity", 1, 1, threshold=2)


def test_a_maneuver_in_other_words_is_the_same_act() -> None:
    lit = declare(GATTO, "maneuver", thing=HARGAN, aspect="Lit up", skill="firearms")
    story = in_the_second_exchange(lit, v.Roll(results=tuple("0000")), apply_())

    story.when(declare(GATTO, "maneuver", thing=HARGAN, aspect="Blind", skill="firearms")).then_refused(
        "Gatto's maneuver on Hargan was made in the last exchange, and is not rolled again:"
        ' continue Gatto as "Blind".'
    )
    placed_now = story.given(go_on(GATTO, aspect="Blind")).when(apply_()).events[-1]
    assert isinstance(placed_now, g.AspectPlaced)
    assert (placed_now.wording, placed_now.free) == ("Blind", 1)


@pytest.mark.parametrize(
    ("first", "further", "sentence"),
    [
        (
            move(GATTO, "Aisle", faces="0000", skill="athletics"),
            {"track": "cool"},
            "Gatto's move is about no track: continue Gatto to ZONE.",
        ),
        (
            attack(GATTO, HARGAN, "cool", "firearms", "0000"),
            {"aspect": "Blind"},
            "Gatto's attack on Hargan puts no aspect anywhere: continue Gatto.",
        ),
        (
            attack(GATTO, HARGAN, "cool", "firearms", "0000"),
            {"track": "crew"},
            "Hargan has no track crew: cool, humanity, reputation.",
        ),
    ],
)
def test_shifts_go_on_only_into_what_their_act_is_about(
    first: object, further: dict[str, str], sentence: str
) -> None:
    in_the_second_exchange(first, apply_()).when(go_on(GATTO, **further)).then_refused(sentence)


# --- what is over with a conflict -------------------------------------------------------------------------


def test_the_free_invokes_of_a_maneuver_last_as_long_as_the_conflict() -> None:
    lit = g.AspectPlaced(conflict=1, aspect=4, on=HARGAN, wording="Lit up", how="maneuver", by=GATTO, free=2)
    said = g.AspectPlaced(conflict=1, aspect=5, on="Dock", wording="Oil", how="said", by=GATTO, free=1)
    story = begun().given(lit, said)

    story.when(c.End(what="conflict")).then(
        g.FreeInvokesLapsed(conflict=1, aspect=4, on=HARGAN, wording="Lit up"),
        e.ConflictEnded(conflict=1, how="ended"),
    )


def test_no_defence_ends_with_another_conflict() -> None:
    """Two conflicts at once: what is kept up in one is nothing to the other."""
    story = begun((GATTO,), (HARGAN,)).given(
        defend(GATTO, "cool", "resolve", "0000"),
        apply_(),
        e.ConflictOpened(conflict=2, system="edgerunner", sides=((JADE,), (REX,))),
    )

    story.when(c.End(what="conflict", conflict=2)).then(e.ConflictEnded(conflict=2, how="ended"))


def test_A48_an_alternates_defence_ends_when_the_alternate_moves() -> None:
    other = sheet(REX, kind="alternate", role=None, of=JADE)
    story = begun((GATTO, REX), (HARGAN,), sheets=(other,)).given(
        g.ThresholdReplaced(conflict=1, who=GATTO, on=REX, track="cool", threshold=5, own=2)
    )

    events = story.when(move(REX, "Aisle", free=True)).events
    assert events[-1] == reverted(GATTO, REX, "cool", 2)


@pytest.mark.parametrize(("zone", "ends"), [("Aisle", True), ("Dock", False)])
def test_a_person_who_is_put_elsewhere_has_moved_and_the_defence_with_it_is_over(
    zone: str, ends: bool
) -> None:
    story = begun().given(
        g.ThresholdReplaced(conflict=1, who=JADE, on=GATTO, track="cool", threshold=5, own=3)
    )
    events = story.when(v.Place(who=(GATTO, HARGAN), zone=zone)).events if ends else ()

    assert (reverted(JADE, GATTO, "cool", 3) in events) is ends


# --- how long an exchange is ------------------------------------------------------------------------------


def test_A39_the_length_of_an_exchange_belongs_to_its_conflict() -> None:
    task = sheet(LOCK, kind="problem", threshold=None, takes=17)
    story = begun((GATTO,), (LOCK,), sheets=(task,), exchange=False).given(exchange("a month"))
    other = e.ConflictOpened(conflict=2, system="edgerunner", sides=((JADE,), (REX,)))
    short = exchange("a few moments").but({"conflict": 2})

    story = story.given(other, short)
    assert kept(story).own_threshold(LOCK, "stress") == 3
    on = exchange().but({"conflict": 1})
    began = story.given(simple(GATTO).but({"conflict": 1})).when(on).events[0]
    assert isinstance(began, g.ExchangeBegan)
    assert began.step == 14


def test_A39_a_task_on_no_side_uses_its_workers_exchange_length() -> None:
    task = sheet(LOCK, kind="problem", threshold=None, takes=17)
    story = begun((GATTO,), (HARGAN,), sheets=(task,), exchange=False).given(exchange("a month"))
    other = e.ConflictOpened(conflict=2, system="edgerunner", sides=((JADE,), (REX,)))
    short = exchange("a few moments").but({"conflict": 2})

    story = story.given(other, short, attack(GATTO, LOCK, faces="0000").but({"conflict": 1}))
    assert kept(story).own_threshold(LOCK, "stress") == 3
