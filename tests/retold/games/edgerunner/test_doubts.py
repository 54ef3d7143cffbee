"""What is asked before a line is recorded that may do other than its player means (Q37)."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    REX,
    TEXT,
    applied,
    attack,
    begun,
    declare,
    declared,
    move,
    next_,
    option,
    sheet,
    simple,
)
from tests.retold.games.edgerunner.open_rolls import concede, open_act, outside_roll
from tests.scenario import Story

SAID = option("applies", "said")
JAMMED = begun().given(
    g.AspectPlaced(
        conflict=1, aspect=5, on=HARGAN, wording="Jammed gun", how="maneuver", by=GATTO, free=2, shifts=3
    )
)
"""Gatto has put an aspect on Hargan, and has its free invokes."""


def asked(story: Story, command: Command) -> list[str]:
    return [*EDGERUNNER.doubts(story.table, command)]


@pytest.mark.parametrize(
    "command", [simple(JADE), next_(JADE), attack(JADE, HARGAN, "cool", "deception", "0000")]
)
def test_Q37_an_act_that_takes_out_the_target_of_the_one_before_asks(command: Command) -> None:
    assert asked(open_act(total=5), command) == [
        (
            "That applies Hargan's attack first, with 5 shifts, and takes Gatto out;"
            " to take less: resist Gatto moderate as “what it is”. Go on?"
        )
    ]


@pytest.mark.parametrize(
    ("story", "command"),
    [
        (open_act(total=5).given(SAID), simple(JADE)),
        (open_act(total=2), simple(JADE)),
        (open_act(total=2), v.Apply()),
        (begun(), simple(JADE)),
    ],
)
def test_Q37_an_act_without_an_incidental_take_out_asks_nothing(story: Story, command: Command) -> None:
    assert asked(story, command) == []


def test_Q37_apply_asks_before_it_takes_out_somebody_who_may_take_less() -> None:
    assert asked(open_act(total=5), v.Apply()) == [
        "That takes Gatto out; to take less: resist Gatto moderate as “what it is”. Go on?"
    ]


def test_as_many_consequences_are_offered_as_keep_the_target_in() -> None:
    assert asked(open_act(total=9), v.Apply()) == [
        (
            "That takes Gatto out; to take less:"
            " resist Gatto moderate as “what it is” severe as “what it is”. Go on?"
        )
    ]


def test_nothing_is_offered_to_a_target_that_it_does_not_keep_in() -> None:
    assert asked(open_act(total=20), v.Apply()) == ["That takes Gatto out. Go on?"]


def test_a_person_who_accepts_a_concession_for_others_with_players_asks() -> None:
    story = begun().given(concede(HARGAN))

    assert asked(story, c.Accept(who=GATTO)) == ["That accepts for the whole side, for Jade too. Go on?"]
    assert asked(begun().given(concede(JADE)), c.Accept(who=HARGAN)) == []


def test_a_person_who_concedes_for_others_with_players_asks() -> None:
    assert asked(begun(), c.Concede(who=GATTO, text=TEXT)) == [
        "That concedes for the whole side, for Jade too. Go on?"
    ]
    assert asked(begun(), c.Concede(who=HARGAN, text=TEXT)) == []


def test_an_invoke_that_pays_for_what_an_ally_holds_free_asks() -> None:
    story = open_act(story=JAMMED)
    question = (
        "Gatto has 2 free invokes of “Jammed gun”, and this takes a fate point;"
        " for nothing: invoke {} Jammed gun --free. Go on?"
    )

    assert asked(story, v.Invoke(who=JADE, aspect="jammed")) == [question.format("Jade")]
    assert asked(story, v.Invoke(who=GATTO, aspect="jammed")) == [question.format("Gatto")]
    assert asked(story, v.Invoke(who=GATTO, aspect="jammed", free=True)) == []


def test_an_act_without_a_skill_asks_with_the_likeliest_skill_first() -> None:
    shot = begun().given(declared(GATTO, "attack", "firearms", 2, target=HARGAN, track="cool"))
    question = "That names no skill, and counts 0 for {}; to use one, put in: {}. Go on?"
    first = question.format("Gatto", "with athletics, with firearms or with resolve")

    assert asked(begun(), attack(GATTO, HARGAN, "cool")) == [first]
    assert asked(begun(), declare(GATTO, "maneuver", thing="Dock", aspect="Smoke")) == [first]
    assert asked(shot.given(applied(GATTO, "attack", 0)), attack(GATTO, HARGAN, "cool")) == [
        question.format("Gatto", "with firearms, with athletics or with resolve")
    ]
    assert asked(begun(), attack(GATTO, HARGAN, "cool", "firearms")) == []
    assert asked(begun(), move(GATTO, "Aisle")) == asked(begun(), simple(GATTO)) == []


def test_an_invoke_that_names_an_upgrade_asks() -> None:
    story = open_act(total=5).given(
        sheet(HARGAN, upgrade__eye="firearms+2/1", aspect__eye="An eye for an eye")
    )

    assert asked(story, v.Invoke(who=HARGAN, aspect="Eye")) == [
        (
            "That invokes an aspect; the upgrade Eye is named with the act, before the dice:"
            " --upgrade Eye. Go on?"
        )
    ]
    assert asked(story, v.Invoke(who=HARGAN, aspect="an eye")) == []


def test_Q37_an_invoke_on_a_roll_that_has_been_told_asks() -> None:
    story = outside_roll(GATTO, 4, level=3)
    told = story.given(e.Narrated(who=JADE, text=TEXT))
    command = v.Invoke(who=GATTO, aspect="gun")
    question = (
        "That counts on Gatto's roll of driving, which has been told; to invoke on a new roll, roll first."
        " Go on?"
    )

    assert asked(story, command) == asked(told, simple(GATTO)) == []
    assert asked(told, command) == asked(story.given(e.SceneSet(scene=1, title=TEXT)), command) == [question]


def test_Q37_an_invoke_for_the_roll_of_an_aspect_made_against_the_roller_asks() -> None:
    assert asked(open_act(story=JAMMED), v.Invoke(who=HARGAN, aspect="jammed")) == [
        (
            "Gatto has a free invoke of “Jammed gun”, and this adds 2 to Hargan's roll, for a fate point;"
            " against it: invoke Gatto Jammed gun --free. Go on?"
        )
    ]


@pytest.mark.parametrize(
    "command",
    [
        v.Invoke(who=HARGAN, aspect="jammed", more=True),
        v.Invoke(who=GATTO, aspect="jammed", free=True),
        v.Invoke(who=HARGAN, aspect="no such aspect"),
    ],
)
def test_Q37_an_invoke_that_says_which_way_it_is_asks_nothing(command: Command) -> None:
    assert asked(open_act(story=JAMMED), command) == []


def test_Q37_an_attack_that_goes_where_another_skill_went_asks() -> None:
    hurt = open_act(total=0, target=GATTO, track="reputation")
    question = (
        "That attacks Gatto's reputation, as the latest attacks did; to attack cool or humanity:"
        " attack Rex Gatto TRACK with athletics. Go on?"
    )

    assert asked(hurt, attack(REX, GATTO, None, "athletics")) == [question]
    assert asked(hurt, declare(REX, "attack", thing=GATTO, skill="athletics")) == [question]
    assert asked(hurt, attack(REX, GATTO, "cool", "athletics")) == []
    assert asked(hurt, attack(REX, GATTO, None, "firearms")) == []
