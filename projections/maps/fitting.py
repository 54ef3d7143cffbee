"""Layout of a map in pixels: boxes sized by their texts, curves between boxes, and labels of curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from msgspec import Struct

from retold.projections.maps.picture import Line, Picture, Spot
from retold.projections.maps.text_fitting import on_two_lines, packed, shortened, text_length
from retold.projections.prose.phrases import Phrases

Point = tuple[float, float]

SAMPLES: Final = 40


class Rect(NamedTuple):
    """Rectangle: top left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, centre: Point, width: float, height: float) -> Rect:
        """Returns a rectangle of a given size, centred on a point."""
        return cls(centre[0] - width / 2, centre[1] - height / 2, width, height)

    @property
    def centre(self) -> Point:
        """Centre of the rectangle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, across: float, down: float) -> Rect:
        """Returns a copy shifted `across` pixels to the right and `down` pixels downwards."""
        return self._replace(x=self.x + across, y=self.y + down)

    def meets(self, other: Rect, apart: float = 0.0) -> bool:
        """True if two rectangles overlap, or if the gap between them is smaller than `apart`."""
        return (
            self.x < other.x + other.width + apart
            and other.x < self.x + self.width + apart
            and self.y < other.y + other.height + apart
            and other.y < self.y + self.height + apart
        )

    def holds(self, point: Point, around: float = 0.0) -> bool:
        """True if a point lies inside the rectangle, or closer to it than `around`."""
        x, y = point
        return (
            self.x - around < x < self.x + self.width + around
            and self.y - around < y < self.y + self.height + around
        )


class Curve(NamedTuple):
    """Quadratic Bézier curve from `start` to `end`, with control point `towards`."""

    start: Point
    towards: Point
    end: Point

    @classmethod
    def bent(cls, start: Point, end: Point, bulge: float) -> Curve:
        """Returns a curve whose midpoint lies `bulge`/2 to the left of the straight line."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        far = math.hypot(dx, dy) or 1.0
        middle = (start[0] + end[0]) / 2 + bulge * dy / far, (start[1] + end[1]) / 2 - bulge * dx / far
        return cls(start, middle, end)

    def at(self, share: float) -> Point:
        """Returns the point at parameter `share` (0: start, 1: end)."""
        return self._blossom(share, share)

    def chord(self) -> float:
        """Returns the straight distance between both ends."""
        return math.dist(self.start, self.end)

    def part(self, first: float, last: float) -> Curve:
        """Returns the part of the curve between two parameters (0 to 1)."""
        return Curve(self.at(first), self._blossom(first, last), self.at(last))

    def _blossom(self, s: float, t: float) -> Point:
        a, b, c = (1 - s) * (1 - t), s * (1 - t) + t * (1 - s), s * t
        (ax, ay), (bx, by), (cx, cy) = self
        return a * ax + b * bx + c * cx, a * ay + b * by + c * cy

    def points(self) -> Iterator[tuple[float, Point]]:
        """Yields points along the curve, each as a pair of its parameter (0 to 1) and coordinates."""
        for number in range(SAMPLES + 1):
            yield number / SAMPLES, self.at(number / SAMPLES)

    def outside(self, start: Rect, other: Rect) -> Curve:
        """Returns the part of the curve that runs outside the rectangles at its ends."""
        seen = [t for t, point in self.points() if not start.holds(point) and not other.holds(point)]
        if not seen:
            return self.part(0.5, 0.5)
        first = _edge(self, seen[0] - 1 / SAMPLES, seen[0], start)
        return self.part(first, _edge(self, seen[-1] + 1 / SAMPLES, seen[-1], other))

    def crosses(self, rects: Iterable[Rect], around: float) -> bool:
        """True if the curve runs through one of `rects`, or passes closer than `around`."""
        hull = extent((), self)
        near = [rect for rect in rects if rect.meets(hull, around)]
        return bool(near) and any(rect.holds(point, around) for _, point in self.points() for rect in near)


def _edge(curve: Curve, inside: float, outside: float, rect: Rect) -> float:
    """Returns the parameter at which a curve leaves a rectangle, found by bisection of two parameters."""
    for _ in range(12):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if rect.holds(curve.at(middle)) else (inside, middle)
    return min(1.0, max(0.0, outside))


def head(curve: Curve, length: float, breadth: float) -> tuple[Point, Point, Point]:
    """Returns the three corners of an arrow head at the end of a curve, its tip first."""
    x, y = curve.end
    angle = math.atan2(y - curve.towards[1], x - curve.towards[0])
    back = x - length * math.cos(angle), y - length * math.sin(angle)
    aside = breadth / 2 * math.sin(angle), breadth / 2 * math.cos(angle)
    return (x, y), (back[0] - aside[0], back[1] + aside[1]), (back[0] + aside[0], back[1] - aside[1])


def extent(rects: Iterable[Rect], points: Iterable[Point] = ()) -> Rect:
    """Returns the smallest rectangle around rectangles and points; of size 0 without any."""
    corners = list(points)
    for rect in rects:
        corners += [(rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height)]
    if not corners:
        return Rect(0, 0, 0, 0)
    xs, ys = zip(*corners, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


NAME, PERSON, LABEL = 15.0, 13.0, 12.0
"""Font sizes in pixels."""

ACROSS, DOWN = 190.0, 130.0
"""Length of a horizontal and of a vertical border at scale 1."""

SCALES: Final = (1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4)
"""Scales tried in order, until every label has room."""

SIDE: Final = 12.0
NARROWEST, WIDEST = 96.0, 230.0
HEAD, NAME_LINE, CHIP, GAP, LINE = 34.0, 18.0, 22.0, 6.0, 15.0
APART: Final = 30.0
"""Minimum gap between two boxes."""

ALONG: Final = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""Curve parameters tried for a label, in order of preference."""


class Manner(NamedTuple):
    """Style of borders or moves: bends to try, in order, and length to keep free of the label."""

    bulges: tuple[float, ...]
    bare: float


BORDER: Final = Manner((0.0, 60.0, -60.0, 130.0, -130.0, 220.0, -220.0), 14.0)
MOVE: Final = Manner((70.0, -70.0, 130.0, -130.0, 220.0, -220.0), 40.0)


class Chip(NamedTuple):
    """Person's name inside a zone's box; `place` is relative to the box's corner.

    `fresh` is True if the person was elsewhere at the earlier moment.
    """

    place: Rect
    text: str
    fresh: bool


class Card(NamedTuple):
    """Box of a zone: its place, the zone's name on text lines, and people's names."""

    place: Rect
    names: tuple[str, ...]
    chips: tuple[Chip, ...]


class Stroke(NamedTuple):
    """Border or move, drawn as a curve; `label` is the rectangle for its text lines."""

    curve: Curve
    label: Rect
    lines: tuple[str, ...]


class _Way(NamedTuple):
    """Possible curve for a border or move, with its label; `faults` counts overlaps, fewer are better."""

    curve: Curve
    label: Rect
    faults: int


class Paper(Struct, frozen=True):
    """Finished layout in pixels; every drawing lies within `area`."""

    cards: tuple[Card, ...]
    borders: tuple[Stroke, ...]
    moves: tuple[Stroke, ...]
    area: Rect


def fitted(picture: Picture) -> Paper:
    """Returns a layout of `picture` in pixels: texts fit their boxes, and boxes do not overlap."""
    cards = [_card(spot) for spot in picture.spots]
    placed = [_placed(picture, cards, scale) for scale in SCALES]
    roomy = [rects for rects in placed if not _near(rects)] or [_spread(placed[-1])]
    page = _set(picture, roomy[0])
    for rects in roomy[1:]:
        if not page.crowded:
            break
        page = _set(picture, rects)
    strokes = (*page.borders, *page.moves)
    bends = (point for stroke in strokes for _, point in stroke.curve.points())
    area = extent((*page.rects, *page.labels), bends)
    at_home = tuple(card._replace(place=place) for card, place in zip(cards, page.rects, strict=True))
    return Paper(at_home, tuple(page.borders), tuple(page.moves), area)


def _placed(picture: Picture, cards: Sequence[Card], scale: float) -> list[Rect]:
    spots = zip(cards, picture.spots, strict=True)
    return [card.place.moved(spot.x * ACROSS * scale, spot.y * DOWN * scale) for card, spot in spots]


def _set(picture: Picture, rects: Sequence[Rect]) -> _Page:
    """Returns a page with boxes at `rects`, and with borders and moves drawn between them."""
    page = _Page(rects)
    for line in picture.lines:
        texts = _written(line, page.rects, picture.phrases)
        page.borders.append(page.stroke(line.one, line.other, texts, BORDER))
    for move in picture.moves:
        if move.start is not None and move.end is not None:
            page.moves.append(
                page.stroke(
                    move.start, move.end, tuple(shortened(name, WIDEST, LABEL) for name in move.people), MOVE
                )
            )
    return page


# --- boxes ------------------------------------------------------------------------------------------------


def _card(spot: Spot) -> Card:
    """Returns a zone's box, centred on (0, 0), with names of people in rows."""
    room = WIDEST - 2 * SIDE
    names = on_two_lines(spot.name, room, NAME, bold=True)
    people = [shortened(figure.name, room - CHIP, PERSON) for figure in spot.people]
    widths = [text_length(name, PERSON) + CHIP for name in people]
    rows = packed(widths, room, GAP)
    inner = max(
        NARROWEST - 2 * SIDE,
        *(text_length(name, NAME, bold=True) for name in names),
        *(_wide([widths[number] for number in row]) for row in rows),
    )
    y = HEAD + (len(names) - 1) * NAME_LINE
    chips: list[Chip] = []
    for row in rows:
        x = SIDE + (inner - _wide([widths[number] for number in row])) / 2
        for number in row:
            chips.append(Chip(Rect(x, y, widths[number], CHIP), people[number], spot.people[number].fresh))
            x += widths[number] + GAP
        y += CHIP + GAP
    return Card(Rect.around((0.0, 0.0), inner + 2 * SIDE, y + GAP), names, tuple(chips))


def _wide(widths: Sequence[float]) -> float:
    return sum(widths) + GAP * (len(widths) - 1)


def _near(rects: Sequence[Rect]) -> bool:
    """True if two of the boxes overlap, or have a gap smaller than `APART`."""
    return any(rect.meets(other, APART) for number, rect in enumerate(rects) for other in rects[:number])


def _spread(rects: Sequence[Rect]) -> list[Rect]:
    """Returns the boxes, each moved to the nearest place clear of the boxes before it."""
    found: list[Rect] = []
    for rect in rects:
        places = (rect.moved(*step) for step in _outwards())
        found.append(
            next(place for place in places if not any(place.meets(earlier, APART) for earlier in found))
        )
    return found


def _outwards() -> Iterator[Point]:
    """Yields offsets (x, y) on ever larger rings around 0, without end."""
    yield 0.0, 0.0
    for ring in count(1):
        for number in range(16):
            angle = math.tau * number / 16
            yield ring * APART * math.cos(angle), ring * APART * math.sin(angle)


# --- lines and labels -------------------------------------------------------------------------------------


def _written(line: Line, rects: Sequence[Rect], phrases: Phrases) -> tuple[str, ...]:
    """Returns the text lines of a border's label, with arrows in the directions of its ways."""
    (ax, ay), (bx, by) = rects[line.one].centre, rects[line.other].centre
    if abs(bx - ax) >= abs(by - ay):
        signs = ("→ ", "← ") if bx > ax else ("← ", "→ ")
    else:
        signs = ("↓ ", "↑ ") if by > ay else ("↑ ", "↓ ")
    return tuple(shortened(one, WIDEST, LABEL) for one in line.signed(*signs, phrases))


class _Page:
    """Page under construction: fixed boxes, with the curves and labels placed so far."""

    def __init__(self, rects: Sequence[Rect]) -> None:
        self.rects = rects
        self.crowded = False
        self.labels: list[Rect] = []
        self.borders: list[Stroke] = []
        self.moves: list[Stroke] = []

    def stroke(self, one: int, other: int, lines: tuple[str, ...], manner: Manner) -> Stroke:
        """Returns a curve between boxes `one` and `other`, with its label, which is added to the page.

        Sets `crowded` if every possible curve overlaps something.
        """
        start, end = self.rects[one], self.rects[other]
        others = [rect for number, rect in enumerate(self.rects) if number not in (one, other)]
        size = max(text_length(text, LABEL) for text in lines) + 16, len(lines) * LINE + 9
        curves = (Curve.bent(start.centre, end.centre, bulge) for bulge in manner.bulges)
        ways = (self._way(curve.outside(start, end), size, others, manner.bare) for curve in curves)
        way = next(ways)
        for other_way in ways:
            if not way.faults:
                break
            way = min(way, other_way, key=lambda way: way.faults)
        self.crowded = self.crowded or way.faults > 0
        self.labels.append(way.label)
        return Stroke(way.curve, way.label, lines)

    def _way(self, curve: Curve, size: tuple[float, float], others: Sequence[Rect], bare: float) -> _Way:
        """Returns a curve with the best place for its label, and its number of faults (overlaps)."""
        places = [Rect.around(curve.at(share), *size) for share in ALONG]
        clear = [rect for rect in places if not any(rect.meets(label, 3) for label in self.labels)]
        free = [rect for rect in clear if not any(rect.meets(card, 3) for card in self.rects)]
        faults = 4 * sum(curve.crosses((rect,), GAP) for rect in others)
        faults += sum(curve.crosses((label,), 1) for label in self.labels)
        faults += 0 if free else 3 if clear else 6
        faults += 2 * (curve.chord() < _across(curve, size) + bare)
        return _Way(curve, (free or clear or places)[0], faults)


def _across(curve: Curve, size: tuple[float, float]) -> float:
    """Returns the length of a curve that its label would cover."""
    (ax, ay), _, (bx, by) = curve
    far = curve.chord() or 1.0
    return min(size[0] * far / (abs(bx - ax) or 0.1), size[1] * far / (abs(by - ay) or 0.1))
