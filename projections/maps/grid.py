"""Where zones stand in the columns and rows of a picture made of letters, neighbours beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from projections.maps.picture import Picture, Spot

Cell = tuple[int, int]
"""Column and row, from 0."""

SLANT: Final = 0.6
"""What a border costs more for not being level or upright."""

DETOUR: Final = 2.0
"""What it costs for each zone that stands in its way."""

STRAY: Final = 0.1
"""What it costs to stand a cell away from where the layout would have it, squared."""

STRAY_FROM_PIN: Final = 2.0
ROUNDS: Final = 12


def cells(picture: Picture, columns: int) -> list[Cell]:
    """A cell for each spot, no two in one, in at most `columns` columns; no column or row is empty."""
    if not picture.spots:
        return []
    rows = max(4, -(-len(picture.spots) // columns))
    wanted = _wanted(picture.spots, columns, rows)
    starts = (_nearest_free(wanted, columns, rows), _to_and_fro(len(picture.spots), columns))
    board = _Board(picture, wanted, columns, rows)
    return _closed_up(min(map(board.improved, starts), key=board.cost))


def _wanted(spots: Sequence[Spot], columns: int, rows: int) -> list[tuple[float, float]]:
    """Where the layout would have each spot, in cells: as it is where it fits, else pressed together."""
    across, down = max(spot.x for spot in spots), max(spot.y for spot in spots)
    x, y = min(1.0, (columns - 1) / (across or 1.0)), min(1.0, (rows - 1) / (down or 1.0))
    return [(spot.x * x, spot.y * y) for spot in spots]


def _nearest_free(wanted: Sequence[tuple[float, float]], columns: int, rows: int) -> list[Cell]:
    free = [(column, row) for row in range(rows) for column in range(columns)]
    taken = []
    for x, y in wanted:
        cell = min(free, key=lambda one: ((one[0] - x) ** 2 + (one[1] - y) ** 2, one))
        free.remove(cell)
        taken.append(cell)
    return taken


def _to_and_fro(count: int, columns: int) -> list[Cell]:
    """In the order they were named in, one row to the right and the next back to the left."""
    cells_ = []
    for number in range(count):
        row, column = divmod(number, columns)
        cells_.append((columns - 1 - column if row % 2 else column, row))
    return cells_


def _closed_up(found: Sequence[Cell]) -> list[Cell]:
    columns, rows = (sorted({cell[axis] for cell in found}) for axis in (0, 1))
    return [(columns.index(column), rows.index(row)) for column, row in found]


class _Board:
    """A picture on a grid, and what each way of standing on it costs."""

    def __init__(
        self, picture: Picture, wanted: Sequence[tuple[float, float]], columns: int, rows: int
    ) -> None:
        self.picture = picture
        self.wanted = wanted
        self.every = [(column, row) for row in range(rows) for column in range(columns)]

    def cost(self, standing: Sequence[Cell]) -> float:
        """What it costs to stand like this: long, slanting and barred borders, and straying."""
        taken = set(standing)
        total = 0.0
        for line in self.picture.lines:
            total += _length(standing[line.one], standing[line.other], taken)
        for spot, (x, y), (column, row) in zip(self.picture.spots, self.wanted, standing, strict=True):
            stray = STRAY_FROM_PIN if spot.pinned else STRAY
            total += stray * ((column - x) ** 2 + (row - y) ** 2)
        return round(total, 6)

    def improved(self, start: Sequence[Cell]) -> list[Cell]:
        """The same after every single step, or change of places, that makes it cheaper."""
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


def _exchanged(standing: Sequence[Cell], spot: int, cell: Cell) -> list[Cell]:
    """The same with one spot in another cell; whoever stood there takes its place."""
    changed = [standing[spot] if one == cell else one for one in standing]
    changed[spot] = cell
    return changed


def _length(one: Cell, other: Cell, taken: set[Cell]) -> float:
    across, down = abs(other[0] - one[0]), abs(other[1] - one[1])
    if across and down:
        return across + down + SLANT
    barred = sum(cell in taken for cell in _between(one, other))
    return across + down + DETOUR * barred


def _between(one: Cell, other: Cell) -> Iterator[Cell]:
    """The cells between two in one row or column."""
    if one[1] == other[1]:
        for column in range(min(one[0], other[0]) + 1, max(one[0], other[0])):
            yield column, one[1]
    else:
        for row in range(min(one[1], other[1]) + 1, max(one[1], other[1])):
            yield one[0], row
