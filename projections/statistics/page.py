"""Statistics as one HTML page that asks nobody for anything: tables, and bars that say what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from projections import templates
from projections.statistics import TOPICS, Statistic
from projections.statistics.chart import Chart

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATE: Final = "page.html.j2"
LONGEST: Final = 1000
"""How long the longest bar is, in units of its own picture."""


class Drawn(NamedTuple):
    """One bar on the page: how long it is, where the mark of the expected is, and what is said of it."""

    length: float
    expected: float | None
    label: str
    said: str


class Picture(NamedTuple):
    """A chart on the page."""

    title: str
    bars: tuple[Drawn, ...]


def picture(chart: Chart) -> Picture:
    """The chart with every length in the units of the picture."""
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
    """The page in UTF-8; `about` says what was counted, line by line."""
    made = _template().render(
        title=title,
        about=list(about),
        counted=counted,
        topics=TOPICS,
        picture=picture,
        longest=LONGEST,
    )
    return (made.rstrip("\n") + "\n").encode()


@cache
def _template() -> Template:
    return templates.environment(Path(__file__).parent).get_template(TEMPLATE)
