"""The map, who stands where on it, and who moves."""

from __future__ import annotations

from typing import ClassVar

from journal.systems.edgerunner.events.parts import BorderDrawn
from journal.vocabulary.base import Anywhere, Id, InConflict, PersonAnywhere, PersonInConflict, Whole, kinds
from journal.words import Words


class ZonesMapped(Anywhere):
    """Zones and borders are on the map. `pins` say where a zone is drawn; `threshold` is of these borders.

    Without a conflict it is a map drawn beforehand, for the next that opens.
    """

    kind: ClassVar[str] = "edgerunner.zones-mapped"
    zones: tuple[str, ...]
    borders: tuple[BorderDrawn, ...] = ()
    pins: dict[str, tuple[Whole, Whole]] = {}
    threshold: Whole | None = None
    text: Words | None = None


class ZonesUnmapped(InConflict):
    """These zones and borders, by name, are on the map no longer."""

    kind: ClassVar[str] = "edgerunner.zones-unmapped"
    zones: tuple[str, ...]
    borders: tuple[str, ...]
    text: Words | None = None


class Placed(InConflict):
    """These people are in a zone, by nobody's move."""

    kind: ClassVar[str] = "edgerunner.placed"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"who"})
    about_people: ClassVar[str | None] = "who"
    who: tuple[Id, ...]
    zone: str
    text: Words | None = None


class ThingsPlaced(InConflict):
    """These things, which have no sheet, lie in a zone: what is done to them is done there."""

    kind: ClassVar[str] = "edgerunner.things-placed"
    things: tuple[str, ...]
    zone: str
    text: Words | None = None


class Moved(PersonInConflict):
    """Somebody went over these zones, for so many shifts; by a free move for none."""

    kind: ClassVar[str] = "edgerunner.moved"
    start: str
    path: tuple[str, ...]
    spent: Whole
    free: bool = False


class BorderEroded(PersonInConflict):
    """A free move wears at a border instead of crossing it; so much is left of it for this mover."""

    kind: ClassVar[str] = "edgerunner.border-eroded"
    one: str
    other: str
    way: str
    left: Whole


class Deployed(PersonInConflict):
    """A faction's asset stands on the map, on its side."""

    kind: ClassVar[str] = "edgerunner.deployed"
    asset: Id
    zone: str
    cost: Whole


class MooksMerged(PersonAnywhere):
    """Several lots of mooks are one, called `who` and of this threat level; the others are no more."""

    kind: ClassVar[str] = "edgerunner.mooks-merged"
    others: tuple[Id, ...]
    level: Whole
    text: Words | None = None


EVENTS = kinds(vars())
