"""How games are told: a folder each, called as the game is, whose rooms are loaded when they are asked for.

A room is `notation` (what `log` prints), `voice` (what is told, and when) or `statistics` (what is counted).
Its words are in `phrases.toml`. What a game has no room for is told plainly.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent


@cache
def is_told(game: str) -> bool:
    """True for a game that has a folder here."""
    return game in {path.parent.name for path in _HERE.glob("*/__init__.py")}


@cache
def room(game: str, name: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    """The module `name` of a game's folder; None where it has none."""
    there = is_told(game) and (_HERE / game / f"{name}.py").exists()
    return import_module(f"{__name__}.{game}.{name}") if there else None


def phrases(game: str) -> str:
    """The phrases of a game as they are written, with their comments; empty where it has none."""
    written = _HERE / game / "phrases.toml"
    return written.read_text("utf-8") if is_told(game) and written.exists() else ""
