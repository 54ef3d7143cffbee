"""Which answer to a question leaves what happened as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from journal.decks.chance import Luck, SystemDealer
from journal.line import decide
from journal.refused import Refused
from journal.store.differing import SOMEBODY
from journal.store.retcon import Judge, Step
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, Question, values_of
from journal.words import Words


def keeping(why: Words) -> Judge:
    """A judge who rules as it came out, for this reason; who leaves a question open that did not come out."""

    def judge(table: Table, question: Question, steps: Sequence[Step]) -> Command | None:
        wanted = list(_missing(steps))
        answers = [
            c.Rule(question=question.name, answer=answer, conflict=question.conflict, text=why)
            for answer in question.answers
        ]
        gains = [_gained(table, answer, wanted) for answer in answers]
        return answers[gains.index(max(gains))] if any(gains) else None

    return judge


def _missing(steps: Sequence[Step]) -> Iterator[Outcome]:
    """What came about in these steps as they were recorded, and has not come about now."""
    now = [_outcome(event) for step in steps for event in step.events]
    for outcome in (_outcome(event) for step in steps for event in step.was):
        if outcome in now:
            now.remove(outcome)
        else:
            yield outcome


def _gained(table: Table, command: Command, wanted: Sequence[Outcome]) -> int:
    """How much of what is wanted a command brings about."""
    try:
        events = decide(table, command, Luck(SystemDealer()))
    except Refused:
        return 0
    return sum(_outcome(event) in wanted for event in events)


Outcome = tuple[type[Event], Mapping[str, object]]
"""A kind of event, and the people it is about."""


def _outcome(event: Event) -> Outcome:
    return type(event), {key: value for key, value in values_of(event).items() if key in SOMEBODY}
