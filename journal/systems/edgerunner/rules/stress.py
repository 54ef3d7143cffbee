"""Which boxes stress marks, and which a recovery clears: §7."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from itertools import count, islice
from typing import Final


class Marking(StrEnum):
    """Which boxes stress marks; a table option."""

    DIASPORA = "diaspora"
    SINGLE_BOX = "single_box"
    RUNNING_TOTAL = "running_total"


def mark(amount: int, marked: Collection[int], threshold: int, marking: Marking) -> tuple[int, ...] | None:
    """The boxes that `amount` of stress, at least 1, marks now, lowest first; None if that takes one out: §7.

    The box it needs is the next open one from `amount` up; under `running_total`, the one `amount` further
    than the boxes marked without a gap from 1 on. None is needed above `threshold`, or one is out. With it
    go the open boxes below it, except under `single_box`.
    """
    needed = amount + _run(marked) if marking is Marking.RUNNING_TOTAL else _next_open(amount, marked)
    if needed > threshold:
        return None
    lowest = needed if marking is Marking.SINGLE_BOX else 1
    return tuple(box for box in range(lowest, needed + 1) if box not in marked)


def most_taken(marked: Collection[int], threshold: int, marking: Marking) -> int:
    """The most stress a track can still mark; what is beyond it finds no box: §7."""
    return next(
        (most for most in range(threshold, 0, -1) if mark(most, marked, threshold, marking) is not None), 0
    )


def _run(marked: Collection[int]) -> int:
    return _next_open(1, marked) - 1


def _next_open(box: int, marked: Collection[int]) -> int:
    return next(open_box for open_box in count(box) if open_box not in marked)


def defended(own: int, shifts: int, *, floor: bool) -> int:
    """The threshold a defence sets, at least 0; with `floor` never below the track's own."""
    return max(own if floor else 0, shifts)


MOST_RECOVERIES: Final = 255
"""How many ways to recover are worked out: every one of a track of eight boxes."""


def recovery_cost(boxes: Collection[int]) -> int:
    """The shifts it takes to clear these boxes."""
    return sum(boxes)


def recoveries(marked: Collection[int], shifts: int) -> tuple[tuple[int, ...], ...]:
    """Every choice of marked boxes that the shifts can clear, lowest boxes first, at most MOST_RECOVERIES."""
    return tuple(islice(_choices(sorted(marked), shifts), MOST_RECOVERIES))


def _choices(boxes: Sequence[int], shifts: int) -> Iterator[tuple[int, ...]]:
    for place, box in enumerate(boxes):
        if box > shifts:
            return
        yield (box,)
        for more in _choices(boxes[place + 1 :], shifts - box):
            yield (box, *more)
