"""Audiences of events, and the ids of people and things that are secret."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import chain, count
from typing import Final

TABLE: Final = "table"
"""Audience of a public event."""

GAME_MASTER_ONLY: Final = "gm"
"""Audience of an event only the game master may see."""

VisibleTo = str | tuple[int, ...]
"""Audience of an event beside the game master: `table`, `gm` (alone), or people by id."""

_SECRET: Final = 2**52
_RUN: Final = 2**20
_NAMED: Final = 1000
"""First id of a run, from 1, that follows from a name; in records of before ids are counted, from 1."""
_NAMES: Final = 9000
"""Ids of a run that follow from names: so they have four digits."""


def is_secret_number(number: int) -> bool:
    """True for the id of a person or thing introduced in secret, 2**52 or above."""
    return number >= _SECRET


def next_number(
    taken: Iterable[int],
    visible_to: VisibleTo = TABLE,
    sort: str = "",
    name: str = "",
    recorded: Iterable[int] = (),
) -> int:
    """Returns the next free id for a new person or thing with this audience.

    Public ids follow the highest public one in `taken`, from 0. Secret ids lie in 2**52..2**53, in a range of
    2**20 for each audience and each `sort`, a prefix such as `"clock "`; people have the prefix "". So
    players see no gap in the public ids, and secrets of different kinds never share an id. Within the range
    an id follows from `name`: a revealed person does not tell how many others there are. If an act is decided
    again, the first free one of the ids `recorded` with it is taken, in the range.
    """
    if visible_to == TABLE:
        return max((number for number in taken if not is_secret_number(number)), default=-1) + 1
    first, known = _SECRET + _RUN * _digest(visible_to, sort), set(taken)
    start = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())
    named = (first + _NAMED - 1 + (start + further) % _NAMES for further in range(_NAMES))
    before = (number for number in recorded if first <= number < first + _RUN)
    beyond = count(first + _NAMED + _NAMES)
    return next(number for number in chain(before, named, beyond) if number not in known)


def short_number(number: int) -> str:
    """Returns an id as text for people: `7`; `s1` for the first secret id of an audience."""
    return f"s{number % _RUN + 1}" if is_secret_number(number) else str(number)


def _digest(visible_to: VisibleTo, sort: str) -> int:
    """Returns a hash below 2**32 of an audience and the prefix `sort`."""
    audience = visible_to if isinstance(visible_to, str) else " ".join(map(str, sorted(visible_to)))
    return int.from_bytes(hashlib.blake2b(f"{sort}{audience}".encode(), digest_size=4).digest())


def common_audience(one: VisibleTo, other: VisibleTo) -> VisibleTo:
    """Returns the people in both audiences; `gm` (the game master only) if there are none.

    The whole table and another audience give that other audience.
    """
    if TABLE in (one, other):
        return other if one == TABLE else one
    if isinstance(one, str) or isinstance(other, str):
        return GAME_MASTER_ONLY
    return tuple(person for person in one if person in other) or GAME_MASTER_ONLY
