"""`fix`: a mistyped card or die is mended, and what the table must say to it is asked first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from journal.language.binding import Bound
from journal.language.writing import write_line, write_value
from journal.line import Live
from journal.refused import Refused
from journal.store import replaying, retcon
from journal.store.keeping import keeping
from journal.store.reading import Act
from journal.system import choices
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event, Question, values_of
from journal.words import Words
from projections.plain.lives import notation
from retold.outcome import Outcome
from retold.rulings import Rulings, answered, lost

if TYPE_CHECKING:
    from retold.outcome import Outcome
    from retold.scribe import Scribe

GO_ON = "Play on with this?"


@dataclass(slots=True)
class Mending:
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
            raise Refused(f"Say why what happened stands, after a colon: {self._line('--keep')}: why")

    def carried_out(self) -> Outcome:
        """What came of it; Refused, and nothing changed, where the table has to say more first."""
        meant = self._meant()
        if self.command.results is None:
            raise Refused(f"fix wants the results after =. Write it like: {c.Fix.example}")
        at = self.command.at or meant.first
        mended = retcon.fixed(self.scribe.writer, at, self.command.results)
        try:
            plan = retcon.plan(self.scribe.writer, at, mended, judge=self._judge)
        except Refused as refusal:
            said = f"{refusal} This would mend {self.scribe.described(meant)}."
            if self.command.at is None:
                said += f" Another draw or roll is named by its moment: {c.Fix.example}."
            raise Refused(said) from None
        self.rulings.check_used()
        if self.command.keep and _comes_out_otherwise(plan):
            return self._kept(at)
        which = (f"This mends {self.scribe.described(meant)}.",) if self.command.at is None else ()
        about = (*which, *told(plan, self.scribe))
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

    def _record(self, plan: retcon.Plan) -> None:
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

    def _judge(self, table: Table, question: Question, steps: Sequence[retcon.Step]) -> Command | None:
        if not self.rulings.given and self.command.keep and self.command.text is not None:
            return keeping(self.command.text)(table, question, steps)
        return self.rulings.judge(table, question, steps)

    def _drops(self, plan: retcon.Plan) -> bool:
        return bool(plan.lost) and not self.command.drop

    def _what_to_do(self, plan: retcon.Plan) -> str:
        """What would be lost, and the lines that keep it."""
        return " ".join((lost(plan), *no_longer_holding(plan, self.scribe), *self._ways(plan)))

    def _ways(self, plan: retcon.Plan) -> Iterator[str]:
        """How nothing would be lost, each with the line to type."""
        if not self._drops(plan):
            return
        for question in plan.unanswered[:1]:
            yield f"{choices(plan.table, question)} To rule: {self._line(*answered(plan.table, question))}."
        yield f"To leave what happened as it was: {self._line('--keep')}: why."
        if not self.scribe.attended:
            yield f"To go on without it: {self._line('--drop')}."

    def _line(self, *flags: str) -> str:
        """This line with other flags."""
        at = () if self.command.at is None else (str(self.command.at),)
        return write_line("fix", [*at, *flags], results=self.command.results)


def _comes_out_otherwise(plan: retcon.Plan) -> bool:
    """True where the record would not say what happened, though it was ruled on where it could be."""
    if plan.lost or plan.unanswered:
        return True
    return not plan.ruled and any(_differs(step) for step in plan.steps)


def _differs(step: retcon.Step) -> bool:
    """True where an act comes out otherwise than by the cards and faces in it."""
    if len(step.was) != len(step.events):
        return True
    pairs = zip(step.was, step.events, strict=True)
    return any(_without_luck(was) != _without_luck(now) for was, now in pairs)


def _without_luck(event: Event) -> tuple[type[Event], dict[str, object]]:
    kept = {key: value for key, value in values_of(event).items() if key != type(event).luck}
    return type(event), kept


# --- telling it -------------------------------------------------------------------------------------------


def told(plan: retcon.Plan, scribe: Scribe) -> tuple[str, ...]:
    """What would come out otherwise, in the notation of the log, and what would no longer hold."""
    said: list[str] = []
    for step in plan.steps:
        was, now = _noted(plan, step.renumbered), _noted(plan, step.events)
        if step.refusal is None and was != now:
            said.append("By a ruling" if step.added else _span(step))
            said += [f"  - {line}" for line in was if line not in now]
            said += [f"  + {line}" for line in now if line not in was]
    said += _moved(plan)
    return (*said, *no_longer_holding(plan, scribe)) or ("Nothing else changes.",)


def _moved(plan: retcon.Plan) -> Iterator[str]:
    """The acts that come to belong to another round of their conflict, those in a row at once."""
    for moved, steps in groupby(plan.steps, key=lambda step: step.moved):
        acts = [step.act for step in steps]
        if moved is not None:
            was, now = moved
            yield f"In {now} instead of {was}: {_from_to(acts[0].first, acts[-1].last)}"


def no_longer_holding(plan: retcon.Plan, scribe: Scribe) -> Iterable[str]:
    """What no longer holds, word for word, with the reason where that is another than before."""
    reason = None
    for step in plan.steps:
        if step.refusal is None:
            continue
        why = "" if step.refusal == reason else f" ({step.refusal})"
        reason = step.refusal
        yield f"No longer holds: {_span(step)}, {scribe.line_said(step.act)}{why}"


def _noted(plan: retcon.Plan, events: Iterable[Event]) -> list[str]:
    return list(notation(plan.table, (Live(0, event) for event in events), named=False))


def _span(step: retcon.Step) -> str:
    return _from_to(step.act.first, step.act.last)


def _from_to(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"
