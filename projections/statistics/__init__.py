"""Statistics: what can be counted on a line, one explicit list of it, and the one walk that counts it all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from journal.refused import Refused
from journal.vocabulary import events as e
from projections.replay import Moment
from projections.statistics import luck
from projections.statistics.chart import Chart
from projections.statistics.compels import Compels
from projections.statistics.pace import Clockings
from projections.statistics.results import Results
from projections.statistics.telling import Tellings
from projections.views.asked import Asked
from projections.views.sheet import Sheet

TOPICS: Mapping[str, str] = {
    "luck": "what chance gave, against its exact odds",
    "telling": "who narrated, spoke and declared how much",
    "time": "how long conflicts and their rounds took",
    "compels": "how often each aspect was compelled",
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
    asked: Asked, topics: Sequence[str] = tuple(TOPICS), session: int | None = None
) -> Mapping[str, Statistic]:
    """Each topic counted up to the moment asked about, of one session or of all, as far as the viewer sees.

    Refused for a session there is not.
    """
    _check(asked, session)
    results, tellings = Results(), Tellings(asked.afterwards())
    clockings, compels = Clockings(), Compels()
    for number, moment in _evenings(asked):
        for one in (results, tellings, clockings, compels):
            one.hear(moment, number)
    counted: Mapping[str, Callable[[], Statistic]] = {
        "luck": lambda: luck.of(results, asked.table, session),
        "telling": lambda: tellings.told(asked.table, session),
        "time": lambda: clockings.pace(session),
        "compels": lambda: compels.compelled(asked.table, session),
    }
    return {topic: counted[topic]() for topic in topics}


def _evenings(asked: Asked) -> Iterator[tuple[int | None, Moment]]:
    """Every moment, with the session it belongs to."""
    session = None
    for moment in asked.moments():
        if isinstance(moment.event, e.SessionOpened):
            session = moment.event.session
        yield session, moment


def _check(asked: Asked, session: int | None) -> None:
    last = asked.table.sessions
    if session is not None and not 1 <= session <= last:
        known = f"The last is {last}." if last else "There is none yet."
        raise Refused(f"There is no session {session}. {known}")
