"""Numbers with their nouns, as sentences use them: `1 event`, `1,204 events`."""

from __future__ import annotations


def counted(number: int, one: str, several: str | None = None) -> str:
    """Returns a number with its noun, `1 event`, `2 events`; `several` is an odd plural (`dice are`)."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"
