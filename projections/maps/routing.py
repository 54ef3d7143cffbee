"""Where the lines of a map run in a field of letters: around boxes, seldom turning or crossing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, NamedTuple

Cell = tuple[int, int]
"""Column and row."""

RIGHT, DOWN, LEFT, UP = 1, 2, 4, 8
STEP: Final = {RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0), UP: (0, -1)}
BACK: Final = {RIGHT: LEFT, LEFT: RIGHT, UP: DOWN, DOWN: UP}
LEVEL: Final = RIGHT | LEFT
UPRIGHT: Final = UP | DOWN

# What a line pays: a letter is about twice as high as it is wide.
A_COLUMN: Final = 1.0
A_ROW: Final = 2.0
A_TURN: Final = 3.0
A_CROSSING: Final = 8.0
CLOSE_BY: Final = 1.0
"""Beside a box or another line."""
OFF_CENTRE: Final = 0.4
"""For each cell between where it leaves a box and the middle of that side."""


class Box(NamedTuple):
    """A frame of letters."""

    left: int
    top: int
    width: int
    height: int

    def cells(self) -> Iterator[Cell]:
        """Every cell of it."""
        for y in range(self.top, self.top + self.height):
            for x in range(self.left, self.left + self.width):
                yield x, y

    def doors(self) -> Iterator[tuple[Cell, int, float]]:
        """The cells just outside it, the direction that leads out to each, and what leaving there costs."""
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
    """Boxes, and the lines between them so far: by cell, the directions in which lines go on from it."""

    width: int
    height: int
    boxes: Sequence[Box]
    lines: dict[Cell, int] = field(default_factory=dict)
    walls: frozenset[Cell] = field(init=False)
    close: set[Cell] = field(init=False)

    def __post_init__(self) -> None:
        self.walls = frozenset(cell for box in self.boxes for cell in box.cells())
        self.close = {beside for cell in self.walls for beside in _beside(cell)}

    def draw(self, one: Box, other: Box) -> tuple[Cell, ...]:
        """The cells of a new line from one box to another; none where there is no room for one."""
        found = self._cheapest(one, other)
        for cell, way_in, way_out in found:
            self.lines[cell] = self.lines.get(cell, 0) | BACK[way_in] | way_out
            self.close.update(_beside(cell))
        return tuple(cell for cell, _, _ in found)

    def _cheapest(self, one: Box, other: Box) -> list[tuple[Cell, int, int]]:
        """Each cell of the cheapest line, the direction it is entered in, and that in which it is left."""
        goals = {(cell, BACK[way]): aside for cell, way, aside in other.doors() if self._is_free(cell)}
        waiting: list[tuple[float, float, Cell, int]] = []
        came: dict[tuple[Cell, int], tuple[Cell, int] | None] = {}
        paid: dict[tuple[Cell, int], float] = {}
        for cell, way, aside in one.doors():
            if self._is_free(cell):
                paid[cell, way], came[cell, way] = aside, None
                heappush(waiting, (aside + _at_least(cell, other), aside, cell, way))
        best: tuple[float, Cell, int, int] | None = None
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

    def _is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def _is_free(self, cell: Cell) -> bool:
        return self._is_inside(cell) and cell not in self.walls and cell not in self.lines

    def _may_enter(self, cell: Cell, way: int) -> bool:
        """True for a free cell, and for one where a line can be crossed."""
        if not self._is_inside(cell) or cell in self.walls:
            return False
        return self.lines.get(cell, 0) in (0, UPRIGHT if way & LEVEL else LEVEL)

    def _ways_on(self, cell: Cell, way: int) -> Iterator[int]:
        for out in STEP:
            if out == way or (out != BACK[way] and cell not in self.lines):
                yield out

    def _toll(self, cell: Cell, way: int) -> float:
        crossing = A_CROSSING if cell in self.lines else 0.0
        return (A_COLUMN if way & LEVEL else A_ROW) + crossing + (CLOSE_BY if cell in self.close else 0.0)


def _beside(cell: Cell) -> Iterator[Cell]:
    for across, down in STEP.values():
        yield cell[0] + across, cell[1] + down


def _at_least(cell: Cell, box: Box) -> float:
    """What the rest of the way costs at the very least."""
    across = max(box.left - 1 - cell[0], cell[0] - box.left - box.width, 0)
    down = max(box.top - 1 - cell[1], cell[1] - box.top - box.height, 0)
    return A_COLUMN * across + A_ROW * down


def _traced(
    came: dict[tuple[Cell, int], tuple[Cell, int] | None], end: tuple[Cell, int, int]
) -> list[tuple[Cell, int, int]]:
    cell, way, out = end
    steps = [(cell, way, out)]
    while (before := came[cell, way]) is not None:
        cell, way = before
        steps.append((cell, way, steps[-1][1]))
    return steps[::-1]
