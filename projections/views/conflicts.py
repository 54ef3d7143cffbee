"""Conflicts view: open conflicts with sides and current step; pending view: questions to be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from retold.journal.capabilities import InOrder
from retold.journal.system import unresolved
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.winners import winners_so_far
from retold.projections.views.naming import Who, conflict_name, conflict_title, who
from retold.projections.views.sheet import NOBODY, Row, Seen


class Open(NamedTuple):
    """An open conflict; `turn` says in a few words which step of play comes now."""

    conflict: int
    title: str
    system: str
    sides: tuple[tuple[Who, ...], ...]
    stakes: str | None
    turn: str
    game: str
    winners: tuple[Who, ...] = ()
    """People who have won so far by the rules of the game."""

    def row(self) -> Row:
        """Returns this conflict as a table row: title, game, sides, stakes, current step."""
        return Row.keyed(
            (f"{self.title} ({self.conflict})",),
            self.game,
            " vs ".join(" + ".join(person.name for person in side) for side in self.sides),
            self.stakes or NOBODY,
            self.turn or NOBODY,
        )


class Over(NamedTuple):
    """A conflict that has ended; `how` is the word for its end, `winners` may be empty."""

    conflict: int
    title: str
    system: str
    how: str
    winners: tuple[Who, ...]
    game: str

    def note(self) -> str:
        """Returns the end as text: `Duel (1) is over: conceded. Ana won.`."""
        return f"{self.title} ({self.conflict}) is over: {self.how}.{_won(self.winners)}"


def _won(winners: tuple[Who, ...]) -> str:
    """Returns a sentence that names the winners, after a blank; empty without any."""
    return f" {' and '.join(person.name for person in winners)} won." if winners else ""


class Conflicts(Seen, frozen=True):
    """Answer of the conflicts view: open conflicts, and those that ended since the session began.

    JSON: `{"open": [{"conflict", "title", "system", "sides": [[{"id", "name"}]], "stakes", "turn"}], "over":
    [{"conflict", "title", "system", "how", "winners": [{"id", "name"}], "game"}]}`.
    """

    view = "conflicts"
    title = "Open conflicts"
    columns = ("Conflict", "System", "Sides", "At stake", "Now")
    open: tuple[Open, ...]
    over: tuple[Over, ...] = ()

    def notes(self) -> Iterator[str]:
        """Yields who has won an open conflict so far, and how each other one of this session ended."""
        for conflict in self.open:
            if conflict.winners:
                yield f"{conflict.title} ({conflict.conflict}) is still open.{_won(conflict.winners)}"
        yield from (conflict.note() for conflict in self.over)


def of(table: Table) -> Conflicts:
    """Returns the conflicts of a table state: open ones, oldest first, and ended ones by their ends."""
    return Conflicts(
        tuple(
            Open(
                conflict.id,
                conflict_title(conflict, table),
                conflict.system,
                tuple(tuple(who(table, person) for person in side) for side in conflict.sides),
                None if conflict.stakes is None else conflict.stakes.text,
                SYSTEMS[conflict.system].turn(table, conflict),
                SYSTEMS[conflict.system].called(table),
                tuple(who(table, person) for person in winners_so_far(conflict)),
            )
            for conflict in table.conflicts.values()
        ),
        over_of(table),
    )


def over_of(table: Table) -> tuple[Over, ...]:
    """Returns the conflicts that ended since the last session was opened, in the order of their ends."""
    return tuple(
        Over(
            ended.id,
            conflict_name(None if ended.title is None else str(ended.title), ended.sides, table),
            ended.system,
            ended.how,
            tuple(who(table, person) for person in ended.winners),
            SYSTEMS[ended.system].called(table),
        )
        for ended in table.ended.values()
    )


BETWEEN: Final = " · "


def turn_order(table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    """Returns people in turn order; empty in a game without turn order, or before the order is decided."""
    return SYSTEMS[conflict.system].order(table, conflict)


def order_line(table: Table, conflict: OpenConflict, beside: Mapping[int, str] | None = None) -> str:
    """Returns the turn order as text: `Order: Ana 17 (now) · Bo 12 (next) · Wolf 3 (out)`; empty without one.

    `beside` holds extra text in brackets, by person.
    """
    places = turn_order(table, conflict)
    listed = BETWEEN.join(_order_place(table, place, (beside or {}).get(place.who, "")) for place in places)
    return f"Order: {listed}" if listed else ""


def _order_place(table: Table, place: InOrder, beside: str) -> str:
    number = "" if place.number is None else f" {place.number}"
    marks = ", ".join(filter(None, (beside, *_order_marks(place))))
    return f"{table.name(place.who)}{number}{f' ({marks})' if marks else ''}"


def _order_marks(place: InOrder) -> Iterator[str]:
    if place.now:
        yield "now"
    if place.next and not place.now:
        yield "next"
    if place.out:
        yield "out"


BESIDE = "outside conflicts"


class PendingQuestion(NamedTuple):
    """A question or an offer that waits for an answer; `conflict` and `title` are null outside conflicts.

    `answers` is empty if any words will do, or if a verb of the game answers; `line` is the form of the
    command to type.
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
        """Title and number of the question's conflict, or `outside conflicts`."""
        return BESIDE if self.conflict is None else f"{self.title} ({self.conflict})"

    def row(self) -> Row:
        """Returns this question as a table row."""
        asked = (self.where, self.name, self.asked)
        answers = ", ".join(self.answers) or NOBODY
        return Row(
            asked if self.conflict is None else asked[:2],
            (*asked, answers, self.line or NOBODY, "yes" if self.blocks else "no"),
        )


class Pending(Seen, frozen=True):
    """Answer of the pending view: questions and offers that wait for an answer.

    JSON: `{"waiting": [{"name", "asked", "answers", "conflict", "title", "blocks", "line"}]}`.
    """

    view = "pending"
    title = "Pending"
    columns = ("Conflict", "Name", "Question", "Answers", "Line", "Stops play")
    waiting: tuple[PendingQuestion, ...]


def pending_of(table: Table) -> Pending:
    """Returns questions and offers that wait for an answer, by conflict, then those outside conflicts."""
    return Pending(
        (
            *(
                question
                for conflict in table.conflicts.values()
                for question in _of_conflict(table, conflict)
            ),
            *(
                PendingQuestion(one.name, one.asked, (), None, None, one.blocks, one.line)
                for one in unresolved(table, SYSTEMS)
            ),
        )
    )


def _of_conflict(table: Table, conflict: OpenConflict) -> Iterator[PendingQuestion]:
    title = conflict_title(conflict, table)
    for question in SYSTEMS[conflict.system].pending(table, conflict):
        answers = tuple(
            table.name(answer) if isinstance(answer, int) else answer for answer in question.answers
        )
        line = question.line or (f"ruling {question.name}=ANSWER: why" if answers else "")
        yield PendingQuestion(
            question.name, question.asked, answers, conflict.id, title, question.blocks, line
        )
    offer = conflict.concession
    if offer is not None:
        asked = f"{table.shown(offer.whose, 'The game master')} offers to concede: {offer.text}"
        line = "accept NAME, or refuse NAME"
        yield PendingQuestion(
            "concession", asked, ("accept", "refuse"), conflict.id, title, blocks=False, line=line
        )
