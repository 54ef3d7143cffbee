"""How work on a whole record says how far it has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int | None], None]
"""Told now and then how many events are done, and of how many, where that is known."""

STEP = 1000
"""After how many events progress is told."""
