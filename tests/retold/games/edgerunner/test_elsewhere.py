"""Whoever has no part in an open conflict does what they do as if there were none."""

from __future__ import annotations

from retold.games.edgerunner import events as g
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_rest import dice, roll, stands, tried
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    HARGAN,
    JADE,
    REX,
    TEXT,
    begun,
    kept,
    marked,
    option,
    placed,
    results,
    sheet,
    shifts,
    state,
)
from tests.retold.games.edgerunner.open_rolls import (
    accept,
    boost,
    compel,
    invoke,
    invoked,
    offered,
    open_act,
    refuse,
    resist,
)

FIGHT = open_act(
    story=begun(sheets=(sheet(REX, driving=2, aspect__car="A fast car"), sheet(JADE, medicine=2)))
)
"""Hargan shoots at Gatto, and Rex is somewhere else."""

CAR = 4
DRIVING = FIGHT.given(roll(REX, "driving", faces="+000"))


def test_a_person_who_is_elsewhere_rolls_while_an_act_is_open() -> None:
    story = FIGHT.when(roll(REX, "driving", faces="+000")).then(
        tried(REX, "driving", 2), dice(REX, "+000"), stands(REX, 3, dice=1, level=2)
    )

    assert state(story).act is not None


def test_what_they_have_rolled_is_theirs_to_invoke_boost_and_spend() -> None:
    story = DRIVING.when(invoke(REX, "fast car")).then(
        invoked(REX, CAR, REX, "A fast car", conflict=None),
        stands(REX, 5, dice=1, level=2, invoked=2),
    )
    story = story.given(boost(REX, ("cool", 1)))
    assert kept(story).marked(REX, "cool") == {1}
    act = state(story).act
    assert act is not None
    assert (act.invoked, act.shifts) == (0, 5)


def test_the_act_in_the_conflict_is_still_for_those_who_are_in_it() -> None:
    DRIVING.when(resist(GATTO, mild="Torn sleeve")).then(
        g.Resisted(conflict=1, who=GATTO, shifts=1),
        g.ConsequenceTaken.of(
            {
                "conflict": 1,
                "who": GATTO,
                "severity": "mild",
                "worth": 1,
                "aspect": 5,
                "wording": "Torn sleeve",
                "holder": HARGAN,
                "why": "resist",
            }
        ),
        shifts(HARGAN, 4, dice=2, level=3, resisted=-1),
    )
    DRIVING.when(roll(GATTO, "firearms", faces="0000")).then_refused(
        "In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL."
    )
    DRIVING.when(roll(REX, "driving", opponent=GATTO, skill="athletics", faces="0000")).then_refused(
        "In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL."
    )


def test_a_person_on_the_map_is_not_elsewhere() -> None:
    FIGHT.given(placed("Dock", REX)).when(roll(REX, "driving", faces="0000")).then_refused(
        "In a conflict a skill is rolled by an act, such as attack NAME TARGET with SKILL."
    )


def test_the_wounds_of_who_is_elsewhere_are_cleared() -> None:
    story = FIGHT.given(marked(REX, "cool", 1, 1, threshold=2))

    story.when(c.Clear(who=REX, track="stress", text=TEXT)).then(
        g.StressCleared(who=REX, tracks=("cool",), text=TEXT)
    )
    story.when(c.Clear(who=GATTO, track="stress")).then_refused(
        "Nothing is cleared inside a conflict; stress is recovered: recover Gatto TRACK."
    )


def test_only_a_person_elsewhere_assesses_a_person_elsewhere() -> None:
    from retold.games.edgerunner.commands import verbs as v  # noqa: PLC0415

    def assess(who: int, thing: int) -> v.Assess:
        return v.Assess(who=who, thing=thing, aspect="fast car", skill="driving", results=results("0000"))

    events = FIGHT.when(assess(CORP, REX)).events
    assert isinstance(events[-1], g.AssessmentFailed)
    FIGHT.when(assess(GATTO, REX)).then_refused("To look somebody over takes more time than an exchange has.")


def test_a_person_elsewhere_is_compelled_outside_the_conflict() -> None:
    story = FIGHT.when(compel(REX, "fast car")).then(offered(REX, "A fast car", conflict=None))

    assert state(story).offers == []
    story.when(refuse(REX)).then(e.CompelRefused(who=REX))
    story.when(accept(REX)).then(e.CompelAccepted(who=REX))


def test_the_contest_of_two_who_are_elsewhere() -> None:
    story = FIGHT.given(
        option("split_stress", "no"), roll(REX, "driving", opponent=CORP, skill="logistics", faces="+++0")
    )

    story.when(resist(CORP, mild="Late")).then(
        g.Resisted(who=CORP, shifts=1),
        g.ConsequenceTaken.of(
            {
                "who": CORP,
                "severity": "mild",
                "worth": 1,
                "aspect": 5,
                "wording": "Late",
                "holder": REX,
                "why": "resist",
            }
        ),
        stands(REX, 1, dice=3, level=2, opposed=-3, resisted=-1),
    )
