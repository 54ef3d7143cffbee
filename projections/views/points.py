"""Points: who holds how many of what, and the most they may hold."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.capabilities import Picture
from journal.systems import SYSTEMS
from journal.table import Table
from projections.views.naming import Who
from projections.views.rows import of_people, out_of
from projections.views.sheet import Row, Seen, Sheet


class PurseSeen(NamedTuple):
    """Points of one kind that somebody holds; `most` is None where there is no most.

    `given` is how many they were dealt last, where they are dealt out; None where they are not.
    `game` is what the table plays, as it is called there.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    given: int | None
    game: str


class Points(Seen, frozen=True):
    """Every purse: `{"purses": [{"system", "who": {"id", "name"}, "what", "value", "most", "given"}]}`."""

    view: ClassVar[str] = "points"
    purses: tuple[PurseSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each purse."""
        rows = tuple(
            Row(
                (purse.who.name, f"{purse.what} ({purse.system})"),
                (purse.who.name, f"{purse.what} ({purse.game})", out_of(purse.value, purse.most)),
            )
            for purse in self.purses
        )
        return Sheet("Points", ("Who", "What", "Points"), rows)


def of(table: Table) -> Points:
    """The points at this table, system by system and person by person."""
    return Points(
        tuple(
            PurseSeen(system, who, row.what, row.value, row.most, row.given, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.POINTS)
        )
    )
