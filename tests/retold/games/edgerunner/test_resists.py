"""Stress and consequences for shifts: whoever rolled has more of them, whoever is the target leaves fewer."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.rules import Severity, free_invokes, time_after, time_step
from retold.journal.vocabulary.base import Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    GATTO,
    HARGAN,
    JADE,
    LOCK,
    PEOPLE,
    REX,
    SHEETS,
    TEXT,
    applied,
    apply_,
    attack,
    begun,
    exchange_began,
    kept,
    marked,
    marks,
    option,
    out,
    sheet,
    shifts,
)
from tests.retold.games.edgerunner.open_rolls import (
    boost,
    free_of,
    invoke,
    open_act,
    outside_roll,
    resist,
    taken,
)
from tests.scenario import Story, given

MILD, MODERATE, SEVERE = Severity


def shot(total: int = 5, story: Story | None = None) -> Story:
    """Hargan shoots at Gatto's cool, whose threshold is 3."""
    return open_act(total=total, story=story)


def oiled(total: int, story: Story | None = None) -> Story:
    """Hargan puts an aspect on Gatto."""
    return open_act(act="maneuver", total=total, target=GATTO, aspect="Slick with oil", story=story)


def resisted(who: int, less: int, *, comrade: int | None = None, conflict: int | None = 1) -> g.Resisted:
    return g.Resisted(conflict=conflict, who=who, shifts=less, comrade=comrade)


def boosted(who: int, more: int, conflict: int | None = 1) -> g.Boosted:
    return g.Boosted(conflict=conflict, who=who, shifts=more)


# --- an attack --------------------------------------------------------------------------------------------


def test_the_target_of_an_attack_takes_all_that_is_left_as_stress() -> None:
    story = (
        shot(2)
        .when(resist(GATTO, ("cool", 2)))
        .then(
            resisted(GATTO, 2),
            marked(GATTO, "cool", 2, 1, 2, threshold=3, why="resist"),
            shifts(HARGAN, 0, dice=-1, level=3, resisted=-2),
        )
    )

    assert marks(story, GATTO, "cool") == {1, 2}


def test_a_consequence_takes_what_it_is_worth_and_stress_the_rest() -> None:
    story = (
        shot(5)
        .when(resist(GATTO, ("cool", 3), moderate="Sprained ankle"))
        .then(
            resisted(GATTO, 5),
            taken(GATTO, MODERATE, 2, aspect=4, wording="Sprained ankle", why="resist", holder=HARGAN),
            marked(GATTO, "cool", 3, 1, 2, 3, threshold=3, why="resist"),
            shifts(HARGAN, 0, dice=2, level=3, resisted=-5),
        )
    )

    assert free_of(story, 4) == {HARGAN: 1}


def test_consequences_may_be_taken_one_after_the_other_and_several_at_once() -> None:
    story = shot(7).given(resist(GATTO, mild="Torn sleeve"))

    story.when(resist(GATTO, moderate="Sprained ankle", severe="Shot in the arm")).then(
        resisted(GATTO, 6),
        taken(GATTO, MODERATE, 2, aspect=5, wording="Sprained ankle", why="resist", holder=HARGAN),
        taken(GATTO, SEVERE, 4, aspect=6, wording="Shot in the arm", why="resist", holder=HARGAN),
        shifts(HARGAN, 0, dice=4, level=3, resisted=-7),
    )


def test_a_consequence_may_be_more_than_is_needed() -> None:
    shot(3).when(resist(GATTO, severe="Shot in the arm")).then(
        resisted(GATTO, 4),
        taken(GATTO, SEVERE, 4, aspect=4, wording="Shot in the arm", why="resist", holder=HARGAN),
        shifts(HARGAN, -1, level=3, resisted=-4),
    )


def test_what_is_said_of_it_is_kept() -> None:
    shot(1).when(resist(GATTO, ("cool", 1)).but({"text": TEXT})).then(
        g.Resisted(conflict=1, who=GATTO, shifts=1, text=TEXT),
        marked(GATTO, "cool", 1, 1, threshold=3, why="resist"),
        shifts(HARGAN, 0, dice=-2, level=3, resisted=-1),
    )


def test_a_person_who_strikes_may_add_to_it_again_and_it_is_resisted_again() -> None:
    story = shot(1).given(resist(GATTO, ("cool", 1)), invoke(HARGAN, "fired once"))

    story.when(resist(GATTO, ("cool", 2))).then(
        resisted(GATTO, 2),
        marked(GATTO, "cool", 2, 2, threshold=3, why="resist"),
        shifts(HARGAN, 0, dice=-2, level=3, invoked=2, resisted=-3),
    )


def test_stress_against_an_attack_goes_on_the_track_it_strikes() -> None:
    shot(2).when(resist(GATTO, ("humanity", 2))).then_refused(
        "It strikes cool, and stress goes there: resist Gatto cool 2."
    )


@pytest.mark.parametrize("less", [1, 3])
def test_stress_against_an_attack_takes_neither_less_nor_more_than_is_left(less: int) -> None:
    shot(2).when(resist(GATTO, ("cool", less))).then_refused(
        "Stress takes all that is left of it: resist Gatto cool 2."
    )


def test_after_a_consequence_that_takes_all_there_is_no_stress() -> None:
    shot(2).when(resist(GATTO, ("cool", 2), moderate="Sprained ankle")).then_refused(
        'The consequence takes all of it, and leaves no stress: resist Gatto moderate as "Sprained ankle".'
    )


def test_stress_that_finds_no_box_does_not_resist() -> None:
    for typed in (2, 4, 7):
        shot(4).when(resist(GATTO, ("cool", typed))).then_refused(
            "4 do not fit on cool (3): resist Gatto cool 3 mild as …, or apply, and Gatto is out."
        )
    shot(4).given(resist(GATTO, ("cool", 3), mild="Torn sleeve"))


def test_an_attack_that_has_come_to_nothing_is_not_resisted() -> None:
    shot(0).when(resist(GATTO, mild="Torn sleeve")).then_refused(
        "The roll is at 0: there is nothing left to resist."
    )


def test_an_attack_that_is_resisted_whole_does_nothing() -> None:
    story = begun().given(
        attack(HARGAN, GATTO, "cool", "firearms", "++00"),
        resist(GATTO, ("cool", 3), moderate="Sprained ankle"),
    )

    story.when(apply_()).then(applied(HARGAN, "attack", 0))


# --- any other act ----------------------------------------------------------------------------------------


def test_a_maneuver_of_two_resisted_by_two_leaves_the_aspect_without_a_free_invoke() -> None:
    """ED-31."""
    story = (
        oiled(2)
        .when(resist(GATTO, ("humanity", 2)))
        .then(
            resisted(GATTO, 2),
            marked(GATTO, "humanity", 2, 1, 2, threshold=2, why="resist"),
            shifts(HARGAN, 0, dice=-1, level=3, resisted=-2),
        )
    )

    assert free_invokes(0) == 0
    story.when(apply_()).then(
        applied(HARGAN, "maneuver", 0),
        g.AspectPlaced(
            conflict=1, aspect=4, on=GATTO, wording="Slick with oil", how="maneuver", by=HARGAN, shifts=0
        ),
    )


def test_a_maneuver_of_two_resisted_by_three_is_blocked() -> None:
    """ED-31."""
    story = (
        oiled(2)
        .when(resist(GATTO, ("cool", 3)))
        .then(
            resisted(GATTO, 3),
            marked(GATTO, "cool", 3, 1, 2, 3, threshold=3, why="resist"),
            shifts(HARGAN, -1, dice=-1, level=3, resisted=-3),
        )
    )

    story.when(apply_()).then(applied(HARGAN, "maneuver", -1))


def test_at_nothing_a_maneuver_is_still_resisted_and_below_it_is_not() -> None:
    story = oiled(0).given(resist(GATTO, ("reputation", 1)))

    story.when(resist(GATTO, ("cool", 1))).then_refused("The roll is at -1: there is nothing left to resist.")


def test_a_moved_fighter_may_resist() -> None:
    story = open_act(act="move", total=4, target=GATTO, path=(g.Step(zone="Aisle"),))

    story.when(resist(GATTO, mild="Scraped knees")).then(
        resisted(GATTO, 1),
        taken(GATTO, MILD, 1, aspect=4, wording="Scraped knees", why="resist", holder=HARGAN),
        shifts(HARGAN, 3, dice=1, level=3, resisted=-1),
    )


def test_every_moved_fighter_may_resist() -> None:
    story = open_act(act="move", total=4, target=GATTO, also=(JADE,), path=(g.Step(zone="Aisle"),))

    story.when(resist(JADE, ("cool", 1))).then(
        resisted(JADE, 1),
        marked(JADE, "cool", 1, 1, threshold=2, why="resist"),
        shifts(HARGAN, 3, dice=1, level=3, resisted=-1),
    )


def test_one_resist_marks_one_track() -> None:
    oiled(3).when(resist(GATTO, ("cool", 1), ("humanity", 1))).then_refused(
        "Stress goes on one track at a time here (option split_stress)."
    )


def test_or_several_where_the_table_plays_so() -> None:
    story = oiled(3, begun(options={"split_stress": "yes"}))

    story.when(resist(GATTO, ("cool", 1), ("humanity", 1))).then(
        resisted(GATTO, 2),
        marked(GATTO, "cool", 1, 1, threshold=3, why="resist"),
        marked(GATTO, "humanity", 1, 1, threshold=2, why="resist"),
        shifts(HARGAN, 1, level=3, resisted=-2),
    )


def test_one_track_named_twice_marks_no_box_twice() -> None:
    story = oiled(3, begun(options={"split_stress": "yes"}))

    story.when(resist(GATTO, ("cool", 1), ("cool", 1))).then(
        resisted(GATTO, 2),
        marked(GATTO, "cool", 1, 1, threshold=3, why="resist"),
        marked(GATTO, "cool", 1, 2, threshold=3, why="resist"),
        shifts(HARGAN, 1, level=3, resisted=-2),
    )


# --- who is the target ------------------------------------------------------------------------------------


def test_a_faction_resists_with_its_own_tracks() -> None:
    story = open_act(total=2, target=CORP, track="prestige", story=begun((CORP,), (HARGAN,)))

    story.when(resist(CORP, ("prestige", 2))).then(
        resisted(CORP, 2),
        marked(CORP, "prestige", 2, 1, 2, threshold=3, why="resist"),
        shifts(HARGAN, 0, dice=-1, level=3, resisted=-2),
    )


def test_mooks_have_their_threat_level_and_no_consequence() -> None:
    story = open_act(total=3, target=DRONES, track="stress", story=begun((DRONES,), (HARGAN,)))

    story.when(resist(DRONES, mild="Bent rotor")).then_refused(
        "Drones has no mild consequence to take; free are: none."
    )
    story.when(resist(DRONES, ("stress", 3))).then(
        resisted(DRONES, 3),
        marked(DRONES, "stress", 3, 1, 2, 3, threshold=3, why="resist"),
        shifts(HARGAN, 0, level=3, resisted=-3),
    )


def test_a_thing_with_a_sheet_resists_though_it_is_on_no_side() -> None:
    story = open_act(GATTO, total=3, target=LOCK, track="stress")

    story.when(resist(LOCK, ("stress", 3))).then(
        resisted(LOCK, 3),
        marked(LOCK, "stress", 3, 1, 2, 3, threshold=4, why="resist"),
        shifts(GATTO, 0, level=3, resisted=-3),
    )


def test_an_alternate_shares_its_primarys_tracks() -> None:
    alternate = sheet(REX, kind="alternate", of=JADE)
    story = open_act(
        total=2, target=REX, track="cool", story=begun((REX, JADE), (HARGAN,), sheets=(alternate,))
    )

    story = story.when(resist(REX, ("cool", 2))).then(
        resisted(REX, 2),
        marked(REX, "cool", 2, 1, 2, threshold=2, why="resist"),
        shifts(HARGAN, 0, dice=-1, level=3, resisted=-2),
    )

    assert marks(story, JADE, "cool") == {1, 2}


def test_a_fighter_cannot_resist_for_another() -> None:
    shot().when(resist(JADE, ("cool", 2))).then_refused("Only the target can resist: Gatto.")
    shot().when(resist(HARGAN, ("cool", 2))).then_refused("Only the target can resist: Gatto.")


def test_an_act_aimed_at_no_character_cannot_be_resisted() -> None:
    open_act(act="maneuver", total=2, target="Dock", aspect="Fog").when(
        resist(GATTO, mild="Cough")
    ).then_refused("Hargan's roll has no target that could resist.")


def test_a_person_who_is_taken_out_resists_no_more() -> None:
    oiled(2).given(out(GATTO, "cool", 1)).when(resist(GATTO, mild="Torn sleeve")).then_refused(
        "Gatto is taken out."
    )


def test_resisting_needs_a_roll() -> None:
    begun().when(resist(GATTO, ("cool", 2))).then_refused(
        "No roll is open: act first (attack NAME TARGET with SKILL)."
    )


def test_Q37_a_resist_that_names_nothing_takes_all_of_it_on_the_track_that_is_struck() -> None:
    assert shot(2).when(resist(GATTO)).events == shot(2).when(resist(GATTO, ("cool", 2))).events


def test_Q37_the_line_of_a_refusal_keeps_the_consequences_that_were_named() -> None:
    shot(3).when(resist(GATTO, ("cool", 1), mild="Torn sleeve")).then_refused(
        'Stress takes all that is left of it: resist Gatto cool 2 mild as "Torn sleeve".'
    )


def test_outside_conflicts_the_opponent_may_resist() -> None:
    story = outside_roll(JADE, 3, level=4, against=2, opponent=HARGAN)

    story.when(resist(HARGAN, ("reputation", 1), mild="A red face")).then(
        resisted(HARGAN, 2, conflict=None),
        taken(HARGAN, MILD, 1, aspect=4, wording="A red face", why="resist", holder=JADE, conflict=None),
        marked(HARGAN, "reputation", 1, 1, threshold=2, why="resist").but({"conflict": None}),
        shifts(JADE, 1, None, dice=1, level=4, opposed=-2, resisted=-2),
    )
    story.when(resist(GATTO, ("reputation", 1))).then_refused("Only the target can resist: Hargan.")
    outside_roll(JADE, 3, level=2).when(resist(HARGAN, ("cool", 1))).then_refused(
        "Jade's roll has no target that could resist."
    )


# --- slots ------------------------------------------------------------------------------------------------


def test_a_slot_holds_one_consequence() -> None:
    story = shot().given(resist(GATTO, mild="Torn sleeve"))

    story.when(resist(GATTO, mild="Scraped knees")).then_refused(
        "Gatto's mild consequence is taken: Torn sleeve."
    )


def test_or_as_many_as_the_sheet_says() -> None:
    more = sheet(GATTO, slots__mild=2)
    story = shot(story=begun(sheets=(more,))).given(resist(GATTO, mild="Torn sleeve"))

    story.when(resist(GATTO, mild="Scraped knees")).then(
        resisted(GATTO, 1),
        taken(GATTO, MILD, 1, aspect=5, wording="Scraped knees", why="resist", holder=HARGAN),
        shifts(HARGAN, 3, dice=2, level=3, resisted=-2),
    )


def test_the_one_consequence_of_a_goon_is_worth_three() -> None:
    goon = sheet(REX, kind="goon")
    story = open_act(total=5, target=REX, track="stress", story=begun((REX,), (HARGAN,), sheets=(goon,)))

    story.when(resist(REX, ("stress", 2), moderate="Limping")).then(
        resisted(REX, 5),
        taken(REX, MODERATE, 3, aspect=4, wording="Limping", why="resist", holder=HARGAN),
        marked(REX, "stress", 2, 1, 2, threshold=4, why="resist"),
        shifts(HARGAN, 0, dice=2, level=3, resisted=-5),
    )


# --- a nomad ----------------------------------------------------------------------------------------------

NOMAD = sheet(JADE, role="nomad")


def with_a_nomad(total: int = 5) -> Story:
    """Hargan shoots at Gatto, and Jade is a nomad."""
    return shot(total, begun(sheets=(NOMAD,)))


def test_a_nomad_takes_the_stress_of_a_hit_on_a_comrade() -> None:
    story = (
        with_a_nomad(2)
        .when(resist(JADE, ("cool", 2), comrade=GATTO))
        .then(
            resisted(JADE, 2, comrade=GATTO),
            marked(JADE, "cool", 2, 1, 2, threshold=2, why="resist"),
            shifts(HARGAN, 0, dice=-1, level=3, resisted=-2),
        )
    )

    assert marks(story, GATTO, "cool") == set()


def test_or_a_consequence_in_a_slot_of_their_own_which_is_the_comrades_aspect() -> None:
    story = (
        with_a_nomad()
        .when(resist(JADE, severe="Shot in the arm", comrade=GATTO))
        .then(
            resisted(JADE, 4, comrade=GATTO),
            taken(
                GATTO,
                SEVERE,
                4,
                aspect=4,
                wording="Shot in the arm",
                why="resist",
                holder=HARGAN,
                slot_of=JADE,
            ),
            shifts(HARGAN, 1, dice=2, level=3, resisted=-4),
        )
    )

    own = kept(story)
    assert own.aspects[4].on == GATTO
    assert own.room_for(GATTO, SEVERE)
    assert not own.room_for(JADE, SEVERE)


def test_a_nomad_is_no_comrade_of_their_own() -> None:
    story = open_act(story=begun(sheets=(sheet(GATTO, role="nomad"),)))

    story.when(resist(GATTO, mild="Torn sleeve", comrade=GATTO)).then_refused(
        "A nomad takes hits for comrades, and Gatto is none of Gatto's."
    )


def test_a_nomad_takes_one_thing_of_a_hit_and_one_hit_once() -> None:
    with_a_nomad().when(resist(JADE, mild="Torn sleeve", moderate="Limping", comrade=GATTO)).then_refused(
        "A nomad takes stress or one consequence of a hit, not more."
    )
    with_a_nomad(2).when(resist(JADE, ("cool", 1), mild="Torn sleeve", comrade=GATTO)).then_refused(
        "A nomad takes stress or one consequence of a hit, not more."
    )
    with_a_nomad().given(resist(JADE, mild="Torn sleeve", comrade=GATTO)).when(
        resist(JADE, moderate="Limping", comrade=GATTO)
    ).then_refused("Jade has taken what a nomad may of this hit: stress, or one consequence.")


def test_another_hit_is_another_matter() -> None:
    story = with_a_nomad().given(
        resist(JADE, mild="Torn sleeve", comrade=GATTO),
        applied(HARGAN, "attack", 0),
        exchange_began(2),
    )

    shot(3, story).when(resist(JADE, moderate="Limping", comrade=GATTO)).then(
        resisted(JADE, 2, comrade=GATTO),
        taken(GATTO, MODERATE, 2, aspect=5, wording="Limping", why="resist", holder=HARGAN, slot_of=JADE),
        shifts(HARGAN, 1, level=3, resisted=-2),
    )


def test_a_nomad_takes_hits_for_comrades_alone() -> None:
    shot().when(resist(JADE, mild="Torn sleeve", comrade=GATTO)).then_refused(
        "Only a nomad takes a hit for another, and Jade is none (role=nomad)."
    )
    with_a_nomad().when(resist(JADE, mild="Torn sleeve", comrade=HARGAN)).then_refused(
        "There is no attack on Hargan that Jade could take."
    )
    oiled(2, begun(sheets=(NOMAD,))).when(resist(JADE, mild="Torn sleeve", comrade=GATTO)).then_refused(
        "There is no attack on Gatto that Jade could take."
    )
    shot(story=begun((GATTO,), (HARGAN,), (JADE,), sheets=(NOMAD,))).when(
        resist(JADE, mild="Torn sleeve", comrade=GATTO)
    ).then_refused("A nomad takes hits for comrades, and Gatto is none of Jade's.")
    with_a_nomad().given(out(JADE, "cool", 1)).when(
        resist(JADE, mild="Torn sleeve", comrade=GATTO)
    ).then_refused("Jade is taken out.")


# --- upgrades that help to resist -------------------------------------------------------------------------


def test_armour_adds_to_the_track_it_is_for_and_to_that_one_alone() -> None:
    """ED-19: a crew of 3 and armour of 2 make 5, against what the armour is for."""
    crew = sheet(LOCK, kind="device", track__crew=3, track__integrity=3, upgrade__armour="crew+2/0")
    story = open_act(
        total=5, target=LOCK, track="crew", story=begun(sheets=(crew, sheet(LOCK, threshold=None)))
    )

    story.when(resist(LOCK, ("crew", 5), upgrade="armour")).then(
        g.Resisted(conflict=1, who=LOCK, shifts=5, upgrade="armour"),
        marked(LOCK, "crew", 5, 1, 2, 3, 4, 5, threshold=5, why="resist"),
        shifts(HARGAN, 0, dice=2, level=3, resisted=-5),
    )
    story.when(resist(LOCK, ("crew", 5))).then_refused("5 do not fit on crew (3): apply, and Lock is out.")
    hull = open_act(total=5, target=LOCK, track="integrity", story=begun(sheets=(crew,)))
    hull.when(resist(LOCK, ("integrity", 5), upgrade="armour")).then_refused(
        "5 do not fit on integrity (3): apply, and Lock is out."
    )


# --- boosting ---------------------------------------------------------------------------------------------


def test_a_person_who_rolled_takes_stress_and_has_as_many_shifts_more() -> None:
    story = (
        shot(1)
        .when(boost(HARGAN, ("cool", 2)))
        .then(
            boosted(HARGAN, 2),
            marked(HARGAN, "cool", 2, 1, 2, threshold=4, why="boost"),
            shifts(HARGAN, 3, dice=-2, level=3, boosted=2),
        )
    )

    assert marks(story, HARGAN, "cool") == {1, 2}


def test_a_boost_consequence_gives_any_opponent_a_free_invoke() -> None:
    story = (
        shot(1)
        .when(boost(HARGAN, severe="Shot in the arm"))
        .then(
            boosted(HARGAN, 4),
            taken(HARGAN, SEVERE, 4, aspect=4, wording="Shot in the arm", why="boost"),
            shifts(HARGAN, 5, dice=-2, level=3, boosted=4),
        )
    )

    assert free_of(story, 4) == {None: 1}


def test_a_task_takes_less_time_for_a_consequence() -> None:
    """ED-15: a day, a few hours with 2 shifts, half an hour with a moderate consequence besides."""
    day = time_step("a day")
    assert day is not None
    story = outside_roll(JADE, 2, level=2, takes=day)

    story.when(boost(JADE, moderate="Burnt fingers")).then(
        boosted(JADE, 2, None),
        taken(JADE, MODERATE, 2, aspect=4, wording="Burnt fingers", why="boost", conflict=None),
        shifts(JADE, 4, None, level=2, boosted=2),
    )
    assert time_after(day, 2) == time_step("a few hours")
    assert time_after(day, 4) == time_step("half an hour")


def test_stress_raises_only_moves_where_the_table_plays_so() -> None:
    story = begun(options={"boost_with_stress": "move_only"})

    shot(story=story).when(boost(HARGAN, ("cool", 1))).then_refused(
        "Stress raises nothing but a move here (option boost_with_stress); a consequence raises any roll."
    )
    shot(story=story).when(boost(HARGAN, mild="Torn sleeve")).then(
        boosted(HARGAN, 1),
        taken(HARGAN, MILD, 1, aspect=4, wording="Torn sleeve", why="boost"),
        shifts(HARGAN, 6, dice=2, level=3, boosted=1),
    )
    move = open_act(act="move", total=2, path=(g.Step(zone="Aisle"),), story=story)
    move.when(boost(HARGAN, ("cool", 1))).then(
        boosted(HARGAN, 1),
        marked(HARGAN, "cool", 1, 1, threshold=4, why="boost"),
        shifts(HARGAN, 3, dice=-1, level=3, boosted=1),
    )


def test_leverage_helps_to_deploy_all_the_same() -> None:
    story = begun((CORP,), (HARGAN,), options={"boost_with_stress": "move_only"})
    story = open_act(CORP, "deploy", 3, asset=DRONES, path=(g.Step(zone="Dock"),), story=story)

    story.when(boost(CORP, ("leverage", 1))).then(
        boosted(CORP, 1),
        marked(CORP, "leverage", 1, 1, threshold=3, why="boost"),
        shifts(CORP, 4, level=3, boosted=1),
    )
    story.when(boost(CORP, ("prestige", 1))).then_refused(
        "Stress raises nothing but a move here (option boost_with_stress); a consequence raises any roll."
    )


def test_outside_conflicts_too_stress_raises_nothing_but_moves_where_the_table_plays_so() -> None:
    moves_only = option("boost_with_stress", "move_only")
    story = outside_roll(JADE, 2, level=2, story=given(*PEOPLE, *SHEETS, moves_only))

    story.when(boost(JADE, ("cool", 1))).then_refused(
        "Stress raises nothing but a move here (option boost_with_stress); a consequence raises any roll."
    )


def test_a_fighter_cannot_boost_anothers_roll() -> None:
    shot().when(boost(GATTO, ("cool", 1))).then_refused(
        "It is Hargan's roll, and a boost is only for one's own."
    )


def test_a_boost_takes_something() -> None:
    shot().when(boost(HARGAN)).then_refused(
        "Say what Hargan takes: boost Hargan TRACK 2, or mild as “what it is”."
    )


@pytest.mark.parametrize("amount", [0, -1])
def test_stress_is_one_or_more(amount: int) -> None:
    shot().when(boost(HARGAN, ("cool", amount))).then_refused(f"Stress is 1 or more, not {amount}.")


def test_a_track_must_be_one_of_theirs() -> None:
    shot().when(boost(HARGAN, ("prestige", 1))).then_refused(
        "Hargan has no track prestige: cool, humanity, reputation."
    )


def test_a_boost_comes_after_the_dice() -> None:
    begun().when(boost(HARGAN, ("cool", 1))).then_refused(
        "No roll is open: act first (attack NAME TARGET with SKILL)."
    )


def test_a_boost_finds_a_box_or_is_refused() -> None:
    story = shot().given(boost(HARGAN, ("cool", 4)))

    story.when(boost(HARGAN, ("cool", 1))).then_refused(
        "Hargan's cool goes to 4, and 1 more finds no box there."
    )


def test_what_is_said_of_a_boost_is_kept() -> None:
    shot(1).when(boost(HARGAN, ("cool", 1)).but({"text": Words("Teeth")})).then(
        g.Boosted(conflict=1, who=HARGAN, shifts=1, text=Words("Teeth")),
        marked(HARGAN, "cool", 1, 1, threshold=4, why="boost"),
        shifts(HARGAN, 2, dice=-2, level=3, boosted=1),
    )
