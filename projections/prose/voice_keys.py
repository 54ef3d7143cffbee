"""Values and mistakes of voice files, for the reader of these files and for their pydantic model."""

from __future__ import annotations

from typing import Final, NamedTuple

from journal.names import nearest
from projections.prose import VOICES

PLACES: Final = ("inline", "folded", "footnotes", "appendix", "none")
"""Places for mechanics; a test compares them with the exports'."""

BASES: Final = tuple(name for name in VOICES if name != "plain")
"""Voices usable as a base; plain is notation and has no phrases."""


class Mistake(NamedTuple):
    """A mistake in a voice file: the keys that lead to it, and a reason that continues a sentence."""

    at: tuple[str, ...]
    why: str


def no_such_key(key: str, known: tuple[str, ...]) -> str:
    """Reason to refuse an unknown key, with the nearest known one."""
    close = nearest(key, known, 1)
    there = f"did you mean {close[0]}?" if close else f"there is {', '.join(known)}"
    return f"there is no such key, {there}"
