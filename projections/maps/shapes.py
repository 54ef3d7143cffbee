"""Rectangles and bent lines: what a picture of a map is made of before it is ink."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

Point = tuple[float, float]

SAMPLES: Final = 40


class Rect(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, centre: Point, width: float, height: float) -> Rect:
        """The rectangle of that size in the middle of which a point lies."""
        return cls(centre[0] - width / 2, centre[1] - height / 2, width, height)

    @property
    def centre(self) -> Point:
        """The point in its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, across: float, down: float) -> Rect:
        """The same elsewhere."""
        return self._replace(x=self.x + across, y=self.y + down)

    def meets(self, other: Rect, apart: float = 0.0) -> bool:
        """True if the two overlap, or have less than `apart` between them."""
        return (
            self.x < other.x + other.width + apart
            and other.x < self.x + self.width + apart
            and self.y < other.y + other.height + apart
            and other.y < self.y + self.height + apart
        )

    def holds(self, point: Point, around: float = 0.0) -> bool:
        """True if a point lies in it, or nearer to it than `around`."""
        x, y = point
        return (
            self.x - around < x < self.x + self.width + around
            and self.y - around < y < self.y + self.height + around
        )


class Curve(NamedTuple):
    """A line from one point to another, bent towards a third (a quadratic Bézier curve)."""

    start: Point
    towards: Point
    end: Point

    @classmethod
    def bent(cls, start: Point, end: Point, bulge: float) -> Curve:
        """A curve whose middle lies half of `bulge` to the left of the straight way."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        far = math.hypot(dx, dy) or 1.0
        middle = (start[0] + end[0]) / 2 + bulge * dy / far, (start[1] + end[1]) / 2 - bulge * dx / far
        return cls(start, middle, end)

    def at(self, share: float) -> Point:
        """The point after that share of the way."""
        return self._blossom(share, share)

    def chord(self) -> float:
        """How far its ends are apart."""
        return math.dist(self.start, self.end)

    def part(self, first: float, last: float) -> Curve:
        """The stretch between two shares of the way."""
        return Curve(self.at(first), self._blossom(first, last), self.at(last))

    def _blossom(self, s: float, t: float) -> Point:
        a, b, c = (1 - s) * (1 - t), s * (1 - t) + t * (1 - s), s * t
        (ax, ay), (bx, by), (cx, cy) = self
        return a * ax + b * bx + c * cx, a * ay + b * by + c * cy

    def points(self) -> Iterator[tuple[float, Point]]:
        """Points along it, each with its share of the way."""
        for number in range(SAMPLES + 1):
            yield number / SAMPLES, self.at(number / SAMPLES)

    def outside(self, one: Rect, other: Rect) -> Curve:
        """What is seen of it between the rectangles it begins and ends in."""
        seen = [t for t, point in self.points() if not one.holds(point) and not other.holds(point)]
        if not seen:
            return self.part(0.5, 0.5)
        first = _edge(self, seen[0] - 1 / SAMPLES, seen[0], one)
        return self.part(first, _edge(self, seen[-1] + 1 / SAMPLES, seen[-1], other))

    def crosses(self, rects: Iterable[Rect], around: float) -> bool:
        """True if it runs through one of these, or nearer to it than `around`."""
        hull = extent((), self)
        near = [rect for rect in rects if rect.meets(hull, around)]
        return bool(near) and any(rect.holds(point, around) for _, point in self.points() for rect in near)


def _edge(curve: Curve, inside: float, outside: float, rect: Rect) -> float:
    """The share of the way at which a curve leaves a rectangle, between two shares."""
    for _ in range(12):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if rect.holds(curve.at(middle)) else (inside, middle)
    return min(1.0, max(0.0, outside))


def head(curve: Curve, length: float, breadth: float) -> tuple[Point, Point, Point]:
    """The three corners of an arrow's head at the end of a curve."""
    x, y = curve.end
    angle = math.atan2(y - curve.towards[1], x - curve.towards[0])
    back = x - length * math.cos(angle), y - length * math.sin(angle)
    aside = breadth / 2 * math.sin(angle), breadth / 2 * math.cos(angle)
    return (x, y), (back[0] - aside[0], back[1] + aside[1]), (back[0] + aside[0], back[1] - aside[1])


def extent(rects: Iterable[Rect], points: Iterable[Point] = ()) -> Rect:
    """The smallest rectangle around all of these; an empty one around nothing."""
    corners = list(points)
    for one in rects:
        corners += [(one.x, one.y), (one.x + one.width, one.y + one.height)]
    if not corners:
        return Rect(0, 0, 0, 0)
    xs, ys = zip(*corners, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
