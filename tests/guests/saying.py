"""Says several commands in one process of its own, by a clock that stands still: what they write as JSON."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator
from itertools import count

from retold.__main__ import main
from retold.journal.store.events.clock import Clock


class _Binary(io.TextIOWrapper):
    """A stream that keeps what is written to it, as text or as bytes."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", errors="backslashreplace", newline="", write_through=True)

    def text(self) -> str:
        """All of it as text."""
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode("utf-8", "backslashreplace")


def _still(first: int) -> None:
    """Every act is of the same moment and has a number for its id, counted from `first`."""
    acts: Iterator[int] = count(first)
    replaced: dict[str, Callable[[Clock], object]] = {
        "now": lambda _clock: ("2026-11-25T20:00:00.000000Z", 0),
        "today": lambda _clock: "2026-11-25",
        "act": lambda _clock: f"act-{next(acts):018}",
        "salt": lambda _clock: b"\0" * 16,
        "campaign": lambda _clock: "0" * 32,
    }
    for name, method in replaced.items():
        setattr(Clock, name, method)


def _said(words: list[str]) -> tuple[int, str, str]:
    out, err = _Binary(), _Binary()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.text(), err.text()


if __name__ == "__main__":
    _still(int(sys.argv[1]))
    told = [_said(words) for words in json.load(sys.stdin)]
    sys.stdout.write(json.dumps(told))
