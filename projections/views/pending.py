"""Pending: what waits for the table, conflict by conflict, and what would answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections.views.asked import titled
from projections.views.sheet import Row, Seen, Sheet


class Waiting(NamedTuple):
    """A question, or an offer somebody has to take or refuse; `answers` is empty where any words will do."""

    name: str
    asked: str
    answers: tuple[str, ...]
    conflict: int
    title: str
    blocks: bool


@dataclass(frozen=True, slots=True)
class Pending(Seen):
    """What waits: `{"waiting": [{"name", "asked", "answers", "conflict", "title", "blocks"}]}`."""

    view: ClassVar[str] = "pending"
    waiting: tuple[Waiting, ...]

    def sheet(self) -> Sheet:
        """A row for each question."""
        rows = tuple(
            Row(
                (f"{one.title} ({one.conflict})", one.name),
                (
                    f"{one.title} ({one.conflict})",
                    one.name,
                    one.asked,
                    ", ".join(one.answers) or "any words",
                    "yes" if one.blocks else "no",
                ),
            )
            for one in self.waiting
        )
        return Sheet("Pending", ("Conflict", "Name", "Question", "Answers", "Stops play"), rows)


def of(table: Table) -> Pending:
    """What waits at this table."""
    return Pending(
        tuple(one for conflict in table.conflicts.values() for one in _of_conflict(table, conflict))
    )


def _of_conflict(table: Table, conflict: OpenConflict) -> Iterator[Waiting]:
    title = titled(conflict, table)
    for question in SYSTEMS[conflict.system].pending(table, conflict):
        answers = tuple(table.name(one) if isinstance(one, int) else one for one in question.answers)
        yield Waiting(question.name, question.asked, answers, conflict.id, title, question.blocks)
    offer = conflict.concession
    if offer is not None:
        asked = f"{table.name(offer.whose)} offers to concede: {offer.text}"
        yield Waiting("concession", asked, ("accept", "refuse"), conflict.id, title, blocks=False)
