"""Sessions: the evenings of a line, what was recorded in each, and how long it took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, NamedTuple

from journal.store.codec import Recorded
from journal.vocabulary import events as e
from projections.reading import Reading
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class Evening(NamedTuple):
    """One session; `seconds` from its first to its last recorded event, `closed` False while it is open."""

    session: int
    title: str | None
    date: str | None
    first: str
    last: str
    events: int
    conflicts: int
    seconds: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Sessions(Seen):
    """The evenings: `{"sessions": [{"session", "title", "date", "first", "last", "events", …}]}`."""

    view: ClassVar[str] = "sessions"
    sessions: tuple[Evening, ...]

    def sheet(self) -> Sheet:
        """A row for each evening."""
        rows = tuple(
            Row(
                (str(one.session),),
                (
                    str(one.session),
                    one.title or NOBODY,
                    one.date or NOBODY,
                    str(one.events),
                    str(one.conflicts),
                    clock(one.seconds),
                    "closed" if one.closed else "open",
                ),
            )
            for one in self.sessions
        )
        columns = ("Session", "Title", "Date", "Events", "Conflicts", "Time", "Now")
        return Sheet("Sessions", columns, rows)


def clock(seconds: int) -> str:
    """Seconds as a clock shows them: `1:12:09`."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@dataclass(slots=True)
class _Tally:
    opened: e.SessionOpened
    first: Recorded
    last: Recorded
    events: int = 0
    conflicts: set[int] = field(default_factory=set)
    closed: bool = False


def of(reading: Reading) -> Sessions:
    """The evenings up to the moment asked about, as far as the viewer may see."""
    return _seen(reading, 0)


def beyond(reading: Reading, position: int) -> Sessions:
    """The evenings from the one on that `position` lies in."""
    begun = [at for at, _ in reading.evenings.opened.values() if at <= position]
    return _seen(reading, max(begun, default=1) - 1)


def _seen(reading: Reading, after: int) -> Sessions:
    return Sessions(tuple(_evening(tally, reading) for tally in _tallies(reading.recorded(after))))


def _tallies(told: Iterable[Recorded]) -> list[_Tally]:
    tallies: list[_Tally] = []
    for recorded in told:
        event = recorded.event
        if isinstance(event, e.SessionOpened):
            tallies.append(_Tally(event, recorded, recorded))
        if not tallies or tallies[-1].closed:
            continue
        tally = tallies[-1]
        tally.events += 1
        tally.last = recorded
        conflict = getattr(event, "conflict", None)
        if conflict is not None:
            tally.conflicts.add(conflict)
        tally.closed = isinstance(event, e.SessionClosed)
    return tallies


def _evening(tally: _Tally, reading: Reading) -> Evening:
    opened = tally.opened
    return Evening(
        opened.session,
        None if opened.title is None else opened.title.text,
        opened.date,
        reading.ids.at(tally.first.position),
        reading.ids.at(tally.last.position),
        tally.events,
        len(tally.conflicts),
        _seconds(tally.first.envelope.at, tally.last.envelope.at),
        tally.closed,
    )


def _seconds(first: str, last: str) -> int:
    """Whole seconds between two recorded times; none where a clock went backwards."""
    passed = datetime.fromisoformat(last) - datetime.fromisoformat(first)
    return max(0, int(passed.total_seconds()))
