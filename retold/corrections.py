"""Commands `fix` and `retcon --as`, which change an earlier act and record the play after it on a new branch.

Later acts are decided again after the change; those that no longer hold are lost or need a ruling.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from retold.command_recorder import CommandRecorder
from retold.journal.counting import counted, span
from retold.journal.decks.chance import Luck, SystemDealer
from retold.journal.guarding import GuestError
from retold.journal.language.binding import Bound, Scope
from retold.journal.language.lexing import Lexed, lex, line_behind
from retold.journal.language.meant import bind_as_meant
from retold.journal.language.moments import renumbered
from retold.journal.language.rendering import line_of
from retold.journal.language.tokens import Token, Unreadable
from retold.journal.language.verbs import VERBS, UnknownVerb
from retold.journal.language.writing import in_quotes, quote_name, write_line, write_value
from retold.journal.line import LiveEvent, decide
from retold.journal.refused import LineToType, Refused, Unfinished, none_if_refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing import replaying, retcon, rewording
from retold.journal.store.writing.repeated_acts import RepeatedAct
from retold.journal.store.writing.replaying import manner_of
from retold.journal.store.writing.retcon import RetconPlan, keep_outcomes
from retold.journal.system import question_with_answers
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import REDACTED, YET_TO_FIND, Command, Event, Question, Words, values_of
from retold.outcome import UNCHANGED, Outcome
from retold.projections.plain.lives import notation
from retold.projections.reading.outcomes_told import changed_since, outcomes_told
from retold.write_context import WriteContext, yes


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
    return f"With this, {counted(len(plan.lost), 'later act no longer holds', 'later acts no longer hold')}."


def ruling_flag(table: Table, question: Question) -> tuple[str, str]:
    """Returns (`--ruling`, example value) as words of a line that answers a question.

    The value is a whole line in quotes if a verb other than `ruling` answers the question.
    """
    if question.line:
        return "--ruling", write_value(question.line)
    answer = next(iter(question.answers), "ANSWER")
    return "--ruling", write_value(f"{table.name(answer) if isinstance(answer, int) else answer}: why")


GO_ON = "Play on with this?"


# --- lines that are not finished --------------------------------------------------------------------------


def unfinished_retcon(context: WriteContext, at: int, typed: Words | str | None = None) -> Refused:
    """Returns the refusal of a `retcon` that says nothing new about the act at `at`, with lines that do.

    `typed` is the text of a line that names no moment: it becomes the act's if the act has words.
    """
    act = context.writer.act_at(at)
    number, new = _number(context, at), str(typed or "")
    command = replaying.stored_command(act)
    if act.managing or command is None or type(command).manages:
        return Refused("That is about the line itself: only what was played can be changed.")
    said = _to_fill_in(context.line_said(act))
    ways = [_line_instead(number, said)]
    words = none_if_refused(lambda: rewording.plan_reword(context.writer, at, Words("…")))
    if words is not None:
        text = new or _to_fill_in(" ".join(rewording.words_at(context.writer, words).split()))
        ways.append(LineToType("Other words", f"retcon {number}: {text}", ("retcon", f"{number}:", text)))
    ways.append(LineToType("Away with it", f"retcon {number} --drop", ("retcon", number, "--drop")))
    whole = _to_fill_in(none_if_refused(lambda: line_of(act, context.table)) or said)
    is_new = new and words is not None
    offered = f"retcon {number}: {new}" if is_new else f"retcon {number} {line_behind('as', whole)}"
    return Unfinished(f"Recorded: {context.described(act)}.", offered, *ways)


def _to_fill_in(line: str) -> str:
    """Returns a line with a blank to fill in for redacted words, which are not words to type again."""
    return line.replace(REDACTED, str(YET_TO_FIND))


def unfinished_fix(context: WriteContext, act: Act) -> Unfinished:
    """Returns the refusal of a `fix` without results, with a line that has the recorded ones."""
    number = _number(context, act.first)
    results = retcon.results_at(context.writer, act.first)
    line = write_line("fix", [number], results=results)
    way = LineToType("With other results", line, ("fix", number, "=", *results))
    return Unfinished(f"Recorded: {context.described(act)}.", line, way)


def other_words(context: WriteContext, text: str) -> Refused | None:
    """Returns the refusal of a `fix` with words, with the line that puts them in place of the last ones."""
    for act in islice(context.writer.last_acts(), rewording.EDITED_AMONG):
        if (
            none_if_refused(partial(rewording.plan_reword, context.writer, act.first, Words(text)))
            is not None
        ):
            line = f"retcon {_number(context, act.first)}: {text}"
            way = LineToType("Other words", line, tuple(line.split(" ", 2)))
            return Unfinished(f"Recorded: {context.described(act)}.", line, way)
    return None


def with_recorded_line(context: WriteContext, at: int, refusal: Refused) -> Refused:
    """Returns the refusal of a correction of the act at `at`, with the line by which it is recorded now."""
    now = _line_instead(_number(context, at), context.line_said(context.writer.act_at(at)))
    said = f"{_with_full_stop(refusal.sentence)} As it is now: {now.typed}."
    if isinstance(refusal, Unreadable | UnknownVerb):
        return Unreadable(said, getattr(refusal, "column", 1))
    return Refused(said)


def _line_instead(number: str, line: str) -> LineToType:
    """Returns the line `retcon NUMBER --as LINE`; in a sentence, `line` is in quotes."""
    typed = f"retcon {number} --as {in_quotes(line)}"
    return LineToType("Another line", typed, ("retcon", number, "--as", line))


def explain_misfit(context: WriteContext, lexed: Lexed, refusal: Unreadable) -> Refused:
    """Returns the refusal of a `retcon` or `fix` that does not fit its form, with a line that does."""
    if not lexed.flags.keys() <= {"as", "drop", "keep", "ruling", "check", "by", "when", "yes"}:
        return refusal
    verb, (at, rest) = lexed.verb.text, _moment_first(context, lexed.tokens)
    if at is None and verb == c.Fix.verb and rest[1:]:
        return other_words(context, lexed.as_typed.partition(" ")[2]) or refusal
    if at is None or "as" in lexed.flags:
        return refusal
    number = _number(context, at)
    if verb == c.Fix.verb:
        results = [token.text for token in rest]
        line = write_line("fix", [number], results=results) if results else None
        said = refusal.sentence if line is None else f"Results stand behind an =: {line}."
    elif rest and rest[0].bare and rest[0].text in VERBS:
        new = replace(lexed, verb=rest[0], tokens=tuple(rest[1:]), flags={})
        said = f"The new line follows --as: {_line_instead(number, new.as_typed).typed}."
    elif rest:
        words = " ".join(token.text for token in rest)
        said = f"New words stand behind a colon: retcon {number}: {words}"
    elif lexed.results is None:
        return unfinished_retcon(context, at, lexed.text)
    elif retcon.has_results(context.writer.act_at(at)):
        said = f"Other results are a fix: {write_line('fix', [number], results=lexed.results)}."
    else:
        return with_recorded_line(context, at, Refused(f"Nothing was drawn or rolled at {at}."))
    return Unreadable(said, refusal.column)


def _moment_first(context: WriteContext, tokens: Sequence[Token]) -> tuple[int | None, Sequence[Token]]:
    """Returns the position that the first token names, and the tokens behind it.

    Without a moment there, the position of the last act that may be corrected, and all tokens; None if the
    branch has no such act.
    """
    if tokens and tokens[0].text not in VERBS:
        at = none_if_refused(lambda: context.act_at(tokens[0].text))
        return at, tokens[1:]
    last = next((act for act in context.writer.last_acts() if not act.managing), None)
    return None if last is None else last.first, tokens


def _number(context: WriteContext, at: int) -> str:
    """Returns the moment at `at` as a line names it: with its branch if a fix has changed the numbers."""
    if renumbered(context.campaign, context.line, str(at)) is None:
        return str(at)
    return f"{quote_name(context.campaign.lines()[context.line])}@{at}"


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
            raise Refused(f"Say after a colon why the result is kept: {self._line('--keep')}: why")

    def carried_out(self) -> Outcome:
        """Records the corrected cards or dice, and later acts decided again, on a new branch.

        Returns the outcome. With `--check` it records nothing. Raises Refused, changing nothing, if acts
        would be lost without `--drop` and no user can be asked.
        """
        text = None if self.command.results or self.command.at or self.command.keep else self.command.text
        if text is not None and (refusal := other_words(self.recorder, str(text))) is not None:
            raise refusal
        meant = self._target_act()
        if self.command.results is None:
            raise unfinished_fix(self.recorder, meant)
        at = self.command.at or meant.first
        results = retcon.with_results_left(self.recorder.writer, at, self.command.results)
        self.command = self.command.but({"results": results})
        if results == retcon.results_at(self.recorder.writer, at):
            raise Refused(f"These are the results of {self.recorder.described(meant)} already.")
        mended = retcon.with_fixed_results(self.recorder.writer, at, results)
        try:
            plan = retcon.plan_retcon(self.recorder.writer, at, mended, judge=self._judge)
        except Refused as refusal:
            said = f"{refusal} This would mend {self.recorder.described(meant)}."
            if self.command.at is None:
                said += f" Another draw or roll is named by its moment: {c.Fix.example}."
            raise Refused(f"{said} As it is now: {unfinished_fix(self.recorder, meant).edit}.") from None
        self.rulings.check_used()
        if self.command.keep and _changes_outcome(plan):
            return self._keep_outcome(at)
        which = (f"This mends {self.recorder.described(meant)}.",) if self.command.at is None else ()
        about = (*which, *describe_changes(plan, self.recorder))
        shown = (*about, *describe_outdated_texts(plan, self.recorder))
        if self.bound.check:
            return Outcome(said=shown, checked=True)
        if self._drops(plan) and not self.recorder.attended:
            raise Refused(self._what_to_do(plan))
        if not self.recorder.ask("\n".join((*shown, *self._ways(plan), GO_ON))):
            return UNCHANGED
        self._record(plan)
        outdated = describe_outdated_texts(plan, self.recorder, as_recorded=True)
        said = "It is mended, and play goes on from here; the old line is kept (branches)."
        return Outcome(said=(*(about if self.recorder.ask is yes else ()), *outdated, said))

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
        again = _line_instead(_number(self.recorder, act.first), self.recorder.line_said(act))
        yield f"To say it otherwise, change what is in quotes: {again.typed}."

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
        text = f"It was {' '.join(self.command.results or ())}, not {' '.join(was)}. To keep what happened:"
        ruling = c.Rule(text=Words(f"{text} {self.command.text}"))
        said = (
            "What happened is kept by a ruling, without a branch; the record goes on with what was typed"
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
        at = () if self.command.at is None else (_number(self.recorder, self.command.at),)
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
            said.append("By a ruling" if step.added else step.act.span)
            said += [f"  - {line}" for line in was if line not in now]
            said += [f"  + {line}" for line in now if line not in was]
    said += _changed_rounds(plan)
    return (*said, *describe_lost_acts(plan, context)) or ("Nothing else changes.",)


def describe_outdated_texts(
    plan: retcon.RetconPlan, context: WriteContext, *, newly_typed: bool = False, as_recorded: bool = False
) -> tuple[str, ...]:
    """Returns sentences for the texts that tell an outcome which a plan changes; empty without any.

    `newly_typed` leaves out the changed act, whose words are those of the line just typed. With `as_recorded`
    the positions are those on the new branch, and a last sentence shows the line that changes a text.
    """
    changed, steps = plan.changed, [step for step in plan.steps if not step.added]
    was = [(_act_id(step.act), step.renumbered or step.was) for step in steps]
    if all(step.act is not changed for step in steps):
        was = [(_act_id(changed), changed.known), *was]
    now = [(_act_id(step.act), step.events) for step in steps if step.refusal is None]
    outdated = set(changed_since(outcomes_told(was), outcomes_told(now)))
    outdated -= {_act_id(changed)} if newly_typed else set()
    said, first = [], plan.fork + 2  # the branch begins with its fork
    for step in plan.steps:
        if not step.added and step.refusal is None and _act_id(step.act) in outdated:
            said.append((first if as_recorded else step.act.first, context.line_said(step.act)))
        first += len(step.events)
    if not said:
        return ()
    told = (f"May be untrue now: {at}, {line}" for at, line in said)
    number = _number(context, said[0][0])
    to_change = f"To change it: retcon {number}: WORDS. Such words are listed by: show doubts."
    return (*told, to_change) if as_recorded else tuple(told)


def _act_id(act: Act) -> str:
    return act.events[0].envelope.act


def _changed_rounds(plan: retcon.RetconPlan) -> Iterator[str]:
    """Yields a sentence per run of adjacent acts that move to another round of their conflict."""
    for moved, steps in groupby(plan.steps, key=lambda step: step.moved):
        acts = [step.act for step in steps]
        if moved is not None:
            was, now = moved
            yield f"In {now} instead of {was}: {span(acts[0].first, acts[-1].last)}"


def describe_lost_acts(plan: retcon.RetconPlan, context: WriteContext) -> Iterable[str]:
    """Yields a sentence per act that no longer holds, with the reason; a repeated reason is given once."""
    reason = None
    for step in plan.steps:
        if step.refusal is None:
            continue
        why = "" if step.refusal == reason else f" ({step.refusal})"
        reason = step.refusal
        yield f"No longer holds: {step.act.span}, {context.line_said(step.act)}{why}"


def _in_notation(plan: retcon.RetconPlan, events: Iterable[Event]) -> list[str]:
    return list(notation(plan.table, (LiveEvent(0, event) for event in events), named=False))


_AUDIENCES: Final = {"gm": "the game master alone", "table": "everybody"}


@dataclass(frozen=True, slots=True)
class RetconCommand:
    """Executes one `retcon` line that replaces an earlier act by another line, or takes it out."""

    recorder: CommandRecorder
    command: c.Retcon
    new_line: Lexed | None
    """Line in place of the act; None takes the act out."""
    bound: Bound
    with_files: Callable[[Command], Command]
    """Replaces the name of a file in a command by what is in the file."""

    @classmethod
    def of(
        cls,
        recorder: CommandRecorder,
        command: c.Retcon,
        bound: Bound,
        with_files: Callable[[Command], Command],
    ) -> RetconCommand:
        """Returns the executor of a line with `--as` or `--drop`; raises Unfinished for one with neither.

        `--drop`, `--ruling` and `--check` behind the new line are the `retcon`'s own.
        """
        line = bound.flags.get("as")
        if line is None:
            if "as" in bound.flags or not command.drop:
                raise unfinished_retcon(recorder, command.at, command.text)
            return cls(recorder, command, None, bound, with_files)
        try:
            lexed = lex(line)
        except Unreadable as refusal:
            raise with_recorded_line(recorder, command.at, refusal) from None
        flags = dict(lexed.flags)
        ruling = flags.pop("ruling", None)
        command = command.but(
            {
                "drop": command.drop or "drop" in flags,
                "ruling": command.ruling if ruling is None else ruling.text,
            }
        )
        flags.pop("drop", None)
        checked = replace(bound, check=bound.check or "check" in flags)
        return cls(recorder, command, replace(lexed, flags=flags), checked, with_files)

    def carried_out(self) -> Outcome:
        """Records the replaced act, and later acts decided again, on a new branch; returns the outcome.

        With `--check` it records nothing. Raises Refused, changing nothing, if acts would be lost without
        `--drop` and no user can be asked.
        """
        try:
            plan = self._plan()
        except GuestError:
            raise
        except Refused as refusal:
            raise with_recorded_line(self.recorder, self.command.at, refusal) from None
        self._check_changed(plan)
        changes = (
            *self._change_of_act(plan),
            *describe_changes(plan, self.recorder),
        )  # names as before the change
        outdated = describe_outdated_texts(plan, self.recorder, newly_typed=True)
        shown = (*changes, *outdated)
        if self.bound.check:
            return Outcome(said=shown, checked=True)
        if plan.lost and not self.command.drop:
            if not self.recorder.attended:
                raise Refused(self._what_to_do(plan))
            if not self.recorder.ask("\n".join((*shown, GO_ON))):
                return UNCHANGED
        name = self.recorder.free_name("retcon")
        line = retcon.carry_out(plan, name, self.command.text, self.bound.manner)
        self.recorder.go(line)
        outdated = describe_outdated_texts(plan, self.recorder, newly_typed=True, as_recorded=True)
        until = f"branch promote {quote_name(name)}"
        said = (*changes, *outdated, f"The line the table plays stays as it is until: {until}.")
        return Outcome(said=(f"The change is on a new branch, {name}. You are on it now.", *said))

    def _plan(self) -> retcon.RetconPlan:
        recorder, at = self.recorder, self.command.at
        silent = self.command.drop or self.bound.check
        rulings = Rulings.brought(recorder, self.command.ruling, silent=silent)
        command = None
        manner = None
        if self.new_line is not None:
            before = recorder.campaign.table_at(recorder.line, recorder.writer.act_at(at).first - 1)
            bound = bind_as_meant(self.new_line, replace(recorder.scope, table=before))
            command, manner = self.with_files(bound.command), self._manner(bound)
        plan = retcon.plan_retcon(recorder.writer, at, command, manner, judge=rulings.judge)
        rulings.check_used()
        return plan

    def _check_changed(self, plan: retcon.RetconPlan) -> None:
        """Raises Refused for a new line that would record the act as it is."""
        first = plan.steps[0] if plan.steps and self.new_line is not None else None
        if first is not None and first.events == first.renumbered and first.manner == manner_of(first.act):
            raise Refused(f"This is recorded at {first.act.span} already.")

    def _change_of_act(self, plan: retcon.RetconPlan) -> tuple[str, ...]:
        """Returns a sentence that the act is taken out, or on who may see it now; else empty."""
        if self.new_line is None:
            act = self.recorder.writer.act_at(self.command.at)
            return (f"Taken out: {self.recorder.described(act)}.",)
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
        number = _number(self.recorder, self.command.at)
        if self.new_line is None:
            return write_line("retcon", [number, *flags])
        return write_line("retcon", [number, "--as", in_quotes(self.new_line.as_typed), *flags])


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", ".)", "?", "!")) else f"{sentence}."
