"""Pending: what waits for the table, conflict by conflict and beside them, and what would answer it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from journal.system import waiting
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from journal.vocabulary.base import Question
from projections.views.naming import titled
from projections.views.sheet import NOBODY, Row, Seen, Sheet

BESIDE = "outside conflicts"


class Waiting(NamedTuple):
    """A question, or an offer somebody has to take or refuse; outside conflicts it has neither id nor title.

    `answers` is empty where any words will do, or where a verb of the game answers; `line` is the
    form of what is typed.
    """

    name: str
    asked: str
    answers: tuple[str, ...]
    conflict: int | None
    title: str | None
    blocks: bool
    line: str

    @property
    def where(self) -> str:
        """Where it waits, for a table."""
        return BESIDE if self.conflict is None else f"{self.title} ({self.conflict})"


class Pending(Seen, frozen=True):
    """What waits: `{"waiting": [{"name", "asked", "answers", "conflict", "title", "blocks", "line"}]}`."""

    view: ClassVar[str] = "pending"
    waiting: tuple[Waiting, ...]

    def sheet(self) -> Sheet:
        """A row for each question."""
        rows = tuple(
            Row(
                (one.where, one.name) if one.conflict is not None else (one.where, one.name, one.asked),
                (
                    one.where,
                    one.name,
                    one.asked,
                    ", ".join(one.answers) or NOBODY,
                    one.line or NOBODY,
                    "yes" if one.blocks else "no",
                ),
            )
            for one in self.waiting
        )
        return Sheet("Pending", ("Conflict", "Name", "Question", "Answers", "Line", "Stops play"), rows)


def of(table: Table) -> Pending:
    """What waits at this table."""
    return Pending(
        (
            *(one for conflict in table.conflicts.values() for one in _of_conflict(table, conflict)),
            *map(_outside, waiting(table, SYSTEMS)),
        )
    )


def _outside(one: Question) -> Waiting:
    return Waiting(one.name, one.asked, (), None, None, one.blocks, one.line)


def _of_conflict(table: Table, conflict: OpenConflict) -> Iterator[Waiting]:
    title = titled(conflict, table)
    for question in SYSTEMS[conflict.system].pending(table, conflict):
        answers = tuple(table.name(one) if isinstance(one, int) else one for one in question.answers)
        line = question.line or (f"ruling {question.name}=ANSWER: why" if answers else "")
        yield Waiting(question.name, question.asked, answers, conflict.id, title, question.blocks, line)
    offer = conflict.concession
    if offer is not None:
        asked = f"{table.shown(offer.whose, 'The game master')} offers to concede: {offer.text}"
        line = "accept NAME, or refuse NAME"
        yield Waiting("concession", asked, ("accept", "refuse"), conflict.id, title, blocks=False, line=line)
