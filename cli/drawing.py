"""Draws what a view gives: the only room that knows rich."""

from __future__ import annotations

import sys

from projections import safe
from projections.views.sheet import Sheet


def draw(sheet: Sheet) -> None:
    """Prints a sheet: as a table on a terminal, as tab-separated lines for another program."""
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
    if not sheet.rows:
        console.print(Text(f"{sheet.title}: nothing yet."))
    else:
        table = Table(title=Text(sheet.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD)
        for column in sheet.columns:
            table.add_column(Text(safe.line(column)), overflow="fold")
        for row in sheet.rows:
            table.add_row(*(Text(safe.line(cell)) for cell in row.cells))
        console.print(table)
    for note in sheet.notes:
        console.print(Text(safe.line(note), style="dim"))
