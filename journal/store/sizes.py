"""How much one act may bring: a command too large for the record is refused before it is decided."""

from __future__ import annotations

from collections.abc import Iterable

from journal.names import clean
from journal.refused import Refused
from journal.vocabulary.base import LIMIT, Command, Frozen, values_of
from journal.words import Words

MOST_TEXT = 16 * 2**20
"""The longest text one act may bring, in bytes; longer is refused before anything is written."""


def check_command(command: Command) -> None:
    """Refuses what cannot be kept: NUL and half characters, numbers too large, texts too long for one act."""
    if _size(command) > MOST_TEXT:
        raise Refused(
            f"That text is longer than {MOST_TEXT // 2**20} MB, the most one act may hold: cut it up."
        )


def _size(value: object) -> int:
    """How many bytes the texts of a command are; refuses what cannot be kept at any size."""
    if isinstance(value, str):
        return len(clean(value).encode())
    if isinstance(value, int):
        if abs(value) > LIMIT:
            raise Refused(f"That is too large a number: the record keeps up to {LIMIT}.")
        return 0
    if isinstance(value, Words):
        return _size(value.text)
    return sum([_size(part) for part in _parts(value)])


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Frozen):
        return values_of(value).values()
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return value if isinstance(value, tuple) else ()
