"""What each act takes to be announced, and what comes of its shifts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.commands.verbs import Boost, Invoke
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, fields_of
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    DRONES,
    FEET_WORDS,
    GATTO,
    HARGAN,
    JADE,
    LOCK,
    REX,
    TEXT,
    WILLIAM,
    applied,
    apply_,
    attack,
    begun,
    claimed,
    declare,
    declared,
    defend,
    deploy,
    ended,
    exchange,
    kept,
    maneuver,
    marked,
    marks,
    move,
    next_,
    option,
    out,
    place,
    placed,
    recover,
    reverted,
    roll,
    rolled,
    sheet,
    shifts,
    simple,
    state,
    told,
    waits,
)
from tests.scenario import Story

STEAM = "Blind with steam"
NARRATED = e.Narrated(conflict=1, who=GATTO, text=TEXT)


def stressed(who: int, track: str, *boxes: int) -> g.StressMarked:
    """Boxes that were marked before."""
    return marked(who, track, len(boxes), *boxes, threshold=9, why="ruling")


def aspect(on: int | str, wording: str, by: int, free: int, total: int) -> g.AspectPlaced:
    return g.AspectPlaced(
        conflict=1, aspect=4, on=on, wording=wording, how="maneuver", by=by, free=free, shifts=total
    )


def replaced(who: int, on: int, track: str, threshold: int, own: int) -> g.ThresholdReplaced:
    return g.ThresholdReplaced(conflict=1, who=who, on=on, track=track, threshold=threshold, own=own)


# --- announced, rolled, applied ---------------------------------------------------------------------------


def test_an_act_is_announced_and_rolled_at_once_or_one_after_the_other() -> None:
    announced = (claimed(HARGAN), declared(HARGAN, "attack", "firearms", 3, target=GATTO, track="cool"))
    thrown = (rolled(HARGAN, "++00"), shifts(HARGAN, 5, dice=2, level=3))

    at_once = begun().when(attack(HARGAN, GATTO, "cool", "firearms", "++00")).then(*announced, *thrown)
    apart = begun().when(declare(HARGAN, "attack", thing=GATTO, track="cool", skill="firearms"))
    in_turn = apart.then(*announced).when(roll(HARGAN, "++00")).then(*thrown)
    assert at_once.table == in_turn.table


def test_an_act_without_dice_results_is_dealt_dice() -> None:
    story = (
        begun()
        .when(attack(HARGAN, GATTO, "cool"), dealt="+ 0 - +")
        .then(
            claimed(HARGAN),
            declared(HARGAN, "attack", target=GATTO, track="cool"),
            rolled(HARGAN, "+0-+"),
            shifts(HARGAN, 1, dice=1),
        )
    )
    assert state(story).acts[0].shifts == 1


@pytest.mark.parametrize(("typed", "skill", "level"), [("fire", "firearms", 3), ("Juggling", "juggling", 0)])
def test_a_skill_is_meant_by_its_beginning_and_one_on_no_sheet_is_0(
    typed: str, skill: str, level: int
) -> None:
    story = begun().when(declare(HARGAN, "attack", thing=GATTO, track="cool", skill=typed))

    assert story.events[-1] == declared(HARGAN, "attack", skill, level, target=GATTO, track="cool")


def test_words_on_an_act_are_kept_apart_from_its_narration() -> None:
    story = (
        begun()
        .when(attack(GATTO, HARGAN, "cool", "firearms", "00--", text=TEXT))
        .then(
            claimed(GATTO),
            declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool", text=TEXT),
            rolled(GATTO, "00--"),
            shifts(GATTO, 0, dice=-2, level=2),
        )
    )
    story.when(apply_(text=TEXT)).then(applied(GATTO, "attack", 0), NARRATED)


def test_an_act_in_words_is_a_declaration_as_anywhere() -> None:
    begun().when(declare(GATTO, text=TEXT)).then(e.Declared(conflict=1, who=GATTO, text=TEXT))


NO_ENGAGE = (
    "Edgerunner has no engage to declare: move, attack, defend, maneuver, recover, deploy, simple, continue."
)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            v.Declare(who=GATTO, act="engage"),
            NO_ENGAGE,
        ),
        (
            declare(GATTO, "simple", setup={"haste": 1}),
            "An act is announced openly and takes no KEY=VALUE: declare NAME ACT.",
        ),
        (
            roll(GATTO, "0000"),
            "No act is announced: declare NAME ACT, or announce and roll it at once (attack NAME …).",
        ),
        (
            v.Roll(who=GATTO, traits=("firearms",), results=("0",) * 4),
            "In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL.",
        ),
        (
            apply_(),
            "No act is on the table that could be applied: attack, move, or another act comes first.",
        ),
        (attack(GATTO, HARGAN, "cool", "firearms", "000"), "4 dice are rolled here and 3 were given."),
        (
            attack(GATTO, HARGAN, "cool", "firarms", "0000"),
            "There is no “firarms” here. Did you mean firearms?",
        ),
    ],
)
def test_lines_that_mean_nothing_here(command: Command, sentence: str) -> None:
    begun().when(command).then_refused(sentence)


def test_dice_that_no_act_asks_for_are_rolled_as_at_any_table() -> None:
    six = e.DiceRolled(conflict=1, who=GATTO, dice="1d6", faces=(4,))

    begun().when(v.Roll(who=GATTO, dice="1d6", results=("4",))).then(six)


def test_an_act_ends_when_it_has_been_rolled() -> None:
    story = begun().given(declare(GATTO, "attack", thing=HARGAN, track="cool"))

    story.when(apply_()).then_refused("Gatto's attack on Hargan is announced: roll Gatto, or forfeit Gatto.")
    story.given(roll(None, "0000")).when(apply_(1)).then_refused(
        "Gatto's attack on Hargan clears no boxes: apply."
    )


# --- attacks ----------------------------------------------------------------------------------------------


def test_what_is_left_of_an_attack_is_stress_on_its_track() -> None:
    story = begun().given(attack(GATTO, HARGAN, "cool", "firearms", "+000"))

    story = story.when(apply_()).then(
        applied(GATTO, "attack", 3), marked(HARGAN, "cool", 3, 1, 2, 3, threshold=4)
    )
    assert marks(story, HARGAN, "cool") == {1, 2, 3}


def test_distance_comes_off_an_attack_where_the_table_plays_so() -> None:
    far = {HARGAN: "Office"}
    shot = attack(GATTO, HARGAN, "cool", "firearms", "+000")

    assert shifts(GATTO, 1, dice=1, level=2, range=-2) in begun(at=far).when(shot).events
    for rule in ("defense_only", "off"):
        near = begun(at=far, options={"range_penalty": rule}).when(shot)
        assert shifts(GATTO, 3, dice=1, level=2) in near.events


def test_hargan_shoots_gatto_whose_gun_does_not_fire() -> None:
    """ED-08: 8 shifts with the aspect invoked, which cannot be taken; Hargan's player tells."""
    story = begun().given(
        stressed(GATTO, "cool", 1, 2),
        defend(GATTO, "cool", "firearms", "---0"),
        apply_(),
        attack(HARGAN, GATTO, "cool", "firearms", "+++0"),
        Invoke(who=HARGAN, aspect="gun fired"),
    )
    assert kept(story).threshold(GATTO, "cool") == 0

    story = story.when(apply_()).then(
        applied(HARGAN, "attack", 8), out(GATTO, "cool", 8, beyond=8), reverted(GATTO, GATTO, "cool", 3)
    )
    story.when(c.Narrate(who=GATTO, text=TEXT)).then_refused(
        "It is for Hargan to tell what becomes of Gatto (narrate Hargan: how it ends)."
    )
    story.when(c.Narrate(who=WILLIAM, text=TEXT)).then(*told(GATTO, WILLIAM))


def test_the_text_of_an_apply_tells_a_fallen_fighters_fate() -> None:
    story = begun((GATTO,), (HARGAN,)).given(attack(HARGAN, GATTO, "cool", "firearms", "+000"))

    story.when(apply_(text=TEXT)).then(
        applied(HARGAN, "attack", 4), out(GATTO, "cool", 4, beyond=1), *told(GATTO, HARGAN), ended(HARGAN)
    )


def test_a_border_that_is_attacked_takes_what_the_referee_says() -> None:
    story = begun().given(declare(GATTO, "attack", thing="Aisle-Dock", skill="firearms"))
    asked = "What can the border Dock-Aisle take? The referee says: ruling threshold=4: what it is."

    story.when(roll(GATTO, "0000")).then_refused(asked)
    story = (
        begun()
        .when(attack(GATTO, "dock-aisle", skill="firearms", faces="+000"))
        .then(
            claimed(GATTO),
            declared(GATTO, "attack", "firearms", 2, target="Dock-Aisle"),
            rolled(GATTO, "+000"),
            shifts(GATTO, 3, dice=1, level=2),
        )
    )
    story.when(apply_()).then_refused(asked)
    steel = story.given(g.NumberSet(conflict=1, on="Dock-Aisle", what="threshold", value=3))
    dented = g.StressMarked(conflict=1, on="Dock-Aisle", amount=3, boxes=(1, 2, 3), threshold=3, why="attack")
    steel.when(apply_()).then(applied(GATTO, "attack", 3), dented)
    wood = story.given(g.NumberSet(conflict=1, on="Dock-Aisle", what="threshold", value=2))
    gone = g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3, beyond=1)
    wood = wood.when(apply_(text=TEXT)).then(applied(GATTO, "attack", 3), gone, NARRATED)
    assert state(wood).broken == {"Dock-Aisle": GATTO}


def test_an_aspect_is_attacked_until_it_is_gone() -> None:
    story = begun().given(maneuver(GATTO, HARGAN, STEAM, "firearms", "0000"), apply_())

    story = story.when(attack(HARGAN, "blind", skill="athletics", faces="0000")).then(
        claimed(HARGAN),
        declared(HARGAN, "attack", "athletics", 1, target=STEAM, about=4),
        rolled(HARGAN, "0000"),
        shifts(HARGAN, 1, level=1),
    )
    wiped = g.StressMarked(conflict=1, on=STEAM, about=4, amount=1, boxes=(1,), threshold=1, why="attack")
    story = story.when(apply_()).then(applied(HARGAN, "attack", 1), wiped)
    story = story.given(attack(JADE, STEAM, skill="athletics", faces="-000"))
    story = story.when(apply_()).then(
        applied(JADE, "attack", 1),
        g.TakenOut(conflict=1, on=STEAM, about=4, by=JADE, over=1, beyond=1),
        g.AspectRemoved(conflict=1, aspect=4, on=HARGAN, wording=STEAM, why="taken-out"),
    )
    assert 4 not in kept(story).aspects


def test_range_to_an_aspect_is_the_range_to_its_bearer() -> None:
    story = begun(at={HARGAN: "Office"}).given(aspect(HARGAN, STEAM, JADE, 1, 1))

    assert (
        shifts(GATTO, 0, level=2, range=-2)
        in story.when(attack(GATTO, STEAM, skill="firearms", faces="0000")).events
    )
    assert (
        shifts(HARGAN, 3, level=3) in story.when(attack(HARGAN, STEAM, skill="firearms", faces="0000")).events
    )


@pytest.mark.parametrize(
    ("thing", "track", "sentence"),
    [
        (GATTO, "cool", "Gatto cannot attack themselves."),
        (REX, "cool", "Rex is not in this conflict: Gatto, Jade, Hargan."),
        (HARGAN, "luck", "Hargan has no track luck: cool, humanity, reputation."),
        ("Dock", None, "Dock is a zone: people, problems, borders and aspects are attacked."),
        ("Dock-Aisle", "cool", "Dock-Aisle has no tracks: leave out cool."),
        (FEET_WORDS, None, f"“{FEET_WORDS}” is on Jade's sheet: only a passing aspect can be attacked."),
        ("Torn", None, "“Torn sleeve” is a consequence, and stays until it is cleared after the conflict."),
        (
            "the moon",
            None,
            (
                "There is no “the moon” here. What has a track to act on is cast:"
                ' cast "the moon" kind=device integrity=3.'
            ),
        ),
    ],
)
def test_invalid_targets_of_an_attack_are_refused(thing: int | str, track: str | None, sentence: str) -> None:
    torn = Boost(who=JADE, mild="Torn sleeve")
    story = begun().given(attack(JADE, HARGAN, "cool", faces="0000"), torn, apply_())

    story.when(attack(GATTO, thing, track, "firearms", "0000")).then_refused(sentence)


def test_a_problem_is_attacked_like_a_person() -> None:
    """ED-25 is the length of its track; here the sheet says 4."""
    story = begun().given(placed("Dock", LOCK), attack(GATTO, LOCK, skill="firearms", faces="++0+"))

    story.when(apply_()).then(applied(GATTO, "attack", 5), out(LOCK, "stress", 5, by=GATTO, beyond=1))


def test_only_the_media_hurt_a_faction_and_only_its_prestige() -> None:
    story = begun((GATTO, JADE), (HARGAN, CORP), sheets=(sheet(JADE, role="media"),))
    refusal = "Corp is a faction: only a media (role=media) can hurt it, and only its prestige."

    story.when(attack(GATTO, CORP, "prestige", "resolve", "0000")).then_refused(refusal)
    story.when(attack(JADE, CORP, "leverage", "deception", "0000")).then_refused(refusal)
    story = story.given(attack(JADE, CORP, "prestige", "deception", "--00"))
    story.when(apply_()).then(applied(JADE, "attack", 2), marked(CORP, "prestige", 2, 1, 2, threshold=3))


# --- defences ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "floor", "threshold"),
    [("+++0", "no", 5), ("--00", "no", 0), ("----", "no", 0), ("--00", "yes", 3), ("++00", "yes", 4)],
)
def test_the_shifts_of_a_defence_are_the_threshold(faces: str, floor: str, threshold: int) -> None:
    """Firearms 2, cool 3 of its own; never below 0."""
    total = 2 + sum({"+": 1, "0": 0, "-": -1}[face] for face in faces)
    story = begun(options={"defense_floor": floor}).given(defend(GATTO, "cool", "firearms", faces))

    story = story.when(apply_()).then(
        applied(GATTO, "defend", total), replaced(GATTO, GATTO, "cool", threshold, 3)
    )
    assert kept(story).threshold(GATTO, "cool") == threshold


def test_defending_another_character_counts_the_distance_to_them() -> None:
    story = (
        begun(at={JADE: "Office"})
        .when(defend(GATTO, "cool", "firearms", "++00", thing=JADE))
        .then(
            claimed(GATTO),
            declared(GATTO, "defend", "firearms", 2, target=JADE, track="cool"),
            rolled(GATTO, "++00"),
            shifts(GATTO, 2, dice=2, level=2, range=-2),
        )
    )
    story.when(apply_()).then(applied(GATTO, "defend", 2), replaced(GATTO, JADE, "cool", 2, 2))


def test_a_faction_adds_nothing_to_acts_without_dice() -> None:
    """Its disposition, here -1, is for rolls alone."""
    begun((GATTO,), (HARGAN, CORP)).when(simple(CORP)).then(
        claimed(CORP), declared(CORP, "simple"), applied(CORP, "simple", 0)
    )


def test_a_defence_ends_at_its_defenders_next_act() -> None:
    story = begun().given(defend(GATTO, "cool", "firearms", "++00", thing=JADE), apply_())
    story = story.given(*waits(JADE, HARGAN), exchange())

    story.when(simple(GATTO)).then(
        claimed(GATTO),
        declared(GATTO, "simple"),
        reverted(GATTO, JADE, "cool", 2),
        applied(GATTO, "simple", 0),
    )
    story.when(defend(GATTO, "humanity", "firearms", "0000")).then(
        claimed(GATTO),
        declared(GATTO, "defend", "firearms", 2, track="humanity"),
        reverted(GATTO, JADE, "cool", 2),
        rolled(GATTO, "0000"),
        shifts(GATTO, 2, level=2),
    )


def test_boxes_above_a_lowered_threshold_have_no_effect() -> None:
    story = begun().given(
        stressed(GATTO, "cool", 1, 2, 3), defend(GATTO, "cool", "firearms", "-000"), apply_()
    )

    assert marks(story, GATTO, "cool") == {1, 2, 3}
    assert GATTO not in state(story).out


@pytest.mark.parametrize("thing", ["Dock", "Dock-Aisle", FEET_WORDS])
def test_only_people_have_tracks_to_defend_or_recover(thing: str) -> None:
    begun().when(defend(GATTO, "cool", thing=thing)).then_refused(f"{thing} has no tracks: leave out cool.")
    begun().when(recover(GATTO, "cool", thing=thing)).then_refused(
        f"{thing} has no tracks, so there is none to defend or recover."
    )


# --- maneuvers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "free"), [("--0-", None), ("--00", 0), ("-000", 1), ("+000", 2), ("+++0", 2), ("++++", 3)]
)
def test_a_maneuver_places_an_aspect_with_free_invokes_for_its_shifts(faces: str, free: int | None) -> None:
    """Firearms 2: -1 is blocked, 0 comes with none, 1 with one, 3 and 5 with two, 6 with three (ED-21)."""
    total = 2 + sum({"+": 1, "0": 0, "-": -1}[face] for face in faces)
    story = begun().given(maneuver(GATTO, HARGAN, STEAM, "firearms", faces))

    story.when(apply_()).then(
        applied(GATTO, "maneuver", total),
        *([] if free is None else [aspect(HARGAN, STEAM, GATTO, free, total)]),
    )


@pytest.mark.parametrize(
    ("thing", "on"),
    [
        ("office", "Office"),
        ("Aisle-Dock", "Dock-Aisle"),
        ("forklift", "forklift"),
        ("crate", "Crate"),
        (GATTO, GATTO),
        (LOCK, LOCK),
    ],
)
def test_a_maneuver_targets_a_person_a_place_or_a_thing(thing: int | str, on: int | str) -> None:
    story = begun(at={LOCK: "Dock"}).given(aspect("Crate", "Heavy", JADE, 0, 0))
    story = story.given(maneuver(GATTO, thing, STEAM, "firearms", "0000"))
    total = 1 if on == "Office" else 2
    far = story.given(apply_()).events[-1]

    assert isinstance(far, g.AspectPlaced)
    assert far.on == on
    assert far.shifts == (0 if on == "Office" else total)


@pytest.mark.parametrize(
    ("thing", "wording", "sentence"),
    [
        (HARGAN, "never LETS go", "Hargan has that aspect already: invoke it, or find other words."),
        (
            FEET_WORDS,
            STEAM,
            f"“{FEET_WORDS}” is an aspect itself: name the person or thing that the other is on.",
        ),
        (REX, STEAM, "Rex is not in this conflict: Gatto, Jade, Hargan."),
        (HARGAN, " ", 'An aspect is words: maneuver Gatto Hargan as "Ankle-deep in oil".'),
    ],
)
def test_an_aspect_that_cannot_be_placed(thing: int | str, wording: str, sentence: str) -> None:
    begun().when(maneuver(GATTO, thing, wording, "firearms", "0000")).then_refused(sentence)


# --- recoveries -------------------------------------------------------------------------------------------


def test_a_recovery_clears_the_only_boxes_that_it_can() -> None:
    story = begun().given(stressed(GATTO, "cool", 1), recover(GATTO, "cool", "athletics", "+000"))

    story.when(apply_()).then(
        applied(GATTO, "recover", 4),
        g.BoxesCleared(conflict=1, who=GATTO, on=GATTO, track="cool", boxes=(1,)),
    )


def test_a_recovery_clears_the_boxes_named_as_far_as_its_shifts_pay_for_them() -> None:
    """ED-22: 4 shifts clear 4, or 1 and 3, never 5, nor 2 and 3."""
    story = begun(sheets=(sheet(GATTO, cool=5),)).given(
        stressed(GATTO, "cool", 1, 2, 3, 4, 5), recover(GATTO, "cool", "athletics", "+000")
    )
    cleared = g.BoxesCleared(conflict=1, who=GATTO, on=GATTO, track="cool", boxes=(1, 3))
    can = "It can be: apply 1, apply 1 2, apply 1 3, apply 2, apply 3, apply 4."

    done = story.when(apply_(3, 1)).then(applied(GATTO, "recover", 4), cleared)
    assert marks(done, GATTO, "cool") == {2, 4, 5}
    story.when(apply_()).then_refused(f"Say which boxes of Gatto's cool are cleared with 4 shifts. {can}")
    story.when(apply_(5)).then_refused(f"These boxes of Gatto's cool take 5 shifts, and there are 4. {can}")
    story.when(apply_(2, 3)).then_refused(
        f"These boxes of Gatto's cool take 5 shifts, and there are 4. {can}"
    )
    story.when(apply_(1, 6)).then_refused(
        f"Not all of these boxes of Gatto's cool are marked (1, 2, 3, 4, 5). {can}"
    )


def test_a_recovery_with_too_few_shifts_clears_nothing() -> None:
    story = begun().given(stressed(GATTO, "cool", 3), recover(GATTO, "cool", "resolve", "+000"))

    story.when(apply_()).then(applied(GATTO, "recover", 2))
    story.when(apply_(3)).then_refused(
        "These boxes of Gatto's cool take 3 shifts, and there are 2. They clear nothing: apply."
    )


def test_to_recover_another_takes_both_turns() -> None:
    story = begun(at={GATTO: "Aisle"}).given(stressed(GATTO, "cool", 1, 2))
    helped = recover(JADE, "cool", "medicine", "0+00", thing=GATTO)

    acted = story.when(helped).then(
        claimed(JADE),
        declared(JADE, "recover", "medicine", 2, target=GATTO, track="cool"),
        rolled(JADE, "0+00"),
        shifts(JADE, 2, dice=1, level=2, range=-1),
    )
    acted = acted.when(apply_(2)).then(
        applied(JADE, "recover", 2),
        g.BoxesCleared(conflict=1, who=JADE, on=GATTO, track="cool", boxes=(2,)),
    )
    acted.when(simple(GATTO)).then_refused("Gatto has acted in this exchange; to go on: next Hargan.")
    story.given(simple(GATTO)).when(helped).then_refused(
        "Gatto has acted in this exchange, and to recover another takes both turns."
    )


def test_a_thing_without_turns_is_recovered_alone() -> None:
    story = begun(at={LOCK: "Dock"}).given(
        stressed(LOCK, "stress", 1), recover(HARGAN, "stress", "athletics", "0000", thing=LOCK)
    )

    story.when(apply_(1)).then(
        applied(HARGAN, "recover", 1),
        g.BoxesCleared(conflict=1, who=HARGAN, on=LOCK, track="stress", boxes=(1,)),
    )


def test_there_is_nothing_to_recover_on_a_clear_track() -> None:
    begun().when(recover(GATTO, "cool", "resolve", "0000")).then_refused("Nothing is marked on Gatto's cool.")


# --- deployments ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "more", "rule", "cost"),
    [
        ("character", {}, "less_one_doubled", 8),
        ("extra", {}, "less_one_doubled", 6),
        ("goon", {}, "less_one_doubled", 4),
        ("mook", {"tl": 5}, "less_one_doubled", 8),
        ("mook", {"tl": 4}, "less_one_doubled", 6),
        ("mook", {"tl": 3}, "less_one_doubled", 4),
        ("mook", {"tl": 5}, "doubled_less_one", 9),
        ("device", {"cost": 3}, "less_one_doubled", 6),
    ],
)
def test_the_shifts_that_a_deployment_needs(kind: str, more: dict[str, Any], rule: str, cost: int) -> None:
    """ED-26: 8, 6, 4; mooks 8, 6, 4; logistics 3 and focus 2 and a ruling come to the cost, or one less."""
    story = begun(
        (GATTO,), (HARGAN, CORP), options={"mook_deploy": rule}, sheets=(sheet(REX, kind=kind, **more),)
    )
    story = story.given(deploy(CORP, REX, "Office", "logistics", "0000"))
    deployed = g.Deployed(conflict=1, who=CORP, asset=REX, zone="Office", cost=cost)

    enough = story.given(*ruled(CORP, cost, level=5))
    there = enough.when(apply_()).then(applied(CORP, "deploy", cost), deployed)
    assert place(there, REX) == "Office"
    assert there.table.conflicts[1].side_of(REX) == HARGAN
    story.given(*ruled(CORP, cost - 1, level=5)).when(apply_()).then(applied(CORP, "deploy", cost - 1))


def ruled(who: int, total: int, **parts: int) -> tuple[g.NumberSet, g.ShiftsSet]:
    """The open roll stands at so many shifts, because the table says so."""
    rest = total - sum(parts.values())
    return (
        g.NumberSet(conflict=1, on=who, what="shifts", value=total),
        shifts(who, total, **parts, **({"ruled": rest} if rest else {})),
    )


def test_a_deployed_unit_acts_from_the_next_exchange_on() -> None:
    story = begun((GATTO,), (HARGAN, CORP)).given(deploy(CORP, DRONES, "Dock", "logistics", "0000"), apply_())

    story.when(attack(DRONES, GATTO, "cool", "security", "0000")).then_refused(
        "Drones has acted in this exchange; to go on: next Gatto."
    )
    story = story.given(*waits(GATTO, HARGAN), exchange())
    assert claimed(DRONES) in story.when(attack(DRONES, GATTO, "cool", "security", "0000")).events


def test_A38_excess_harm_to_an_asset_strikes_the_factions_prestige() -> None:
    story = begun((GATTO,), (HARGAN, CORP)).given(
        deploy(CORP, DRONES, "Dock", "logistics", "0000"),
        apply_(),
        attack(GATTO, DRONES, skill="firearms", faces="++0+"),
    )

    story.when(apply_()).then(
        applied(GATTO, "attack", 5),
        out(DRONES, "stress", 5, by=GATTO, beyond=2),
        marked(CORP, "prestige", 2, 1, 2, threshold=3, why="overflow"),
    )


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            deploy(HARGAN, DRONES, "Dock"),
            "Only a faction (kind=faction on the sheet) deploys, and Hargan is none.",
        ),
        (deploy(CORP, GATTO, "Dock"), "Gatto is here already."),
        (
            deploy(CORP, LOCK, "Dock"),
            "Lock is of kind problem; what can be deployed is one of character, device, extra, goon, mook.",
        ),
        (deploy(CORP, REX, "Dock"), "Rex's sheet does not say what deploying takes: cast Rex tl=3."),
        (deploy(CORP, DRONES, "Roof"), "There is no “Roof” here."),
        (
            attack(CORP, GATTO, "cool"),
            "Corp is a faction among people: it may deploy, maneuver, or do what is simple.",
        ),
    ],
)
def test_acts_of_a_faction_among_people(command: Command, sentence: str) -> None:
    mook = e.SheetChanged(person=REX, system="edgerunner", values={"kind": "mook"})

    begun((GATTO,), (HARGAN, CORP), sheets=(mook,)).when(command).then_refused(sentence)


@pytest.mark.parametrize(
    ("against", "bonus"),
    [(GATTO, 2), (LOCK, -1), ("Dock", -1), (REX, -1), (DRONES, 2)],
)
def test_a_faction_adds_the_bonus_for_its_target(against: int | str, bonus: int) -> None:
    """Logistics 3; focus 2 for people, disposition -1 for issues, influence -1 for factions."""
    faction = sheet(REX, kind="faction")
    story = begun((GATTO,), (CORP,), sheets=(faction,), at={LOCK: "Dock", REX: "Dock", DRONES: "Dock"})
    story = story.given(next_(CORP))

    assert (
        declared(CORP, "maneuver", "logistics", 3 + bonus, target=against, aspect=STEAM)
        in story.when(maneuver(CORP, against, STEAM, "logistics", "0000")).events
    )


# --- simple acts ------------------------------------------------------------------------------------------


def test_a_simple_act_needs_no_announcement() -> None:
    begun().when(simple(GATTO, TEXT)).then(
        claimed(GATTO), declared(GATTO, "simple"), applied(GATTO, "simple", 0), NARRATED
    )
    story = begun().when(declare(GATTO, "simple")).then(claimed(GATTO), declared(GATTO, "simple"))
    story.when(roll(GATTO, "0000")).then_refused(
        "Gatto's simple act is announced and takes no dice: apply, or forfeit Gatto."
    )
    story.when(apply_(text=TEXT)).then(applied(GATTO, "simple", 0), NARRATED)


# --- what adds to a roll, and what opposes it -------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "amount"), [("+000", 3), ("0000", 2), ("--00", None), ("---0", None), ("++++", 6)]
)
def test_an_upgrade_adds_its_boost_and_costs_the_bare_dice_and_its_value(
    faces: str, amount: int | None
) -> None:
    """ED-16, ED-17: research 3, an upgrade of 2, dice of 1: 6 shifts, 1 + 2 of humanity stress."""
    dice = sum({"+": 1, "0": 0, "-": -1}[face] for face in faces)
    wired = sheet(GATTO, research=3, upgrade__link="research+2")
    strained = g.UpgradeStrained(conflict=1, who=GATTO, upgrade="link", track="humanity", amount=amount or 0)

    story = begun(sheets=(wired,)).when(maneuver(GATTO, "Dock", STEAM, "research", faces, upgrade="li"))
    story.then(
        claimed(GATTO),
        declared(GATTO, "maneuver", "research", 5, target="Dock", aspect=STEAM, upgrade="link"),
        rolled(GATTO, faces),
        shifts(GATTO, 5 + dice, level=5, **({"dice": dice} if dice else {})),
        *([] if amount is None else [strained]),
    )


def test_an_upgrade_is_for_its_own_skill_and_named_when_the_act_is_announced() -> None:
    wired = sheet(GATTO, upgrade__link="firearms+2/0:cool")
    story = begun(sheets=(wired,))

    story.when(defend(GATTO, "cool", "resolve", "0000", upgrade="link")).then_refused(
        "link is for firearms, and this is rolled with resolve."
    )
    story.when(defend(GATTO, "cool", "firearms", "0000", upgrade="wings")).then_refused(
        "Gatto has no upgrade wings; on the sheet: link."
    )
    announced = story.given(declare(GATTO, "defend", track="cool", skill="firearms"))
    announced.when(v.Roll(who=GATTO, upgrade="link")).then_refused(
        "An upgrade is named when the act is announced: forfeit, or roll without --upgrade."
    )
    strained = story.when(attack(GATTO, HARGAN, "cool", "firearms", "+000", upgrade="link")).events[-1]
    assert strained == g.UpgradeStrained(conflict=1, who=GATTO, upgrade="link", track="cool", amount=1)


def test_a_skill_opposes_only_under_its_option() -> None:
    aimed = attack(GATTO, HARGAN, "cool", "firearms", "0000", against="stealth")
    story = begun()

    story.when(aimed).then_refused(
        "Here acts are rolled against nothing (option conflict_opposition): leave out --against."
    )
    story = story.given(option("conflict_opposition", "skill"))
    story.when(aimed).then(
        claimed(GATTO),
        declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool", against="stealth", opposed=2),
        rolled(GATTO, "0000"),
        shifts(GATTO, 0, level=2, opposed=-2),
    )
    story.when(maneuver(GATTO, "Dock", STEAM, "firearms", "0000", against="stealth")).then_refused(
        "Only another person can oppose an act with a skill: leave out --against."
    )
    story.when(move(GATTO, "Aisle", against="stealth")).then_refused(
        "Only another person can oppose an act with a skill: leave out --against."
    )


# --- laws -------------------------------------------------------------------------------------------------

PARTS = tuple(part for part in fields_of(g.ShiftsSet) if part not in ("conflict", "who", "shifts"))
FACES = st.text("+0-", min_size=4, max_size=4)
ACTS = st.one_of(
    st.builds(lambda faces: attack(GATTO, HARGAN, "cool", "firearms", faces), FACES),
    st.builds(lambda faces: maneuver(GATTO, "Office", STEAM, "firearms", faces), FACES),
    st.builds(lambda faces: defend(GATTO, "cool", "firearms", faces, thing=JADE), FACES),
    st.builds(lambda faces: move(GATTO, "Aisle", skill="athletics", faces=faces), FACES),
)


@settings(max_examples=60, deadline=None)
@drawn_from(
    act=ACTS, bid=st.integers(0, 3), where=st.sampled_from(["Dock", "Aisle", "Office"]), invoke=st.booleans()
)
def test_the_parts_of_a_roll_add_up_to_the_applied_shifts(
    act: Command, bid: int, where: str, *, invoke: bool
) -> None:
    story = begun(at={HARGAN: where, JADE: where}).given(next_(GATTO, bid, hargan=0) if bid else next_(GATTO))
    story = story.given(act)
    if invoke:
        story = story.given(Invoke(who=GATTO, aspect="gun fired"))
    story = story.given(apply_())

    last = [event for event in story.events if isinstance(event, g.ShiftsSet)][-1]
    done = [event for event in story.events if isinstance(event, g.ActionApplied)][-1]
    assert last.shifts == sum(getattr(last, part) or 0 for part in PARTS) == done.shifts
    assert (last.bid or 0) == -bid
    assert last.dice != 0


def test_a_finished_act_leaves_no_open_state() -> None:
    """An act that has ended leaves nothing on the table."""
    story: Story = begun().given(attack(GATTO, HARGAN, "cool", "firearms", "0000"), apply_())

    assert state(story).acts == []
    assert state(story).turn is None
    assert state(story).done[GATTO].shifts == 2
