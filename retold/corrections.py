"""Commands `fix` and `retcon --as`, which change an earlier act and record the play after it on a new branch.

Later acts are decided again after the change; those that no longer hold are lost or need a ruling.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from journal.decks.chance import Luck, SystemDealer
from journal.language.binding import Bound, Scope
from journal.language.lexing import lex
from journal.language.meaning import bind_as_meant
from journal.language.writing import quote_name, write_line, write_value
from journal.line import LiveEvent, decide
from journal.refused import Refused
from journal.store import replaying, retcon
from journal.store.acts import Manner
from journal.store.line_events import Act
from journal.store.repeated_acts import RepeatedAct
from journal.store.replaying import manner_of
from journal.store.retcon import RetconPlan, keep_outcomes
from journal.system import question_with_answers
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, Question, Words, values_of
from projections.plain.lives import notation
from retold.command_recorder import CommandRecorder
from retold.outcome import Outcome
from retold.write_context import WriteContext


class Rulings(Struct):
    """Rulings (decisions of the table) on questions that a changed act raises.

    Rulings typed on the line are used first; then the user is asked.
    """

    context: WriteContext
    given: deque[str]
    """Rulings given on the line, in order."""
    silent: bool
    """True if the user is not asked."""

    @classmethod
    def brought(cls, context: WriteContext, ruling: str | None, *, silent: bool) -> Rulings:
        """Returns the rulings given with `--ruling` on a line; `ruling` holds one per text line."""
        return cls(context, deque(ruling.split("\n") if ruling else ()), silent)

    def judge(self, table: Table, question: Question, steps: Sequence[RepeatedAct]) -> Command | None:
        """Returns a command that answers `question`: the next ruling given on the line, else one typed now.

        None if the line has none left and the user types none.
        """
        del steps
        if self.given:
            return self._ruling(table, question, self.given.popleft())
        return None if self.silent else self._ask(table, question)

    def check_used(self) -> None:
        """Raises Refused if a ruling given on the line was not needed."""
        if self.given:
            raise Refused(f"Nothing asks for the ruling “{self.given[0]}”: leave it out.")

    def _ask(self, table: Table, question: Question) -> Command | None:
        """Asks the user until the rules accept a ruling.

        Returns it, or None if the user leaves the question open.
        """
        question_text = question_with_answers(table, question)
        wanted = f"Line ({question.line}" if question.line else "Ruling (ANSWER: why"
        prompt = f"{wanted}; Enter alone leaves it open)?"
        asked = f"With this, {question_text}\n{prompt}"
        while typed := (self.context.consult(asked) or "").strip():
            try:
                return self._ruling(table, question, typed)
            except Refused as refusal:
                asked = f"{refusal}\n{prompt}"
        return None

    def _ruling(self, table: Table, question: Question, typed: str) -> Command:
        """Parses a typed ruling, and checks it against the rules for the table state given.

        A question that a verb other than `ruling` answers takes a whole line of that verb.
        """
        line = lex(typed if question.line or typed.startswith("ruling ") else f"ruling {typed}")
        command = bind_as_meant(line, Scope(table, self.context.position)).command
        decide(table, command, Luck(SystemDealer()))
        return command


def count_lost_acts(plan: RetconPlan) -> str:
    """Returns a sentence with the number of later acts that no longer hold in a plan."""
    count = len(plan.lost)
    acts = "1 later act no longer holds" if count == 1 else f"{count} later acts no longer hold"
    return f"With this, {acts}."


def ruling_flag(table: Table, question: Question) -> tuple[str, str]:
    """Returns (`--ruling`, example value) as words of a line that answers a question.

    The value is a whole line in quotes if a verb other than `ruling` answers the question.
    """
    if question.line:
        return "--ruling", write_value(question.line)
    answer = next(iter(question.answers), "ANSWER")
    return "--ruling", write_value(f"{table.name(answer) if isinstance(answer, int) else answer}: why")


GO_ON = "Play on with this?"


@dataclass(slots=True)
class FixCommand:
    """Executes one `fix` line, which corrects cards or dice recorded earlier."""

    recorder: CommandRecorder
    command: c.Fix
    bound: Bound
    rulings: Rulings = field(init=False)

    def __post_init__(self) -> None:
        """Reads rulings from the line; raises Refused for `--keep` without a reason."""
        silent = self.command.drop or self.bound.check
        self.rulings = Rulings.brought(self.recorder, self.command.ruling, silent=silent)
        if self.command.keep and not (self.command.text and self.command.text.text):
            raise Refused(f"Say after a colon why the result stands: {self._line('--keep')}: why")

    def carried_out(self) -> Outcome:
        """Records the corrected cards or dice, and later acts decided again, on a new branch.

        Returns the outcome. With `--check` it records nothing. Raises Refused, changing nothing, if acts
        would be lost without `--drop` and no user can be asked.
        """
        meant = self._target_act()
        if self.command.results is None:
            raise Refused(f"fix wants the results after =. Write it like: {c.Fix.example}")
        at = self.command.at or meant.first
        mended = retcon.with_fixed_results(self.recorder.writer, at, self.command.results)
        try:
            plan = retcon.plan_retcon(self.recorder.writer, at, mended, judge=self._judge)
        except Refused as refusal:
            said = f"{refusal} This would mend {self.recorder.described(meant)}."
            if self.command.at is None:
                said += f" Another draw or roll is named by its moment: {c.Fix.example}."
            raise Refused(said) from None
        self.rulings.check_used()
        if self.command.keep and _changes_outcome(plan):
            return self._keep_outcome(at)
        which = (f"This mends {self.recorder.described(meant)}.",) if self.command.at is None else ()
        about = (*which, *describe_changes(plan, self.recorder))
        if self.bound.check:
            return Outcome(said=about, checked=True)
        if self._drops(plan) and not self.recorder.attended:
            raise Refused(self._what_to_do(plan))
        if not self.recorder.ask("\n".join((*about, *self._ways(plan), GO_ON))):
            return Outcome(said=("Nothing was changed.",), checked=True)
        self._record(plan)
        said = "It is mended, and play goes on from here; the old line is kept (branches)."
        return Outcome(said=(*about, said))

    def _target_act(self) -> Act:
        """Returns the act at the moment named on the line, or without one the last draw or roll.

        Raises Refused for an act without cards or dice.
        """
        writer = self.recorder.writer
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
        raise Refused(" ".join((nothing, *self._other_ways(act), *drawn)))

    def _other_ways(self, act: Act) -> Iterator[str]:
        """Yields sentences that tell how to undo or retcon an act in which nothing was drawn or rolled."""
        command = replaying.stored_command(act)
        if command is None or type(command).manages:
            return
        if next(iter(self.recorder.writer.last_acts())).first == act.first:
            yield "To take it back: undo."
        again = write_line("retcon", [str(act.first), "--as", write_value(self.recorder.line_said(act))])
        yield f"To say it otherwise, change what is in quotes: {again}."

    def _record(self, plan: retcon.RetconPlan) -> None:
        recorder = self.recorder
        promoted = recorder.line == recorder.campaign.mainline()
        name = recorder.free_name("fix")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner, promoted=promoted)
        recorder.begin_again()
        recorder.go(line)

    def _keep_outcome(self, at: int) -> Outcome:
        """Records a ruling in place of a branch: the outcome stays, the text names the real cards or dice."""
        was = retcon.results_at(self.recorder.writer, at)
        cards = not all(result.lstrip("+-").isdecimal() for result in was)
        out = ": its cards count as drawn until the deck is shuffled" if cards else ""
        text = f"It was {' '.join(self.command.results or ())}, not {' '.join(was)}. What happened stands:"
        ruling = c.Rule(text=Words(f"{text} {self.command.text}"))
        said = (
            "What happened stands by a ruling, and no branch is made; the record goes on with what was typed"
            f"{out}."
        )
        if self.bound.check:
            return Outcome(said=(said,), checked=True)
        outcome = self.recorder.record(ruling, self.bound.manner)
        return Outcome(outcome.done, (said, *outcome.said))

    # --- what the table has to say ------------------------------------------------------------------------

    def _judge(self, table: Table, question: Question, steps: Sequence[RepeatedAct]) -> Command | None:
        if not self.rulings.given and self.command.keep and self.command.text is not None:
            return keep_outcomes(self.command.text)(table, question, steps)
        return self.rulings.judge(table, question, steps)

    def _drops(self, plan: retcon.RetconPlan) -> bool:
        return bool(plan.lost) and not self.command.drop

    def _what_to_do(self, plan: retcon.RetconPlan) -> str:
        """Returns a refusal sentence: number and lines of acts that would be lost, and lines to avoid it."""
        return " ".join((count_lost_acts(plan), *describe_lost_acts(plan, self.recorder), *self._ways(plan)))

    def _ways(self, plan: retcon.RetconPlan) -> Iterator[str]:
        """Yields sentences with lines that avoid losing later acts; none if no act would be lost."""
        if not self._drops(plan):
            return
        for question in plan.unanswered[:1]:
            to_rule = self._line(*ruling_flag(plan.table, question))
            yield f"{question_with_answers(plan.table, question)} To rule: {to_rule}."
        yield f"To leave what happened as it was: {self._line('--keep')}: why."
        if not self.recorder.attended:
            yield f"To go on without it: {self._line('--drop')}."

    def _line(self, *flags: str) -> str:
        """Returns this `fix` line with `flags` added in place of its own flags."""
        at = () if self.command.at is None else (str(self.command.at),)
        return write_line("fix", [*at, *flags], results=self.command.results)


def _changes_outcome(plan: retcon.RetconPlan) -> bool:
    """True if the fix changes more than cards and faces: acts lost, questions open, or other fields changed.

    With rulings in the plan, changed fields alone do not count.
    """
    if plan.lost or plan.unanswered:
        return True
    return not plan.ruled and any(_step_differs(step) for step in plan.steps)


def _step_differs(step: RepeatedAct) -> bool:
    """True if an act's old and new events differ in more than their cards or dice faces."""
    if len(step.was) != len(step.events):
        return True
    pairs = zip(step.was, step.events, strict=True)
    return any(_without_luck(was) != _without_luck(now) for was, now in pairs)


def _without_luck(event: Event) -> tuple[type[Event], dict[str, object]]:
    kept = {key: value for key, value in values_of(event).items() if key != type(event).luck}
    return type(event), kept


# --- telling it -------------------------------------------------------------------------------------------


def describe_changes(plan: retcon.RetconPlan, context: WriteContext) -> tuple[str, ...]:
    """Returns sentences for the events that a plan changes, in the log's notation, and for acts it loses."""
    said: list[str] = []
    for step in plan.steps:
        was, now = _in_notation(plan, step.renumbered), _in_notation(plan, step.events)
        if step.refusal is None and was != now:
            said.append("By a ruling" if step.added else _span(step))
            said += [f"  - {line}" for line in was if line not in now]
            said += [f"  + {line}" for line in now if line not in was]
    said += _changed_rounds(plan)
    return (*said, *describe_lost_acts(plan, context)) or ("Nothing else changes.",)


def _changed_rounds(plan: retcon.RetconPlan) -> Iterator[str]:
    """Yields a sentence per run of adjacent acts that move to another round of their conflict."""
    for moved, steps in groupby(plan.steps, key=lambda step: step.moved):
        acts = [step.act for step in steps]
        if moved is not None:
            was, now = moved
            yield f"In {now} instead of {was}: {_from_to(acts[0].first, acts[-1].last)}"


def describe_lost_acts(plan: retcon.RetconPlan, context: WriteContext) -> Iterable[str]:
    """Yields a sentence per act that no longer holds, with the reason; a repeated reason is given once."""
    reason = None
    for step in plan.steps:
        if step.refusal is None:
            continue
        why = "" if step.refusal == reason else f" ({step.refusal})"
        reason = step.refusal
        yield f"No longer holds: {_span(step)}, {context.line_said(step.act)}{why}"


def _in_notation(plan: retcon.RetconPlan, events: Iterable[Event]) -> list[str]:
    return list(notation(plan.table, (LiveEvent(0, event) for event in events), named=False))


def _span(step: RepeatedAct) -> str:
    return _from_to(step.act.first, step.act.last)


def _from_to(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"


_AUDIENCES: Final = {"gm": "the game master alone", "table": "everybody"}


@dataclass(frozen=True, slots=True)
class RetconCommand:
    """Executes one `retcon` line with `--as`, which replaces an earlier act by another line."""

    recorder: CommandRecorder
    command: c.Retcon
    line: str
    """Replacement line for the act."""
    bound: Bound
    with_files: Callable[[Command], Command]
    """Replaces the name of a file in a command by what is in the file."""

    def carried_out(self) -> Outcome:
        """Records the replaced act, and later acts decided again, on a new branch; returns the outcome.

        With `--check` it records nothing. Raises Refused, changing nothing, if acts would be lost without
        `--drop` and no user can be asked.
        """
        plan = self._plan()
        changes = (
            *self._audience_change(plan),
            *describe_changes(plan, self.recorder),
        )  # names as before the change
        if self.bound.check:
            return Outcome(said=changes, checked=True)
        if plan.lost and not self.command.drop:
            if not self.recorder.attended:
                raise Refused(self._what_to_do(plan))
            if not self.recorder.ask("\n".join((*changes, GO_ON))):
                return Outcome(said=("Nothing was changed.",), checked=True)
        name = self.recorder.free_name("retcon")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner)
        self.recorder.go(line)
        until = f"branch promote {quote_name(name)}"
        said = (*changes, f"The line the table plays stays as it is until: {until}.")
        return Outcome(said=(f"The change is on a new branch, {name}. You are on it now.", *said))

    def _plan(self) -> retcon.RetconPlan:
        recorder, at = self.recorder, self.command.at
        before = recorder.campaign.table_at(recorder.line, recorder.writer.act_at(at).first - 1)
        bound = bind_as_meant(lex(self.line), replace(recorder.scope, table=before))
        silent = self.command.drop or self.bound.check
        rulings = Rulings.brought(recorder, self.command.ruling, silent=silent)
        plan = retcon.plan_retcon(
            recorder.writer, at, self.with_files(bound.command), self._manner(bound), judge=rulings.judge
        )
        rulings.check_used()
        return plan

    def _audience_change(self, plan: retcon.RetconPlan) -> tuple[str, ...]:
        """Returns a sentence about who may see the act now; empty if its audience is unchanged."""
        step = plan.steps[0]
        see = step.manner.visible_to
        if see == manner_of(step.act).visible_to:
            return ()
        names = ", ".join(map(plan.table.name, see)) if isinstance(see, tuple) else _AUDIENCES[see]
        return (f"It can be seen by {names} now.",)

    def _manner(self, bound: Bound) -> Manner | None:
        """Returns the options under which the act was recorded; audience and time of play are the new line's.

        None if the new line names neither.
        """
        if not {"gm", "to", "when"}.intersection(bound.flags):
            return None
        recorded = manner_of(self.recorder.writer.act_at(self.command.at))
        if bound.manner.when is not None:
            recorded = replace(recorded, when=bound.manner.when)
        if not {"gm", "to"}.intersection(bound.flags):
            return recorded
        return replace(recorded, visible_to=bound.manner.visible_to)

    def _what_to_do(self, plan: retcon.RetconPlan) -> str:
        """Returns a refusal sentence: number and lines of acts that would be lost, and lines to add a ruling.

        Ends with the line that goes on without these acts.
        """
        said = [
            count_lost_acts(plan),
            *(_with_full_stop(sentence) for sentence in describe_lost_acts(plan, self.recorder)),
        ]
        for question in plan.unanswered[:1]:
            rule = self._line(*ruling_flag(plan.table, question))
            said.append(f"{question_with_answers(plan.table, question)} To rule: {rule}.")
        return " ".join((*said, f"To go on without them: {self._line('--drop')}."))

    def _line(self, *flags: str) -> str:
        """Returns this `retcon` line with `flags` added in place of its own flags."""
        return write_line("retcon", [str(self.command.at), "--as", write_value(self.line), *flags])


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", ".)")) else f"{sentence}."
