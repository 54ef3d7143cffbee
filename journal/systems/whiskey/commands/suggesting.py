"""What may fill a blank of a half-typed line: stats with their numbers, and what can be intended."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Blank, Suggestion
from journal.systems.whiskey.commands.opening import ENDINGS
from journal.systems.whiskey.commands.verbs import Declare
from journal.systems.whiskey.rules import Act
from journal.systems.whiskey.state import NUMBERS, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c

WHOSE = {"stat": "who", "theirs": "whom"}
"""The slots that hold a stat, and whose it is."""


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """The stats of whoever checks or is checked against, the intents, and for a sheet every number."""
    del conflict
    if blank.slot in WHOSE:
        yield from _stats(table, blank.somebody(WHOSE[blank.slot]))
    elif blank.command is Declare and blank.slot == "act":
        yield from map(Suggestion, Act)
    elif blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ENDINGS[1:-1])
    elif blank.command is c.Cast and blank.slot == "keys":
        named = {stat for sheet in shelf(table).sheets.values() for stat in sheet.stats}
        yield from map(Suggestion, (*NUMBERS, *sorted(named)))


def _stats(table: Table, who: int | None) -> Iterator[Suggestion]:
    own = shelf(table).sheets.get(who or 0)
    if own is not None:
        numbers = ((stat, own.stat(stat)) for stat in (*NUMBERS, *own.stats))
        yield from (Suggestion(stat, str(number)) for stat, number in numbers if number is not None)
