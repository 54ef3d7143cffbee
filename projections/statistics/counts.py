"""Counts: how what the games count went, from the beginning of each session to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from journal.capabilities import Picture
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading import Moment
from projections.statistics.chart import Chart
from projections.views.naming import Who, who
from projections.views.rows import Kept, out_of, rows
from projections.views.sheet import Row, Sheet, plain

_Standing = Mapping[tuple[str, int | str | None, str, Picture], Kept]
"""What is counted outside conflicts, by its game, whose it is, and what."""


class Went(NamedTuple):
    """One thing that is counted, in one session; `who` is a name where it is a thing's, null for nobody's.

    `game` is what the table plays, as it is called there.
    """

    system: str
    who: Who | str | None
    what: str
    most: int | None
    session: int
    began: int
    ended: int
    game: str

    @property
    def whose(self) -> str:
        """Whose it is, in a table; of what is nobody's the game."""
        return self.who.name if isinstance(self.who, Who) else self.who or self.game


@dataclass(frozen=True, slots=True)
class Goings:
    """Everything that stood otherwise at the end of a session than at its beginning, session by session."""

    counts: tuple[Went, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {"counts": plain(self.counts)}

    def sheets(self) -> tuple[Sheet, ...]:
        """One table."""
        told = tuple(
            Row.keyed((one.whose, one.what, str(one.session)), str(one.began), out_of(one.ended, one.most))
            for one in self.counts
        )
        return (Sheet("Counts", ("Who", "What", "Session", "Began", "Ended"), told),) if told else ()

    def charts(self) -> tuple[Chart, ...]:
        """None: the numbers are no share of anything."""
        return ()


@dataclass(slots=True)
class Counts:
    """Looks at what is counted where a session begins and where it ends."""

    _over: list[tuple[int, _Standing, _Standing]] = field(default_factory=list)
    _open: tuple[int, _Standing] | None = None

    def hear(self, moment: Moment, session: int | None) -> None:
        """What stands at this moment, if a session begins or ends with it."""
        if isinstance(moment.event, e.SessionOpened) and session is not None:
            self._open = session, _counted(moment.table)
        elif isinstance(moment.event, e.SessionClosed) and self._open is not None:
            self._over.append((*self._open, _counted(moment.table)))
            self._open = None

    def went(self, table: Table, session: int | None = None) -> Goings:
        """How one session went, or each, the open one up to that table, and under its names."""
        open_ = () if self._open is None else ((*self._open, _counted(table)),)
        found = (one for one in (*self._over, *open_) if session in (None, one[0]))
        return Goings(tuple(went for one in found for went in _between(table, *one)))


def _counted(table: Table) -> _Standing:
    return {
        (kept.system, kept.row.who, kept.row.what, kept.row.picture): kept
        for kept in rows(table)
        if kept.conflict is None and kept.row.picture is not Picture.SLOT
    }


def _between(table: Table, session: int, began: _Standing, ended: _Standing) -> Iterator[Went]:
    for key, (system, _, now) in ended.items():
        was = began.get(key)
        if was is not None and was.row.value != now.value:
            whose = who(table, now.who) if isinstance(now.who, int) else now.who
            game = SYSTEMS[system].called(table)
            yield Went(system, whose, now.what, now.most, session, was.row.value, now.value, game)
