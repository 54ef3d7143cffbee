"""Visibility of events, and the numbers of secret people and things."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

TABLE: Final = "table"
"""Audience of an event everybody at the table may see."""

GAME_MASTER_ONLY: Final = "gm"
"""Audience of an event only the game master may see."""

VisibleTo = str | tuple[int, ...]
"""Audience of an event beside the game master: `table`, `gm` (nobody else), or people by id."""

_SECRET: Final = 2**52
_RUN: Final = 2**20


def is_secret_number(number: int) -> bool:
    """True for the number of a person or thing prepared in secret."""
    return number >= _SECRET


def next_number(taken: Iterable[int], visible_to: VisibleTo = TABLE, sort: str = "") -> int:
    """Returns the next free number for a newcomer of a sort, counted separately for each audience.

    Secret numbers lie in 2**52..2**53, in a run of 2**20 for each audience and sort; people are of the sort
    "". So players find no gap in the numbers they know, and no two secrets of different sorts share a number.
    """
    if visible_to == TABLE:
        return max((number for number in taken if not is_secret_number(number)), default=-1) + 1
    first = _SECRET + _RUN * _digest(visible_to, sort)
    return max((number for number in taken if first <= number < first + _RUN), default=first - 1) + 1


def short_number(number: int) -> str:
    """A number in the form people read: a secret one as `s1`, counted within its audience."""
    return f"s{number % _RUN + 1}" if is_secret_number(number) else str(number)


def _digest(visible_to: VisibleTo, sort: str) -> int:
    """Hash below 2**32 of an audience and a sort."""
    audience = visible_to if isinstance(visible_to, str) else " ".join(map(str, sorted(visible_to)))
    return int.from_bytes(hashlib.blake2b(f"{sort}{audience}".encode(), digest_size=4).digest())


def common_audience(one: VisibleTo, other: VisibleTo) -> VisibleTo:
    """Intersection of two audiences."""
    if TABLE in (one, other):
        return other if one == TABLE else one
    if isinstance(one, str) or isinstance(other, str):
        return GAME_MASTER_ONLY
    return tuple(person for person in one if person in other) or GAME_MASTER_ONLY
