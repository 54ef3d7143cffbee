"""How games are told: a folder each, called as the game is, whose rooms are loaded when they are asked for.

A room is `notation` (what `log` prints), `voice` (what is told, and when), `statistics` (what is counted) or
`answer` (what is said at once of a line whose events are many).
Its words are in `phrases.toml`. What a game has no room for is told plainly. A guest has them in its package.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from journal.games import Guest

_HERE: Final = Path(__file__).parent


@cache
def _told_here() -> frozenset[str]:
    return frozenset(path.parent.name for path in _HERE.glob("*/__init__.py"))


@lru_cache(maxsize=256)  # a game is whatever a file says
def room(game: str, name: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    """The module `name` of a game's telling; None where it has none."""
    if game in _told_here():
        there = (_HERE / game / f"{name}.py").exists()
        return import_module(f"{__name__}.{game}.{name}") if there else None
    guest = _guest(game)
    try:
        return None if guest is None else import_module(f"{guest.package}.{name}")
    except ModuleNotFoundError as error:
        if guest is not None and error.name == f"{guest.package}.{name}":
            return None
        raise


def phrases(game: str) -> str:
    """The phrases of a game as they are written, with their comments; empty where it has none."""
    if game not in _told_here():
        guest = _guest(game)
        return (guest and guest.paper("phrases.toml")) or ""
    written = _HERE / game / "phrases.toml"
    return written.read_text("utf-8") if written.exists() else ""


def _guest(game: str) -> Guest | None:
    """A game of somebody else's that can be played; what is only missing is remembered, to be said."""
    if game in ("", "table"):
        return None
    from journal import games  # noqa: PLC0415 -- slow, and ours need none of it
    from journal.systems import SYSTEMS  # noqa: PLC0415 -- as above

    return games.guest(game) if SYSTEMS.has(game) else None
