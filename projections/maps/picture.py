"""Picture of a map, ready to be drawn: positions of zones, people in zones, borders, and moves."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from msgspec import Struct

from retold.journal.capabilities import Border, Plan, Zone
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.texts import safe
from retold.projections.views.map import Ranges, easiest_first, ranges, way_text

Point = tuple[float, float]
"""Coordinates x (right) and y (down); zones with a common border lie about 1 apart."""

STEPS: Final = 1000
"""Maximum rounds of majorisation; thirty zones need fewer."""

AT_REST: Final = 1e-5
"""Largest move of a round at which the layout counts as settled."""

NEAREST: Final = 0.5
"""Minimum distance between two zones that are not pinned."""

BETWEEN_PARTS: Final = 1.0
LANDSCAPE: Final = 1.8
"""Ratio of width to height at which a row of parts is full."""


def positions(plan: Plan) -> dict[str, Point]:
    """Returns the position of each zone on a plane, in plan order; deterministic.

    A pinned zone lies exactly on its pin (the first, if two share one), and pins farther apart than the
    borders between them stretch the rest. Unconnected parts stand side by side; parts without pins are turned
    so that most borders are horizontal or vertical.
    """
    zones = [zone.name for zone in plan.zones]
    pairs = [(border.one, border.other) for border in plan.borders]
    apart = ranges(zones, pairs)
    pins = _pins(plan.zones)
    pinned: list[str] = []
    loose: list[dict[str, Point]] = []
    for part in _parts(apart):
        if pins.keys() & set(part):
            pinned += part
        else:
            borders = [pair for pair in pairs if pair[0] in part]
            loose.append(_in_a_line(part, apart) or _levelled(_at_rest(part, apart, {}), borders))
    held = _at_rest(pinned, apart, pins) if pinned else {}
    found = {**held, **_side_by_side(held, loose)}
    return {zone: found[zone] for zone in zones}


def _pins(zones: Iterable[Zone]) -> dict[str, Point]:
    taken: dict[Point, str] = {}
    for zone in zones:
        if zone.pin is not None:
            taken.setdefault((float(zone.pin[0]), float(zone.pin[1])), zone.name)
    return {name: spot for spot, name in taken.items()}


def _parts(apart: Ranges) -> Iterator[list[str]]:
    """Yields groups of connected zones, ordered by their first zone."""
    seen: set[str] = set()
    for zone, reached in apart.items():
        if zone not in seen:
            seen |= reached.keys()
            yield [other for other in apart if other in reached]


# --- one part ---------------------------------------------------------------------------------------------


def _in_a_line(part: Sequence[str], apart: Ranges) -> dict[str, Point]:
    """Returns a straight layout if the connected zones form a single path; empty otherwise.

    Majorisation converges ever more slowly on such a part.
    """
    for end in part:
        if max(apart[end].values()) == len(part) - 1:
            return {zone: (float(apart[end][zone]), 0.0) for zone in part}
    return {}


def _at_rest(part: Sequence[str], apart: Ranges, pins: Mapping[str, Point]) -> dict[str, Point]:
    """Returns positions of connected zones; distances match the number of borders between zones at best."""
    unit = _unit(pins, apart)
    far = 1 + max(max(apart[zone].values()) for zone in part)
    ideal = [[unit * apart[zone].get(other, far) for other in part] for zone in part]
    spots = [pins.get(zone, start) for zone, start in zip(part, _circle(len(part), unit, pins), strict=True)]
    free = [number for number, zone in enumerate(part) if zone not in pins]
    for _ in range(STEPS):
        if _majorised(spots, ideal, free) < AT_REST * unit:
            break
    _kept_apart(spots, free, NEAREST * unit)
    return dict(zip(part, spots, strict=True))


def _unit(pins: Mapping[str, Point], apart: Ranges) -> float:
    """Returns the length of one border: 1, or the mean that pinned zones imply."""
    held = list(pins)
    lengths = [
        math.dist(pins[zone], pins[other]) / apart[zone][other]
        for number, zone in enumerate(held)
        for other in held[number + 1 :]
        if other in apart[zone]
    ]
    return sum(lengths) / len(lengths) if lengths else 1.0


def _circle(count: int, unit: float, pins: Mapping[str, Point]) -> Iterator[Point]:
    """Yields `count` start positions on a circle around the pins, a border apart, the leftmost first."""
    x, y = (sum(axis) / len(axis) for axis in zip(*pins.values(), strict=True)) if pins else (0.0, 0.0)
    radius = unit * count / math.tau
    for number in range(count):
        angle = math.pi + math.tau * number / count
        yield x + radius * math.cos(angle), y + radius * math.sin(angle)


def _majorised(spots: list[Point], ideal: Sequence[Sequence[float]], free: Iterable[int]) -> float:
    """Moves each spot in `free` by one round of majorisation; returns the largest distance moved.

    SMACOF, one point at a time, each pair weighted by the inverse square of its ideal distance.
    """
    farthest = 0.0
    for spot in free:
        x, y = spots[spot]
        weights = right = down = 0.0
        for other, (ox, oy) in enumerate(spots):
            if other == spot:
                continue
            wanted = ideal[spot][other]
            weight = 1 / (wanted * wanted)
            dx, dy = x - ox, y - oy
            pull = wanted / (math.hypot(dx, dy) or 1.0)
            weights += weight
            right += weight * (ox + dx * pull)
            down += weight * (oy + dy * pull)
        if weights:
            spots[spot] = right / weights, down / weights
            farthest = max(farthest, math.dist((x, y), spots[spot]))
    return farthest


def _kept_apart(spots: list[Point], free: Iterable[int], nearest: float) -> None:
    """Moves spots in `free` to the nearest position with room, if another lies closer than `nearest`."""
    settled = set(range(len(spots))) - set(free)
    for number in free:
        held = [spots[other] for other in settled]
        spots[number] = next(
            spot
            for spot in _around(spots[number], nearest)
            if all(math.dist(spot, o) >= nearest for o in held)
        )
        settled.add(number)


def _around(spot: Point, step: float) -> Iterator[Point]:
    """Yields `spot`, then positions on ever larger rings around it, without end."""
    yield spot
    ring = 1
    while True:
        for number in range(6 * ring):
            angle = math.tau * number / (6 * ring)
            yield spot[0] + ring * step * math.cos(angle), spot[1] + ring * step * math.sin(angle)
        ring += 1


# --- parts beside each other ------------------------------------------------------------------------------


def _levelled(part: Mapping[str, Point], borders: Sequence[tuple[str, str]]) -> dict[str, Point]:
    """Returns zones turned so that most borders are horizontal or vertical, the first zone top left."""
    if not borders:
        return dict(part)
    turns = (math.atan2(part[b][1] - part[a][1], part[b][0] - part[a][0]) for a, b in borders)
    turned = [_turned(part, -turn - extra) for turn in turns for extra in (0, math.pi / 2)]
    best = min(turned, key=lambda turning: round(_skew(turning, borders), 6))
    left, top, right, bottom = _extent(best.values())
    x, y = next(iter(best.values()))
    across = -1 if x - left > right - x + AT_REST else 1
    upside = -1 if y - top > bottom - y + AT_REST else 1
    return {zone: (across * x, upside * y) for zone, (x, y) in best.items()}


def _turned(part: Mapping[str, Point], angle: float) -> dict[str, Point]:
    cos, sin = math.cos(angle), math.sin(angle)
    return {zone: (x * cos - y * sin, x * sin + y * cos) for zone, (x, y) in part.items()}


def _skew(part: Mapping[str, Point], borders: Sequence[tuple[str, str]]) -> float:
    """Returns how bad an orientation is: 0 if borders are horizontal or vertical and the picture is wide."""
    slants = []
    for one, other in borders:
        dx, dy = part[other][0] - part[one][0], part[other][1] - part[one][1]
        slants.append((2 * dx * dy / (dx * dx + dy * dy or 1.0)) ** 2)
    left, top, right, bottom = _extent(part.values())
    return sum(slants) / len(slants) + max(0.0, (bottom - top) - (right - left)) / (bottom - top + 1)


def _side_by_side(held: Mapping[str, Point], parts: Iterable[Mapping[str, Point]]) -> dict[str, Point]:
    """Returns positions of groups of zones without pins, in rows to the right of pinned zones."""
    sized = [(part, _extent(part.values())) for part in parts]
    across = [right - left + BETWEEN_PARTS for _, (left, _top, right, _bottom) in sized]
    down = [bottom - top + BETWEEN_PARTS for _, (_left, top, _right, bottom) in sized]
    room = sum(map(operator.mul, across, down))
    widest = max((math.sqrt(room * LANDSCAPE), *across)) - BETWEEN_PARTS
    start_x, row_y = 0.0, 0.0
    if held:
        _, row_y, right, _ = _extent(held.values())
        start_x = right + BETWEEN_PARTS
    found: dict[str, Point] = {}
    x, lowest = start_x, row_y
    for part, (left, top, right, bottom) in sized:
        if x > start_x and x + right - left > start_x + widest:
            x, row_y = start_x, lowest + BETWEEN_PARTS
        found |= {zone: (x + px - left, row_y + py - top) for zone, (px, py) in part.items()}
        x += right - left + BETWEEN_PARTS
        lowest = max(lowest, row_y + bottom - top)
    return found


def _extent(spots: Iterable[Point]) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom of a set of points."""
    xs, ys = zip(*spots, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


WIDEST_VOID: Final = 3.0
"""Maximum gap in border lengths; larger ones, left by pins, are narrowed."""


ALIGNED: Final = 0.15


class Figure(NamedTuple):
    """Person in a zone; `fresh` is True if they were elsewhere at the earlier moment."""

    name: str
    fresh: bool = False


class Spot(NamedTuple):
    """Zone with its position and people; a border is about 1 long, x goes right and y down from 0."""

    name: str
    x: float
    y: float
    people: tuple[Figure, ...] = ()
    pinned: bool = False


class Line(NamedTuple):
    """Border between two zones (by index): ways there and back, such as `open 1`, and its marks (`harm`)."""

    one: int
    other: int
    there: tuple[str, ...]
    back: tuple[str, ...]
    harm: str = ""

    def signed(self, there: str, back: str, phrases: Phrases = ENGLISH) -> tuple[str, ...]:
        """Returns the text lines of a border's label: its ways, then its marks.

        If ways there and back differ, they begin with the signs `there` and `back`.
        """
        if self.there == self.back:
            ways = self.there
        else:
            ways = (*(f"{there}{way}" for way in self.there), *(f"{back}{way}" for way in self.back))
        return (*(ways or (safe.line(phrases.say("map.closed")),)), *((self.harm,) if self.harm else ()))


class Move(NamedTuple):
    """People moving between two zones (indices).

    `start` is None for arrivals, `end` for departures.
    """

    people: tuple[str, ...]
    start: int | None
    end: int | None


class Picture(Struct, frozen=True):
    """A map ready to be drawn. Its texts are escaped for terminals, each on one line."""

    title: str
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    moves: tuple[Move, ...] = ()
    phrases: Phrases = ENGLISH
    """Phrases for generated words; omitted from JSON."""

    beside: ClassVar = frozenset({"phrases"})
    """Fields omitted from JSON."""

    def spelled(self, spell: Callable[[str], str]) -> Picture:
        """Returns a copy with the function `spell` applied to each text."""

        def spelled_all(texts: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(map(spell, texts))

        spots = (
            spot._replace(
                name=spell(spot.name),
                people=tuple(figure._replace(name=spell(figure.name)) for figure in spot.people),
            )
            for spot in self.spots
        )
        lines = (
            line._replace(there=spelled_all(line.there), back=spelled_all(line.back), harm=spell(line.harm))
            for line in self.lines
        )
        moves = (move._replace(people=spelled_all(move.people)) for move in self.moves)
        return Picture(spell(self.title), tuple(spots), tuple(lines), tuple(moves), self.phrases)

    def who_is_where(self) -> Iterator[str]:
        """Yields a text line for each zone: `Bar: Ana, Bo`."""
        for spot in self.spots:
            people = ", ".join(figure.name for figure in spot.people)
            here = people or safe.line(self.phrases.say("map.nobody"))
            yield f"{spot.name}{self.phrases.language.colon} {here}"

    def between(self, line: Line) -> str:
        """Returns names of the zones on both sides of a border: `Bar - Street`."""
        return f"{self.spots[line.one].name} - {self.spots[line.other].name}"

    def passing(self, line: Line) -> str:
        """Returns the ways over a border, and its marks, in words."""
        there, back = ", ".join(line.there), ", ".join(line.back)
        if line.there == line.back:
            ways = there or self.phrases.say("map.no-way-through")
        else:
            one, other = self.spots[line.one].name, self.spots[line.other].name
            there, back = (way or self.phrases.say("map.no-way") for way in (there, back))
            ways = self.phrases.say("map.ways", there=there, other=other, back=back, one=one)
        return f"{safe.line(ways)}; {line.harm}" if line.harm else safe.line(ways)

    def moved(self) -> Iterator[str]:
        """Yields one sentence for each move: people, start and end."""
        for people, start, end in self.moves:
            came, left = (None if spot is None else self.spots[spot].name for spot in (end, start))
            if came is None:
                sentence = self.phrases.say("map.left", who=people, zone=left)
            elif left is None:
                sentence = self.phrases.say("map.came", who=people, zone=came)
            else:
                sentence = self.phrases.say("map.went", who=people, start=left, end=came)
            yield safe.line(sentence)

    def told(self) -> Iterator[str]:
        """Yields the whole map as sentences: people in zones, borders, moves."""
        yield from (f"{sentence}." for sentence in self.who_is_where())
        yield from (
            f"{self.between(line)}{self.phrases.language.colon} {self.passing(line)}." for line in self.lines
        )
        yield from self.moved()

    def beyond(self) -> Iterator[str]:
        """Yields sentences on moves that begin or end off the map, for which no arrow can be drawn."""
        for move, sentence in zip(self.moves, self.moved(), strict=True):
            if move.start is None or move.end is None:
                yield sentence


def picture(
    title: str, plan: Plan, name: Callable[[int], str], before: Plan | None = None, phrases: Phrases = ENGLISH
) -> Picture:
    """Returns a map ready to be drawn, with moves since the plan `before`; `name` returns a person's name."""
    number = {zone.name: place for place, zone in enumerate(plan.zones)}
    lines = tuple(dict.fromkeys(_line(border, number, phrases) for border in plan.borders))
    by_hand = any(zone.pin is not None for zone in plan.zones)
    points = _in_borders(list(positions(plan).values()), lines, 0.0 if by_hand else ALIGNED)
    was = None if before is None else dict(before.places)
    spots = []
    for zone, (x, y) in zip(plan.zones, points, strict=True):
        people = tuple(
            Figure(
                safe.line(phrases.say("map.out", who=name(person)) if person in plan.out else name(person)),
                was is not None and was.get(person) != zone.name,
            )
            for person, place in plan.places
            if place == zone.name
        )
        people += tuple(
            Figure(safe.line(f"[{thing}]"), False) for thing, place in plan.things if place == zone.name
        )
        spots.append(Spot(safe.line(zone.name), x, y, people, zone.pin is not None))
    moves = () if was is None else tuple(_moves(was, dict(plan.places), number, name))
    return Picture(safe.line(title), tuple(spots), lines, moves, phrases)


def _line(border: Border, number: Mapping[str, int], phrases: Phrases) -> Line:
    harm = ""
    if border.threshold is not None and border.marked:
        boxes = list(map(str, border.marked))
        harm = safe.line(phrases.say("map.marked", boxes=boxes, threshold=border.threshold))
    elif border.threshold is not None:
        harm = safe.line(phrases.say("map.takes", threshold=border.threshold))
    there, back = (
        tuple(safe.line(way_text(way)) for way in easiest_first(ways)) for ways in (border.there, border.back)
    )
    return Line(number[border.one], number[border.other], there, back, harm)


def _moves(
    was: Mapping[int, str], now: Mapping[int, str], number: Mapping[str, int], name: Callable[[int], str]
) -> Iterator[Move]:
    """Yields moves since `was` (zone names by person), people with the same start and end together."""
    went: dict[tuple[str | None, str | None], list[str]] = {}
    for person in dict.fromkeys((*now, *was)):
        way = was.get(person), now.get(person)
        if way[0] != way[1]:
            went.setdefault(way, []).append(safe.line(name(person)))
    for (start, end), people in went.items():
        yield Move(tuple(people), *(None if zone is None else number.get(zone) for zone in (start, end)))


def _in_borders(points: Sequence[Point], lines: Sequence[Line], aligned: float) -> list[Point]:
    """Returns points scaled so that a border is about 1 long, from 0, with wide gaps narrowed.

    Points within `aligned` of one row or column are aligned exactly.
    """
    lengths = [math.dist(points[line.one], points[line.other]) for line in lines if line.one != line.other]
    unit = (sorted(lengths)[len(lengths) // 2] if lengths else 0.0) or 1.0
    xs, ys = (
        [axis / unit for axis in values] for values in (zip(*points, strict=True) if points else ((), ()))
    )
    return list(zip(_closed_up(xs, aligned), _closed_up(ys, aligned), strict=True))


def _closed_up(values: Sequence[float], aligned: float) -> list[float]:
    kept: dict[float, float] = {}
    at, first = 0.0, min(values, default=0.0)
    for value in sorted(set(values)):
        if value - first > aligned:
            at += min(value - first, WIDEST_VOID)
            first = value
        kept[value] = round(at, 3)
    return [kept[value] for value in values]
