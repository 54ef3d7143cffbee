"""Untold: what came out and nobody narrated, so that somebody writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from projections.prose import report
from projections.prose.awaiting import Awaited, Waiting
from projections.prose.telling import Called, Tag, Telling
from projections.reading import Reading
from projections.views.naming import Who, titled, who
from projections.views.sheet import NOBODY, Row, Seen, Sheet


class Spot(NamedTuple):
    """One outcome nobody told, or not everybody: `at` is its id, `position` null but for the game master."""

    at: str
    position: int | None
    conflict: int | None
    title: str
    what: str
    who: tuple[Who, ...]


@dataclass(frozen=True, slots=True)
class Untold(Seen):
    """The spots: `{"spots": [{"at", "position", "conflict", "title", "what", "who": [{"id", "name"}]}]}`."""

    view: ClassVar[str] = "untold"
    spots: tuple[Spot, ...]

    def sheet(self) -> Sheet:
        """A row for each spot."""
        rows = tuple(
            Row(
                (spot.at,),
                (spot.at, spot.title, spot.what, ", ".join(who.name for who in spot.who) or NOBODY),
            )
            for spot in self.spots
        )
        notes = ("Tell one with: narrate NAME --at POSITION: what happened.",) if rows else ()
        return Sheet("Untold", ("At", "Conflict", "What came out", "Who tells it"), rows, notes)


def of(reading: Reading) -> Untold:
    """What is untold up to the moment asked about, as far as the viewer may see."""
    outcomes = Awaited(reading.afterwards)
    found = list(_spots(reading, outcomes))
    return Untold(tuple(_filled(reading, waiting, spot) for waiting, spot in found if waiting.untold))


def _spots(reading: Reading, outcomes: Awaited) -> Iterator[tuple[Waiting, Spot]]:
    for moment in reading.moments():
        telling = Telling(moment, Called(moment.table), reading.ids)
        waiting, _ = outcomes.hear(telling)
        if waiting is not None:
            yield waiting, spot(telling, waiting)


def spot(telling: Telling, waiting: Waiting) -> Spot:
    """The outcome of this moment, as a spot that wants telling."""
    table = telling.moment.table
    conflict = table.conflicts.get(waiting.conflict or 0)
    said = " ".join(one.text for one in report(telling) if one.tag is Tag.GENERATED)
    return Spot(
        telling.ids.at(waiting.at),
        None if telling.ids.key else waiting.at,
        waiting.conflict,
        titled(conflict, table) if conflict else "",
        said,
        (),
    )


def _filled(reading: Reading, waiting: Waiting, found: Spot) -> Spot:
    return found._replace(who=tuple(who(reading.table, one) for one in waiting.left))
