"""Counts: how what the games count went, from the beginning of each session to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec import Struct, field

from journal.capabilities import Picture
from journal.capabilities import Row as Counted
from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading import Moment
from projections.statistics.chart import Chart
from projections.views.naming import Who, who
from projections.views.rows import out_of, rows
from projections.views.sheet import Row, Sheet, plain


class _Counted(NamedTuple):
    """What is counted outside conflicts: in which game, whose it is, and what."""

    system: str
    who: int | str | None
    what: str
    picture: Picture


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


class _Changed(NamedTuple):
    """One of them that stood otherwise at the end of a session."""

    counted: _Counted
    most: int | None
    session: int
    began: int
    ended: int


class Counts(Struct):
    """Looks at what is counted where a session begins and where it ends."""

    over: list[_Changed] = field(default_factory=list)
    open: tuple[int, dict[_Counted, int]] | None = None
    """The session that is open, and how all stood when it began."""

    def hear(self, moment: Moment, session: int | None) -> None:
        """What stands at this moment, if a session begins or ends with it."""
        if isinstance(moment.event, e.SessionOpened) and session is not None:
            self.open = session, {one: row.value for one, row in _counted(moment.table).items()}
        elif isinstance(moment.event, e.SessionClosed) and self.open is not None:
            self.over += _between(*self.open, moment.table)
            self.open = None

    def went(self, table: Table, session: int | None = None) -> Goings:
        """How one session went, or each, the open one up to that table, and under its names."""
        open_ = () if self.open is None else _between(*self.open, table)
        found = (one for one in (*self.over, *open_) if session in (None, one.session))
        return Goings(tuple(_went(one, table) for one in found))


def _counted(table: Table) -> Mapping[_Counted, Counted]:
    return {
        _Counted(kept.system, kept.row.who, kept.row.what, kept.row.picture): kept.row
        for kept in rows(table)
        if kept.conflict is None and kept.row.picture is not Picture.SLOT
    }


def _between(session: int, began: Mapping[_Counted, int], table: Table) -> Iterator[_Changed]:
    for one, now in _counted(table).items():
        was = began.get(one)
        if was is not None and was != now.value:
            yield _Changed(one, now.most, session, was, now.value)


def _went(one: _Changed, table: Table) -> Went:
    system, whose, what, _ = one.counted
    called = who(table, whose) if isinstance(whose, int) else whose
    game = SYSTEMS[system].called(table)
    return Went(system, called, what, one.most, one.session, one.began, one.ended, game)
