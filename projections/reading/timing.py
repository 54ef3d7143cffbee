"""Recording times of events: when a session opened, and seconds since then."""

from __future__ import annotations

from datetime import datetime

from journal.names import normalise
from journal.store.chain import missing_row
from journal.store.codec import Envelope, Recorded, decode
from journal.vocabulary import events as e
from projections.reading.line_view import LineView


def session_opening(reading: LineView, after: int, upto: int) -> Envelope | None:
    """Returns the envelope (time, author) of the opening of the session that contains position after+1.

    If no session is open there, the first opening up to `upto` counts. None if there is none, or if it was
    imported, so that its time is unknown.
    """
    opened = [position for position in reading.sessions.opened.values() if position <= upto]
    within = [position for position in opened if position <= after + 1]
    if not opened:
        return None
    found = recorded_at(reading, max(within) if within else min(opened))
    return None if found.source is not None else found


def time_of(at: str) -> datetime:
    """Returns a recorded time, an ISO 8601 text, as a datetime."""
    return datetime.fromisoformat(at)


def seconds_from(opened: datetime | None, envelope: Envelope) -> float | None:
    """Returns seconds from `opened` to an envelope's recording time, to the millisecond.

    None if `opened` is None, and for an event that was imported or recorded before it.
    """
    if opened is None or envelope.source is not None:
        return None
    passed = round((time_of(envelope.at) - opened).total_seconds(), 3)
    return passed if passed >= 0 else None


def heard_at(recorded: Recorded) -> float | None:
    """Returns the second of an audio recording at which words added later are heard; None if not given."""
    clock = (recorded.command or {}).get("clock")
    return clock / 1000 if isinstance(clock, int) else None


def recorded_at(reading: LineView, position: int) -> Envelope:
    """Returns the envelope (time, author, audience) of the event at `position`.

    Raises Damaged if its row is missing.
    """
    row = reading.past.row(position)
    if row is None:
        raise missing_row(reading.past.line, position)
    return decode(row).envelope


def marked_at(reading: LineView, name: str) -> Envelope | None:
    """Returns the envelope of the event marked `name`: the mark itself, or the earlier event it is put on.

    None if there is no mark `name`, or if it is hidden from the viewer.
    """
    for found in reading.recorded(kinds=(e.Marked.kind,)):
        if isinstance(found.event, e.Marked) and normalise(found.event.name.text or "") == normalise(name):
            put_on = (found.command or {}).get("at")
            return found.envelope if put_on is None else recorded_at(reading, found.event.at)
    return None
