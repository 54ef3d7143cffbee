"""Given a party without a Desired Outcome, when rounds have begun or it has won, then it may name one."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.games.spacetime import events as s
from retold.games.spacetime.commands.verbs import DesireOutcome
from retold.journal.system import System
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.retold.games.spacetime.at_the_table import ADA, BEA, begun, declare, draw
from tests.scenario import Story

BELL = Words("The bell rings.")
SPACETIME: System = SYSTEMS["spacetime"]


def wish(who: int) -> DesireOutcome:
    return DesireOutcome(who=who, text=BELL)


def wished(who: int) -> s.OutcomeDesired:
    return s.OutcomeDesired(conflict=1, who=who, text=BELL)


def won() -> Story:
    """Ada has won with her first cards, and has not said what she wanted."""
    return begun(balance=f"overwhelming:{ADA}").given(
        declare(ADA), declare(BEA), draw(results="T20 T21 T3 T4")
    )


def reminded(story: Story, command: c.Draw) -> list[str]:
    """The reminders that the answer to the command ends with."""
    done = story.when(command)
    return [*SPACETIME.reminds(done.story.table, done.events)]


@pytest.mark.parametrize("who", [ADA, BEA])
def test_R9_an_outcome_is_accepted_after_the_victory(who: int) -> None:
    won().when(wish(who)).then(wished(who))


def test_R9_a_second_outcome_is_refused_after_the_victory() -> None:
    won().given(wish(ADA)).when(wish(ADA)).then_refused(
        "Ada has won: tell the last round, then end conflict."
    )


def test_R9_an_outcome_is_accepted_once_rounds_have_begun() -> None:
    story = begun().given(declare(ADA), declare(BEA), draw(results="T5 T3"))

    story.when(wish(ADA)).then(wished(ADA))
    story.given(wish(ADA)).when(wish(ADA)).then_refused(
        "Rounds have begun: another outcome is a reformulation (reformulate Ada: why)."
    )


def test_R9_the_first_draw_reminds_of_outcomes_that_are_missing() -> None:
    story = begun().given(declare(ADA), declare(BEA))
    both = "Nobody has said yet what Ada and Bea want of it: outcome Ada: …, outcome Bea: …"
    one = "Nobody has said yet what Bea wants of it: outcome Bea: …"

    assert reminded(story, draw(results="T5 T3")) == [both]
    assert reminded(story, draw(ADA, "T5")) == [both]
    assert reminded(story.given(draw(ADA, "T5")), draw(BEA, "T3")) == []
    assert reminded(story.given(wish(ADA)), draw(results="T5 T3")) == [one]
    assert reminded(story.given(wish(ADA), wish(BEA)), draw(results="T5 T3")) == []


def test_R9_a_victory_asks_for_the_outcome_of_the_winner() -> None:
    story = begun(balance=f"overwhelming:{ADA}").given(declare(ADA), declare(BEA))
    asked = "Ada has won, and the outcome is not told yet: outcome Ada: …"

    assert reminded(story, draw(results="T20 T21 T3 T4")) == [asked]
    assert reminded(story.given(wish(ADA)), draw(results="T20 T21 T3 T4")) == []


def test_R9_the_outcome_is_the_last_thing_due_before_the_end(tmp_path: Path) -> None:
    with retold.new(tmp_path / "x.retold") as table:
        table.play(
            "cast Ada\ncast Bea\nconflict K spacetime Ada vs Bea balance=overwhelming:Ada\n"
            "declare Ada: I pull.\ndeclare Bea: I push.\ndraw = T20 T21 T3 T4\n"
            "narrate Ada: It comes.\nnarrate Bea: It goes.\n"
        )
        (conflict,) = table.view("conflicts").to_json()["open"]
        offered = [proposal.line for proposal in table.can("Ada")]

    assert conflict["turn"].endswith("outcomes: Ada")
    assert "outcome Ada: …" in offered
