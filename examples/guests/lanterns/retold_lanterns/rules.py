"""The numbers of Lanterns, and nothing else: `rules.md`."""

from enum import StrEnum

STATS = ("bold", "calm", "keen")
LOWEST, HIGHEST = -1, 3
MOST_HARM, SEGMENTS = 4, 6


class Result(StrEnum):
    """What a dare comes to, the worst first."""

    DARK = "dark"
    PRICE = "price"
    CLEAR = "clear"
    BRIGHT = "bright"


def result(total: int) -> Result:
    """What two dice and a stat come to: to 6, to 9, to 11, and from 12 on."""
    return list(Result)[(total > 6) + (total > 9) + (total > 11)]
