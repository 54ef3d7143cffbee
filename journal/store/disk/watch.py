"""A thread that notices changes of files, such as commits by other processes, and calls waiting readers."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Condition, Thread
from typing import Final

Stamp = Callable[[], object]
"""Returns another value after a change; called by the watching thread alone."""


@dataclass(slots=True, eq=False)
class _Watched:
    stamp: Stamp
    wake: Callable[[], object]
    every: float
    due: float = 0.0
    seen: object = ...


class Watch:
    """Compares stamps (values that differ after a change) in a thread of its own; stops when none is left."""

    def __init__(self) -> None:
        self._watched: list[_Watched] = []
        self._turn = Condition()
        self._thread: Thread | None = None

    def add(self, stamp: Stamp, wake: Callable[[], object], every: float) -> Callable[[], None]:
        """Calls `wake` at once and after each change of `stamp()`, looked at every `every` seconds.

        Both are called in the watching thread, and must return quickly; `wake` must not raise. A stamp that
        begins or ceases to raise has changed. Returns a function that ends the watching; after it has
        returned, neither is called again.
        """
        watched = _Watched(stamp, wake, every)
        with self._turn:
            self._watched.append(watched)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
            self._turn.notify()
        return partial(self._remove, watched)

    def _remove(self, watched: _Watched) -> None:
        with self._turn, suppress(ValueError):  # ended already
            self._watched.remove(watched)
            self._turn.notify()

    def _run(self) -> None:
        with self._turn:
            while self._watched:
                now = time.monotonic()
                for watched in tuple(self._watched):
                    if watched.due <= now:
                        _compare(watched)
                        watched.due = now + watched.every
                due = min((watched.due for watched in self._watched), default=now)
                self._turn.wait(max(0.0, due - time.monotonic()))
            self._thread = None


def _compare(watched: _Watched) -> None:
    try:
        stamp = watched.stamp()
    except Exception as error:  # noqa: BLE001 -- the woken reader meets it too; the others stay watched
        stamp = type(error)
    if stamp != watched.seen:
        watched.seen = stamp
        watched.wake()


WATCH: Final = Watch()
"""The watch of this process."""
