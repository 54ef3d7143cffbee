"""Map view: zones, borders between them, people in them and ranges between people, by conflict."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from retold.journal.capabilities import HasMap, Passing, Plan
from retold.journal.guarding import answer_of
from retold.journal.table import OpenConflict, Table
from retold.projections.views.naming import Who, conflict_title, who
from retold.projections.views.sheet import Row, Seen

Ranges = Mapping[str, Mapping[str, int]]
"""Number of borders on the shortest path, by start zone and reachable zone."""


def easiest_first(ways: Iterable[Passing]) -> list[Passing]:
    """Returns ways over a border (such as `open 1`, `break 4`) sorted by value, lowest first."""
    return sorted(ways, key=lambda way: way.value)


def ranges(zones: Iterable[str], borders: Iterable[tuple[str, str]]) -> Ranges:
    """Returns the number of borders on the shortest path from each zone to each reachable zone.

    A zone is 0 from itself; borders work both ways.
    """
    beside: dict[str, list[str]] = {zone: [] for zone in zones}
    for zone_a, other in borders:
        beside[zone_a].append(other)
        beside[other].append(zone_a)
    return {zone: _from(zone, beside) for zone in beside}


def _from(zone: str, beside: Mapping[str, Iterable[str]]) -> Mapping[str, int]:
    far = {zone: 0}
    waiting = deque((zone,))
    while waiting:
        here = waiting.popleft()
        for near in beside[here]:
            if near not in far:
                far[near] = far[here] + 1
                waiting.append(near)
    return far


class ZoneSeen(NamedTuple):
    """A zone with people and things in it; `pin` (x, y) is its chosen place on pictures, or null."""

    name: str
    who: tuple[Who, ...]
    pin: tuple[int, int] | None
    things: tuple[str, ...] = ()


class BorderSeen(NamedTuple):
    """A border between two zones: ways over it `there` and `back`, and its threshold (null without one).

    An unnamed way has a null `way`; `marked` lists marked boxes of the threshold.
    """

    one: str
    other: str
    there: tuple[Passing, ...]
    back: tuple[Passing, ...]
    threshold: int | None
    marked: tuple[int, ...]

    def stands(self) -> str:
        """Returns ways and marks as text: `open 1, break 4; marked 1 of 4`."""
        there, back = _ways(self.there), _ways(self.back)
        ways = there if there == back else f"{there} to {self.other}, {back} to {self.one}"
        if self.threshold is None:
            return ways
        marked = f"marked {' '.join(map(str, self.marked))}" if self.marked else "unmarked"
        return f"{ways}; {marked} of {self.threshold}"


class Range(NamedTuple):
    """Distance between two people: borders on the shortest path (0 in one zone), null without a path."""

    one: Who
    other: Who
    borders: int | None


class MapSeen(NamedTuple):
    """Map of one open conflict, zones in the order they were named; `out` lists people out of the fight."""

    conflict: int
    title: str
    zones: tuple[ZoneSeen, ...]
    borders: tuple[BorderSeen, ...]
    ranges: tuple[Range, ...]
    out: tuple[Who, ...]


class Maps(Seen, frozen=True):
    """Answer of the map view: maps of open conflicts.

    JSON: `{"open": [{"conflict", "title", "zones": […], "borders": […], "ranges": […]}]}`.
    """

    view = "map"
    title = "Map"
    columns = ("Map", "What", "Where")
    open: tuple[MapSeen, ...]

    def rows(self) -> Iterator[Row]:
        """Yields table rows of people, things and borders."""
        return (row for plan in self.open for row in _rows(plan))

    def notes(self) -> Iterator[str]:
        """Yields notes below the table: names of zones, and ranges between people."""
        return (note for plan in self.open for note in _notes(plan))


def _rows(seen: MapSeen) -> Iterator[Row]:
    title = f"{seen.title} ({seen.conflict})"
    for zone in seen.zones:
        for person in zone.who:
            where = f"{zone.name} (out)" if person in seen.out else zone.name
            yield Row.keyed((title, person.name), where)
        for thing in zone.things:
            yield Row.keyed((title, thing), zone.name)
    counts: Counter[tuple[str, str]] = Counter()
    for border in seen.borders:
        counts[border[:2]] += 1
        again = f" ({counts[border[:2]]})" if counts[border[:2]] > 1 else ""
        yield Row.keyed((title, f"border {border.one} - {border.other}{again}"), border.stands())


def _notes(seen: MapSeen) -> Iterator[str]:
    if seen.zones:
        yield f"{seen.title}: {', '.join(zone.name for zone in seen.zones)}"
    for reach in seen.ranges:
        far = "no way" if reach.borders is None else str(reach.borders)
        yield f"{reach.one.name} to {reach.other.name}: {far}"


def way_text(passing: Passing) -> str:
    """Returns a way over a border as text: `open 1`, or `1` if the way has no name."""
    return f"{passing.way} {passing.value}" if passing.way else str(passing.value)


def _ways(ways: Sequence[Passing]) -> str:
    return ", ".join(map(way_text, easiest_first(ways))) or "no way"


def of(table: Table) -> Maps:
    """Returns maps of open conflicts; conflicts without zones are left out."""
    return Maps(tuple(_map(table, conflict, plan) for conflict, plan in plans(table)))


def plans(table: Table) -> Iterator[tuple[OpenConflict, Plan]]:
    """Yields each open conflict that has a map with zones, together with that map."""
    for conflict in table.conflicts.values():
        if isinstance(conflict.state, HasMap):
            plan = answer_of(conflict.system, conflict.state.plan, None)
            if plan is not None and plan.zones:
                yield conflict, plan


def _map(table: Table, conflict: OpenConflict, plan: Plan) -> MapSeen:
    zones = tuple(
        ZoneSeen(
            zone.name,
            tuple(who(table, person) for person, place in plan.places if place == zone.name),
            zone.pin,
            tuple(thing for thing, place in plan.things if place == zone.name),
        )
        for zone in plan.zones
    )
    borders = tuple(BorderSeen(*border) for border in plan.borders)
    out = tuple(who(table, person) for person in plan.out)
    return MapSeen(conflict.id, conflict_title(conflict, table), zones, borders, _ranges(table, plan), out)


def _ranges(table: Table, plan: Plan) -> tuple[Range, ...]:
    """Returns ranges between all pairs of people; an impassable border does not connect zones."""
    passable = ((border.one, border.other) for border in plan.borders if border.there or border.back)
    apart = ranges((zone.name for zone in plan.zones), passable)
    return tuple(
        Range(who(table, one), who(table, other), apart[here].get(there))
        for (one, here), (other, there) in combinations(plan.places, 2)
    )
