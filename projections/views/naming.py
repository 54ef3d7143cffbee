"""Display names of people and conflicts, and people taken out of conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retold.journal.capabilities import HasFallen
from retold.journal.guarding import answer_of
from retold.journal.table import OpenConflict, Table


class Who(NamedTuple):
    """A person's number and display name."""

    id: int
    name: str


def who(table: Table, person: int) -> Who:
    """Returns a person's number with their display name at this table."""
    return Who(person, table.shown(person))


def who_if_any(table: Table, person: int | None) -> Who | None:
    """Returns a person's number with their display name at this table; None if `person` is None."""
    return None if person is None else who(table, person)


def conflict_title(conflict: OpenConflict, table: Table, nameless_gm: str = "the game master") -> str:
    """Returns a conflict's title, or the names of its sides: `Ana + Cy vs Bo`.

    `nameless_gm` means a game master without a name.
    """
    title = None if conflict.title is None else str(conflict.title)
    return conflict_name(title, conflict.sides, table, nameless_gm)


def conflict_name(
    title: str | None, sides: Sequence[Sequence[int]], table: Table, nameless_gm: str = "the game master"
) -> str:
    """Returns `title`, if given; otherwise the names of the sides, such as `Ana + Cy vs Bo`.

    `nameless_gm` means a game master without a name.
    """
    if title is not None:
        return title
    shown = ([table.shown(person, nameless_gm) for person in side] for side in sides)
    names = " vs ".join(map(" + ".join, shown))
    return f"{names[:1].upper()}{names[1:]}" if names.startswith(nameless_gm) else names


def fallen_by_conflict(table: Table) -> Iterator[tuple[int, ...]]:
    """Yields numbers of people taken out, one tuple for each open conflict that keeps track of them."""
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasFallen):
            yield tuple(answer_of(conflict.system, conflict.state.fallen, ()))
