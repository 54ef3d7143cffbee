"""When things were recorded: the opening of a session, and how many seconds into it a moment is."""

from __future__ import annotations

from datetime import datetime

from journal.names import normalise
from journal.store.chain import missing_row
from journal.store.codec import Envelope, Recorded, decode
from journal.vocabulary import events as e
from projections.reading.line_view import LineView


def session_opening(reading: LineView, after: int, upto: int) -> Envelope | None:
    """What surrounds the opening of the session in which positions after+1..upto of a line begin.

    Where they begin outside of any, it is the first session that opens among them. None if none does, or if
    it was imported, so that nobody knows when it was.
    """
    opened = [position for position in reading.evenings.opened.values() if position <= upto]
    within = [position for position in opened if position <= after + 1]
    if not opened:
        return None
    found = recorded_at(reading, max(within) if within else min(opened))
    return None if found.source is not None else found


def time_of(at: str) -> datetime:
    """A time as the record has it."""
    return datetime.fromisoformat(at)


def seconds_from(opened: datetime | None, envelope: Envelope) -> float | None:
    """Seconds from an opening to when something was recorded, to the millisecond.

    None if there is no opening, or the thing was recorded before it or imported.
    """
    if opened is None or envelope.source is not None:
        return None
    passed = round((time_of(envelope.at) - opened).total_seconds(), 3)
    return passed if passed >= 0 else None


def heard_at(recorded: Recorded) -> float | None:
    """Seconds into a recording at which words told later are heard; None where nobody has said."""
    clock = (recorded.command or {}).get("clock")
    return clock / 1000 if isinstance(clock, int) else None


def recorded_at(reading: LineView, position: int) -> Envelope:
    """What surrounds the event at a position of a line, which has to be there."""
    row = reading.past.row(position)
    if row is None:
        raise missing_row(reading.past.line, position)
    return decode(row).envelope


def marked_at(reading: LineView, name: str) -> Envelope | None:
    """What surrounds the moment of a mark of a line: when it was made, or the moment it was put on later.

    None if there is no such mark, or its viewer may not know it.
    """
    for found in reading.recorded(kinds=(e.Marked.kind,)):
        if isinstance(found.event, e.Marked) and normalise(found.event.name.text or "") == normalise(name):
            put_on = (found.command or {}).get("at")
            return found.envelope if put_on is None else recorded_at(reading, found.event.at)
    return None
