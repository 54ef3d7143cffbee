"""Whatever is said next ends the roll that is open, unless the table has it said (option applies)."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
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
    claimed,
    exchange,
    exchange_began,
    marked,
    next_,
    option,
    simple,
    waits,
)
from tests.retold.games.edgerunner.open_rolls import open_act
from tests.scenario import Story

SAID = option("applies", "said")
OPEN = open_act(total=2)
ENDED = (applied(HARGAN, "attack", 2), marked(GATTO, "cool", 2, 1, 2, threshold=3))
STANDS = (
    "Hargan's attack on Gatto stands at 2 shifts: invoke, boost, resist, or apply"
    " (option applies=next: the next act applies it)."
)


def test_the_next_turn_ends_it() -> None:
    OPEN.when(next_(JADE)).then(*ENDED, claimed(JADE))


def test_the_next_act_ends_it() -> None:
    events = OPEN.when(attack(JADE, HARGAN, "cool", faces="0000")).events

    assert tuple(events[:3]) == (*ENDED, claimed(JADE))
    assert isinstance(events[-1], g.ShiftsSet)


def test_the_next_exchange_ends_it() -> None:
    story = open_act(total=2, story=begun().given(*waits(GATTO, JADE)))

    story.when(exchange()).then(*ENDED, exchange_began(2))


@pytest.mark.parametrize("command", [next_(JADE), simple(JADE), exchange()])
def test_elsewhere_it_is_said(command: Command) -> None:
    open_act(total=2).given(SAID).when(command).then_refused(STANDS)


@pytest.mark.parametrize("command", [next_(JADE), simple(JADE), exchange()])
def test_Q37_an_attack_of_no_effect_ends_before_the_next_act(command: Command) -> None:
    over = open_act(total=0, story=begun().given(*waits(GATTO, JADE)) if command == exchange() else None)

    assert over.given(SAID).when(command).events[0] == applied(HARGAN, "attack", 0)


def test_Q37_another_act_of_no_effect_stays_open() -> None:
    open_act(act="maneuver", total=0, target=GATTO, aspect="Blind").given(SAID).when(
        simple(JADE)
    ).then_refused(
        "Hargan's maneuver on Gatto stands at 0 shifts: invoke, boost, resist, or apply"
        " (option applies=next: the next act applies it)."
    )


def test_words_and_an_interruption_end_nothing() -> None:
    assert OPEN.when(v.Declare(who=JADE, text=TEXT)).events[0].kind == "table.declared"
    story: Story = open_act(total=2, story=begun((GATTO, REX), (HARGAN,)))
    kinds = [
        type(one) for one in story.when(attack(REX, HARGAN, "cool", faces="0000", interrupt=True)).events
    ]
    assert kinds[0] is g.ActionDeclared


def test_a_taken_out_fighter_cannot_act() -> None:
    story = open_act(total=9, story=begun((GATTO,), (HARGAN,)))

    story.when(simple(GATTO)).then_refused("Gatto is taken out.")
    story.when(exchange()).then_refused(
        "Gatto is taken out, and Hargan tells what becomes of them: narrate Hargan: how it ends."
    )
