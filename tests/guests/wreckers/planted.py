"""The door at which this guest fails, chosen by a test."""

from __future__ import annotations

FAILING: set[str] = set()


def door(name: str) -> None:
    """Raises KeyError if a test has chosen this door."""
    if name in FAILING:
        raise KeyError("Hold")
