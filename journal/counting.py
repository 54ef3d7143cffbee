"""Numbers as sentences use them: with their nouns (`1 event`, `1,204 events`), and as ranges."""

from __future__ import annotations


def counted(number: int, one: str, several: str | None = None) -> str:
    """Returns a number with its noun, `1 event`, `2 events`; `several` is an odd plural (`dice are`)."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def span(first: int, last: int) -> str:
    """Returns the first and the last position with a dash between; a single position as it is."""
    return f"{first}" if first == last else f"{first}\N{EN DASH}{last}"
