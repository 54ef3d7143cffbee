"""What may fill a blank of a half-typed line: the traits of whoever draws."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Blank, Suggestion
from journal.systems.bruise.state import shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """Somebody's traits with their ratings; for a sheet, every trait that stands on one."""
    del conflict
    sheets = shelf(table).sheets
    if blank.slot == "traits":
        own = sheets.get(blank.somebody("who") or 0)
        yield from (Suggestion(trait, str(rating)) for trait, rating in (own.traits.items() if own else ()))
    elif blank.command is c.Cast and blank.slot == "keys":
        yield from map(Suggestion, sorted({trait for sheet in sheets.values() for trait in sheet.traits}))
