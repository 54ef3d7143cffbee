"""Two aspects of the same words are told apart wherever one of them is named."""

from __future__ import annotations

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.journal.decks.chance import Luck, StackedDealer
from retold.journal.language.proposed import available_actions
from retold.journal.vocabulary import events as e
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    REX,
    attack,
    begun,
    declare,
    sheet,
    state,
)
from tests.retold.games.edgerunner.open_rolls import compel, invoke, open_act, put, resist

TWICE = (
    put(4, GATTO, "Blind", by=HARGAN, free=1),
    put(5, REX, "Blind", by=JADE, free=1),
    put(6, "Dock", "Blind corner", how="said"),
)


def test_A46_same_worded_aspects_are_distinguished_by_their_bearer() -> None:
    story = open_act(target=JADE, track="cool").given(*TWICE)

    story.when(invoke(HARGAN, "blind")).then_refused("blind may be Blind on Gatto or Blind on Rex.")
    events = story.when(invoke(HARGAN, "blind on gat", free=True)).events
    assert isinstance(events[0], g.AspectInvoked)
    assert events[0].aspect == 4


def test_A46_the_one_that_is_on_either_party_is_meant_first() -> None:
    events = open_act(target=JADE, track="cool").given(*TWICE).when(invoke(HARGAN, "blind corner")).events

    assert isinstance(events[0], g.AspectInvoked)
    assert events[0].aspect == 6


def test_the_key_of_an_aspect_goes_before_words_of_another() -> None:
    keyed = (
        sheet(HARGAN, aspect__rainsmith="Rain-smith"),
        sheet(REX, aspect__rainsmith="Mended by a rainsmith"),
    )
    story = open_act().given(
        *keyed, put(9, "Dock", "A lift that only the rainsmiths know", by=HARGAN, free=1)
    )

    invoked = story.when(invoke(HARGAN, "rainsmith")).events[0]

    assert isinstance(invoked, g.AspectInvoked)
    assert invoked.wording == "Rain-smith"


def test_A46_either_may_be_attacked() -> None:
    story = begun().given(*TWICE)

    story.when(attack(JADE, "Blind", faces="0000")).then_refused(
        "Blind may be Blind on Gatto or Blind on Rex."
    )
    declared_ = story.when(attack(JADE, "Blind on Gatto", faces="0000")).events[1]
    assert isinstance(declared_, g.ActionDeclared)
    assert declared_.about == 4


def test_A46_a_compel_keeps_which_of_them_it_is_by() -> None:
    story = begun().given(*TWICE, declare(JADE, "simple"))

    offered = story.when(compel(JADE, "blind on rex")).events[0]
    assert isinstance(offered, e.CompelOffered)
    assert offered.which == 5
    assert state(story.given(offered)).offers[0].aspect == 5


def test_A46_everything_proposed_names_one_of_them() -> None:
    story = open_act(target=GATTO, track="cool").given(*TWICE)

    names = [
        choice.command.aspect
        for seen in available_actions(story.table, Luck(StackedDealer(())))
        for choice in seen.choices
        if isinstance(choice.command, v.Invoke)
    ]
    assert "Blind on Gatto" in names
    assert "Blind" not in names


def test_A46_a_consequence_cannot_repeat_the_bearers_aspect() -> None:
    story = open_act(total=9).given(*TWICE)

    story.when(resist(GATTO, mild="blind")).then_refused(
        "Gatto has the aspect “blind” already: find other words."
    )
    story.when(resist(GATTO, mild="Cut", moderate="cut")).then_refused(
        "Gatto has the aspect “cut” already: find other words."
    )
