"""What may fill a blank of a half-typed line: how a conflict ends."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Blank, Suggestion
from journal.table import OpenConflict, Table
from journal.vocabulary import commands as c


def suggest(table: Table, conflict: OpenConflict | None, blank: Blank) -> Iterator[Suggestion]:
    """The ways the table may end a conflict."""
    del table, conflict
    if blank.command is c.End and blank.slot == "how":
        yield from map(Suggestion, ("stalemate", "victory"))
