"""The rulings that a changed act needs: brought along on the line, or asked of whoever sits there."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from journal.decks.chance import Luck, SystemDealer
from journal.language.binding import Bound, Scope, bind
from journal.language.lexing import lex
from journal.language.writing import quote_name, write_line, write_value
from journal.line import LiveEvent, decide
from journal.refused import Refused
from journal.store import replaying, retcon
from journal.store.acts import Manner
from journal.store.line_events import Act
from journal.store.replaying import manner_of
from journal.store.retcon import RetconPlan, RetconStep, keep_outcomes
from journal.system import question_with_answers
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, Question, Words, values_of
from projections.plain.lives import notation
from retold.outcome import Outcome

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

    def judge(self, table: Table, question: Question, steps: Sequence[RetconStep]) -> Command | None:
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
        question_text = question_with_answers(table, question)
        asked = f"With this, {question_text}\nRuling (ANSWER: why; nothing leaves it open)?"
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


def count_lost_acts(plan: RetconPlan) -> str:
    """How many later acts a plan would lose, as a sentence."""
    count = len(plan.lost)
    acts = "1 later act no longer holds" if count == 1 else f"{count} later acts no longer hold"
    return f"With this, {acts}."


def ruling_flag(table: Table, question: Question) -> tuple[str, str]:
    """What brings an answer to a question along on a line: the flag, and an answer that is taken."""
    answer = next(iter(question.answers), "ANSWER")
    return "--ruling", write_value(f"{table.name(answer) if isinstance(answer, int) else answer}: why")


GO_ON = "Play on with this?"


@dataclass(slots=True)
class FixCommand:
    """One `fix` line, and what comes of it."""

    scribe: Scribe
    command: c.Fix
    bound: Bound
    rulings: Rulings = field(init=False)

    def __post_init__(self) -> None:
        """Takes the rulings from the line."""
        silent = self.command.drop or self.bound.check
        self.rulings = Rulings.brought(self.scribe, self.command.ruling, silent=silent)
        if self.command.keep and not (self.command.text and self.command.text.text):
            raise Refused(f"Say after a colon why the result stands: {self._line('--keep')}: why")

    def carried_out(self) -> Outcome:
        """What came of it; Refused, and nothing changed, where the table has to say more first."""
        meant = self._meant()
        if self.command.results is None:
            raise Refused(f"fix wants the results after =. Write it like: {c.Fix.example}")
        at = self.command.at or meant.first
        mended = retcon.with_fixed_results(self.scribe.writer, at, self.command.results)
        try:
            plan = retcon.plan_retcon(self.scribe.writer, at, mended, judge=self._judge)
        except Refused as refusal:
            said = f"{refusal} This would mend {self.scribe.described(meant)}."
            if self.command.at is None:
                said += f" Another draw or roll is named by its moment: {c.Fix.example}."
            raise Refused(said) from None
        self.rulings.check_used()
        if self.command.keep and _changes_outcome(plan):
            return self._kept(at)
        which = (f"This mends {self.scribe.described(meant)}.",) if self.command.at is None else ()
        about = (*which, *describe_changes(plan, self.scribe))
        if self.bound.check:
            return Outcome(said=about, checked=True)
        if self._drops(plan) and not self.scribe.attended:
            raise Refused(self._what_to_do(plan))
        if not self.scribe.ask("\n".join((*about, *self._ways(plan), GO_ON))):
            return Outcome(said=("Nothing was changed.",), checked=True)
        self._record(plan)
        said = "It is mended, and play goes on from here; the old line is kept (branches)."
        return Outcome(said=(*about, said))

    def _meant(self) -> Act:
        """The act at the moment named, or the last draw; Refused where nothing was drawn in it."""
        writer = self.scribe.writer
        last = retcon.last_drawn(writer)
        if self.command.at is None and last is not None:
            return last
        if self.command.at is None:
            raise Refused("Nothing has been drawn or rolled yet, so there is nothing to mend.")
        act = writer.act_at(self.command.at)
        if retcon.has_results(act):
            return act
        drawn = () if last is None else (f"fix = RESULTS means what was drawn or rolled at {last.first}.",)
        nothing = f"Nothing was drawn or rolled at {self.command.at}."
        raise Refused(" ".join((nothing, *self._otherwise(act), *drawn)))

    def _otherwise(self, act: Act) -> Iterator[str]:
        """How an act without results is mended: taken back, or said anew, with the line to type."""
        command = replaying.stored_command(act)
        if command is None or type(command).manages:
            return
        if next(iter(self.scribe.writer.last_acts())).first == act.first:
            yield "To take it back: undo."
        again = write_line("retcon", [str(act.first), "--as", write_value(self.scribe.line_said(act))])
        yield f"To say it otherwise, change what is in quotes: {again}."

    def _record(self, plan: retcon.RetconPlan) -> None:
        scribe = self.scribe
        promoted = scribe.line == scribe.campaign.mainline()
        name = scribe.free_name("fix")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner, promoted=promoted)
        scribe.begin_again()
        scribe.go(line)

    def _kept(self, at: int) -> Outcome:
        """The record as it is, with a ruling that says what was really on the table."""
        was = retcon.results_at(self.scribe.writer, at)
        cards = not all(one.lstrip("+-").isdecimal() for one in was)
        out = ": its cards count as drawn until the deck is shuffled" if cards else ""
        text = f"It was {' '.join(self.command.results or ())}, not {' '.join(was)}. What happened stands:"
        ruling = c.Rule(text=Words(f"{text} {self.command.text}"))
        said = (
            "What happened stands by a ruling, and no branch is made; the record goes on with what was typed"
            f"{out}."
        )
        if self.bound.check:
            return Outcome(said=(said,), checked=True)
        outcome = self.scribe.record(ruling, self.bound.manner)
        return Outcome(outcome.done, (said, *outcome.said))

    # --- what the table has to say ------------------------------------------------------------------------

    def _judge(self, table: Table, question: Question, steps: Sequence[retcon.RetconStep]) -> Command | None:
        if not self.rulings.given and self.command.keep and self.command.text is not None:
            return keep_outcomes(self.command.text)(table, question, steps)
        return self.rulings.judge(table, question, steps)

    def _drops(self, plan: retcon.RetconPlan) -> bool:
        return bool(plan.lost) and not self.command.drop

    def _what_to_do(self, plan: retcon.RetconPlan) -> str:
        """What would be lost, and the lines that keep it."""
        return " ".join((count_lost_acts(plan), *describe_lost_acts(plan, self.scribe), *self._ways(plan)))

    def _ways(self, plan: retcon.RetconPlan) -> Iterator[str]:
        """How nothing would be lost, each with the line to type."""
        if not self._drops(plan):
            return
        for question in plan.unanswered[:1]:
            to_rule = self._line(*ruling_flag(plan.table, question))
            yield f"{question_with_answers(plan.table, question)} To rule: {to_rule}."
        yield f"To leave what happened as it was: {self._line('--keep')}: why."
        if not self.scribe.attended:
            yield f"To go on without it: {self._line('--drop')}."

    def _line(self, *flags: str) -> str:
        """This line with other flags."""
        at = () if self.command.at is None else (str(self.command.at),)
        return write_line("fix", [*at, *flags], results=self.command.results)


def _changes_outcome(plan: retcon.RetconPlan) -> bool:
    """True where the record would not say what happened, though it was ruled on where it could be."""
    if plan.lost or plan.unanswered:
        return True
    return not plan.ruled and any(_step_differs(step) for step in plan.steps)


def _step_differs(step: retcon.RetconStep) -> bool:
    """True where an act comes out otherwise than by the cards and faces in it."""
    if len(step.was) != len(step.events):
        return True
    pairs = zip(step.was, step.events, strict=True)
    return any(_without_luck(was) != _without_luck(now) for was, now in pairs)


def _without_luck(event: Event) -> tuple[type[Event], dict[str, object]]:
    kept = {key: value for key, value in values_of(event).items() if key != type(event).luck}
    return type(event), kept


# --- telling it -------------------------------------------------------------------------------------------


def describe_changes(plan: retcon.RetconPlan, scribe: Scribe) -> tuple[str, ...]:
    """What would come out otherwise, in the notation of the log, and what would no longer hold."""
    said: list[str] = []
    for step in plan.steps:
        was, now = _in_notation(plan, step.renumbered), _in_notation(plan, step.events)
        if step.refusal is None and was != now:
            said.append("By a ruling" if step.added else _span(step))
            said += [f"  - {line}" for line in was if line not in now]
            said += [f"  + {line}" for line in now if line not in was]
    said += _changed_rounds(plan)
    return (*said, *describe_lost_acts(plan, scribe)) or ("Nothing else changes.",)


def _changed_rounds(plan: retcon.RetconPlan) -> Iterator[str]:
    """The acts that come to belong to another round of their conflict, those in a row at once."""
    for moved, steps in groupby(plan.steps, key=lambda step: step.moved):
        acts = [step.act for step in steps]
        if moved is not None:
            was, now = moved
            yield f"In {now} instead of {was}: {_from_to(acts[0].first, acts[-1].last)}"


def describe_lost_acts(plan: retcon.RetconPlan, scribe: Scribe) -> Iterable[str]:
    """What no longer holds, word for word, with the reason where that is another than before."""
    reason = None
    for step in plan.steps:
        if step.refusal is None:
            continue
        why = "" if step.refusal == reason else f" ({step.refusal})"
        reason = step.refusal
        yield f"No longer holds: {_span(step)}, {scribe.line_said(step.act)}{why}"


def _in_notation(plan: retcon.RetconPlan, events: Iterable[Event]) -> list[str]:
    return list(notation(plan.table, (LiveEvent(0, event) for event in events), named=False))


def _span(step: retcon.RetconStep) -> str:
    return _from_to(step.act.first, step.act.last)


def _from_to(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"


_AUDIENCES: Final = {"gm": "the game master alone", "table": "everybody"}


@dataclass(frozen=True, slots=True)
class RetconCommand:
    """One `retcon` line with --as, and what comes of it."""

    scribe: Scribe
    command: c.Retcon
    line: str
    """The act as it should have been."""
    bound: Bound

    def carried_out(self) -> Outcome:
        """What came of it; Refused, and nothing changed, where the table has to say more first."""
        plan = self._planned()
        changes = (
            *self._seen(plan),
            *describe_changes(plan, self.scribe),
        )  # by the names of the line it leaves
        if self.bound.check:
            return Outcome(said=changes, checked=True)
        if plan.lost and not self.command.drop:
            if not self.scribe.attended:
                raise Refused(self._what_to_do(plan))
            if not self.scribe.ask("\n".join((*changes, GO_ON))):
                return Outcome(said=("Nothing was changed.",), checked=True)
        name = self.scribe.free_name("retcon")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner)
        self.scribe.go(line)
        until = f"branch promote {quote_name(name)}"
        said = (*changes, f"The line the table plays stays as it is until: {until}.")
        return Outcome(said=(f"The change is on a new branch, {name}, and you are on it now.", *said))

    def _planned(self) -> retcon.RetconPlan:
        scribe, at = self.scribe, self.command.at
        before = scribe.campaign.table_at(scribe.line, scribe.writer.act_at(at).first - 1)
        bound = bind(lex(self.line), replace(scribe.scope, table=before))
        silent = self.command.drop or self.bound.check
        rulings = Rulings.brought(scribe, self.command.ruling, silent=silent)
        plan = retcon.plan_retcon(scribe.writer, at, bound.command, self._manner(bound), judge=rulings.judge)
        rulings.check_used()
        return plan

    def _seen(self, plan: retcon.RetconPlan) -> tuple[str, ...]:
        """Who may see the act, where that is somebody else than before."""
        step = plan.steps[0]
        see = step.manner.visible_to
        if see == manner_of(step.act).visible_to:
            return ()
        names = ", ".join(map(plan.table.name, see)) if isinstance(see, tuple) else _AUDIENCES[see]
        return (f"It can be seen by {names} now.",)

    def _manner(self, bound: Bound) -> Manner | None:
        """The manner of the act, for other eyes where the new line says whose; None where it does not."""
        if not {"gm", "to"}.intersection(bound.flags):
            return None
        recorded = manner_of(self.scribe.writer.act_at(self.command.at))
        return replace(recorded, visible_to=bound.manner.visible_to)

    def _what_to_do(self, plan: retcon.RetconPlan) -> str:
        """What would be lost, and the lines that bring a ruling where one is wanted, or go on without."""
        said = [
            count_lost_acts(plan),
            *(_with_full_stop(one) for one in describe_lost_acts(plan, self.scribe)),
        ]
        for question in plan.unanswered[:1]:
            rule = self._again(*ruling_flag(plan.table, question))
            said.append(f"{question_with_answers(plan.table, question)} To rule: {rule}.")
        return " ".join((*said, f"To go on without them: {self._again('--drop')}."))

    def _again(self, *flags: str) -> str:
        """This line with other flags."""
        return write_line("retcon", [str(self.command.at), "--as", write_value(self.line), *flags])


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", ".)")) else f"{sentence}."
