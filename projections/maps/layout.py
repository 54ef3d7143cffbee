"""Where zones lie on a picture: stress majorisation from a circle in the order they were named in."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from journal.capabilities import Plan, Zone
from projections.maps.ways import Ranges, ranges

Point = tuple[float, float]
"""x to the right and y down; zones that share a border lie about 1 apart."""

STEPS: Final = 1000
"""Rounds of majorisation at most; thirty zones come to rest in fewer."""

AT_REST: Final = 1e-5
"""Nothing moved farther than this: the picture will not change."""

NEAREST: Final = 0.5
"""No two zones lie nearer to each other, where no hand has put them there."""

BETWEEN_PARTS: Final = 1.0
LANDSCAPE: Final = 1.8
"""Parts stand in a row until the row is about so much wider than all of them are high."""


def positions(plan: Plan) -> dict[str, Point]:
    """Where each zone lies, in the order of the plan; the same plan gives the same places.

    A pinned zone lies exactly on its pin (of two on one spot the first keeps it), and pins that are farther
    apart than the borders between them stretch everything else. Parts that share no border stand side by
    side; what has no pin is turned so that most borders lie level or upright.
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
    """The zones that hang together, in the order of their first."""
    seen: set[str] = set()
    for zone, reached in apart.items():
        if zone not in seen:
            seen |= reached.keys()
            yield [one for one in apart if one in reached]


# --- one part ---------------------------------------------------------------------------------------------


def _in_a_line(part: Sequence[str], apart: Ranges) -> dict[str, Point]:
    """A part that is one way from end to end, straight; empty for any other.

    Majorisation would get there too, but ever more slowly the less it is bent.
    """
    for end in part:
        if max(apart[end].values()) == len(part) - 1:
            return {zone: (float(apart[end][zone]), 0.0) for zone in part}
    return {}


def _at_rest(part: Sequence[str], apart: Ranges, pins: Mapping[str, Point]) -> dict[str, Point]:
    """The zones of a part where the distances between them fit the number of borders best."""
    unit = _unit(pins, apart)
    far = 1 + max(max(apart[zone].values()) for zone in part)
    ideal = [[unit * apart[one].get(other, far) for other in part] for one in part]
    spots = [pins.get(zone, start) for zone, start in zip(part, _circle(len(part), unit, pins), strict=True)]
    free = [number for number, zone in enumerate(part) if zone not in pins]
    for _ in range(STEPS):
        if _majorised(spots, ideal, free) < AT_REST * unit:
            break
    _kept_apart(spots, free, NEAREST * unit)
    return dict(zip(part, spots, strict=True))


def _unit(pins: Mapping[str, Point], apart: Ranges) -> float:
    """How long one border is: 1, unless pins say otherwise."""
    held = list(pins)
    lengths = [
        math.dist(pins[one], pins[other]) / apart[one][other]
        for number, one in enumerate(held)
        for other in held[number + 1 :]
        if other in apart[one]
    ]
    return sum(lengths) / len(lengths) if lengths else 1.0


def _circle(count: int, unit: float, pins: Mapping[str, Point]) -> Iterator[Point]:
    """Where everything starts: on a circle around the pins, a border apart, the first at the left."""
    x, y = (sum(axis) / len(axis) for axis in zip(*pins.values(), strict=True)) if pins else (0.0, 0.0)
    radius = unit * count / math.tau
    for number in range(count):
        angle = math.pi + math.tau * number / count
        yield x + radius * math.cos(angle), y + radius * math.sin(angle)


def _majorised(spots: list[Point], ideal: Sequence[Sequence[float]], free: Iterable[int]) -> float:
    """Moves each free spot to where the others would have it; returns how far the farthest went.

    SMACOF, one point at a time, each pair weighted by the inverse square of its ideal distance.
    """
    farthest = 0.0
    for one in free:
        x, y = spots[one]
        weights = right = down = 0.0
        for other, (ox, oy) in enumerate(spots):
            if other == one:
                continue
            wanted = ideal[one][other]
            weight = 1 / (wanted * wanted)
            dx, dy = x - ox, y - oy
            pull = wanted / (math.hypot(dx, dy) or 1.0)
            weights += weight
            right += weight * (ox + dx * pull)
            down += weight * (oy + dy * pull)
        if weights:
            spots[one] = right / weights, down / weights
            farthest = max(farthest, math.dist((x, y), spots[one]))
    return farthest


def _kept_apart(spots: list[Point], free: Iterable[int], nearest: float) -> None:
    """Moves free spots away from those they lie on, to the first place around that has room."""
    settled = set(range(len(spots))) - set(free)
    for one in free:
        held = [spots[other] for other in settled]
        spots[one] = next(
            spot for spot in _around(spots[one], nearest) if all(math.dist(spot, o) >= nearest for o in held)
        )
        settled.add(one)


def _around(spot: Point, step: float) -> Iterator[Point]:
    """The spot, then places on ever wider rings around it."""
    yield spot
    ring = 1
    while True:
        for number in range(6 * ring):
            angle = math.tau * number / (6 * ring)
            yield spot[0] + ring * step * math.cos(angle), spot[1] + ring * step * math.sin(angle)
        ring += 1


# --- parts beside each other ------------------------------------------------------------------------------


def _levelled(part: Mapping[str, Point], borders: Sequence[tuple[str, str]]) -> dict[str, Point]:
    """A part turned so that its borders lie level or upright, wider than high, its first zone at top left."""
    if not borders:
        return dict(part)
    turns = (math.atan2(part[b][1] - part[a][1], part[b][0] - part[a][0]) for a, b in borders)
    turned = [_turned(part, -turn - extra) for turn in turns for extra in (0, math.pi / 2)]
    best = min(turned, key=lambda one: round(_skew(one, borders), 6))
    left, top, right, bottom = _extent(best.values())
    x, y = next(iter(best.values()))
    across = -1 if x - left > right - x + AT_REST else 1
    upside = -1 if y - top > bottom - y + AT_REST else 1
    return {zone: (across * x, upside * y) for zone, (x, y) in best.items()}


def _turned(part: Mapping[str, Point], angle: float) -> dict[str, Point]:
    cos, sin = math.cos(angle), math.sin(angle)
    return {zone: (x * cos - y * sin, x * sin + y * cos) for zone, (x, y) in part.items()}


def _skew(part: Mapping[str, Point], borders: Sequence[tuple[str, str]]) -> float:
    """How far a part is from lying well: 0 for level and upright borders on a wide picture."""
    slants = []
    for one, other in borders:
        dx, dy = part[other][0] - part[one][0], part[other][1] - part[one][1]
        slants.append((2 * dx * dy / (dx * dx + dy * dy or 1.0)) ** 2)
    left, top, right, bottom = _extent(part.values())
    return sum(slants) / len(slants) + max(0.0, (bottom - top) - (right - left)) / (bottom - top + 1)


def _side_by_side(held: Mapping[str, Point], parts: Iterable[Mapping[str, Point]]) -> dict[str, Point]:
    """Loose parts from left to right and in rows, to the right of what pins hold."""
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
    """Left, top, right and bottom."""
    xs, ys = zip(*spots, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
