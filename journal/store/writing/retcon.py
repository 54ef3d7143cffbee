"""Retcon (changing a played act later): a new branch has the changed act, and later acts decided again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.decks.chance import Dealer, Luck, Provenance, SystemDealer, UsedResult
from retold.journal.hiding import audiences
from retold.journal.line import decide
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Head, Row
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, check_command, dealer_of
from retold.journal.store.events.codec import UnknownEvent
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing import replaying
from retold.journal.store.writing.campaign import MOVED, CampaignStore, LineWriter
from retold.journal.store.writing.gone_texts import record_redactions
from retold.journal.store.writing.repeated_acts import (
    PERSON_FIELDS,
    BranchBase,
    RepeatedAct,
    RepeatedActs,
    describe_differences,
    record_step,
)
from retold.journal.system import Count, Situation
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Question, Words, values_of


class RetconPlan(Struct, frozen=True):
    """The acts of the new branch if one act is changed; nothing is recorded until `carry_out`."""

    campaign: CampaignStore
    parent: int
    head: Head
    """The parent line's head when the plan was made."""
    fork: int
    """The position after which the branch begins."""
    line: int
    """The number the branch will have."""
    changed: Act
    """The act that is changed or left out."""
    steps: tuple[RepeatedAct, ...]
    """The changed act, unless it is left out, then each later one, in order."""
    table: Table
    """The branch's table at its head."""
    unanswered: tuple[Question, ...] = ()
    """Open questions, unanswered by the judge, at which an act was refused."""

    @property
    def kept(self) -> tuple[Act, ...]:
        """Acts that are not refused on the new branch."""
        return tuple(step.act for step in self.steps if step.refusal is None and not step.added)

    @property
    def ruled(self) -> tuple[RepeatedAct, ...]:
        """Rulings that the judge added to the new branch."""
        return tuple(step for step in self.steps if step.added)

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each act refused on the new branch, with position, verb and reason."""
        return tuple(
            f"{step.act.span} ({step.command.verb if step.command else 'an act'}): {step.refusal}"
            for step in self.steps
            if step.refusal is not None
        )

    @property
    def changes(self) -> tuple[str, ...]:
        """A sentence for each event that comes out differently on the new branch."""
        return tuple(
            sentence
            for step in self.steps
            if step.refusal is None and not step.added
            for sentence in describe_differences(step.act.first, step.was, step.events, self.table)
        )


Judge = Callable[[Table, Question, Sequence[RepeatedAct]], Command | None]
"""Rules on an open question at a table, given the steps so far; None leaves it open."""


def last_drawn(writer: LineWriter) -> Act | None:
    """Returns the latest act with drawn cards or rolled dice that is not undone; None if there is none."""
    writer.catch_up()
    return next(filter(has_results, writer.last_acts()), None)


def has_results(act: Act) -> bool:
    """True if cards were drawn or dice rolled in the act, so that `fix` can correct the results."""
    command = replaying.stored_command(act)
    return command is not None and "results" in command.__struct_fields__ and bool(replaying.results_of(act))


def results_at(writer: LineWriter, at: int) -> tuple[str, ...]:
    """Returns the cards and die faces that came up in the act at position `at`, in order."""
    return replaying.results_of(writer.act_at(at))


def with_results_left(writer: LineWriter, at: int, results: Sequence[str]) -> tuple[str, ...]:
    """Returns new results of the act at `at`, with the recorded ones of a sort that is left out.

    The sorts are cards and numbers: `4S` instead of `7S 3` is `4S 3`. Unchanged if only some of a sort are
    given.
    """
    was = results_at(writer, at)
    new = {is_number: [one for one in results if one.isdecimal() == is_number] for is_number in (True, False)}
    old = {is_number: [one for one in was if one.isdecimal() == is_number] for is_number in (True, False)}
    left = {is_number: new[is_number] or old[is_number] for is_number in (True, False)}
    if len(results) >= len(was) or any(len(left[sort]) != len(old[sort]) for sort in left):
        return tuple(results)
    return tuple(left[one.isdecimal()].pop(0) for one in was)


def with_fixed_results(writer: LineWriter, at: int, results: Sequence[str]) -> Command:
    """Returns the command of the act at `at` with `results` instead of the recorded dice and cards.

    Raises Refused if the act drew or rolled nothing.
    """
    writer.catch_up()
    act = writer.act_at(at)
    command = replaying.stored_command(act)
    if command is None or not has_results(act):
        raise Refused(f"Nothing was drawn or rolled at {at}.")
    return replaying.with_results(command, results)


def plan_retcon(
    writer: LineWriter,
    at: int,
    command: Command | None,
    manner: Manner | None = None,
    judge: Judge | None = None,
) -> RetconPlan:
    """Plans a branch with `command` in place of one act, and later acts decided again; records nothing.

    `at` is a position of the changed act; without a `command` the act is left out. Its dice and cards stay if
    the new command has none of its own and they fit; otherwise dealt ones are dealt again. Later acts keep
    their own. If a later act is refused while a question waits for an answer, `judge` may give the answer,
    and the act is tried again. Raises Refused if the command or an answer of the judge is refused.
    """
    writer.catch_up()
    act = writer.act_at(at)
    if act.managing or (command is not None and type(command).manages):
        raise Refused("That is about the line itself: only what was played can be changed.")
    if command is not None:
        check_command(command)
    return _Planning(writer, act, judge).plan(command, manner or replaying.manner_of(act))


class _Planning(RepeatedActs):
    """Plans one retcon: decides the changed act and each later act on the table state before the fork."""

    def __init__(self, writer: LineWriter, act: Act, judge: Judge | None) -> None:
        self._judge = judge
        self._unanswered: list[Question] = []
        self._open_before = {question.name for question in _blocking(writer.table)}
        self._campaign = writer.campaign
        self._head = writer.head
        self._changed = act
        self._new_line = self._campaign.record.next_line()
        record = self._campaign.record
        parent = writer.line
        fork = act.first - 1
        table = self._campaign.table_at(parent, fork)
        self._recorded = self._campaign.table_at(parent, fork)
        """The parent line's table, folded act by act for comparison."""
        # Only the fields of the fork event that the table state needs.
        begun = e.Forked(line=self._new_line, parent=parent, at=fork, parent_hash="", name=Words(None))
        base = BranchBase(record, parent, fork, table, (begun,))
        super().__init__(record, parent, fork, self._recorded, base)

    def plan(self, command: Command | None, manner: Manner) -> RetconPlan:
        if command is not None:
            self._steps.append(self._change(command, manner))
        self._decide_later_acts()
        if not {question.name for question in _blocking(self._table)} <= self._open_before:
            while self._ask_judge(self._steps[-1].act if self._steps else self._changed):
                pass
        return RetconPlan(
            self._campaign,
            self._parent,
            self._head,
            self._fork,
            self._new_line,
            self._changed,
            tuple(self._steps),
            self._table,
            tuple(self._unanswered),
        )

    def _change(self, command: Command, manner: Manner) -> RepeatedAct:
        events, taken = self._decide_changed(command, manner)
        return self._step(self._changed, command, events, taken, manner)

    def _decide_changed(self, command: Command, manner: Manner) -> tuple[list[Event], list[UsedResult]]:
        results: Sequence[str] | None = getattr(command, "results", None)
        recorded = replaying.results_of(self._changed)
        if results is not None:
            # Newly typed results were not dealt, even if the old ones were.
            dealt_still = tuple(results) == recorded or manner.provenance is not Provenance.DEALT
            provenance = manner.provenance if dealt_still else Provenance.CALLED
            manner = replace(manner, provenance=provenance)
            return replaying.decide_with(self._table, command, self._dealer(), manner)
        try:
            return self._with_recorded_results(command, manner)
        except Refused as refusal:
            if recorded and manner.provenance is not Provenance.DEALT:
                return self._decide_without_results(command, manner, refusal)
        manner = replace(manner, provenance=Provenance.DEALT)
        return replaying.decide_with(self._table, command, self._dealer(), manner)

    def _decide_without_results(
        self, command: Command, manner: Manner, refusal: Refused
    ) -> tuple[list[Event], list[UsedResult]]:
        """Works out the new command's events without dice or cards; returns (events, no results).

        Raises `refusal` if the command needs any.
        """
        try:
            return replaying.decide_with(self._table, command, replaying.NO_DEALER, manner)
        except Refused:
            raise refusal from None

    def _with_recorded_results(
        self, command: Command, manner: Manner
    ) -> tuple[list[Event], list[UsedResult]]:
        results = replaying.results_of(self._changed)
        if results and "results" in command.__struct_fields__:
            command = replaying.with_results(command, results)
        recorded = replace(replaying.manner_of(self._changed), visible_to=manner.visible_to)
        return replaying.decide_as_recorded(self._table, self._changed, command, recorded)

    def _decide_later_acts(self) -> None:
        """Works out each later act again with its recorded dice and cards, and adds it to the steps.

        Undone acts are left out. Raises Refused for an event of an unknown kind.
        """
        replaying.apply_act(self._recorded, self._changed)
        for act in line_events.acts(self._source, self._parent, self._changed.last):
            if any(isinstance(recorded.event, UnknownEvent) for recorded in act.events):
                raise Refused(
                    f"Position {act.first} is of a kind only a later Retold knows, or a game that is not"
                    " installed here: it cannot be moved."
                )
            while True:
                counts = _counts(self._table)
                step = self._decide_again(act)
                if step is None or step.refusal is None or not self._ask_judge(act):
                    break
            if step is not None:
                self._steps.append(replace(step, moved=_moved(step, _counts(self._recorded), counts)))
            replaying.apply_act(self._recorded, act)

    def _dealer(self) -> Dealer:
        return dealer_of(self._table, self._campaign.seed)

    def _ask_judge(self, act: Act) -> bool:
        """Lets the judge answer a question that stops play, and applies the answer.

        The answer becomes a step of its own, before `act`. Returns True if the question stops play no longer.
        """
        question = next(_blocking(self._table), None)
        if question is None or question in self._unanswered:
            return False
        command = self._judge(self._table, question, self._steps) if self._judge is not None else None
        if command is None:
            self._unanswered.append(question)
            return False
        events, taken = replaying.decide_with(self._table, command, self._dealer(), Manner())
        seen_by = audiences(self._table, command, events, TABLE)
        self._fold(events, taken, seen_by)
        self._steps.append(
            RepeatedAct(act, command, tuple(events), tuple(taken), None, Manner(), tuple(seen_by), added=True)
        )
        return question not in _blocking(self._table)


def _counts(table: Table) -> dict[int, Count]:
    """Returns the current round of each open conflict whose game counts rounds, by conflict number."""
    counted = {conflict.id: SYSTEMS[conflict.system].count(conflict) for conflict in table.conflicts.values()}
    return {number: count for number, count in counted.items() if count is not None}


def _moved(
    step: RepeatedAct, before: Mapping[int, Count], after: Mapping[int, Count]
) -> tuple[Count, Count] | None:
    """Returns (old round, new round) of the step's act in its conflict; None if equal or unknown.

    `before` and `after` hold the rounds by conflict, on the old branch and on the new.
    """
    was = next((before[number] for number in _conflicts_of(step.was) if number in before), None)
    now = next((after[number] for number in _conflicts_of(step.events) if number in after), None)
    return None if was is None or now is None or was == now else (was, now)


def _conflicts_of(events: Iterable[Event]) -> Iterator[int]:
    """Yields the conflict number of each event; events outside conflicts are skipped."""
    return (conflict for event in events if (conflict := getattr(event, "conflict", None)) is not None)


def carry_out(
    plan: RetconPlan,
    name: str,
    why: Words | None = None,
    manner: Manner | None = None,
    *,
    promoted: bool = False,
) -> int:
    """Records the plan: forks before the changed act, appends the acts; returns the new branch's number.

    With `promoted` the branch becomes the mainline in the same transaction.

    Each act keeps its id, by which dealt results can be traced to the branch where they were dealt. Texts
    redacted on the old branch stay redacted, and the new branch records that. Raises Refused if others
    recorded events since the plan.
    """
    campaign = plan.campaign
    with campaign.record.writing():
        if campaign.record.head(plan.parent) != plan.head or campaign.record.next_line() != plan.line:
            raise Refused(MOVED)
        line, head = campaign.branches.begin(plan.parent, plan.fork, Words(name), why, manner or Manner())
        rows: list[Row] = []
        for step in plan.steps:
            if step.events:
                rows += record_step(campaign, line, head, step)
                head = rows[-1].head
        record_redactions(campaign.record, campaign.clock, line, head, rows)
        if promoted:
            # Only the branch bears the caller's act id, since `begun_by` finds the branch by it.
            campaign.branches.promote(line, replace(manner or Manner(), act=None))
    return line


def _blocking(table: Table) -> Iterator[Question]:
    """Yields the rules questions waiting to be answered that stop play in the state `table`."""
    asked = Situation(table, Luck(SystemDealer()), SYSTEMS).questions()
    return (question for question in asked if question.blocks)


def keep_outcomes(why: Words) -> Judge:
    """Returns a judge (it answers questions during a retcon) that brings back most of the recorded outcomes.

    It rules with the answer that restores the most outcomes missing on the branch; None if none restores any.
    `why` becomes the text of its rulings.
    """

    def judge(table: Table, question: Question, steps: Sequence[RepeatedAct]) -> Command | None:
        wanted = list(_missing_outcomes(steps))
        answers = [
            c.Rule(question=question.name, answer=answer, conflict=question.conflict, text=why)
            for answer in question.answers
        ]
        gains = [_count_regained(table, answer, wanted) for answer in answers]
        return answers[gains.index(max(gains))] if any(gains) else None

    return judge


def _missing_outcomes(steps: Sequence[RepeatedAct]) -> Iterator[Outcome]:
    """Yields (event class, people) for events the steps' acts caused before the retcon and now do not."""
    now = [_outcome(event) for step in steps for event in step.events]
    for outcome in (_outcome(event) for step in steps for event in step.was):
        if outcome in now:
            now.remove(outcome)
        else:
            yield outcome


def _count_regained(table: Table, command: Command, wanted: Sequence[Outcome]) -> int:
    """Returns how many events with a `wanted` outcome `command` would cause; 0 if it is refused."""
    try:
        events = decide(table, command, Luck(SystemDealer()))
    except Refused:
        return 0
    return sum(_outcome(event) in wanted for event in events)


Outcome = tuple[type[Event], Mapping[str, object]]
"""An event class, and the event's person fields."""


def _outcome(event: Event) -> Outcome:
    return type(event), {key: value for key, value in values_of(event).items() if key in PERSON_FIELDS}
