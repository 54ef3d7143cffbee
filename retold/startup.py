"""The folder that Retold lies in, and its word after Ctrl-C: needed before and after all else is loaded."""

from __future__ import annotations

import os
import sys

HOME = os.path.dirname(os.path.abspath(__file__))
"""Folder of the package `retold`."""

INTERRUPTED = 130


def report_interrupt() -> int:
    """Prints on standard error that the program was interrupted; returns the exit code, 130."""
    sys.stderr.write("\nInterrupted; everything acknowledged is recorded.\n")
    return INTERRUPTED
