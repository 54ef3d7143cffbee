"""What the table was at any position of a line, folded from the nearest snapshot that still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from msgspec import Struct

from journal.copying import copied
from journal.store import reading
from journal.store.record import Record
from journal.store.rows import Head
from journal.store.snapshots import EVERY, KEPT_AT_THE_HEAD, Snapshots
from journal.store.standing import Standing
from journal.table import Table

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Cache(Protocol[T_co]):
    """What was worked out at some moments of stored lines, and kept."""

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Where something of a stored line is kept and the hash it was kept at, the latest first."""

    def load(self, line: int, position: int, hash_: bytes) -> T_co | None:
        """What is kept there, or None if it cannot be trusted."""


def nearest(
    record: Record,
    line: int,
    upto: int | None,
    holds: Callable[[int], bool],
    cache: Cache[T],
    *,
    beyond: int = 0,
) -> tuple[int, T | None]:
    """The latest that is kept on the way to `upto` of a line and still `holds`, and its position.

    Else `beyond`, at and before which nothing is looked for.
    """
    for stored, after, end in reversed(record.stretches(line, 0, upto)):
        for position, hash_ in cache.positions(stored, end):
            if position <= max(after, beyond):
                break
            if not holds(position) or record.stored_hash(stored, position) != hash_:
                continue
            kept = cache.load(stored, position, hash_)
            if kept is not None:
                return position, kept
    return beyond, None


class Tables(Struct, frozen=True):
    """The tables of a record, and the snapshots that spare folding them anew, if there are any."""

    record: Record
    snapshots: Snapshots | None

    def at(self, line: int, upto: int | None, stands: Standing, known: Table | None = None) -> Table:
        """The table at `upto` of `line` (its head if None), which says of itself `stands` up to there.

        From the nearest snapshot, or from a table that is `known` where that is nearer; it stays as it is.
        """
        after, table = self._nearest(line, upto, stands, 0 if known is None else known.position)
        if table is None:
            table = Table() if known is None else copied(known)
        due = after + EVERY
        for live in reading.lives(self.record, line, after, upto, stands):
            if live.position > due:
                self._keep_passing(line, table, stands)
                due = live.position + EVERY
            reading.take_in(table, live)
        if upto is None and table.position > after + KEPT_AT_THE_HEAD:
            self._keep_passing(line, table, stands)
        return table

    def keep(self, line: int, head: Head, table: Table) -> None:
        """Keeps a snapshot of `table`, which stands at `head` of `line`."""
        home = self.record.home(line, head.position)
        if self.snapshots is not None and home is not None:
            self.snapshots.keep(home, head.position, head.hash, table)

    def _nearest(
        self, line: int, upto: int | None, stands: Standing, beyond: int
    ) -> tuple[int, Table | None]:
        """The latest table kept on the way to `upto` that nothing recorded since has changed."""
        if self.snapshots is None:
            return beyond, None
        return nearest(self.record, line, upto, stands.holds, self.snapshots, beyond=beyond)

    def _keep_passing(self, line: int, table: Table, stands: Standing) -> None:
        """Keeps a table met on the way, if it is as it was when play stood there."""
        if self.snapshots is not None and stands.holds(table.position):
            row = self.record.row(line, table.position)
            if row is not None:
                self.keep(line, row.head, table)
