"""What somebody and what a conflict is called where they are shown, and who is out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from journal.capabilities import HasFallen
from journal.table import OpenConflict, Table


class Who(NamedTuple):
    """Somebody, by id and by name."""

    id: int
    name: str


def who(table: Table, person: int) -> Who:
    """Somebody as this table calls them."""
    return Who(person, table.shown(person))


def conflict_title(conflict: OpenConflict, table: Table, nameless_gm: str = "the game master") -> str:
    """What a conflict is called: its title, else who stands in it; `nameless_gm` as for `Table.shown`."""
    title = None if conflict.title is None else str(conflict.title)
    return conflict_name(title, conflict.sides, table, nameless_gm)


def conflict_name(
    title: str | None, sides: Sequence[Sequence[int]], table: Table, nameless_gm: str = "the game master"
) -> str:
    """What a conflict with this title and these sides is called."""
    if title is not None:
        return title
    shown = ([table.shown(one, nameless_gm) for one in side] for side in sides)
    told = " vs ".join(map(" + ".join, shown))
    return f"{told[:1].upper()}{told[1:]}" if told.startswith(nameless_gm) else told


def fallen_by_conflict(table: Table) -> Iterator[tuple[int, ...]]:
    """Who is taken out, of each open conflict in which somebody can be."""
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasFallen):
            yield tuple(conflict.state.fallen())
