"""Aspects tell on assessments and declarations too, once their dice have fallen."""

from __future__ import annotations

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.journal.vocabulary.base import GM
from tests.retold.games.edgerunner.at_rest import TABLE, roll
from tests.retold.games.edgerunner.at_the_warehouse import (
    FEET,
    FEET_WORDS,
    GATTO,
    GRUDGE,
    GRUDGE_WORDS,
    GUN,
    GUN_WORDS,
    HARGAN,
    JADE,
    REX,
    SANDRA,
    WILLIAM,
    attack,
    begun,
    kept,
    results,
)
from tests.retold.games.edgerunner.open_rolls import free_of, invoke, invoked, paid
from tests.scenario import Story


def looked(faces: str) -> Story:
    """Jade looks Hargan over with deception 4, against 3."""
    return TABLE.given(
        v.Assess(
            who=JADE, thing=HARGAN, aspect="never lets", skill="deception", target=3, results=results(faces)
        )
    )


def declared(faces: str, by: int | None = JADE) -> Story:
    return TABLE.given(
        v.PlaceAspect(thing="Roof", aspect="A way down", by=by, support=0, results=results(faces))
    )


def stands(shifts: int, free: int, **fields: object) -> g.FindingStands:
    found = {"who": JADE, "how": "assessment", "aspect": GRUDGE, "on": HARGAN, "wording": GRUDGE_WORDS}
    return g.FindingStands.of({**found, "shifts": shifts, "free": free, **fields})


def on_it(who: int, aspect: int, on: int, wording: str, mode: str = "+2") -> g.AspectInvoked:
    return invoked(who, aspect, on, wording, conflict=None).but({"finding": True, "mode": mode})


def test_an_assessment_that_failed_comes_off_with_an_invoke() -> None:
    story = (
        looked("----")
        .when(invoke(JADE, "light on"))
        .then(
            on_it(JADE, FEET, JADE, FEET_WORDS), paid(SANDRA, WILLIAM, "invoke", conflict=None), stands(-1, 0)
        )
    )

    assert free_of(story, GRUDGE) == {}
    story = story.when(invoke(JADE, "fired once")).then(
        on_it(JADE, GUN, GATTO, GUN_WORDS), paid(SANDRA, WILLIAM, "invoke", conflict=None), stands(1, 1)
    )
    assert free_of(story, GRUDGE) == {JADE: 1}
    story.when(invoke(JADE, "light on")).then_refused(
        f"“{FEET_WORDS}” has been invoked on this roll already: each aspect is once."
    )


def test_the_assessed_person_may_invoke_to_undo_the_finding() -> None:
    story = looked("0000")
    assert free_of(story, GRUDGE) == {JADE: 1}

    story = story.when(invoke(HARGAN, "never lets")).then(
        on_it(HARGAN, GRUDGE, HARGAN, GRUDGE_WORDS, "-2"),
        paid(WILLIAM, SANDRA, "invoke", conflict=None),
        stands(-1, 0),
    )
    assert free_of(story, GRUDGE) == {}


def test_a_declaration_that_failed_is_true_with_an_invoke_and_gone_again_with_none() -> None:
    story = (
        declared("-000", by=None)
        .when(invoke(GM, "fired once"))
        .then(
            on_it(GM, GUN, GATTO, GUN_WORDS),
            stands(1, 0, who=None, how="declaration", aspect=4, on="Roof", wording="A way down"),
        )
    )

    assert kept(story).aspects[4].wording == "A way down"
    assert kept(story).aspects[4].shifts == 1


def test_a_declaration_that_held_is_harder_to_be_rid_of() -> None:
    story = declared("+000").given(invoke(JADE, "light on"))

    assert kept(story).aspects[4].shifts == 3
    assert free_of(story, 4) == {JADE: 2}


def test_its_dice_lie_no_more() -> None:
    looked("0000").when(invoke(JADE, "light on", reroll=True)).then_refused(
        "An assessment or a declaration is not rolled again: an invoke adds 2 to it."
    )


def test_what_is_rolled_next_is_what_is_invoked_on() -> None:
    story = looked("0000").given(roll(JADE, "deception", faces="0000"))

    assert story.when(invoke(JADE, "light on")).events[0] == invoked(
        JADE, FEET, JADE, FEET_WORDS, conflict=None
    )


def test_outsiders_and_conflicts_have_no_part_in_a_finding() -> None:
    looked("0000").when(invoke(REX, "never lets")).then_refused(
        "No roll is open: roll NAME SKILL comes first."
    )
    story = begun((GATTO,), (HARGAN,)).given(attack(GATTO, HARGAN, "cool", faces="0000"))
    assert story.when(invoke(GATTO, "fired once")).events[0] == invoked(GATTO, GUN, GATTO, GUN_WORDS)
