"""Layout of a postcard in pixels; its words get a smaller font, then are shortened, until they fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import Final, NamedTuple

from msgspec import Struct

from retold.journal.capabilities import Picture, Row
from retold.journal.decks.french import JOKER, UNSEEN
from retold.projections.maps.text_fitting import ELLIPSIS, on_two_lines, shortened, text_length, wrapped
from retold.projections.plain.ink import card
from retold.projections.postcards.value import Die, Fallen, PersonState, Postcard
from retold.projections.views.rows import out_of

WIDTH, HEIGHT = 1200, 630
"""Size in pixels that link previews show uncropped."""

MARGIN: Final = 64
ROOM: Final = WIDTH - 2 * MARGIN
MIDDLE: Final = WIDTH / 2

HEADER: Final = 128
"""Y coordinate of the line under the title."""
SIZES: Final = (72, 62, 53, 46, 42, 38, 34, 31, 28, 25, 22, 20)
LARGE_LINES: Final = 2
"""Maximum number of text lines in a font larger than that of a text."""
TEXT_SIZE: Final = 46
MOST: Final = 2000
"""Maximum number of characters; more than fit in the smallest size."""

LEADING: Final = 1.32
CARD, DIE, GAP = (50, 70), 46, 8
NAME: Final = 16
"""Font size of the names under cards and dice."""
LARGE: Final = 3
"""Maximum length of an unsuited card's name (T17) in the font size of suited ones."""

SUITED: Final = frozenset("SHDC")


class Text(NamedTuple):
    """Text line on a postcard: position, font size, available width (`room`), style (`sort`) and anchor."""

    text: str
    x: float
    y: float
    size: float
    room: float
    sort: str
    anchor: str = "start"

    @property
    def from_the_right(self) -> bool:
        """True if the text is written right to left, by its first letter with a direction."""
        ways = (unicodedata.bidirectional(letter) for letter in self.text)
        return next((way != "L" for way in ways if way in ("L", "R", "AL")), False)

    def fitted(self) -> Text:
        """Returns a copy whose text is shortened to its `room`."""
        bold = self.sort.split()[0] in ("title", "name")
        return self._replace(text=shortened(self.text, self.room, self.size, bold=bold))


class Shape(NamedTuple):
    """Shape on a postcard: type (`sort`), position (centre or corner), size and points."""

    sort: str
    x: float
    y: float
    width: float = 0
    height: float = 0
    points: tuple[tuple[float, float], ...] = ()


class Laid(Struct, frozen=True):
    """Finished layout of a postcard: shapes, and texts drawn over them."""

    shapes: tuple[Shape, ...]
    texts: tuple[Text, ...]


def laid_out(postcard: Postcard) -> Laid:
    """Returns the layout of a postcard: positions of its shapes and texts in pixels."""
    foot = list(_foot(postcard.stands))
    below = HEIGHT - MARGIN / 2 - (112 if foot else 12)
    fallen = list(_fallen(postcard.fell, postcard.came, below))
    if fallen:
        below -= _fallen_height(postcard) + 10
    everything = [*_head(postcard), *_words(postcard, HEADER, below), *fallen, *foot]
    return Laid(
        tuple(piece for piece in everything if isinstance(piece, Shape)),
        tuple(piece for piece in everything if isinstance(piece, Text)),
    )


Piece = Text | Shape


# --- the head and the words -------------------------------------------------------------------------------


def _head(postcard: Postcard) -> Iterator[Piece]:
    if postcard.campaign:
        yield Text(postcard.campaign, MARGIN, 66, 30, ROOM, "title").fitted()
    if postcard.where:
        yield Text(postcard.where, MARGIN, 102, 22, ROOM, "soft").fitted()
    if postcard.campaign or postcard.where:
        yield Shape("rule", MARGIN, HEADER, ROOM)


def _words(postcard: Postcard, top: float, below: float) -> Iterator[Piece]:
    labelled = 44 if postcard.label else 0
    size, lines = _set(postcard.words, below - top - 36 - labelled)
    height = len(lines) * size * LEADING + labelled
    y = (top + below - height) / 2
    if postcard.label:
        yield Text(postcard.label, MIDDLE, y + 26, 24, ROOM, "label", "middle").fitted()
    sort = "heading" if postcard.heading else "slanted" if postcard.slanted else "words"
    for number, line in enumerate(lines):
        yield Text(line, MIDDLE, y + labelled + size * (number * LEADING + 1), size, ROOM, sort, "middle")


def _set(words: str, height: float) -> tuple[float, tuple[str, ...]]:
    """Returns the largest font size in which the words fit, with their text lines.

    At the smallest size, words that still do not fit are shortened.
    """
    if len(words) <= MOST:
        for size in SIZES:
            lines = len(wrapped(words, ROOM, size))
            if lines * size * LEADING <= height and (lines <= LARGE_LINES or size <= TEXT_SIZE):
                return size, _even(words, size, lines)
    *kept, last = wrapped(words[:MOST], ROOM, SIZES[-1])[: max(int(height / (SIZES[-1] * LEADING)), 1)]
    return SIZES[-1], (*kept, _ended(last))


def _even(words: str, size: float, lines: int) -> tuple[str, ...]:
    """Returns words wrapped to `lines` text lines of similar length."""
    narrow, wide = ROOM / 3, float(ROOM)
    while wide - narrow > 1:
        middle = (narrow + wide) / 2
        if len(wrapped(words, middle, size)) > lines:
            narrow = middle
        else:
            wide = middle
    return wrapped(words, wide, size)


def _ended(line: str) -> str:
    """Returns the last text line of a shortened text, with an ellipsis, cut between words if possible."""
    words = line.split(" ")
    while len(words) > 1 and text_length(" ".join(words) + ELLIPSIS, SIZES[-1]) > ROOM:
        words.pop()
    return shortened(" ".join(words).rstrip(" ,;:.") + ELLIPSIS, ROOM, SIZES[-1])


# --- what fell --------------------------------------------------------------------------------------------


class _Lies(NamedTuple):
    """Card or die in a row, with its width.

    `whose` names its owner if it begins a heap (one draw or roll).
    """

    what: str | Die
    width: float
    whose: str | None = None


def _fallen_height(postcard: Postcard) -> float:
    height = 30.0 if postcard.came else 0.0
    if any(heap.cards or heap.dice for heap in postcard.fell):
        height += CARD[1] + 12 + (22 if _owners(postcard.fell) else 0)
    return height


def _owners(fell: Sequence[Fallen]) -> bool:
    return len({heap.who for heap in fell}) > 1


def _fallen(fell: Sequence[Fallen], came: str, below: float) -> Iterator[Piece]:
    if came:
        yield Text(came, MIDDLE, below - 6, 22, ROOM, "came", "middle").fitted()
        below -= 30
    lies = list(_lying(fell))
    if not lies:
        return
    named = _owners(fell)
    middle = below - 8 - (22 if named else 0) - CARD[1] / 2
    scale, kept, more = _scaled(lies)
    room = ROOM - _across(kept, scale) - (48 if more else 0)
    wider = _room_for_names(kept, scale) if named else {}
    share = min(1.0, room / needed) if (needed := sum(wider.values())) else 0.0
    x = MARGIN + (room - needed * share) / 2
    gap = 0.0
    for number, thing in enumerate(kept):
        if thing.whose is not None and number:
            x += 2 * GAP * scale + gap
        if named and thing.whose:
            gap = wider[number] * share
            room = _heap(kept, number, scale) + gap
            yield Text(thing.whose, x, middle + CARD[1] / 2 + 20, NAME, room, "soft").fitted()
        yield from _thing(thing, x, middle, scale)
        x += (thing.width + GAP) * scale
    if more:
        yield Text(f"+{more}", x + 6, middle + 8, 22, 48, "soft").fitted()


def _lying(fell: Sequence[Fallen]) -> Iterator[_Lies]:
    for heap in fell:
        whose: str | None = heap.who
        for name in heap.cards:
            yield _Lies(name, CARD[0] if _is_suited(name) or name == UNSEEN else 2 * CARD[0], whose)
            whose = None
        for die in heap.dice:
            yield _Lies(die, DIE, whose)
            whose = None


def _scaled(lies: Sequence[_Lies]) -> tuple[float, Sequence[_Lies], int]:
    """Returns a scale, the cards and dice that fit at that scale, and the number left out."""
    for scale in (1.0, 0.8, 0.62):
        if _across(lies, scale) <= ROOM:
            return scale, lies, 0
    kept = list(lies)
    while _across(kept, scale) > ROOM - 48:
        kept.pop()
    return scale, kept, len(lies) - len(kept)


def _across(lies: Sequence[_Lies], scale: float) -> float:
    heaps = sum(thing.whose is not None for thing in lies[1:])
    return scale * (sum(thing.width + GAP for thing in lies) - GAP + 2 * GAP * heaps)


def _heap(lies: Sequence[_Lies], number: int, scale: float) -> float:
    """Returns the width of a heap (one draw or roll) that begins at index `number`."""
    following = (nth for nth in range(number + 1, len(lies)) if lies[nth].whose is not None)
    return max(_across(lies[number : next(following, len(lies))], scale), 40)


def _room_for_names(lies: Sequence[_Lies], scale: float) -> dict[int, float]:
    """Returns how much wider than its cards and dice a heap's name is, by the index at which it begins."""
    begins = {number: thing.whose for number, thing in enumerate(lies) if thing.whose}
    return {
        number: max(text_length(name, NAME) + 2 - _heap(lies, number, scale), 0.0)
        for number, name in begins.items()
    }


def _thing(thing: _Lies, x: float, middle: float, scale: float) -> Iterator[Piece]:
    if isinstance(thing.what, Die):
        yield from _die(thing.what, x + DIE * scale / 2, middle, DIE * scale)
    else:
        yield from _card(thing.what, x, middle - CARD[1] * scale / 2, thing.width * scale, CARD[1] * scale)


def _is_suited(name: str) -> bool:
    return name[-1:] in SUITED and len(name) <= 3 and name != JOKER  # noqa: PLR2004 -- 10H


def _card(name: str, x: float, y: float, width: float, height: float) -> Iterator[Piece]:
    if name == UNSEEN:
        yield Shape("back", x, y, width, height)
        return
    yield Shape("card", x, y, width, height)
    scale = height / CARD[1]
    if _is_suited(name):
        red = "red" if name[-1] in "HD" else "face"
        yield Shape(f"suit {name[-1]}", x + width / 2, y + 50 * scale, 26 * scale)
        yield Text(name[:-1], x + width / 2, y + 29 * scale, 25 * scale, width, red, "middle")
        return
    size = (26 if len(card(name)) <= LARGE else 16) * scale
    lines = on_two_lines(card(name), width - 8, size)
    for number, line in enumerate(lines):
        at = y + height / 2 + size / 3 + (number - (len(lines) - 1) / 2) * size * 1.2
        yield Text(line, x + width / 2, at, size, width - 8, "figure", "middle")


_CORNERS: Final = {4: 3, 8: 4, 10: 5, 12: 5, 20: 6, 100: 8}
"""Number of corners by die size; other dice are square."""

_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _die(die: Die, x: float, y: float, size: float) -> Iterator[Piece]:
    counts = "" if die.counts else " idle"
    corners = _CORNERS.get(die.sides or 0)
    if corners is None:
        yield Shape(f"die{counts}", x - size / 2, y - size / 2, size, size)
    else:
        yield Shape(f"many{counts}", x, y, points=tuple(_polygon(x, y, size * 0.56, corners)))
    if die.sides == 6 and die.face in _PIPS:  # noqa: PLR2004 -- a die with pips
        for across, down in _PIPS[die.face]:
            yield Shape(f"pip{counts}", x + across * size * 0.26, y + down * size * 0.26, size * 0.09)
        return
    shown = "" if die.shown == "0" and not die.sides else die.shown
    fits = size * (0.5 if len(shown) < 3 else 0.36)  # noqa: PLR2004 -- 100
    lower = 0.22 if corners == 3 else 0.17  # noqa: PLR2004 -- the middle of a triangle lies lower
    if shown:
        yield Text(shown, x, y + size * lower, fits, size, "face", "middle")


def _polygon(x: float, y: float, radius: float, corners: int) -> Iterator[tuple[float, float]]:
    for nth in range(corners):
        turn = 2 * pi * nth / corners
        yield x + radius * sin(turn), y - radius * cos(turn)


# --- how they stand ---------------------------------------------------------------------------------------

ROW: Final = 26
SMALL: Final = 17


def _foot(stands: Sequence[PersonState]) -> Iterator[Piece]:
    if not stands:
        return
    top = HEIGHT - MARGIN / 2 - 98
    wide = ROOM / len(stands)
    yield Shape("rule", MARGIN, top, ROOM)
    for number, person in enumerate(stands):
        yield from _stands(person, MARGIN + number * wide, top + 30, wide - (24 if len(stands) > 1 else 0))


def _stands(person: PersonState, x: float, y: float, room: float) -> Iterator[Piece]:
    room = min(room, 420)
    yield Text(person.name, x, y, 20, room, "name out" if person.out else "name").fitted()
    y += ROW
    for line in on_two_lines(person.said, room, SMALL) if person.said else ():
        yield Text(line, x, y, SMALL, room, "small")
        y += ROW
    if person.dice:
        yield from _small_dice(person.dice, x, y, room)
        y += ROW
    labels = [_called(row) for row in person.rows if row.what != person.name]
    wide = min(max((text_length(label, SMALL) for label in labels), default=0) + 8, room * 0.52)
    for row in person.rows:
        if row.what == person.name:
            yield from _pictured(row, x, y, room)
        else:
            named = min(text_length(_called(row), SMALL) + 8, room - 20)
            across = wide if _is_wide(row) else max(wide, named)
            yield Text(_called(row), x, y, SMALL, across, "soft").fitted()
            yield from _pictured(row, x + across, y, room - across)
        y += ROW


def _is_wide(row: Row) -> bool:
    """True unless a single box or dot is drawn, which leaves the column to the row's name."""
    return row.picture not in (Picture.BOXES, Picture.COUNTER) or (row.most or row.value) > 1


def _called(row: Row) -> str:
    return f"{row.what}:" if row.picture is Picture.SLOT else row.what


def _small_dice(dice: Sequence[int], x: float, y: float, room: float) -> Iterator[Piece]:
    most = int(room // 24)
    kept = dice if len(dice) <= most else dice[: most - 2]
    for number, face in enumerate(kept):
        yield from _die(Die(None, face), x + 10 + 24 * number, y - 5, 20)
    if len(kept) < len(dice):
        yield Text(f"+{len(dice) - len(kept)}", x + 24 * len(kept) + 2, y, 15, 46, "soft").fitted()


def _pictured(row: Row, x: float, y: float, room: float) -> Iterator[Piece]:
    if row.picture is Picture.SLOT:
        yield Text("; ".join(filter(None, row.words)), x, y, SMALL, room, "small").fitted()
    else:
        drawn = list(_drawn(row, x, y, room))
        yield from drawn or [Text(out_of(row.value, row.most), x, y, SMALL, room, "small").fitted()]


def _drawn(row: Row, x: float, y: float, room: float) -> Iterator[Piece]:
    """Yields shapes for a counter (bar, clock, boxes, dots); nothing if there is no room for them."""
    most = row.most if row.most is not None else row.value
    picture = row.picture
    if picture is Picture.HEALTH and row.most:
        value = out_of(row.value, row.most)
        bar = min(room - text_length(value, SMALL) - 10, 150)
        if bar < 30:  # noqa: PLR2004 -- no bar is seen there
            return
        yield Shape("empty", x, y - 12, bar, 12)
        yield Shape("full", x, y - 12, bar * min(max(row.value, 0), row.most) / row.most, 12)
        yield Text(value, x + bar + 8, y, SMALL, room - bar - 8, "small").fitted()
    elif picture is Picture.CLOCK and 1 < most <= 12:  # noqa: PLR2004 -- segments that can be told apart
        yield from _clock(row.value, most, x + 12, y - 6)
        yield Text(out_of(row.value, row.most), x + 32, y, SMALL, room - 32, "small").fitted()
    elif picture in (Picture.BOXES, Picture.STRESS, Picture.FALLOUT) and 0 < most <= room // 12:
        step = min(room / most, 20)
        for nth in range(most):
            marked = nth + 1 in row.marked
            yield Shape("marked" if marked else "box", x + nth * step, y - 13, step - 4, step - 4)
    elif picture in (Picture.POINTS, Picture.COUNTER) and 0 < max(most, row.value) <= room // 15:
        for nth in range(max(most, row.value)):
            yield Shape("held" if nth < row.value else "spent", x + 6 + nth * 15, y - 6, 5)


def _clock(value: int, most: int, x: float, y: float) -> Iterator[Shape]:
    for nth in range(most):
        first, last = (2 * pi * step / most for step in (nth, nth + 1))
        ends = tuple((x + 12 * sin(angle), y - 12 * cos(angle)) for angle in (first, last))
        yield Shape("told" if nth < value else "open", x, y, 12, points=ends)
