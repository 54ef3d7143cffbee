"""Whether something may be said now is found by asking for it; nothing comes of the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from journal.refused import Refused

Answer = TypeVar("Answer")


def tried(ask: Callable[[], Answer]) -> Answer | None:
    """What a decision gives; None where it refuses."""
    try:
        return ask()
    except Refused:
        return None
