"""Compels: how often each aspect was compelled, and how often that was taken or bought off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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


@dataclass(slots=True)
class Compels:
    """Counts compels, moment by moment; an answer is to the oldest offer somebody has open."""

    _offers: list[_Offer] = field(default_factory=list)

    def hear(self, moment: Moment, session: int | None) -> None:
        """What this moment says of compels, if anything."""
        event = moment.event
        if isinstance(event, e.CompelOffered):
            self._offers.append(_Offer(event.conflict, event.who, event.aspect, session))
        elif isinstance(event, e.CompelAccepted | e.CompelRefused):
            open_ = (one for one in self._offers if one.waits(event.conflict, event.who))
            oldest = next(open_, None)
            if oldest is not None:
                oldest.taken = isinstance(event, e.CompelAccepted)

    def compelled(self, table: Table, session: int | None = None) -> Compelling:
        """What came of it, of the offers of one session or of all, under the names of that table."""
        aspects: dict[tuple[int, str], list[_Offer]] = {}
        for one in self._offers:
            if session in (None, one.session):
                aspects.setdefault((one.who, fold(one.aspect)), []).append(one)
        found = [_compelled(offers, table) for offers in aspects.values()]
        return Compelling(tuple(sorted(found, key=lambda one: -one.offered)))


@dataclass(slots=True)
class _Offer:
    """One compel; `taken` None while nobody has answered it."""

    conflict: int | None
    who: int
    aspect: str
    session: int | None
    taken: bool | None = None

    def waits(self, conflict: int | None, person: int) -> bool:
        """True if that answer may be to this offer."""
        return self.taken is None and (self.conflict, self.who) == (conflict, person)


def _compelled(offers: Sequence[_Offer], table: Table) -> Compelled:
    answers = Counter(one.taken for one in offers)
    first = offers[0]
    whose = who(table, first.who)
    return Compelled(whose, first.aspect, len(offers), answers[True], answers[False], answers[None])
