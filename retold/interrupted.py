"""How a command ends that somebody interrupts, at whatever moment they do."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def interrupted() -> int:
    """Says so on standard error; returns the exit code."""
    sys.stderr.write("\nInterrupted; everything acknowledged is recorded.\n")
    return INTERRUPTED
