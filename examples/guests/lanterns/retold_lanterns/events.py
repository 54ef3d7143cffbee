"""What can happen in Lanterns, and what is kept of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from journal.capabilities import Picture, Row
from journal.system import StateAccess
from journal.table import Handler, Table
from journal.vocabulary.base import Event, Id, Whole, Words
from journal.vocabulary.events import SheetChanged
from retold_lanterns.rules import MOST_HARM, SEGMENTS, Result

NAME = "lanterns"


class Dared(Event):
    """Somebody dared something; the dice were rolled with the same line."""

    kind: ClassVar[str] = "lanterns.dared"
    conflict: Id | None = None
    who: Id
    stat: str
    bonus: Whole
    total: Whole
    result: Result
    text: Words | None = None


class HarmChanged(Event):
    """Somebody was hurt, or got better: `by` is less than 0 then; `now` is all their harm."""

    kind: ClassVar[str] = "lanterns.harm-changed"
    conflict: Id | None = None
    who: Id
    by: Whole
    now: Whole
    text: Words | None = None


EVENTS = (Dared, HarmChanged)


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict: stats and harm, by person."""

    stats: dict[int, dict[str, int]] = field(default_factory=dict)
    harm: dict[int, int] = field(default_factory=dict)

    def rows(self) -> Iterable[Row]:
        """What is counted: the night, which is nobody's, and the light of everybody with a sheet."""
        yield Row(None, "night", min(SEGMENTS, sum(self.harm.values())), SEGMENTS, Picture.CLOCK)
        for who in self.stats:
            left = MOST_HARM - self.harm.get(who, 0)
            yield Row(who, "light", left, MOST_HARM, Picture.HEALTH, out=left < 1)


PLACE = StateAccess(NAME, Shelf, object)
shelf, own = PLACE.shelf, PLACE.own


def _sheet(table: Table, event: SheetChanged) -> None:
    if event.system == NAME:
        stats = own(table).stats.setdefault(event.person, {})
        stats.update({key: value for key, value in event.values.items() if isinstance(value, int)})


def _harm(table: Table, event: HarmChanged) -> None:
    own(table).harm[event.who] = event.now


EVOLVE: Mapping[type[Event], Handler] = {SheetChanged: _sheet, Dared: lambda *_: None, HarmChanged: _harm}
