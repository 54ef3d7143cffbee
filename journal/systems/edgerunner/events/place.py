"""The map, who stands where on it, and who moves."""

from __future__ import annotations

from typing import ClassVar

from journal.systems.edgerunner.events.parts import BorderDrawn
from journal.vocabulary.base import Event, Id, Whole
from journal.words import Words


class ZonesMapped(Event):
    """Zones and borders are on the map. `pins` say where a zone is drawn; `threshold` is of these borders.

    Without a conflict it is a map drawn beforehand, for the next that opens.
    """

    kind: ClassVar[str] = "edgerunner.zones-mapped"
    conflict: Id | None = None
    zones: tuple[str, ...]
    borders: tuple[BorderDrawn, ...] = ()
    pins: dict[str, tuple[Whole, Whole]] = {}
    threshold: Whole | None = None
    text: Words | None = None


class ZonesUnmapped(Event):
    """These zones and borders, by name, are on the map no longer."""

    kind: ClassVar[str] = "edgerunner.zones-unmapped"
    conflict: Id
    zones: tuple[str, ...]
    borders: tuple[str, ...]
    text: Words | None = None


class Placed(Event):
    """These people are in a zone, by nobody's move."""

    kind: ClassVar[str] = "edgerunner.placed"
    conflict: Id
    who: tuple[Id, ...]
    zone: str
    text: Words | None = None


class Moved(Event):
    """Somebody went over these zones, for so many shifts; by a free move for none."""

    kind: ClassVar[str] = "edgerunner.moved"
    conflict: Id
    who: Id
    start: str
    path: tuple[str, ...]
    spent: Whole
    free: bool = False


class BorderEroded(Event):
    """A free move wears at a border instead of crossing it; so much is left of it for this mover."""

    kind: ClassVar[str] = "edgerunner.border-eroded"
    conflict: Id
    who: Id
    one: str
    other: str
    way: str
    left: Whole


class Deployed(Event):
    """A faction's asset stands on the map, on its side."""

    kind: ClassVar[str] = "edgerunner.deployed"
    conflict: Id
    who: Id
    asset: Id
    zone: str
    cost: Whole


class MooksMerged(Event):
    """Several lots of mooks are one, called `who` and of this threat level; the others are no more."""

    kind: ClassVar[str] = "edgerunner.mooks-merged"
    conflict: Id | None = None
    who: Id
    others: tuple[Id, ...]
    level: Whole
    text: Words | None = None


EVENTS: tuple[type[Event], ...] = (
    ZonesMapped,
    ZonesUnmapped,
    Placed,
    Moved,
    BorderEroded,
    Deployed,
    MooksMerged,
)
