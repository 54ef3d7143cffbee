"""What waits for the table, what the answers come to, and what the toolbar says of it."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands.available_actions import ANSWERED
from retold.games.edgerunner.commands.rulings import ANSWERS
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Question
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    GUN_WORDS,
    HARGAN,
    JADE,
    REX,
    TEXT,
    begun,
    claimed,
    declared,
    ended,
    marked,
    out,
    state,
    told,
)
from tests.retold.games.edgerunner.open_rolls import open_act
from tests.scenario import Story


def asked(story: Story) -> list[str]:
    """The questions that are open, by name."""
    return [question.name for question in questions(story)]


def questions(story: Story) -> tuple[Question, ...]:
    return EDGERUNNER.pending(story.table, story.table.conflicts[1])


def ruling(answer: int | str, question: str | None = None) -> c.Rule:
    return c.Rule(question=question, answer=answer, text=TEXT)


def answered(question: str, answer: int | str) -> e.RulingMade:
    return e.RulingMade(conflict=1, question=question, answer=answer, text=TEXT)


def number(on: int | str, what: str, value: int, **fields: object) -> g.NumberSet:
    return g.NumberSet.of({"conflict": 1, "on": on, "what": what, "value": value, **fields})


# --- questions --------------------------------------------------------------------------------------------


def test_a_new_conflict_asks_for_nothing() -> None:
    assert asked(begun()) == []


def test_a_tie_of_bids_is_the_tables_to_settle() -> None:
    """The best bids were the same; who bid less is not asked for."""
    bids = tuple(g.Bid(who=who, shifts=bid) for who, bid in ((GATTO, 2), (JADE, 1), (HARGAN, 2)))
    story = begun().given(g.BidsTied(conflict=1, bids=bids))

    assert questions(story) == (
        Question(
            "bid", "Gatto and Hargan bid the same: who acts first? (Or they bid again.)", (GATTO, HARGAN), 1
        ),
    )
    story.when(ruling(HARGAN)).then(
        answered("bid", HARGAN), claimed(HARGAN, (GATTO, 2), (JADE, 1), (HARGAN, 2))
    )


def test_who_holds_spin_is_said_if_several_may() -> None:
    """ED-33: a move of -6 gives 2 spins; they are Gatto's or Jade's."""
    story = begun().given(g.SpinGained(conflict=1, who=HARGAN, holder=None, spins=2))

    assert questions(story) == (
        Question("spin", "Hargan's move gives the other side 2 spin: who holds it?", (GATTO, JADE), 1),
    )
    story = story.when(ruling(JADE, "spin")).then(
        answered("spin", JADE), g.SpinGained(conflict=1, who=HARGAN, holder=JADE, spins=2)
    )
    assert [spin.holder for spin in state(story).spins] == [JADE, JADE]
    assert asked(story) == []


def test_a_fallen_fighter_holds_no_spin() -> None:
    story = begun().given(out(GATTO, "cool", 9), *told(GATTO, HARGAN))
    story = story.given(g.SpinGained(conflict=1, who=HARGAN, holder=None, spins=1))

    assert questions(story)[0].answers == (JADE,)


def attack_on_a_border(**fields: object) -> Story:
    return open_act(target="Dock-Aisle", story=begun(), act="attack", **fields)  # type: ignore[arg-type]


def test_what_a_border_can_take_is_asked_when_it_is_attacked() -> None:
    story = attack_on_a_border()
    asked_for = "What can the border Dock-Aisle take? The referee says: ruling threshold=4: what it is."

    assert questions(story) == (Question("threshold", asked_for, (), 1),)
    story = story.when(ruling("4")).then(answered("threshold", "4"), number("Dock-Aisle", "threshold", 4))
    assert (asked(story), state(story).borders["Dock", "Aisle"].threshold) == ([], 4)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("steel", "What a border can take is a number: ruling threshold=4: why, not steel."),
        ("100", "100 is too much: 99 is the most a ruling sets here."),
        ("-1", "That would leave less than nothing."),
    ],
)
def test_what_a_border_can_take_is_a_number(answer: str, sentence: str) -> None:
    attack_on_a_border().when(ruling(answer)).then_refused(sentence)


def test_an_attack_on_an_aspect_of_a_borders_name_asks_nothing() -> None:
    assert asked(attack_on_a_border(about=4)) == []


def test_a_border_that_is_not_attacked_raises_no_question() -> None:
    assert asked(open_act(act="maneuver", target="Dock-Aisle", aspect="Rusty", total=3)) == []


def test_a_border_taken_out_may_wait_until_it_is_drawn_anew() -> None:
    story = begun().given(
        g.ZonesMapped(
            conflict=1, zones=(), borders=(g.BorderDrawn(one="Aisle", other="Dock", passes={"": 5}),)
        ),
        g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3),
    )

    asked_for = "The border Dock-Aisle is taken out: what is it now? Gatto says (map Dock 1 Aisle)."
    assert questions(story) == (Question("border", asked_for, ("as-it-was",), 1, blocks=False),)
    as_it_was = (
        g.BorderDrawn(one="Dock", other="Aisle", passes={"": 1}),
        g.BorderDrawn(one="Aisle", other="Dock", passes={"": 5}),
    )
    story = story.when(ruling("as-it-was")).then(
        answered("border", "as-it-was"), g.ZonesMapped(conflict=1, zones=(), borders=as_it_was)
    )
    assert asked(story) == []


def test_a_border_is_as_it_was_also_where_its_way_back_was_never_written() -> None:
    story = begun().given(g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3))

    story.when(ruling("as-it-was")).then(
        answered("border", "as-it-was"),
        g.ZonesMapped(
            conflict=1, zones=(), borders=(g.BorderDrawn(one="Dock", other="Aisle", passes={"": 1}),)
        ),
    )


def test_a_tale_is_for_a_voice_and_no_ruling() -> None:
    story = begun().given(out(GATTO, "cool", 9))
    asked_for = "Gatto is taken out, and Hargan tells what becomes of them: narrate Hargan: how it ends."

    assert questions(story) == (Question("tale", asked_for, (), 1, blocks=False),)
    last = begun((GATTO,), (HARGAN,)).given(out(GATTO, "cool", 9))
    assert questions(last) == (Question("tale", asked_for, (), 1),)
    story.when(ruling("gone")).then_refused(f"A ruling does not answer that. {asked_for}")


def test_a_compel_is_answered_by_its_verbs() -> None:
    story = begun().given(
        claimed(GATTO),
        declared(GATTO, "attack", target=HARGAN, track="cool"),
        e.CompelOffered(conflict=1, who=GATTO, aspect=GUN_WORDS, by=GM, text=TEXT),
    )
    asked_for = f"The game master compels Gatto by “{GUN_WORDS}”: accept Gatto, or refuse Gatto."

    assert questions(story) == (Question("compel", asked_for, (), 1),)
    story.when(ruling("accept")).then_refused(f"A ruling does not answer that. {asked_for}")


def strained(amount: int, *boxes: int) -> Story:
    marks = [marked(JADE, "humanity", len(boxes), *boxes, threshold=2, why="ruling")] if boxes else []
    owed = g.UpgradeStrained(conflict=1, who=JADE, upgrade="smartlink", track="humanity", amount=amount)
    return begun().given(*marks, owed)


def test_strain_waits_to_be_taken() -> None:
    asked_for = "Jade has 2 humanity stress for smartlink to take: resist Jade humanity 2."

    assert questions(strained(2)) == (Question("strain", asked_for, (), 1),)
    strained(2).when(ruling("out")).then_refused(f"A ruling does not answer that. {asked_for}")


def test_strain_that_finds_no_box_takes_its_owner_out() -> None:
    story = strained(2, 2)

    assert questions(story)[0].answers == ("out",)
    story = story.when(ruling("out")).then(answered("strain", "out"), out(JADE, "humanity", 2, by=None))
    assert (asked(story), state(story).out) == ([], {JADE})


def test_strain_may_take_out_the_last_of_a_side() -> None:
    story = strained(3).given(out(GATTO, "cool", 9), *told(GATTO, HARGAN))

    story.when(ruling("out")).then(
        answered("strain", "out"), out(JADE, "humanity", 3, by=None), ended(HARGAN)
    )


def test_strain_elsewhere_is_not_asked_for_here() -> None:
    owed = g.UpgradeStrained(who=REX, upgrade="smartlink", track="humanity", amount=2)

    assert asked(begun().given(owed)) == []


# --- the toolbar ------------------------------------------------------------------------------------------

WAITING: tuple[Event, ...] = (
    g.UpgradeStrained(conflict=1, who=JADE, upgrade="smartlink", track="humanity", amount=2),
)


@pytest.mark.parametrize(
    ("story", "words"),
    [
        (begun(exchange=False), "before the first exchange"),
        (begun(), "exchange 1 · to act: Gatto, Jade, Hargan"),
        (begun().given(claimed(JADE)), "exchange 1 · Jade's turn"),
        (
            begun().given(claimed(HARGAN), declared(HARGAN, "attack", target=GATTO, track="cool")),
            "exchange 1 · Hargan's attack on Gatto: compel, roll",
        ),
        (
            begun().given(claimed(HARGAN), declared(HARGAN, "simple")),
            "exchange 1 · Hargan's simple: apply",
        ),
        (
            open_act(),
            "exchange 1 · Hargan's attack on Gatto, 5 shifts (Gatto out): invoke, boost, resist, apply",
        ),
        (
            open_act(total=3),
            "exchange 1 · Hargan's attack on Gatto, 3 shifts: invoke, boost, resist, apply",
        ),
        (
            open_act(
                act="move",
                total=1,
                story=begun().given(g.SpinGained(conflict=1, who=GATTO, holder=HARGAN, spins=1)),
            ),
            "exchange 1 · Hargan's move, 1 shift: invoke, boost, spin, apply",
        ),
        (begun().given(*WAITING), "exchange 1 · strain: resist"),
        (begun().given(out(GATTO, "cool", 9)), "exchange 1 · to act: Jade, Hargan"),
        (begun((GATTO,), (HARGAN,)).given(out(GATTO, "cool", 9)), "exchange 1 · tale: narrate"),
        (attack_on_a_border(), "exchange 1 · threshold: ruling threshold="),
    ],
)
def test_the_toolbar_shows_the_state_of_the_conflict(story: Story, words: str) -> None:
    assert EDGERUNNER.turn(story.table, story.table.conflicts[1]) == words


def test_the_toolbar_says_when_all_have_acted() -> None:
    story = begun()
    for who in (GATTO, JADE, HARGAN):
        act = (
            declared(who, "simple"),
            g.ActionApplied.of({"conflict": 1, "who": who, "act": "simple", "shifts": 0}),
        )
        story = story.given(claimed(who), *act)

    assert EDGERUNNER.turn(story.table, story.table.conflicts[1]) == "exchange 1 · all have acted: exchange"


def test_no_question_that_stops_play_is_without_words_for_it() -> None:
    assert set(ANSWERED) == set(ANSWERS) - {"border"}
