"""What befalls a program at one of its steps: it dies there, or somebody interrupts it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Self
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
OURS = (
    *(f"{ROOT / one}{os.sep}" for one in ("journal", "projections", "retold", "cli")),
    contextlib.__file__,
)
"""Where a step is a line of Python; what others wrote is one step for whoever calls it."""

OPERATIONS = 20
"""So many operations of SQLite are a step as well, for whoever dies."""


class Interrupted(BaseException):
    """Somebody has pressed Ctrl-C."""


class Steps:
    """Counts the steps taken inside; at number `at` (none for 0) something befalls whoever takes it."""

    def __init__(self, at: int, fate: Callable[[], None]) -> None:
        self.taken = 0
        self._at = at
        self._fate = fate

    def step(self) -> int:
        """One more; 0, which SQLite takes for going on."""
        self.taken += 1
        if self.taken == self._at:
            self._fate()
        return 0

    def _line(self, _frame: FrameType, event: str, _given: object) -> Any:  # noqa: ANN401 -- sys.settrace's
        if event == "line":
            self.step()
        return self._line

    def _call(self, frame: FrameType, _event: str, _given: object) -> Any:  # noqa: ANN401 -- as above
        return self._line if frame.f_code.co_filename.startswith(OURS) else None

    def __enter__(self) -> Self:
        sys.settrace(self._call)
        return self

    def __exit__(self, *reason: object) -> None:
        sys.settrace(None)


def interrupted(at: int) -> Steps:
    """Interrupts whoever takes that step inside, at a line of ours."""

    def fate() -> None:
        raise Interrupted

    return Steps(at, fate)


class Dying(Steps):
    """Ends this process at that step, as kill -9 would: at a line of ours, or while SQLite works."""

    def __init__(self, at: int) -> None:
        super().__init__(at, lambda: os._exit(9))

    def __enter__(self) -> Self:
        real: Callable[..., sqlite3.Connection] = sqlite3.connect

        def connect(*given: object, **named: object) -> sqlite3.Connection:
            connection = real(*given, **named)
            connection.set_progress_handler(self.step, OPERATIONS)
            return connection

        patch.object(sqlite3, "connect", connect).start()  # this process ends with the block
        return super().__enter__()


def moments(steps: int, rounds: int) -> Iterator[int]:
    """So many of the steps there are, spread evenly; each once where there are fewer."""
    for number in range(min(steps, rounds)):
        yield 1 + number * steps // min(steps, rounds)
