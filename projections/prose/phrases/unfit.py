"""Errors in phrases and voice files, in a module that loads fast."""

from __future__ import annotations

from typing import NamedTuple


class Unfit(ValueError):  # noqa: N818 -- named for what the phrase is
    """Raised for an unusable phrase; the message continues a sentence and has no full stop."""


class Mistake(NamedTuple):
    """An error in a voice file: path of keys to its place (`at`), and a reason that continues a sentence."""

    at: tuple[str, ...]
    why: str


def no_such_key(key: str, known: tuple[str, ...]) -> str:
    """Returns a message that a key is unknown, naming the nearest known key or all of them."""
    from retold.journal.names import nearest  # noqa: PLC0415 -- only a refusal needs it

    close = nearest(key, known, 1)
    there = f"did you mean {close[0]}?" if close else f"there is {', '.join(known)}"
    return f"there is no such key, {there}"
