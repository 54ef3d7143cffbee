"""How far long work has come: one line on a terminal, nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from journal.store.progress import Progress

PATIENCE = 0.5
"""Seconds of silence before anything is said."""


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A function to be told how much is done; it draws where somebody looks, and only if it takes long."""
    began = time.monotonic()
    drawn = False

    def tell(done: int, total: int | None) -> None:
        nonlocal drawn
        if not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        share = f" of {total:,}" if total else ""
        sys.stderr.write(f"\r{what}: {done:,}{share}\x1b[K")
        sys.stderr.flush()
        drawn = True

    try:
        yield tell
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
