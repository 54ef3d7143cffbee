"""Progress reports for work on a whole record, and batches of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from retold.journal.store.contract.errors import StoreError

Progress = Callable[[int, int | None], None]
"""Called now and then with the number of events done and, if known, their total."""

STEP = 1000
"""Number of events between two progress reports."""


T = TypeVar("T")

BATCH_SIZE: Final = 100
"""The most items in a batch: few enough that parsed values are freed before a garbage collection."""


def in_batches(items: Iterable[T], sort: Callable[[T], object] = type) -> Iterator[list[T]]:
    """Yields lists of up to BATCH_SIZE successive items with the same `sort(item)`, by default the same type.

    If `items` raises StoreError, the items before are still yielded, then it is raised.
    """
    waiting: list[T] = []
    broken_off: StoreError | None = None
    try:
        for item in items:
            if waiting and (len(waiting) == BATCH_SIZE or sort(item) != sort(waiting[0])):
                yield waiting
                waiting = []
            waiting.append(item)
    except StoreError as error:
        broken_off = error
    if waiting:
        yield waiting
    if broken_off is not None:
        raise broken_off
