"""Statistics: what can be counted on a line, one explicit list of it, and the one walk that counts it all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from journal.refused import Refused
from journal.store.progress import Progress
from journal.vocabulary import events as e
from projections.reading import Moment, Reading
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

    All of the line is looked through; `progress` is told how far it has come.
    Refused for a session there is not.
    """
    _check(reading, session)
    results, tellings = Results(), Tellings(reading.afterwards)
    clockings, compels, counts, moves = Clockings(), Compels(), Counts(), Moves()
    for number, moment in _evenings(reading, progress):
        for one in (results, tellings, clockings, moves, compels, counts):
            one.hear(moment, number)
    counted: Mapping[str, Callable[[], Statistic]] = {
        "luck": lambda: luck.of(results, reading.table, session),
        "telling": lambda: tellings.told(reading.table, session),
        "time": lambda: clockings.pace(session),
        "moves": lambda: moves.made(reading.table, session),
        "compels": lambda: compels.compelled(reading.table, session),
        "counts": lambda: counts.went(reading.table, session),
    }
    return {topic: counted[topic]() for topic in topics}


def _evenings(reading: Reading, progress: Progress | None) -> Iterator[tuple[int | None, Moment]]:
    """Every moment, with the session it belongs to."""
    session = None
    for moment in reading.moments(progress=progress):
        if isinstance(moment.event, e.SessionOpened):
            session = moment.event.session
        yield session, moment


def _check(reading: Reading, session: int | None) -> None:
    last = reading.table.sessions
    if session is not None and not 1 <= session <= last:
        known = f"The last is {last}." if last else "There is none yet."
        raise Refused(f"There is no session {session}. {known}")
