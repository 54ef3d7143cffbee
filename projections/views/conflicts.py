"""Conflicts: those that are open, who stands against whom, and where each is in its procedure."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.systems import SYSTEMS
from journal.table import Table
from projections.views.naming import Who, titled, who
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class Open(NamedTuple):
    """An open conflict; `turn` says in a few words where it stands."""

    conflict: int
    title: str
    system: str
    sides: tuple[tuple[Who, ...], ...]
    stakes: str | None
    turn: str
    game: str


class Conflicts(Seen, frozen=True):
    """`{"open": [{"conflict", "title", "system", "sides": [[{"id", "name"}]], "stakes", "turn"}]}`."""

    view: ClassVar[str] = "conflicts"
    open: tuple[Open, ...]

    def sheet(self) -> Sheet:
        """A row for each open conflict."""
        rows = tuple(
            Row.keyed(
                (f"{one.title} ({one.conflict})",),
                one.game,
                " vs ".join(" + ".join(person.name for person in side) for side in one.sides),
                one.stakes or NOBODY,
                one.turn or NOBODY,
            )
            for one in self.open
        )
        return Sheet("Open conflicts", ("Conflict", "System", "Sides", "At stake", "Now"), rows)


def of(table: Table) -> Conflicts:
    """The conflicts open at this table, the oldest first."""
    return Conflicts(
        tuple(
            Open(
                conflict.id,
                titled(conflict, table),
                conflict.system,
                tuple(tuple(who(table, person) for person in side) for side in conflict.sides),
                None if conflict.stakes is None else conflict.stakes.text,
                SYSTEMS[conflict.system].turn(table, conflict),
                SYSTEMS[conflict.system].called(table),
            )
            for conflict in table.conflicts.values()
        )
    )
