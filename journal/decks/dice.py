"""Parsing of plain dice expressions such as `2d6+1d8`, and the possible faces of dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from retold.journal.counting import counted
from retold.journal.refused import Refused

FUDGE: Final = 0
"""The size of a fudge die, whose faces are minus, blank and plus."""

MOST_DICE: Final = 100
SIDES: Final = range(2, 1001)

_FUDGE_FACES: Final = {"-": -1, "0": 0, "+": 1}
MOST_DIGITS: Final = 9
"""Longest number read as one, in digits."""

_DIE: Final = r"(?P<count>\d{0,9})d(?P<sides>f|\d+)"


def parse_sizes(expression: str) -> tuple[int, ...]:
    """Returns each die's size in an expression: `2d6+1d8` → (6, 6, 8); also `d20`, `4dF`.

    A fudge die's size is 0. Raises Refused for any other text, for more than 100 dice, and for a die with
    fewer than 2 or more than 1000 sides.
    """
    parts = "".join(expression.casefold().split()).split("+")
    sizes = tuple(size for count, size in (_part(part, expression) for part in parts) for _ in range(count))
    if len(sizes) > MOST_DICE:
        raise Refused(_too_many(len(sizes)))
    return sizes


def _part(part: str, expression: str) -> tuple[int, int]:
    """Parses one part of a dice expression into number of dice and die size: `2d6` → (2, 6)."""
    match = re.fullmatch(_DIE, part)
    if match is None:
        raise Refused(f"“{part or expression}” is not dice: write 2d6+1d8, d20 or 4dF.")
    count = int(match["count"] or 1)
    if not 1 <= count <= MOST_DICE:
        raise Refused(_too_many(count))
    is_fudge = match["sides"] == "f" or len(match["sides"]) > MOST_DIGITS
    size = FUDGE if is_fudge else int(match["sides"])
    if size not in SIDES and match["sides"] != "f":
        raise Refused(f"There is no d{match['sides']}: a die has {SIDES[0]} to {SIDES[-1]} sides.")
    return count, size


def _too_many(count: int) -> str:
    return f"{count} dice cannot be rolled: it takes 1 to {MOST_DICE}."


def die_name(size: int) -> str:
    """Returns a die's name by its size: `d6`, or `dF` for a fudge die, whose size is 0."""
    return "dF" if size == FUDGE else f"d{size}"


def dice_text(dice: Sequence[int]) -> str:
    """Returns the expression for dice given by size, in order: (6, 6, 8) → `2d6+1d8`."""
    return "+".join(f"{sum(1 for _ in same)}{die_name(size)}" for size, same in groupby(dice))


@lru_cache(maxsize=64)
def faces(size: int) -> tuple[str, ...]:
    """Returns the texts of a die's faces, lowest first: `1` to `size`; for a fudge die `-`, `0`, `+`."""
    return tuple(_FUDGE_FACES) if size == FUDGE else tuple(str(face) for face in range(1, size + 1))


def face_value(face: str) -> int:
    """Returns the number for the text of a face; on a fudge die `-`, `0`, `+` → -1, 0, 1."""
    return _FUDGE_FACES[face] if face in _FUDGE_FACES else int(face)


def arrange_faces(given: Sequence[str], dice: Sequence[int]) -> tuple[str, ...]:
    """Assigns the faces a user typed to dice, and returns each die's face, in the order of `dice`.

    Faces go to the dice in the order given; if one does not fit, the largest face goes to the largest die,
    and so on down. On a fudge die 1 and -1 may stand for plus and minus. Raises Refused if the number of
    faces is not that of the dice, or if no arrangement fits.
    """
    if len(given) != len(dice):
        raise Refused(
            f"{dice_text(dice)} shows {counted(len(dice), 'face')} and"
            f" {counted(len(given), 'was', 'were')} given."
        )
    in_order = [_on(face, size) for face, size in zip(given, dice, strict=True)]
    if None not in in_order:
        return tuple(face for face in in_order if face is not None)
    places = sorted(range(len(dice)), key=lambda place: -dice[place])
    fitted = {
        place: _placed(face, dice[place])
        for place, face in zip(places, sorted(given, key=_height), strict=True)
    }
    return tuple(fitted[place] for place in range(len(dice)))


def _on(face: str, size: int) -> str | None:
    """Returns a face as a die of this size writes it (fudge 1 → `+`); None if the die lacks the face."""
    if size == FUDGE:
        face = {"1": "+", "-1": "-"}.get(face, face)
    return face if face in faces(size) else None


def _placed(face: str, size: int) -> str:
    found = _on(face, size)
    if found is None:
        raise Refused(f"A {die_name(size)} has no {face}.")
    return found


def _height(face: str) -> int:
    """Sort key that puts the largest face first; `+` and `-` sort last, as the smallest dice have them."""
    return -int(face) if face.lstrip("-").isdecimal() else 0
