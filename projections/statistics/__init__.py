"""Statistics of a branch of the record: topics such as luck and pace, counted in one pass over its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from retold.journal.refused import Refused
from retold.journal.store.contract.progress import Progress
from retold.journal.vocabulary import events as e
from retold.projections.reading import LineView, Projection
from retold.projections.statistics import luck
from retold.projections.statistics.luck import Moves
from retold.projections.statistics.pace import Clockings, Counts
from retold.projections.statistics.participation import Compels, Tellings
from retold.projections.statistics.results import Results
from retold.projections.statistics.statistic import Statistic
from retold.projections.texts import templates
from retold.projections.views.sheet import Chart

if TYPE_CHECKING:
    from jinja2 import Template


TOPICS: Mapping[str, str] = {
    "luck": "what chance gave, against its exact odds",
    "telling": "who narrated, spoke and declared how much",
    "time": "how long conflicts and their rounds took",
    "moves": "how often each result of a move came, against its exact odds",
    "compels": "how often each aspect was compelled",
    "counts": "how points, harm and whatever else is counted went in each session",
}
"""Statistics by topic name, with a description."""


def count(
    reading: LineView,
    topics: Sequence[str] = tuple(TOPICS),
    session: int | None = None,
    progress: Progress | None = None,
) -> Mapping[str, Statistic]:
    """Returns statistics by topic, up to the position of `reading`, for its viewer.

    `session`, if given, limits them to one session.

    Counts are cached, and later calls read only newer events; `progress` hears the position reached. Refused
    for an unknown session number.
    """
    heard = COUNTED.of(reading.with_progress(progress))
    _check(reading, session)
    table = reading.table
    counted: Mapping[str, Callable[[], Statistic]] = {
        "luck": lambda: luck.judge_luck(heard.results, table, session),
        "telling": lambda: heard.tellings.told(table, session),
        "time": lambda: heard.clockings.pace(session),
        "moves": lambda: heard.moves.made(table, session),
        "compels": lambda: heard.compels.compelled(table, session),
        "counts": lambda: heard.counts.went(table, session),
    }
    return {topic: counted[topic]() for topic in topics}


class _Counted(Struct):
    """Running counts of every topic, and the number of the latest session."""

    session: int | None = None
    results: Results = field(default_factory=Results)
    tellings: Tellings = field(default_factory=Tellings)
    clockings: Clockings = field(default_factory=Clockings)
    moves: Moves = field(default_factory=Moves)
    compels: Compels = field(default_factory=Compels)
    counts: Counts = field(default_factory=Counts)


def _hear(counted: _Counted, reading: LineView, after: int) -> None:
    overruled = reading.overruled(after)
    for moment in reading.moments(after):
        if isinstance(moment.event, e.SessionOpened):
            counted.session = moment.event.session
        for counter in (counted.results, counted.clockings, counted.moves, counted.compels, counted.counts):
            counter.hear(moment, counted.session)
        counted.tellings.hear(moment, counted.session, struck=overruled.struck(moment.position))


def _holds(reading: LineView, position: int) -> bool:
    """False if a narration up to `position` was overruled later: its words must not be counted."""
    return all(narration > position for narration in reading.overruled(position).overruled)


COUNTED: Final = Projection("statistics", _Counted, _hear, _holds)


def _check(reading: LineView, session: int | None) -> None:
    last = reading.table.sessions
    if session is not None and not 1 <= session <= last:
        known = f"The last is {last}." if last else "There is none yet."
        raise Refused(f"There is no session {session}. {known}")


TEMPLATE: Final = "page.html.j2"
LONGEST: Final = 1000
"""Length of the longest bar, in SVG units."""


class Drawn(NamedTuple):
    """Bar on the HTML page: its length, position of the mark for the expected length, and texts."""

    length: float
    expected: float | None
    label: str
    said: str


class Picture(NamedTuple):
    """Chart on the HTML page: a title and bars in SVG units."""

    title: str
    bars: tuple[Drawn, ...]


def picture(chart: Chart) -> Picture:
    """Returns a chart for the HTML page, scaled so that its longest bar has length `LONGEST`."""
    scale = LONGEST / chart.longest
    bars = (
        Drawn(
            round(bar.value * scale, 1),
            None if bar.expected is None else round(bar.expected * scale, 1),
            bar.label,
            bar.said,
        )
        for bar in chart.bars
    )
    return Picture(chart.title, tuple(bars))


def page(title: str, about: Iterable[str], counted: Mapping[str, Statistic]) -> bytes:
    """Returns an HTML page in UTF-8 with tables and charts; `about` holds introductory text lines."""
    return templates.filled(
        _template(),
        title=title,
        about=list(about),
        counted=counted,
        topics=TOPICS,
        picture=picture,
        longest=LONGEST,
        too_few=luck.TOO_FEW,
    )


@cache
def _template() -> Template:
    made = templates.environment(Path(__file__).parent)
    made.tests["unsaid"] = lambda cells: cells[-1] == luck.TOO_FEW
    return made.get_template(TEMPLATE)
