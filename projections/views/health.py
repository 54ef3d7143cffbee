"""Health: how much everybody can still take, and who is out of the fight."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.capabilities import Picture
from journal.systems import SYSTEMS
from journal.table import Table
from projections.views.naming import Who
from projections.views.rows import of_people, out_of
from projections.views.sheet import Row, Seen, Sheet


class VitalSeen(NamedTuple):
    """What somebody has left of `what`, of how much if that is known, and whether they are out.

    `game` is what the table plays, as it is called there.
    """

    system: str
    who: Who
    what: str
    value: int
    most: int | None
    out: bool
    game: str


class Health(Seen, frozen=True):
    """Everybody: `{"health": [{"system", "who": {"id", "name"}, "what", "value", "most", "out"}]}`."""

    view: ClassVar[str] = "health"
    health: tuple[VitalSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each person."""
        rows = tuple(
            Row(
                (one.who.name, f"{one.what} ({one.system})"),
                (
                    one.who.name,
                    f"{one.what} ({one.game})",
                    out_of(one.value, one.most),
                    "out of the fight" if one.out else "fit",
                ),
            )
            for one in self.health
        )
        return Sheet("Health", ("Who", "What", "Left", "Now"), rows)


def of(table: Table) -> Health:
    """The health of everybody at this table, system by system."""
    return Health(
        tuple(
            VitalSeen(system, who, row.what, row.value, row.most, row.out, SYSTEMS[system].called(table))
            for system, who, row in of_people(table, Picture.HEALTH)
        )
    )
