"""Rolls, the shifts they come to, and the time things take: §2, §3, §5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Final

from journal.names import fold

DICE: Final = 4
"""How many fudge dice a roll has."""

INVOKE: Final = 2
"""What an invoke adds to a roll, or takes away from one."""

LADDER: Final = (
    "Catastrophic",
    "Abysmal",
    "Terrible",
    "Poor",
    "Mediocre",
    "Average",
    "Decent",
    "Good",
    "Great",
    "Superb",
    "Fantastic",
    "Epic",
    "Legendary",
)
_MEDIOCRE: Final = LADDER.index("Mediocre")
MOST_FREE: Final = 4
SPIN_STEP: Final = 3


def rolled(dice: Sequence[int]) -> int:
    """What the faces of a roll, each -1, 0 or 1, come to."""
    return sum(dice)


def ladder(total: int) -> str:
    """The word for a result; beyond either end it is that end's: Catastrophic, Legendary."""
    return LADDER[min(len(LADDER) - 1, max(0, total + _MEDIOCRE))]


def declaration(support: int, oppose: int) -> int:
    """What is added to the dice of a declaration with so many for it and so many against."""
    return support - oppose


def free_invokes(shifts: int) -> int | None:
    """The free invokes a new aspect comes with, at most four, or None if it is blocked: §3."""
    if shifts < 0:
        return None
    # The k-th costs k shifts, so k of them k(k + 1) / 2.
    return min(MOST_FREE, (isqrt(8 * shifts + 1) - 1) // 2)


def spins(result: int) -> int:
    """The spin a move's result gives the other side: one for each full three below nothing."""
    return max(0, -result // SPIN_STEP)


def highest_bid(bids: Mapping[int, int]) -> tuple[int, ...]:
    """Who bid the most for a turn, in the order of bidding: one, several who tie, or nobody if none bid."""
    return tuple(who for who, bid in bids.items() if bid == max(bids.values()))


# --- time: §2 ---------------------------------------------------------------------------------------------

TIME: Final = (
    "instant",
    "a few moments",
    "half a minute",
    "a minute",
    "a few minutes",
    "15 minutes",
    "half an hour",
    "an hour",
    "a few hours",
    "an afternoon",
    "a day",
    "a few days",
    "a week",
    "a few weeks",
    "a month",
    "a quarter",
    "half a year",
    "a year",
    "a few years",
    "a decade",
    "a lifetime",
)
"""The time track, from step 0 on."""


def time_step(words: str) -> int | None:
    """The step of the time track that is called so, or the only one that begins so; None if there is none."""
    wanted, steps = fold(words), [fold(name) for name in TIME]
    if wanted in steps:
        return steps.index(wanted)
    begun = [step for step, name in enumerate(steps) if _begins(wanted, name)]
    return begun[0] if len(begun) == 1 else None


def _begins(begun: str, name: str) -> bool:
    """As everywhere, a number is never cut: 1 is not the beginning of 15."""
    return name.startswith(begun) and not (begun[-1:] + name[len(begun) :][:1]).isdecimal()


def time_after(step: int, shifts: int) -> int:
    """The step things take with so many shifts spent to be sooner; below 0 they take longer."""
    return min(len(TIME) - 1, max(0, step - shifts))


def problem_threshold(exchange: int, task: int) -> int:
    """The threshold of a problem that would take `task`, in a conflict whose exchanges take `exchange`.

    Both are steps of the time track. Never below 0; 0 means that it fits into an exchange and is no problem.
    """
    return max(0, task - exchange)
