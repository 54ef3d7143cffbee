"""Sessions view: each session's number of events and conflicts, and its duration."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct, field

from retold.journal.store.events.codec import Envelope, Recorded
from retold.journal.vocabulary import events as e
from retold.projections.reading import LineView, Projection
from retold.projections.reading.timing import EventTime, event_time, recording_time
from retold.projections.views.sheet import NOBODY, Row, Seen


class Evening(NamedTuple):
    """A session; `first` and `last` are ids of its events, `seconds` is the time between the two.

    `closed` is False while the session is open.
    """

    session: int
    title: str | None
    date: str | None
    first: str
    last: str
    events: int
    conflicts: int
    seconds: int
    closed: bool

    def row(self) -> Row:
        """Returns this session as a table row."""
        return Row.keyed(
            (str(self.session),),
            self.title or NOBODY,
            self.date or NOBODY,
            str(self.events),
            str(self.conflicts),
            clock(self.seconds),
            "closed" if self.closed else "open",
        )


class Sessions(Seen, frozen=True):
    """Answer of the sessions view.

    JSON: `{"sessions": [{"session", "title", "date", "first", "last", "events", …}]}`.
    """

    view = "sessions"
    title = "Sessions"
    columns = ("Session", "Title", "Date", "Events", "Conflicts", "Time", "Now")
    sessions: tuple[Evening, ...]


def clock(seconds: int) -> str:
    """Returns seconds as hours, minutes and seconds: 4329 → `1:12:09`."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


class _Tally(Struct):
    """Counts of one session so far, with positions and times of its first and last event."""

    session: int
    title: str | None
    date: str | None
    first: int
    began: EventTime | None
    last: int = 0
    seconds: int = 0
    events: int = 0
    conflicts: set[int] = field(default_factory=set)
    closed: bool = False


class _Tallies(Struct):
    every: list[_Tally] = field(default_factory=list)


def of(reading: LineView) -> Sessions:
    """Returns sessions up to the position of `reading`; only events visible to the viewer are counted."""
    return _seen(reading, 0)


def beyond(reading: LineView, position: int) -> Sessions:
    """Returns the last session opened at or before `position`, and every later one.

    Returns all sessions if none was opened by then.
    """
    begun = [at for at in reading.sessions.opened.values() if at <= position]
    return _seen(reading, max(begun, default=1) - 1)


def _seen(reading: LineView, after: int) -> Sessions:
    if after:
        tallies = _Tallies()
        _hear(tallies, reading, after)
    else:
        tallies = TALLIES.of(reading)
    return Sessions(tuple(_evening(tally, reading) for tally in tallies.every))


def _hear(tallies: _Tallies, reading: LineView, after: int) -> None:
    every = tallies.every
    for recorded in reading.recorded(after):
        event = recorded.event
        if isinstance(event, e.SessionOpened):
            every.append(_opened(event, recorded))
        if not every or every[-1].closed:
            continue
        tally = every[-1]
        tally.events += 1
        tally.last, tally.seconds = recorded.position, _seconds(tally, recorded.envelope)
        conflict = getattr(event, "conflict", None)
        if conflict is not None:
            tally.conflicts.add(conflict)
        tally.closed = isinstance(event, e.SessionClosed)


def _opened(event: e.SessionOpened, recorded: Recorded) -> _Tally:
    title = None if event.title is None else event.title.text
    return _Tally(event.session, title, event.date, recorded.position, _time(recorded.envelope))


TALLIES: Final = Projection("sessions", _Tallies, _hear)


def _evening(tally: _Tally, reading: LineView) -> Evening:
    return Evening(
        tally.session,
        tally.title,
        tally.date,
        reading.ids.at(tally.first),
        reading.ids.at(tally.last),
        tally.events,
        len(tally.conflicts),
        tally.seconds,
        tally.closed,
    )


def _time(envelope: Envelope) -> EventTime | None:
    """Returns the time of play if it was said, else that of recording; None if only the day is known."""
    return recording_time(envelope) if envelope.when is None else event_time(envelope)


def _seconds(tally: _Tally, envelope: Envelope) -> int:
    """Returns whole seconds from the session's beginning to an event of it; 0 if the clock went backwards.

    An event without a comparable time, or with an earlier time of play than one before it, changes nothing.
    """
    passed = None if tally.began is None else tally.began.seconds_to(_time(envelope))
    if passed is None:
        return tally.seconds
    return max(0, int(passed), 0 if envelope.when is None else tally.seconds)
