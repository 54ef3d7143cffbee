"""Grid layout and routing for maps drawn in letters; routes avoid boxes, turns and crossings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import product
from typing import Final, NamedTuple

from retold.projections.maps.picture import Picture, Spot

LetterCell = tuple[int, int]
"""Column and row of a letter."""

RIGHT, DOWN, LEFT, UP = 1, 2, 4, 8
STEP: Final = {RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0), UP: (0, -1)}
BACK: Final = {RIGHT: LEFT, LEFT: RIGHT, UP: DOWN, DOWN: UP}
LEVEL: Final = RIGHT | LEFT
UPRIGHT: Final = UP | DOWN

# Costs of a line's cells; a letter is about twice as high as it is wide.
A_COLUMN: Final = 1.0
A_ROW: Final = 2.0
A_TURN: Final = 3.0
A_CROSSING: Final = 8.0
CLOSE_BY: Final = 1.0
"""Cost of a cell beside a box or another line."""
OFF_CENTRE: Final = 0.4
"""Cost for each cell between the exit and the middle of its side."""


class Box(NamedTuple):
    """Box on the letter grid: left column, top row, width and height in letters."""

    left: int
    top: int
    width: int
    height: int

    def cells(self) -> Iterator[LetterCell]:
        """Yields column and row of every letter inside the box."""
        for y in range(self.top, self.top + self.height):
            for x in range(self.left, self.left + self.width):
                yield x, y

    def doors(self) -> Iterator[tuple[LetterCell, int, float]]:
        """Yields exits from the box: cell next to it, direction outwards, cost of leaving there."""
        for x in range(self.left + 1, self.left + self.width - 1):
            aside = OFF_CENTRE * abs(x - (self.left + (self.width - 1) / 2))
            yield (x, self.top - 1), UP, aside
            yield (x, self.top + self.height), DOWN, aside
        for y in range(self.top + 1, self.top + self.height - 1):
            aside = A_ROW * OFF_CENTRE * abs(y - (self.top + (self.height - 1) / 2))
            yield (self.left - 1, y), LEFT, aside
            yield (self.left + self.width, y), RIGHT, aside


@dataclass(slots=True)
class Field:
    """Letter grid with boxes, and lines routed from box to box without entering others.

    `lines` holds the directions of lines by cell, as bits. `walls` are the cells of boxes; `close` are the
    cells beside boxes and lines, which a new line avoids if it can.
    """

    width: int
    height: int
    boxes: Sequence[Box]
    lines: dict[LetterCell, int] = field(default_factory=dict)
    walls: frozenset[LetterCell] = field(init=False)
    close: set[LetterCell] = field(init=False)

    def __post_init__(self) -> None:
        self.walls = frozenset(cell for box in self.boxes for cell in box.cells())
        self.close = {beside for cell in self.walls for beside in _beside(cell)}

    def draw(self, one: Box, other: Box) -> tuple[LetterCell, ...]:
        """Routes a line between two boxes and adds it to `lines`; returns its cells, none if blocked."""
        found = self._cheapest(one, other)
        for cell, way_in, way_out in found:
            self.lines[cell] = self.lines.get(cell, 0) | BACK[way_in] | way_out
            self.close.update(_beside(cell))
        return tuple(cell for cell, _, _ in found)

    def _cheapest(self, one: Box, other: Box) -> list[tuple[LetterCell, int, int]]:
        """Returns cells of the cheapest route with directions of entry and exit (A* search).

        Empty if blocked.
        """
        goals = {(cell, BACK[way]): aside for cell, way, aside in other.doors() if self._is_free(cell)}
        waiting: list[tuple[float, float, LetterCell, int]] = []
        came: dict[tuple[LetterCell, int], tuple[LetterCell, int] | None] = {}
        paid: dict[tuple[LetterCell, int], float] = {}
        for cell, way, aside in one.doors():
            if self._is_free(cell):
                paid[cell, way], came[cell, way] = aside, None
                heappush(waiting, (aside + _at_least(cell, other), aside, cell, way))
        best: tuple[float, LetterCell, int, int] | None = None
        while waiting and (best is None or waiting[0][0] < best[0]):
            _, cost, cell, way = heappop(waiting)
            if cost > paid[cell, way]:
                continue
            for out in self._ways_on(cell, way):
                turned = cost + (A_TURN if out != way else 0.0)
                if (cell, out) in goals and (best is None or turned + goals[cell, out] < best[0]):
                    best = (turned + goals[cell, out], cell, way, out)
                there = cell[0] + STEP[out][0], cell[1] + STEP[out][1]
                if not self._may_enter(there, out):
                    continue
                total = turned + self._toll(there, out)
                if total < paid.get((there, out), float("inf")):
                    paid[there, out], came[there, out] = total, (cell, way)
                    heappush(waiting, (total + _at_least(there, other), total, there, out))
        return [] if best is None else _traced(came, best[1:])

    def _is_inside(self, cell: LetterCell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def _is_free(self, cell: LetterCell) -> bool:
        return self._is_inside(cell) and cell not in self.walls and cell not in self.lines

    def _may_enter(self, cell: LetterCell, way: int) -> bool:
        """True for a free cell, or for a cell whose line may be crossed at a right angle."""
        if not self._is_inside(cell) or cell in self.walls:
            return False
        return self.lines.get(cell, 0) in (0, UPRIGHT if way & LEVEL else LEVEL)

    def _ways_on(self, cell: LetterCell, way: int) -> Iterator[int]:
        for out in STEP:
            if out == way or (out != BACK[way] and cell not in self.lines):
                yield out

    def _toll(self, cell: LetterCell, way: int) -> float:
        crossing = A_CROSSING if cell in self.lines else 0.0
        return (A_COLUMN if way & LEVEL else A_ROW) + crossing + (CLOSE_BY if cell in self.close else 0.0)


def _beside(cell: LetterCell) -> Iterator[LetterCell]:
    for across, down in STEP.values():
        yield cell[0] + across, cell[1] + down


def _at_least(cell: LetterCell, box: Box) -> float:
    """Returns a lower bound of the route's cost from `cell` to `box`, needed by A*."""
    across = max(box.left - 1 - cell[0], cell[0] - box.left - box.width, 0)
    down = max(box.top - 1 - cell[1], cell[1] - box.top - box.height, 0)
    return A_COLUMN * across + A_ROW * down


def _traced(
    came: dict[tuple[LetterCell, int], tuple[LetterCell, int] | None], end: tuple[LetterCell, int, int]
) -> list[tuple[LetterCell, int, int]]:
    cell, way, out = end
    steps = [(cell, way, out)]
    while (before := came[cell, way]) is not None:
        cell, way = before
        steps.append((cell, way, steps[-1][1]))
    return steps[::-1]


GridCell = tuple[int, int]
"""Column and row of a zone, from 0."""

SLANT: Final = 0.6
"""Extra cost of a border that is neither horizontal nor vertical."""

DETOUR: Final = 2.0
"""Extra cost for each zone in the way of a border."""

STRAY: Final = 0.1
"""Cost of a squared distance of 1 from the layout's position."""

STRAY_FROM_PIN: Final = 2.0
ROUNDS: Final = 12


def cells(picture: Picture, columns: int) -> list[GridCell]:
    """Returns a grid cell for each zone, in at most `columns` columns, with no empty column or row."""
    if not picture.spots:
        return []
    rows = max(4, -(-len(picture.spots) // columns))
    wanted = _wanted(picture.spots, columns, rows)
    starts = (_nearest_free(wanted, columns, rows), _to_and_fro(len(picture.spots), columns))
    board = _Board(picture, wanted, columns, rows)
    return _closed_up(min(map(board.improved, starts), key=board.cost))


def _wanted(spots: Sequence[Spot], columns: int, rows: int) -> list[tuple[float, float]]:
    """Returns each zone's wanted position in cells, compressed if the layout is too large for the grid."""
    across, down = max(spot.x for spot in spots), max(spot.y for spot in spots)
    x, y = min(1.0, (columns - 1) / (across or 1.0)), min(1.0, (rows - 1) / (down or 1.0))
    return [(spot.x * x, spot.y * y) for spot in spots]


def _nearest_free(wanted: Sequence[tuple[float, float]], columns: int, rows: int) -> list[GridCell]:
    free = [(column, row) for row in range(rows) for column in range(columns)]
    taken = []
    for x, y in wanted:
        cell = min(free, key=lambda cell: ((cell[0] - x) ** 2 + (cell[1] - y) ** 2, cell))
        free.remove(cell)
        taken.append(cell)
    return taken


def _to_and_fro(count: int, columns: int) -> list[GridCell]:
    """Returns the first `count` grid cells row by row, alternately left to right and right to left."""
    cells_ = []
    for number in range(count):
        row, column = divmod(number, columns)
        cells_.append((columns - 1 - column if row % 2 else column, row))
    return cells_


def _closed_up(found: Sequence[GridCell]) -> list[GridCell]:
    columns, rows = (sorted({cell[axis] for cell in found}) for axis in (0, 1))
    return [(columns.index(column), rows.index(row)) for column, row in found]


class _Board:
    """Grid for placing zones, with a cost function for placements."""

    def __init__(
        self, picture: Picture, wanted: Sequence[tuple[float, float]], columns: int, rows: int
    ) -> None:
        self.picture = picture
        self.wanted = wanted
        self.every = [(column, row) for row in range(rows) for column in range(columns)]

    def cost(self, standing: Sequence[GridCell]) -> float:
        """Returns a placement's cost: long, slanted and blocked borders, and distances from the layout."""
        taken = set(standing)
        total = 0.0
        for line in self.picture.lines:
            total += _length(standing[line.one], standing[line.other], taken)
        for spot, (x, y), (column, row) in zip(self.picture.spots, self.wanted, standing, strict=True):
            stray = STRAY_FROM_PIN if spot.pinned else STRAY
            total += stray * ((column - x) ** 2 + (row - y) ** 2)
        return round(total, 6)

    def improved(self, start: Sequence[GridCell]) -> list[GridCell]:
        """Returns a placement better than `start`: zones are moved or swapped until no single step helps.

        Ends after at most `ROUNDS` rounds.
        """
        standing, cost = list(start), self.cost(start)
        for _ in range(ROUNDS):
            before = cost
            for spot, cell in product(range(len(standing)), self.every):
                tried = _exchanged(standing, spot, cell)
                now = self.cost(tried)
                if now < cost:
                    standing, cost = tried, now
            if cost == before:
                break
        return standing


def _exchanged(standing: Sequence[GridCell], spot: int, cell: GridCell) -> list[GridCell]:
    """Returns a copy with zone `spot` moved to `cell`; a zone already there takes its place."""
    changed = [standing[spot] if place == cell else place for place in standing]
    changed[spot] = cell
    return changed


def _length(one: GridCell, other: GridCell, taken: set[GridCell]) -> float:
    across, down = abs(other[0] - one[0]), abs(other[1] - one[1])
    if across and down:
        return across + down + SLANT
    barred = sum(cell in taken for cell in _between(one, other))
    return across + down + DETOUR * barred


def _between(one: GridCell, other: GridCell) -> Iterator[GridCell]:
    """Yields grid cells between two cells of one row or column, both ends excluded."""
    if one[1] == other[1]:
        for column in range(min(one[0], other[0]) + 1, max(one[0], other[0])):
            yield column, one[1]
    else:
        for row in range(min(one[1], other[1]) + 1, max(one[1], other[1])):
            yield one[0], row
