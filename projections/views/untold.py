"""Untold: what came out and nobody narrated, so that somebody writes it."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from msgspec import Struct, field

from projections.prose import report
from projections.prose.awaiting import Awaited, Waiting
from projections.prose.telling import Called, Tag, Telling
from projections.reading import Projection, Reading
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


class Untold(Seen, frozen=True):
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


class _Kept(NamedTuple):
    """Something that came out and is untold yet, and whether play has gone past it."""

    waiting: Waiting
    spot: Spot
    past: bool


class _Found(Struct):
    """All that is untold, and what is needed to know when it is told."""

    spots: list[_Kept] = field(default_factory=list)
    announced: set[tuple[int | None, int]] = field(default_factory=set)
    told_later: dict[str, list[int]] = field(default_factory=dict)


def of(reading: Reading) -> Untold:
    """What is untold up to the moment asked about, as far as the viewer may see."""
    return Untold(tuple(_filled(reading, waiting, spot) for waiting, spot, _ in FOUND.of(reading).spots))


def _hear(found: _Found, reading: Reading, after: int) -> None:
    waiting_still = [kept.waiting for kept in found.spots if not kept.past]
    said = reading.afterwards_beyond(after)
    outcomes = Awaited(said, open=waiting_still, announced=found.announced, told_later=found.told_later)
    spots = [(kept.waiting, kept.spot) for kept in found.spots]
    for moment in reading.moments(after):
        telling = Telling(moment, Called(moment.table), reading.ids)
        waiting, _ = outcomes.hear(telling)
        if waiting is not None:
            spots.append((waiting, spot(telling, waiting)))
    open_ = {id(one) for one in outcomes.open}
    found.spots = [_Kept(one, about, id(one) not in open_) for one, about in spots if one.untold]
    last = reading.past.row(reading.position)
    found.told_later = {act: who for act, who in outcomes.told_later.items() if last and act in last.body}


def _holds(reading: Reading, position: int) -> bool:
    """False where words told after a position, or a veto, are about what came before it."""
    said = reading.afterwards_beyond(position)
    return all(about > position for about in (*said.words, *said.overruled))


FOUND: Final = Projection("untold", _Found, _hear, _holds)


def spot(telling: Telling, waiting: Waiting) -> Spot:
    """The outcome of this moment, as a spot that wants telling."""
    table = telling.moment.table
    conflict = table.conflicts.get(waiting.conflict or 0)
    sentences = tuple(report(telling))
    said = " ".join(one.text for one in sentences if one.tag is Tag.GENERATED)
    return Spot(
        telling.ids.at(waiting.at),
        None if telling.ids.key else waiting.at,
        waiting.conflict,
        titled(conflict, table) if conflict else "",
        said or " ".join(one.text for one in sentences),
        (),
    )


def _filled(reading: Reading, waiting: Waiting, found: Spot) -> Spot:
    return found._replace(who=tuple(who(reading.table, one) for one in waiting.left))
