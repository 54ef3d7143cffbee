"""Import of sources into a campaign: reading, comparison, recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from retold.importing.comparing import Comparison, compare
from retold.importing.intake import Intake, Session
from retold.importing.known import Known
from retold.importing.merging import Merged, check_shapes, put_in_order, read_all
from retold.importing.people import People
from retold.importing.planning import Planner
from retold.importing.recording import Recorder
from retold.importing.sessions import Begin, LineState, state_of, steps_of
from retold.journal.refused import Refused
from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import LineWriter
from retold.sources import Report, Source
from retold.sources.answers import Answers
from retold.sources.questions import FOR_PEOPLE, questions
from retold.sources.survey import survey_of

CONFLICT_IS_OPEN: Final = "A conflict is open: end it first (end conflict), then take the log in."


def take_in(
    writer: LineWriter | None,
    sources: Sequence[Source],
    answers: Answers,
    *,
    check: bool = False,
    tell: Callable[[int, int], None] | None = None,
    agreed: bool = False,
) -> Intake:
    """Records new units of sources, as the answers say; returns the report.

    `writer` writes to the line; None with `check`, for a campaign that does not exist yet. With `check`
    nothing is recorded. `tell` gets the number of steps done and of all, after each transaction: what is
    recorded stays after an interruption, and the same call finishes it. `agreed` says that the user goes on
    although known units are gone or in another order, or although throws older than the campaign's are told
    as words.

    Raises Refused, with nothing recorded, if a source is damaged or nothing in it has words, if questions
    about it are open, or if a conflict is open; NotAgreed for want of agreement.
    """
    clock = Clock() if writer is None else writer.campaign.clock
    began = _now(clock)
    if writer is not None:
        writer.catch_up()
        if writer.table.conflicts:
            raise Refused(CONFLICT_IS_OPEN)
    people = People(answers)
    intake = Intake(Report(" and ".join(dict.fromkeys(source.family for source in sources))), checked=check)
    merged = read_all(sources, answers, people, intake.report)
    intake.report.check_told()
    _check_answered(merged, answers, intake.report)
    intake.report.ran_back = put_in_order(merged, answers)
    check_shapes(merged)
    known = None if writer is None else Known(writer)
    quoted = {(entry.log.number, entry.unit.key): entry for entry in merged.entries} if answers.quotes else {}
    planner = Planner(answers, people, quoted, known)
    found = compare(merged, planner, known, intake, agreed=agreed)
    state = LineState() if writer is None or known is None else state_of(writer, known, found)
    steps = steps_of(found, merged, answers, state, began, headings=planner.headings)
    intake.sessions_new = [Session(one.title, one.date or "") for one in steps if isinstance(one, Begin)]
    _count_people(found, known, intake)
    if check or writer is None or known is None:
        _count_throws(found, intake)
    else:
        recorder = Recorder(writer, known, people, intake)
        recorder.carry_out(steps, found.rewordings, tell or (lambda _done, _total: None))
    intake.duration = (_now(clock) - began).total_seconds()
    return intake


def _check_answered(merged: Merged, answers: Answers, report: Report) -> None:
    """Raises Refused, with one sentence, if a needed answer is missing."""
    has_channels = any(log.has_rooms for log in merged.logs)
    survey = survey_of(report, merged.accounts, can_mark=merged.can_mark, has_channels=has_channels)
    asked = questions(answers, survey)
    wanted = [question for question in asked if question.is_needed and question.about not in FOR_PEOPLE]
    if not wanted:
        return
    about = ", ".join(str(key) for key, _ in wanted[0].proposal)
    many = "1 question about the log is" if len(wanted) == 1 else f"{len(wanted)} questions about the log are"
    raise Refused(f"{many} open, first about {about}: {wanted[0].text}")


def _count_people(found: Comparison, known: Known | None, intake: Intake) -> None:
    """Counts the people who speak or throw in the new units: new to the cast, or in it."""
    people = dict.fromkeys(
        planned.who
        for new in found.new
        for planned in new.planned
        if planned.who.is_person and (planned.eyes is None or planned.who.player)
    )
    for name, one in {person.name: person for person in people}.items():
        is_known = known is not None and known.person(one) is not None
        (intake.people_known if is_known else intake.people_new).append(name)


def _count_throws(found: Comparison, intake: Intake) -> None:
    """Counts the throws of new units, each by the rung on which the dice rules accept it."""
    for new in found.new:
        for planned in new.planned:
            if planned.throw is not None:
                intake.throws[planned.throw.rung] += 1
                intake.secret_throws += planned.eyes is not None


def _now(clock: Clock) -> datetime:
    return datetime.fromisoformat(clock.now()[0])
