"""Compels: how often each aspect was compelled, and how often that was taken or bought off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec import Struct, field

from journal.names import fold
from journal.table import Table
from journal.vocabulary import events as e
from projections.reading import Moment
from projections.statistics.chart import Bar, Chart
from projections.views.naming import Who, who
from projections.views.sheet import Row, Sheet, plain


class Compelled(NamedTuple):
    """One aspect of somebody's: how often it was compelled, and what became of it."""

    who: Who
    aspect: str
    offered: int
    taken: int
    refused: int
    unanswered: int


@dataclass(frozen=True, slots=True)
class Compelling:
    """Every aspect that was compelled, the one compelled most first."""

    aspects: tuple[Compelled, ...]

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return {"aspects": plain(self.aspects)}

    def sheets(self) -> tuple[Sheet, ...]:
        """One table."""
        rows = tuple(
            Row(
                (one.who.name, one.aspect),
                (one.who.name, one.aspect, *map(str, one[2:])),
            )
            for one in self.aspects
        )
        columns = ("Whose", "Aspect", "Offered", "Taken", "Refused", "Unanswered")
        return (Sheet("Compels", columns, rows),) if rows else ()

    def charts(self) -> tuple[Chart, ...]:
        """How often each was compelled."""
        bars = tuple(
            Bar(f"{one.aspect} ({one.who.name})", one.offered, f"{one.offered} ({one.taken} taken)")
            for one in self.aspects
        )
        return (Chart("Compels: how often each aspect", "times", bars),) if bars else ()


class _Aspect(NamedTuple):
    """Somebody's aspect in one session, whatever the case it is written with."""

    who: int
    folded: str
    session: int | None


class _Offered(Struct):
    """How often it was compelled there, how that was answered, and how it was written first."""

    aspect: str
    offered: int = 0
    taken: int = 0
    refused: int = 0


class _Open(NamedTuple):
    """An offer that nobody has answered yet."""

    conflict: int | None
    about: _Aspect


class Compels(Struct):
    """Counts compels, moment by moment; an answer is to the oldest offer somebody has open."""

    aspects: dict[_Aspect, _Offered] = field(default_factory=dict)
    open: list[_Open] = field(default_factory=list)

    def hear(self, moment: Moment, session: int | None) -> None:
        """What this moment says of compels, if anything."""
        event = moment.event
        if isinstance(event, e.CompelOffered):
            about = _Aspect(event.who, fold(event.aspect), session)
            self.aspects.setdefault(about, _Offered(event.aspect)).offered += 1
            self.open.append(_Open(event.conflict, about))
        elif isinstance(event, e.CompelAccepted | e.CompelRefused):
            asked = (event.conflict, event.who)
            oldest = next((one for one in self.open if (one.conflict, one.about.who) == asked), None)
            if oldest is not None:
                self.open.remove(oldest)
                offered = self.aspects[oldest.about]
                if isinstance(event, e.CompelAccepted):
                    offered.taken += 1
                else:
                    offered.refused += 1

    def compelled(self, table: Table, session: int | None = None) -> Compelling:
        """What came of it, of the offers of one session or of all, under the names of that table."""
        aspects: dict[tuple[int, str], list[_Offered]] = {}
        for about, offered in self.aspects.items():
            if session in (None, about.session):
                aspects.setdefault((about.who, about.folded), []).append(offered)
        found = [_compelled(person, offers, table) for (person, _), offers in aspects.items()]
        return Compelling(tuple(sorted(found, key=lambda one: -one.offered)))


def _compelled(person: int, offers: Sequence[_Offered], table: Table) -> Compelled:
    offered, taken, refused = (
        sum(getattr(one, what) for one in offers) for what in ("offered", "taken", "refused")
    )
    return Compelled(who(table, person), offers[0].aspect, offered, taken, refused, offered - taken - refused)
