"""Given a line typed twice in a row, when the second would end a turn or a conflict, then it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.refused import Refused
from retold.scribe import Scribe

DUEL = """\
cast Zel bruise clubs=3 melee=2 by=Jo
cast Ott bruise clubs=2 melee=1 by=Al
conflict Yard bruise Zel vs Ott
draw Zel clubs+melee = KC QC JC 10C 2D
draw Ott clubs+melee = 9C 8C 2D
"""
AGAIN = "draw Ott clubs+melee = 9C 8C 2D"
ENDS = "turn 1 over: cards back, decks shuffled"


class Answers:
    """Answers each question alike, and writes it down."""

    def __init__(self, *, answer: bool) -> None:
        self.asked: list[str] = []
        self.answer = answer

    def __call__(self, question: str) -> bool:
        self.asked.append(question)
        return self.answer


@pytest.fixture
def duel(tmp_path: Path) -> retold.Campaign:
    made = retold.new(tmp_path / "yard.retold")
    made.play(DUEL)
    return made


def at(duel: retold.Campaign, answers: Answers, *, attended: bool = True) -> Scribe:
    return Scribe(duel.shared.store, duel.line, ask=answers, attended=attended)


def test_R14_a_draw_typed_twice_is_asked_about_and_a_no_records_nothing(duel: retold.Campaign) -> None:
    scribe, answers = at(duel, no := Answers(answer=False)), no
    head = scribe.writer.head

    with pytest.raises(Refused) as refused:
        scribe.say(AGAIN)

    act = f"13\N{EN DASH}17 ({AGAIN})"
    assert answers.asked == [f"That was typed just before, as {act}. Typed again: {ENDS}. Go on?"]
    assert refused.value.sentence == f"Nothing was recorded: {act} was typed once."
    assert scribe.writer.head == head


def test_R14_a_yes_begins_the_next_turn(duel: retold.Campaign) -> None:
    outcome = at(duel, Answers(answer=True)).say(AGAIN)

    assert next(event.kind for event in outcome.events) == "bruise.turn-ended"


@pytest.mark.parametrize("line", ["draw Ott 2 = 9C 8C", "draw Zel clubs+melee = KC QC JC 10C 2D"])
def test_R14_another_draw_begins_the_next_turn_unasked(duel: retold.Campaign, line: str) -> None:
    at(duel, answers := Answers(answer=False)).say(line)

    assert answers.asked == []


def test_R14_a_script_is_not_asked(duel: retold.Campaign) -> None:
    at(duel, answers := Answers(answer=False), attended=False).say(AGAIN)

    assert answers.asked == []


def test_R14_the_end_of_a_second_conflict_is_asked_about(duel: retold.Campaign) -> None:
    duel.play("narrate Zel: Done.\nconflict Dock bruise Zel vs Ott\nend conflict\n")

    with pytest.raises(Refused):
        at(duel, answers := Answers(answer=False)).say("end conflict")

    assert "conflict 1 over: ended. Go on?" in answers.asked[0]


def test_R14_an_untold_win_can_still_be_told_in_the_next_turn(duel: retold.Campaign) -> None:
    duel.say(AGAIN)
    told = duel.say("narrate Zel: I won that one.").events

    assert [(event.kind, getattr(event, "who", 0), getattr(event, "about", 0)) for event in told] == [
        ("table.narrated", 1, 17)
    ]


def test_R14_only_the_winners_player_may_narrate_the_outcome(duel: retold.Campaign) -> None:
    duel.say(AGAIN)

    assert duel.say("narrate Jo: She won that one.").done
    with pytest.raises(Refused, match="Nothing has come out yet"):
        duel.say("narrate Ott: I won.")


def test_R14_a_win_of_the_new_turn_is_the_one_to_tell(duel: retold.Campaign) -> None:
    duel.play(f"{AGAIN}\ndraw Zel 1 = 2S\n")

    with pytest.raises(Refused, match=r"It is Ott who won, and the winner narrates\."):
        duel.say("narrate Zel: I won that one.")
