"""Times of events: when a session opened, and seconds since then, by time of play or of recording."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from retold.journal.names import normalise
from retold.journal.played_time import played_instant
from retold.journal.store.events.chain import missing_row
from retold.journal.store.events.codec import Envelope, Recorded, decode
from retold.journal.vocabulary import events as e
from retold.projections.reading.line_view import LineView


class EventTime(Struct, frozen=True):
    """Time of an event, in UTC; `is_played` if it is the time of play (`--when`), not that of recording.

    Times of the two sorts are not compared: what is typed in a week later was not played for a week.
    """

    at: datetime
    is_played: bool

    def seconds_to(self, later: EventTime | None) -> float | None:
        """Returns the seconds from this time to `later`; None if they do not compare."""
        if later is None or later.is_played != self.is_played:
            return None
        return (later.at - self.at).total_seconds()

    def written(self) -> str:
        """Returns the time as recorded times are written: ISO 8601 with microseconds and Z."""
        return f"{self.at.isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def event_time(envelope: Envelope) -> EventTime | None:
    """Returns an event's time of play if it was said, else that of its recording.

    None if only the day of play is known, and for an imported event without a time of play.
    """
    if envelope.when is not None:
        at = played_instant(envelope.when, envelope.offset)
        return None if at is None else EventTime(at, is_played=True)
    return None if envelope.source is not None else recording_time(envelope)


def recording_time(envelope: Envelope) -> EventTime:
    """Returns the time at which an event was recorded."""
    return EventTime(datetime.fromisoformat(envelope.at), is_played=False)


def session_opening(reading: LineView, after: int, upto: int) -> EventTime | None:
    """Returns the time at which the session that contains position after+1 was opened.

    If no session is open there, the first opening up to `upto` counts. None if there is none, or if its time
    is unknown.
    """
    opened = [position for position in reading.sessions.opened.values() if position <= upto]
    within = [position for position in opened if position <= after + 1]
    if not opened:
        return None
    return event_time(recorded_at(reading, max(within) if within else min(opened)))


def seconds_from(opened: EventTime | None, envelope: Envelope) -> float | None:
    """Returns seconds from `opened` to the time of an event, to the millisecond.

    None if either is unknown, if they do not compare, and for an event before it.
    """
    passed = None if opened is None else opened.seconds_to(event_time(envelope))
    return round(passed, 3) if passed is not None and passed >= 0 else None


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
