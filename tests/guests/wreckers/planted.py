"""The door at which this guest fails, chosen by a test."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
FAILING: set[str] = set()


def door(name: str) -> None:
    """Raises KeyError if a test has chosen this door."""
    if name in FAILING:
        raise KeyError("Hold")


def answer(name: str, value: T) -> T | None:
    """Returns the value, None if a test has chosen that; KeyError as above."""
    door(name)
    return None if f"{name}: None" in FAILING else value
