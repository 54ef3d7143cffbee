"""Map drawn in letters: zones as boxes with people, labelled borders, and a key to the labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Final

from msgspec import Struct

from retold.projections.maps.letter_grid import (
    DOWN,
    LEFT,
    LEVEL,
    RIGHT,
    STEP,
    UP,
    UPRIGHT,
    Box,
    Field,
    LetterCell,
    cells,
)
from retold.projections.maps.picture import Line, Picture, Spot
from retold.projections.maps.text_fitting import packed
from retold.projections.texts import safe
from retold.projections.texts.wrapping import cut, width, wrap

COLUMNS: Final = 80
MOST_ZONES: Final = 12
"""Maximum number of zones drawn as boxes; more are listed."""

NARROWEST, WIDEST = 8, 24
"""Minimum and maximum width of a box's text."""

FRAME: Final = 4
"""Width of a box's frame and padding, both sides together."""

GAP, WIDEST_GAP = 5, 17
ROWS: Final = 19
MARGIN: Final = 2
LEAST_COLUMNS: Final = NARROWEST + FRAME + 2 * MARGIN


class Signs(Struct, frozen=True):
    """Characters used in a drawing, Unicode or ASCII: frames, arrow heads, direction signs, ellipsis."""

    frame: Mapping[int, str]
    """Line characters by directions, as bits."""

    heads: Mapping[int, str]
    ways: Mapping[int, str]
    fresh: str
    ellipsis: str


_UNICODE_FRAME: Final = {
    LEVEL: "─",
    UPRIGHT: "│",
    RIGHT | DOWN: "┌",
    LEFT | DOWN: "┐",
    RIGHT | UP: "└",
    LEFT | UP: "┘",
    UPRIGHT | RIGHT: "├",
    UPRIGHT | LEFT: "┤",
    LEVEL | DOWN: "┬",
    LEVEL | UP: "┴",
    LEVEL | UPRIGHT: "┼",
}
UNICODE: Final = Signs(
    _UNICODE_FRAME,
    {RIGHT: "▶", LEFT: "◀", UP: "▲", DOWN: "▼"},
    {RIGHT: "→", LEFT: "←", UP: "↑", DOWN: "↓"},
    "▸",
    "…",
)
ASCII: Final = Signs(
    {bits: {LEVEL: "-", UPRIGHT: "|"}.get(bits, "+") for bits in _UNICODE_FRAME},
    {RIGHT: ">", LEFT: "<", UP: "^", DOWN: "v"},
    {RIGHT: ">", LEFT: "<", UP: "^", DOWN: "v"},
    ">",
    "...",
)


def drawn(picture: Picture, columns: int = COLUMNS, signs: Signs = UNICODE) -> tuple[str, ...]:
    """Returns title and map as text lines shorter than `columns`; a list instead if boxes do not fit.

    Names too long for their box are cut, and written out in the key; so are labels without room.
    """
    room = columns - 1
    if 0 < len(picture.spots) <= MOST_ZONES and room >= LEAST_COLUMNS:
        lines = _Drawing(picture, room, signs).lines()
    else:
        lines = listed(picture)
    text = (picture.title, "", *lines, *_about(picture.moved()))
    return tuple(part for line in text for part in _folded(line, room))


def listed(picture: Picture) -> tuple[str, ...]:
    """Returns the map as text lines without a drawing: people by zone, then borders."""
    borders = (f"{picture.between(line)}: {picture.passing(line)}" for line in picture.lines)
    return (*picture.who_is_where(), *_about(borders))


def _about(sentences: Iterable[str]) -> tuple[str, ...]:
    paragraph = tuple(sentences)
    return ("", *paragraph) if paragraph else ()


def _folded(line: str, room: int) -> list[str]:
    return [line] if width(line) <= room else wrap(line, room, hanging="    ").split("\n")


class _Drawing:
    """Map being drawn in letters: boxes, routes and rows of letters so far."""

    def __init__(self, picture: Picture, room: int, signs: Signs) -> None:
        self.picture = picture
        self.signs = signs
        self.key: list[str] = []
        standing = cells(picture, max(1, (room - 2 * MARGIN + GAP) // (NARROWEST + FRAME + GAP)))
        widths = _widths(picture.spots, standing, room - 2 * MARGIN)
        rooms = (widths[column] for column, _ in standing)
        self.texts = [self._text(spot, wide) for spot, wide in zip(picture.spots, rooms, strict=True)]
        self.boxes = _boxes(standing, widths, [len(text) + 2 for text in self.texts], room)
        height = max(box.top + box.height for box in self.boxes) + MARGIN
        self.field = Field(room, height, self.boxes)
        self.rows = [[" "] * room for _ in range(height)]

    def lines(self) -> tuple[str, ...]:
        """Returns the finished drawing's text lines, followed by its key."""
        paths = {
            line: self.field.draw(self.boxes[line.one], self.boxes[line.other])
            for line in self._shortest_first()
        }
        for spot, box, text in zip(self.picture.spots, self.boxes, self.texts, strict=True):
            self._frame(spot, box, text)
        for cell, bits in self.field.lines.items():
            self._put(cell, self.signs.frame[bits])
        for path in paths.values():
            self._joined(path)
        heads = self._heads(paths)
        letters = iter(ascii_lowercase)
        written: set[LetterCell] = set(heads)
        for line in self.picture.lines:
            written |= self._labelled(line, paths[line], written, letters)
        rows = _trimmed("".join(row).rstrip() for row in self.rows)
        return (*rows, *_about(self.key))

    def _shortest_first(self) -> list[Line]:
        def apart(line: Line) -> tuple[int, int]:
            one, other = self.boxes[line.one], self.boxes[line.other]
            return abs(one.left - other.left) + 2 * abs(one.top - other.top), self.picture.lines.index(line)

        return sorted(dict.fromkeys(self.picture.lines), key=apart)

    # --- boxes ---

    def _text(self, spot: Spot, room: int) -> list[str]:
        """Returns people's names in text lines of at most `room` columns, names unbroken.

        The result has at least one text line, which may be empty.
        """
        people = []
        for number, figure in enumerate(spot.people, 1):
            mark, comma = self.signs.fresh if figure.fresh else "", "," if number < len(spot.people) else ""
            people.append(mark + self._cut(figure.name, room - width(mark + comma)) + comma)
        rows = packed([width(person) for person in people], room, 1)
        return [" ".join(people[number] for number in row) for row in rows] or [""]

    def _cut(self, name: str, room: int) -> str:
        shown = cut(name, room, self.signs.ellipsis)
        if shown != name:
            explained = safe.line(self.picture.phrases.say("map.key", shown=shown, name=name))
            self.key += [explained] if explained and explained not in self.key else []
        return shown

    def _frame(self, spot: Spot, box: Box, text: Sequence[str]) -> None:
        left, right = box.left, box.left + box.width - 1
        top, bottom = box.top, box.top + box.height - 1
        frame = {(x, y) for x, y in box.cells() if x in (left, right) or y in (top, bottom)}
        for x, y in frame:
            bits = sum(way for way, (across, down) in STEP.items() if (x + across, y + down) in frame)
            self._put((x, y), self.signs.frame[bits])
        self._write((left + 1, top), f" {self._cut(spot.name, box.width - FRAME)} ")
        for y, line in enumerate(text, top + 1):
            self._write((left + 2, y), line)

    # --- lines ---

    def _joined(self, path: Sequence[LetterCell]) -> None:
        """Draws joints in the boxes' frames at both ends of a route (`├`), except over a zone's name."""
        for x, y in (*path[:1], *path[-1:]):
            for way, (across, down) in STEP.items():
                beside = x + across, y + down
                if beside in self.field.walls and self.field.lines[x, y] & way:
                    self._opened(beside, way)

    def _opened(self, cell: LetterCell, way: int) -> None:
        x, y = cell
        plain = self.signs.frame[LEVEL if way in (UP, DOWN) else UPRIGHT]
        if self.rows[y][x] == plain:
            joint = {RIGHT: UPRIGHT | LEFT, LEFT: UPRIGHT | RIGHT, DOWN: LEVEL | UP, UP: LEVEL | DOWN}[way]
            self._put(cell, self.signs.frame[joint])

    def _heads(self, paths: Mapping[Line, Sequence[LetterCell]]) -> Iterable[LetterCell]:
        """Draws an arrow head on each border that people crossed; returns cells of the heads."""
        heads = set()
        for move in self.picture.moves:
            for line, path in paths.items():
                if path and {line.one, line.other} == {move.start, move.end}:
                    end, box = (path[-1], line.other) if move.end == line.other else (path[0], line.one)
                    self._put(end, self.signs.heads[_into(end, self.boxes[box])])
                    heads.add(end)
        return heads

    def _labelled(
        self, line: Line, path: Sequence[LetterCell], written: set[LetterCell], letters: Iterator[str]
    ) -> set[LetterCell]:
        """Writes a border's label on its route, or a letter explained in the key; returns cells it takes."""
        label = ", ".join(line.signed(*self._ways(line), self.picture.phrases))
        place = self._place(label, path, written)
        if place is None:
            letter = next(letters, "")
            place = self._place(letter, path, written) if letter else None
            label = letter if place else ""
            explained = f"{self.picture.between(line)}: {self.picture.passing(line)}"
            self.key.append(f"{label}) {explained}" if label else explained)
        if place is None:
            return set()
        self._write(place, label)
        return {(place[0] + x, place[1]) for x in range(-1, width(label) + 1)}

    def _ways(self, line: Line) -> tuple[str, str]:
        """Returns direction signs for the ways there and back (`→`, `←`), by the positions of both boxes."""
        one, other = self.boxes[line.one], self.boxes[line.other]
        if abs(other.left - one.left) >= 2 * abs(other.top - one.top):
            ways = (RIGHT, LEFT) if other.left > one.left else (LEFT, RIGHT)
        else:
            ways = (DOWN, UP) if other.top > one.top else (UP, DOWN)
        return self.signs.ways[ways[0]], self.signs.ways[ways[1]]

    def _place(self, label: str, path: Sequence[LetterCell], written: set[LetterCell]) -> LetterCell | None:
        """Returns the first cell of a label, as near the middle of its route as possible.

        None without room.
        """
        middle = len(path) // 2
        for number in sorted(range(len(path)), key=lambda step: (abs(step - middle), step)):
            x, y = path[number]
            start = x - width(label) // 2
            if all(self._has_room((start + i, y), path, written) for i in range(width(label))) and all(
                (beside, y) not in written and self._is_blank_or_mine((beside, y), path)
                for beside in (start - 1, start + width(label))
            ):
                return start, y
        return None

    def _has_room(self, cell: LetterCell, path: Sequence[LetterCell], written: set[LetterCell]) -> bool:
        """True if a label may cover `cell`: it is blank, or a straight part of the label's own route."""
        if cell in written or not self._is_blank_or_mine(cell, path):
            return False
        return self.field.lines.get(cell, LEVEL) in (LEVEL, UPRIGHT)

    def _is_blank_or_mine(self, cell: LetterCell, path: Sequence[LetterCell]) -> bool:
        x, y = cell
        if not (0 <= x < self.field.width and 0 <= y < self.field.height):
            return False
        return cell in path or (cell not in self.field.lines and cell not in self.field.walls)

    # --- letters ---

    def _put(self, cell: LetterCell, letter: str) -> None:
        self.rows[cell[1]][cell[0]] = letter

    def _write(self, start: LetterCell, text: str) -> None:
        """Writes text to the right of `start`; wide letters take two cells, zero-width ones none."""
        x, y = start
        for letter in text:
            if not (wide := width(letter)):
                self.rows[y][x - 1] += letter
                continue
            self.rows[y][x : x + wide] = [letter, *[""] * (wide - 1)]
            x += wide


def _into(cell: LetterCell, box: Box) -> int:
    """Returns the direction from a cell into the box next to it."""
    if cell[0] < box.left:
        return RIGHT
    if cell[0] >= box.left + box.width:
        return LEFT
    return DOWN if cell[1] < box.top else UP


def _widths(spots: Sequence[Spot], standing: Sequence[LetterCell], room: int) -> list[int]:
    """Returns each column's width in letters: as its zones need, the widest reduced until they fit `room`."""
    columns = max(column for column, _ in standing) + 1
    wanted = [NARROWEST] * columns
    for spot, (column, _) in zip(spots, standing, strict=True):
        names = [width(figure.name) + 2 for figure in spot.people]
        wanted[column] = max(wanted[column], min(WIDEST, max(width(spot.name), min(sum(names), WIDEST))))
    left = room - columns * FRAME - (columns - 1) * GAP
    while sum(wanted) > left:
        wanted[wanted.index(max(wanted))] -= 1
    return wanted


def _boxes(
    standing: Sequence[LetterCell], widths: Sequence[int], heights: Sequence[int], room: int
) -> list[Box]:
    """Returns a box for each zone; space to spare goes between columns."""
    gaps = max(1, len(widths) - 1)
    spare = room - 2 * MARGIN - sum(widths) - FRAME * len(widths)
    gap = min(WIDEST_GAP, max(GAP, spare // gaps))
    tall = [0] * (max(row for _, row in standing) + 1)
    for (_, row), height in zip(standing, heights, strict=True):
        tall[row] = max(tall[row], height)
    between = 3 if sum(tall) + 3 * (len(tall) - 1) <= ROWS else 2
    boxes = []
    for (column, row), height in zip(standing, heights, strict=True):
        left = MARGIN + sum(widths[:column]) + column * (FRAME + gap)
        top = MARGIN + sum(tall[:row]) + row * between + (tall[row] - height) // 2
        boxes.append(Box(left, top, widths[column] + FRAME, height))
    return boxes


def _trimmed(rows: Iterable[str]) -> list[str]:
    """Returns text rows without empty ones at top and bottom, and without common indentation."""
    kept = list(rows)
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    aside = min((len(row) - len(row.lstrip()) for row in kept if row), default=0)
    return [row[aside:] for row in kept]
