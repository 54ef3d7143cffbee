"""Statistics: what can be counted on a line, one explicit list of it, and the one walk that counts it all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct, field

from journal.refused import Refused
from journal.store.progress import Progress
from journal.vocabulary import events as e
from projections.reading import Projection, Reading
from projections.statistics import luck
from projections.statistics.chart import Chart
from projections.statistics.compels import Compels
from projections.statistics.counts import Counts
from projections.statistics.moves import Moves
from projections.statistics.pace import Clockings
from projections.statistics.results import Results
from projections.statistics.telling import Tellings
from projections.views.sheet import Sheet

TOPICS: Mapping[str, str] = {
    "luck": "what chance gave, against its exact odds",
    "telling": "who narrated, spoke and declared how much",
    "time": "how long conflicts and their rounds took",
    "moves": "how often each result of a move came, against its exact odds",
    "compels": "how often each aspect was compelled",
    "counts": "how points, harm and whatever else is counted went in each session",
}
"""What can be counted, by the word it is asked for with."""


class Statistic(Protocol):
    """What was counted of one topic; without sheets there was nothing to count."""

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        ...

    def sheets(self) -> tuple[Sheet, ...]:
        """It as tables."""
        ...

    def charts(self) -> tuple[Chart, ...]:
        """It as bars."""
        ...


def count(
    reading: Reading,
    topics: Sequence[str] = tuple(TOPICS),
    session: int | None = None,
    progress: Progress | None = None,
) -> Mapping[str, Statistic]:
    """Each topic counted up to the moment asked about, of one session or of all, as far as the viewer sees.

    What is counted is kept, and only what was recorded since is looked through; `progress` is told how far
    that has come. Refused for a session there is not.
    """
    _check(reading, session)
    heard = COUNTED.of(reading.telling(progress))
    table = reading.table
    counted: Mapping[str, Callable[[], Statistic]] = {
        "luck": lambda: luck.of(heard.results, table, session),
        "telling": lambda: heard.tellings.told(table, session),
        "time": lambda: heard.clockings.pace(session),
        "moves": lambda: heard.moves.made(table, session),
        "compels": lambda: heard.compels.compelled(table, session),
        "counts": lambda: heard.counts.went(table, session),
    }
    return {topic: counted[topic]() for topic in topics}


class _Counted(Struct):
    """All that is counted, and the session that was begun last."""

    session: int | None = None
    results: Results = field(default_factory=Results)
    tellings: Tellings = field(default_factory=Tellings)
    clockings: Clockings = field(default_factory=Clockings)
    moves: Moves = field(default_factory=Moves)
    compels: Compels = field(default_factory=Compels)
    counts: Counts = field(default_factory=Counts)


def _hear(counted: _Counted, reading: Reading, after: int) -> None:
    said = reading.overruled(after)
    for moment in reading.moments(after):
        if isinstance(moment.event, e.SessionOpened):
            counted.session = moment.event.session
        for one in (counted.results, counted.clockings, counted.moves, counted.compels, counted.counts):
            one.hear(moment, counted.session)
        counted.tellings.hear(moment, counted.session, struck=said.struck(moment.position))


def _holds(reading: Reading, position: int) -> bool:
    """False where a veto after a position is about what was told before it."""
    return all(narration > position for narration in reading.overruled(position).overruled)


COUNTED: Final = Projection("statistics", _Counted, _hear, _holds)


def _check(reading: Reading, session: int | None) -> None:
    last = reading.table.sessions
    if session is not None and not 1 <= session <= last:
        known = f"The last is {last}." if last else "There is none yet."
        raise Refused(f"There is no session {session}. {known}")
