"""Draws tables and bar charts on the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from retold.cli.output.printing import fitted, hung, text_width
from retold.journal.refused import Refused
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import LineView
from retold.projections.texts import safe
from retold.projections.texts.wrapping import width as columns_of
from retold.projections.texts.wrapping import wrap
from retold.projections.views.sheet import NOBODY, Chart, Row, Sheet

if TYPE_CHECKING:
    from rich.text import Text


def draw(sheet: Sheet) -> None:
    """Prints a sheet (rows and columns) as a table on a terminal, else as tab-separated text lines."""
    if sys.stdout.isatty():
        _as_table(sheet)
        return
    sys.stdout.write("\t".join(map(safe.line, sheet.columns)) + "\n")
    for row in sheet.rows:
        sys.stdout.write("\t".join(safe.line(cell).replace("\t", " ") for cell in row.cells) + "\n")
    for note in sheet.notes:
        sys.stdout.write(f"# {safe.line(note)}\n")


def _as_table(sheet: Sheet) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, emoji=False, markup=False)
    lights = console.color_system is not None and not console.no_color
    if not sheet.rows:
        console.print(Text(f"{sheet.title}: nothing yet."))
    elif not _fits(sheet, console.width):
        console.print(Text(sheet.title, style="bold"))
        for line in stacked(sheet, console.width, lights=lights):
            console.print(_lit(Text, line), soft_wrap=True)
    else:
        table = Table(title=Text(sheet.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD)
        for column, cells in _columns(sheet):
            table.add_column(Text(column), min_width=max(map(_longest_word, (column, *cells))))
        for row in sheet.rows:
            table.add_row(*(_lit(Text, cell) for cell in _safe_cells(row, lights=lights)))
        console.print(table)
    for note in fitted(map(safe.line, sheet.notes), sys.stdout):
        console.print(Text(note, style="dim"))


MOST_ROWS_MORE = 1.5
"""A table that breaks its cells into more lines than so many times its rows is easier read row by row."""

AROUND = 2
"""Blanks beside a cell."""


def _fits(sheet: Sheet, width: int) -> bool:
    """True if the sheet drawn as a table `width` columns wide breaks no word and wraps few cells."""
    columns = _columns(sheet)
    least = [max(map(_longest_word, (column, *cells))) + AROUND for column, cells in columns]
    if sum(least) > width:
        return False
    wide = [max(map(columns_of, (column, *cells))) + AROUND for column, cells in columns]
    if sum(wide) <= width:
        return True
    # Spare width is shared in proportion to the width that each column lacks.
    wanted = [most - few for most, few in zip(wide, least, strict=True)]
    spare = width - sum(least)
    given = [few + spare * more // (sum(wanted) or 1) for few, more in zip(least, wanted, strict=True)]
    lines = sum(
        max(
            wrap(safe.line(cell), max(room - AROUND, 1)).count("\n") + 1
            for cell, room in zip(row.cells, given, strict=True)
        )
        for row in sheet.rows
    )
    return lines <= MOST_ROWS_MORE * len(sheet.rows)


_ON, _OFF = "\u2061", "\u2062"
"""Around what is bold, as long as lines are broken: they take no column, and no safe text holds them."""


def _safe_cells(row: Row, *, lights: bool) -> list[str]:
    """Returns the cells of a row, safe to print.

    With `lights`, the matches of a search in the last cell stand between invisible marks, to be drawn bold.
    """
    cells = [safe.line(cell) for cell in row.cells]
    if row.pieces and lights:
        pieces = ((safe.line(text), is_match) for text, is_match in row.pieces)
        cells[-1] = "".join(f"{_ON}{text}{_OFF}" if is_match else text for text, is_match in pieces)
    return cells


def _lit(text: type[Text], cell: str) -> Text:
    """Returns a cell as rich text, with the text between the invisible marks in bold."""
    made = text()
    for number, part in enumerate(_MARK.split(cell)):
        made.append(part, "bold" if number % 2 else None)
    return made


_MARK = re.compile(f"[{_ON}{_OFF}]")


def write_dim(line: str) -> None:
    """Prints a line beside the record, dim where the terminal has colours."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, emoji=False, markup=False)
    for part in fitted([safe.line(line)], sys.stdout):
        console.print(Text(part, style="dim"))


def stacked(sheet: Sheet, width: int, *, lights: bool = False) -> Iterator[str]:
    """Yields the sheet's rows as wrapped paragraphs: `first cell · column cell · column cell`.

    Used if a table would be too wide. Empty cells are left out.
    """
    for row in sheet.rows:
        first, *others = _safe_cells(row, lights=lights)
        told = [
            f"{name} {cell}"
            for name, cell in zip(sheet.columns[1:], others, strict=True)
            if cell.strip() not in ("", NOBODY)
        ]
        yield from wrap(BETWEEN.join((first, *told)), width - 1, hanging="    ").split("\n")


BETWEEN = " \N{MIDDLE DOT} "


def _columns(sheet: Sheet) -> list[tuple[str, list[str]]]:
    """Returns for each column its heading and the list of its cells, safe to print."""
    return [
        (safe.line(column), [safe.line(row.cells[place]) for row in sheet.rows])
        for place, column in enumerate(sheet.columns)
    ]


def _longest_word(text: str) -> int:
    return max(map(columns_of, text.split()), default=0)


LABELS, BARS = 28, 30


def draw_charts(charts: Iterable[Chart]) -> None:
    """Prints bar charts on the terminal: a title, then each bar with its label and value."""
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


def write_hung(lines: Iterable[str], out: TextIO) -> None:
    """Writes text lines to `out`; on a terminal wrapped to its width (at most 79) with a hanging indent."""
    for line in map(safe.line, lines):
        shown = hung(line, text_width(out)) if out.isatty() else [line]
        out.writelines(f"{one}\n" for one in shown)


def write_recap(campaign: CampaignStore, line: int, out: TextIO, *, short: bool) -> None:
    """Writes the recap of a branch (how the last session ended) to `out`, between blank text lines.

    `short` gives only its first text lines. Writes nothing if there is nothing to recap.
    """
    lines = list(_recapped(campaign, line, short=short))
    if lines:
        write_hung(("", *lines, ""), out)


def _recapped(campaign: CampaignStore, line: int, *, short: bool) -> Iterator[str]:
    reading = LineView(campaign, line)
    if not reading.sessions.opened:
        return
    from retold.projections.story import recap  # imports the whole telling

    if not recap.has_gone_before(reading):
        return
    try:
        found = recap.of_line(reading, whole=not short)
    except Refused:
        return  # nothing has been told
    if not short:
        yield from found.lines()
        return
    yield found.title
    yield from found.first_lines()
    yield "All of it: recap"
