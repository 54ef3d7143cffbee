"""What can be named in play beside people, and whose sheets there are."""

from __future__ import annotations

from collections.abc import Iterator

from journal.systems.edgerunner.state import NAME, play, shelf
from journal.table import OpenConflict, Table


def things(table: Table, conflict: OpenConflict | None) -> Iterator[str]:
    """The zones and borders of the map, and every aspect in play, each by its one name."""
    if conflict is not None and conflict.system == NAME:
        state = play(conflict)
        yield from state.zones
        yield from (border.name for border in state.borders.values())
    yield from dict.fromkeys(aspect.wording for aspect in shelf(table).aspects.values())


def knows(table: Table, person: int) -> bool:
    """True if somebody has a sheet here."""
    return person in shelf(table).sheets
