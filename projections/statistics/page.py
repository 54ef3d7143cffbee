"""Statistics as one HTML page that asks nobody for anything: tables, and bars that say what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from projections import safe
from projections.statistics import TOPICS, Statistic
from projections.statistics.chart import Chart

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATE: Final = "page.html.j2"
WIDTH, LINE, PAD = 680, 24, 4
LABELS, BARS = 200, 250
"""How wide the labels and the longest bar are; what is said of a bar has the rest."""
MOST_LETTERS = 28


class Drawn(NamedTuple):
    """One bar on the page: the height it lies at, how long it is, and where the mark of the expected is."""

    y: int
    length: float
    expected: float | None
    label: str
    said: str
    title: str


class Picture(NamedTuple):
    """A chart on the page."""

    title: str
    height: int
    bars: tuple[Drawn, ...]


def picture(chart: Chart) -> Picture:
    """The chart with every length in the units of the picture."""
    scale = BARS / chart.longest
    bars = (
        Drawn(
            PAD + LINE * number,
            round(bar.value * scale, 1),
            None if bar.expected is None else round(bar.expected * scale, 1),
            bar.label if len(bar.label) <= MOST_LETTERS else f"{bar.label[: MOST_LETTERS - 1]}…",
            bar.said,
            f"{bar.label}: {bar.said}",
        )
        for number, bar in enumerate(chart.bars)
    )
    return Picture(chart.title, LINE * len(chart.bars) + 2 * PAD, tuple(bars))


def page(title: str, about: Iterable[str], counted: Mapping[str, Statistic]) -> bytes:
    """The page in UTF-8; `about` says what was counted, line by line."""
    made = _template().render(
        title=title,
        about=list(about),
        counted=counted,
        topics=TOPICS,
        picture=picture,
        sizes={"width": WIDTH, "line": LINE, "labels": LABELS, "bars": BARS},
    )
    return (made.rstrip("\n") + "\n").encode()


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only a page needs it

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["line"] = safe.line
    return environment.get_template(TEMPLATE)
