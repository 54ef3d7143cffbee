"""Sessions of an import: beginnings, ends and continuations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from retold.importing.comparing import Comparison, New
from retold.importing.known import Known
from retold.importing.merging import DEFAULT_RULE, Entry, Merged, is_open_to_all
from retold.importing.people import on_one_line
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import LineWriter
from retold.sources.answers import Answers
from retold.sources.evenings import NUMBER, rule_of
from retold.sources.times import stamp_of


class Begin(NamedTuple):
    """Beginning of a session, before its first unit."""

    entry: Entry
    title: str
    date: str | None


class End(NamedTuple):
    """End of a session, after its last unit."""

    entry: Entry
    when: str | None
    """Time of its last public unit."""
    is_last: bool
    """True if no other session follows."""


class TakeBack(NamedTuple):
    """Undoing of the last act, which an earlier import recorded.

    It is a session's end, if the session goes on, or half of a unit that is whole now.
    """

    entry: Entry
    at: int
    """Position of the act."""


Step: TypeAlias = New | Begin | End | TakeBack


@dataclass(frozen=True)
class LineState:
    """Last session of a line, as an import finds it."""

    is_open: bool = False
    is_imported: bool = True
    """True if an import began it."""
    has_last_unit: bool = False
    """True if it has the last known unit."""
    ended_at: int = 0
    """Position of its end if that is the last act and an import recorded it; else 0."""
    is_last_imported: bool = False
    """True if the last act came from an import."""


def state_of(writer: LineWriter, known: Known, found: Comparison) -> LineState:
    """Last session of the writer's line."""
    rows = writer.campaign.record.rows(writer.line, kinds=("table.session-opened",))
    opened = max((row.position for row in rows if writer.amendments.counts(row.position)), default=0)
    imported = {act.position: act for act in known.acts.values() if known.is_live(act)}
    last = next((imported.get(act.first) for act in writer.last_acts()), None)
    return LineState(
        is_open=writer.table.session is not None,
        is_imported=opened in imported,
        has_last_unit=found.last_live is not None and found.last_live.position > opened,
        ended_at=last.position if last is not None and last.kind == "table.session-closed" else 0,
        is_last_imported=last is not None,
    )


def steps_of(
    found: Comparison,
    merged: Merged,
    answers: Answers,
    state: LineState,
    now: datetime,
    *,
    headings: Mapping[int, str],
) -> list[Step]:
    """Steps that record the new units, with the beginnings and ends of their sessions.

    `headings` are those in the words of evenings. Raises Refused if a session is open that no import began.
    """
    steps: list[Step] = []
    current = found.continued if state.has_last_unit else -1
    is_open, is_ours = state.is_open, state.is_imported
    last = found.last_known
    ends = {entry.evening: entry for entry in merged.entries if is_open_to_all(entry, answers)}
    for new in found.new:
        if new.about is not None:
            continue
        if new.instead and state.ended_at and not is_open:
            steps.append(TakeBack(new.entry, state.ended_at))
            is_open = True
        steps += (TakeBack(new.entry, position) for position in new.instead)
        if new.entry.evening != current or not (is_open or state.ended_at):
            if not is_open_to_all(new.entry, answers):  # no session begins for it
                steps.append(new)
                continue
            if is_open:
                if not is_ours:
                    raise Refused(
                        "A session is open: end it first (end session), so that those of the log can begin."
                    )
                steps.append(_end(last or new.entry, ends, is_last=False))
            steps.append(_beginning(new.entry, merged, answers, headings))
            current, is_ours = new.entry.evening, True
        elif not is_open:
            steps.append(TakeBack(new.entry, state.ended_at))
        is_open = True
        steps.append(new)
        last = new.entry
    has_new = bool(steps)
    steps += [new for new in found.new if new.about is not None]
    may_end = is_open and is_ours and (has_new or state.is_last_imported)
    if last is not None and may_end and _is_over(ends.get(last.evening, last), answers, now):
        steps.append(_end(last, ends, is_last=True))
    return steps


def _end(last: Entry, ends: Mapping[int, Entry], *, is_last: bool) -> End:
    return End(last, ends.get(last.evening, last).when, is_last)


def _beginning(entry: Entry, merged: Merged, answers: Answers, headings: Mapping[int, str]) -> Begin:
    date = merged.evenings[entry.evening].date
    is_thread = answers.sessions.strip() == "thread"
    heading = entry.unit.session or headings.get(entry.evening, "")
    title = on_one_line(entry.unit.channel) if is_thread else title_of(heading)
    return Begin(entry, title, None if date is None else date.isoformat())


def title_of(heading: str) -> str:
    """Title in a session's heading; empty if it has its number or its day alone, such as `Session 3`."""
    title = NUMBER.sub("", on_one_line(heading)).strip(" :.\u2013\u2014-*_()")
    return "" if stamp_of(title) else title


def _is_over(last: Entry, answers: Answers, now: datetime) -> bool:
    """True if the gap after which a session is over has passed; always, if the log has no times."""
    return last.instant is None or now - last.instant >= rule_of(answers.sessions or DEFAULT_RULE).gap
