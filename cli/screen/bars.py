"""Charts on a terminal: bars beside what they stand for, without a word of meaning in their colour."""

from __future__ import annotations

from collections.abc import Iterable

from projections import safe
from projections.statistics.chart import Chart

LABELS, BARS = 28, 30


def draw_charts(charts: Iterable[Chart]) -> None:
    """Prints each chart: a bar, and beside it what it says."""
    from rich.bar import Bar
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, emoji=False, markup=False)
    for chart in charts:
        console.print(Text(safe.line(chart.title), style="bold"))
        grid = Table.grid(padding=(0, 1))
        grid.add_column(justify="right", max_width=LABELS, overflow="ellipsis", no_wrap=True)
        grid.add_column(width=BARS)
        grid.add_column()
        for bar in chart.bars:
            drawn = Bar(chart.longest, 0, bar.value, width=BARS)
            grid.add_row(Text(safe.line(bar.label)), drawn, Text(safe.line(bar.said)))
        console.print(grid)
        console.print()
