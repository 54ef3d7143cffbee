"""Which games there are, by the names of their folders; none is loaded to know that."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_FIRST: Final = ("spacetime", "whiskey", "edgerunner", "bruise", "guenask")
"""Those that come before others wherever games stand in order; any other follows, by its name."""


def _in_order(names: set[str]) -> tuple[str, ...]:
    known = [name for name in _FIRST if name in names]
    return (*known, *sorted(names - set(known)))


OURS: Final = _in_order(
    {path.parent.name for path in (Path(__file__).parent / "systems").glob("*/__init__.py")}
)
"""Every game of ours: a folder in `journal/systems`, which shows its system under its name in capitals."""
