"""Pool: the dice on the table, before whom they lie, and which of them are kept for a raise."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from journal.capabilities import HasPool
from journal.table import OpenConflict, Table
from projections.views.naming import Who, titled, who
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class PoolSeen(NamedTuple):
    """The dice before somebody, lowest first; `kept` are among them, `out` is true for who has left."""

    conflict: int
    title: str
    who: Who
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    approach: str | None
    out: bool


class Pools(Seen, frozen=True):
    """Every pool: `{"pools": [{"conflict", "title", "who", "dice", "kept", "approach", "out"}]}`."""

    view: ClassVar[str] = "pool"
    pools: tuple[PoolSeen, ...]

    def sheet(self) -> Sheet:
        """A row for each pool."""
        rows = tuple(
            Row.keyed(
                (f"{pool.title} ({pool.conflict})", pool.who.name),
                " ".join(map(str, pool.dice)) or NOBODY,
                " ".join(map(str, pool.kept)) or NOBODY,
                "out" if pool.out else pool.approach or NOBODY,
            )
            for pool in self.pools
        )
        return Sheet("Pool", ("Conflict", "Who", "Dice", "Kept", "Approach"), rows)


def of(table: Table) -> Pools:
    """The dice on this table, conflict by conflict."""
    return Pools(tuple(one for conflict in table.conflicts.values() for one in _of(table, conflict)))


def _of(table: Table, conflict: OpenConflict) -> tuple[PoolSeen, ...]:
    if not isinstance(conflict.state, HasPool):
        return ()
    title = titled(conflict, table)
    return tuple(
        PoolSeen(pool.conflict, title, who(table, pool.person), pool.dice, pool.kept, pool.approach, pool.out)
        for pool in conflict.state.pools()
    )
