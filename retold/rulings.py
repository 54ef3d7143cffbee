"""The rulings that a changed act needs: brought along on the line, or asked of whoever sits there."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from journal.decks.chance import Luck, SystemDealer
from journal.language.binding import Scope, bind
from journal.language.lexing import lex
from journal.language.writing import write_value
from journal.line import decide
from journal.refused import Refused
from journal.store.retcon import Plan, Step
from journal.system import choices
from journal.table import Table
from journal.vocabulary.base import Command, Question

if TYPE_CHECKING:
    from retold.scribe import Scribe


class Rulings(Struct):
    """What the table says where a changed act leaves a question open."""

    scribe: Scribe
    given: deque[str]
    """The rulings the line brings along, in order."""
    silent: bool
    """True where nobody is asked."""

    @classmethod
    def brought(cls, scribe: Scribe, ruling: str | None, *, silent: bool) -> Rulings:
        """Those of the line's `--ruling`, one below another."""
        return cls(scribe, deque(ruling.split("\n") if ruling else ()), silent)

    def judge(self, table: Table, question: Question, steps: Sequence[Step]) -> Command | None:
        """The next ruling of the line, or what whoever sits there answers; None where nobody rules."""
        del steps
        if self.given:
            return self._ruling(table, self.given.popleft())
        return None if self.silent else self._asked(table, question)

    def check_used(self) -> None:
        """Refuses a ruling that nothing asked for."""
        if self.given:
            raise Refused(f"Nothing asks for the ruling “{self.given[0]}”: leave it out.")

    def _asked(self, table: Table, question: Question) -> Command | None:
        """The answer of whoever sits there, asked until it can be taken; None where nobody rules."""
        asked = f"With this, {choices(table, question)}\nRuling (ANSWER: why; nothing leaves it open)?"
        while typed := (self.scribe.consult(asked) or "").strip():
            try:
                return self._ruling(table, typed)
            except Refused as refusal:
                asked = f"{refusal}\nRuling (ANSWER: why; nothing leaves it open)?"
        return None

    def _ruling(self, table: Table, typed: str) -> Command:
        """The ruling that was typed, which the rules take at that table."""
        line = lex(typed if typed.startswith("ruling ") else f"ruling {typed}")
        command = bind(line, Scope(table, self.scribe.position)).command
        decide(table, command, Luck(SystemDealer()))
        return command


def lost(plan: Plan) -> str:
    """How many later acts a plan would lose, as a sentence."""
    count = len(plan.lost)
    acts = "1 later act no longer holds" if count == 1 else f"{count} later acts no longer hold"
    return f"With this, {acts}."


def answered(table: Table, question: Question) -> tuple[str, str]:
    """What brings an answer to a question along on a line: the flag, and an answer that is taken."""
    answer = next(iter(question.answers), "ANSWER")
    return "--ruling", write_value(f"{table.name(answer) if isinstance(answer, int) else answer}: why")
