"""Events of Lanterns, and the state that outlives a conflict."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from retold.game import (
    Event,
    Handler,
    Id,
    Picture,
    Row,
    StateAccess,
    Table,
    Whole,
    Words,
    events,
    no_change,
)
from retold_lanterns.rules import MOST_HARM, SEGMENTS, Result

NAME = "lanterns"


class Dared(Event):
    """Somebody dared something; the dice are a `DiceRolled` of the same act."""

    kind: ClassVar[str] = "lanterns.dared"
    conflict: Id | None = None
    who: Id
    stat: str
    bonus: Whole
    total: Whole
    result: Result
    text: Words | None = None


class HarmChanged(Event):
    """Harm of one person changed by `by` (negative: healed) to `now`."""

    kind: ClassVar[str] = "lanterns.harm-changed"
    conflict: Id | None = None
    who: Id
    by: Whole
    now: Whole
    text: Words | None = None


EVENTS = (Dared, HarmChanged)


@dataclass(slots=True)
class Shelf:
    """Stats and harm by person; kept between conflicts."""

    stats: dict[int, dict[str, int]] = field(default_factory=dict)
    harm: dict[int, int] = field(default_factory=dict)

    def rows(self) -> Iterable[Row]:
        """Rows shown in views: the night, which belongs to nobody, and the light of each person."""
        yield Row(None, "night", min(SEGMENTS, sum(self.harm.values())), SEGMENTS, Picture.CLOCK)
        for who in self.stats:
            left = MOST_HARM - self.harm.get(who, 0)
            yield Row(who, "light", left, MOST_HARM, Picture.HEALTH, out=left < 1)


PLACE = StateAccess(NAME, Shelf, object)
shelf, own = PLACE.shelf, PLACE.own


def _sheet(table: Table, event: events.SheetChanged) -> None:
    if event.system == NAME:
        stats = own(table).stats.setdefault(event.person, {})
        stats.update({key: value for key, value in event.values.items() if isinstance(value, int)})


def _harm(table: Table, event: HarmChanged) -> None:
    own(table).harm[event.who] = event.now


EVOLVE: Mapping[type[Event], Handler] = {
    events.SheetChanged: _sheet,
    Dared: no_change,
    HarmChanged: _harm,
}
