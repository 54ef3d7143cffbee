"""Balance view: level and advantage of each conflict that keeps a balance, and their history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct, field

from journal.capabilities import Balance as Stands
from journal.capabilities import HasBalance
from journal.table import OpenConflict, Table
from projections.reading import LineView, Moment, Projection
from projections.views.naming import Who, conflict_title, who
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class ConflictBalance(NamedTuple):
    """Level and advantaged person of one open conflict."""

    conflict: int
    title: str
    level: str
    advantaged: Who | None


class BalanceStep(NamedTuple):
    """A change of a conflict's balance; `at` is the event's id."""

    at: str
    conflict: int
    title: str
    level: str
    advantaged: Who | None


class Balances(Seen, frozen=True):
    """`{"open": [{"conflict", "title", "level", "advantaged"}], "history": [{"at", …}]}`."""

    view: ClassVar[str] = "balance"
    open: tuple[ConflictBalance, ...]
    history: tuple[BalanceStep, ...] = ()

    def sheet(self) -> Sheet:
        """Rows of open conflicts; the history goes into the notes."""
        rows = tuple(
            Row.keyed(
                (f"{balance.title} ({balance.conflict})",),
                balance.level,
                balance.advantaged.name if balance.advantaged else NOBODY,
            )
            for balance in self.open
        )
        notes = tuple(
            f"{step.at} · {step.title}: {step.level}"
            + (f", {step.advantaged.name}" if step.advantaged else "")
            for step in self.history
        )
        return Sheet("Balance", ("Conflict", "Balance", "Advantage"), rows, notes)


def of_table(table: Table) -> Balances:
    """Balances of open conflicts, without their history."""
    return Balances(
        tuple(
            ConflictBalance(
                conflict.id,
                conflict_title(conflict, table),
                stands.level,
                None if stands.advantaged is None else who(table, stands.advantaged),
            )
            for conflict, stands in _standing(table)
        )
    )


def _standing(table: Table) -> Iterator[tuple[OpenConflict, Stands]]:
    for conflict in table.conflicts.values():
        yield from _of(conflict)


def _of(conflict: OpenConflict) -> Iterator[tuple[OpenConflict, Stands]]:
    stands = conflict.state.balance(conflict.id) if isinstance(conflict.state, HasBalance) else None
    if stands is not None:
        yield conflict, stands


def _spoken_of(moment: Moment) -> Iterator[tuple[OpenConflict, Stands]]:
    """Yields the conflict of the moment's event and its balance, if it keeps one."""
    conflict = moment.table.conflicts.get(getattr(moment.event, "conflict", None) or 0)
    if conflict is not None:
        yield from _of(conflict)


class _Changed(NamedTuple):
    """A change of a conflict's balance, by event position."""

    position: int
    conflict: int
    title: str
    level: str
    advantaged: Who | None


class _History(Struct):
    """Changes of balances so far, and the current balance by conflict."""

    changes: list[_Changed] = field(default_factory=list)
    stands: dict[int, Stands] = field(default_factory=dict)


def _hear(history: _History, reading: LineView, after: int) -> None:
    for moment in reading.moments(after):
        for conflict, stands in _spoken_of(moment):
            if history.stands.get(conflict.id) != stands:
                history.stands[conflict.id] = stands
                favoured = None if stands.advantaged is None else who(moment.table, stands.advantaged)
                title = conflict_title(conflict, moment.table)
                history.changes.append(_Changed(moment.position, conflict.id, title, stands.level, favoured))


HISTORY: Final = Projection("balance", _History, _hear)


def of(reading: LineView) -> Balances:
    """Balances of open conflicts, with the history of open and closed ones."""
    steps = (
        BalanceStep(reading.ids.at(change.position), *change[1:]) for change in HISTORY.of(reading).changes
    )
    return Balances(of_table(reading.table).open, tuple(steps))
