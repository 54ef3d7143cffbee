"""Balance view: each conflict's level and person at an advantage, now and in the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct, field

from retold.journal.capabilities import Balance as Stands
from retold.journal.capabilities import HasBalance
from retold.journal.guarding import answer_of
from retold.journal.table import OpenConflict, Table
from retold.projections.reading import LineView, Moment, Projection
from retold.projections.reading.ids import readable
from retold.projections.views.naming import Who, conflict_title, who_if_any
from retold.projections.views.sheet import NOBODY, Row, Seen


class ConflictBalance(NamedTuple):
    """Balance of an open conflict: level (`overwhelming`) and person at an advantage."""

    conflict: int
    title: str
    level: str
    advantaged: Who | None

    def row(self) -> Row:
        """Returns this conflict as a table row: title, level, advantaged person."""
        advantaged = self.advantaged.name if self.advantaged else NOBODY
        return Row.keyed((f"{self.title} ({self.conflict})",), self.level, advantaged)


class BalanceStep(NamedTuple):
    """A conflict's new balance after an event; `at` is that event's id."""

    at: str
    conflict: int
    title: str
    level: str
    advantaged: Who | None

    def note(self) -> str:
        """Returns the change as text: `e9 · Duel: overwhelming, Ana`."""
        advantaged = f", {self.advantaged.name}" if self.advantaged else ""
        at = readable(self.at)
        return f"{at and f'{at} · '}{self.title}: {self.level}{advantaged}"


class Balances(Seen, frozen=True):
    """Answer of the balance view: balances of open conflicts, and past changes.

    JSON: `{"open": [{"conflict", "title", "level", "advantaged"}], "history": [{"at", …}]}`.
    """

    view = "balance"
    title = "Balance"
    columns = ("Conflict", "Balance", "Advantage")
    open: tuple[ConflictBalance, ...]
    history: tuple[BalanceStep, ...] = ()

    def notes(self) -> Iterator[str]:
        """Yields notes below the table: every change of a balance, oldest first."""
        return (step.note() for step in self.history)


def of_table(table: Table) -> Balances:
    """Returns balances of open conflicts, with an empty history."""
    return Balances(
        tuple(
            ConflictBalance(
                conflict.id,
                conflict_title(conflict, table),
                stands.level,
                who_if_any(table, stands.advantaged),
            )
            for conflict, stands in _standing(table)
        )
    )


def _standing(table: Table) -> Iterator[tuple[OpenConflict, Stands]]:
    for conflict in table.conflicts.values():
        yield from _of(conflict)


def _of(conflict: OpenConflict) -> Iterator[tuple[OpenConflict, Stands]]:
    state = conflict.state
    stands = (
        answer_of(conflict.system, state.balance, None, conflict.id)
        if isinstance(state, HasBalance)
        else None
    )
    if stands is not None:
        yield conflict, stands


def _spoken_of(moment: Moment) -> Iterator[tuple[OpenConflict, Stands]]:
    """Yields the event's conflict and its balance; nothing if it is closed or its game keeps no balance."""
    conflict = moment.table.conflicts.get(getattr(moment.event, "conflict", None) or 0)
    if conflict is not None:
        yield from _of(conflict)


class _Changed(NamedTuple):
    """A conflict's new balance, with the position of the event that changed it."""

    position: int
    conflict: int
    title: str
    level: str
    advantaged: Who | None


class _History(Struct):
    """Changes of balances so far, and each conflict's latest balance."""

    changes: list[_Changed] = field(default_factory=list)
    stands: dict[int, Stands] = field(default_factory=dict)


def _hear(history: _History, reading: LineView, after: int) -> None:
    for moment in reading.moments(after):
        for conflict, stands in _spoken_of(moment):
            if history.stands.get(conflict.id) != stands:
                history.stands[conflict.id] = stands
                favoured = who_if_any(moment.table, stands.advantaged)
                title = conflict_title(conflict, moment.table)
                history.changes.append(_Changed(moment.position, conflict.id, title, stands.level, favoured))


HISTORY: Final = Projection("balance", _History, _hear)


def of(reading: LineView) -> Balances:
    """Returns balances of open conflicts, with a history that includes closed conflicts."""
    steps = (
        BalanceStep(reading.ids.at(change.position), *change[1:]) for change in HISTORY.of(reading).changes
    )
    return Balances(of_table(reading.table).open, tuple(steps))
