"""Words of Edgerunner for numbers: shifts, the ladder, the time track. `log` loads them without the rules."""

from __future__ import annotations

from typing import Final

LADDER: Final = (
    *("Catastrophic", "Abysmal", "Terrible", "Poor", "Mediocre", "Average", "Decent"),
    *("Good", "Great", "Superb", "Fantastic", "Epic", "Legendary"),
)
"""Words of the ladder, from -4 up."""
_MEDIOCRE: Final = LADDER.index("Mediocre")
TIME: Final = (
    *("instant", "a few moments", "half a minute", "a minute", "a few minutes", "15 minutes"),
    *("half an hour", "an hour", "a few hours", "an afternoon", "a day", "a few days", "a week"),
    *("a few weeks", "a month", "a quarter", "half a year", "a year", "a few years", "a decade"),
    "a lifetime",
)
"""The time track, from step 0 on."""


def in_shifts(count: int) -> str:
    """Returns a number of shifts in words: "1 shift", "-1 shift", "2 shifts"."""
    return f"{count} shift{'' if abs(count) == 1 else 's'}"


def ladder(total: int) -> str:
    """Returns the word for a roll's total: `Mediocre` for 0, `Decent` for 2.

    Totals below -4 are `Catastrophic`, above 8 `Legendary`.
    """
    return LADDER[min(len(LADDER) - 1, max(0, total + _MEDIOCRE))]
