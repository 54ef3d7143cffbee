"""Views' parts for each game, loaded from the game's package on demand.

A package may hold the modules `notation` (text lines of `log`), `voice` (prose), `statistics` (counts),
`answer` (short replies to commands with many events), and the file `phrases.toml`. Events of a game without
them get general wordings.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from retold.journal.games import BUILT_IN, FOLDER, PACKAGE, Guest, guest


def room(game: str, name: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    """Returns the module `name` (such as "voice") of a game's package; None without that module.

    None also for a module of a guest that cannot be loaded; its error is noted.
    """
    if game in BUILT_IN or _guest(game) is None:
        return load_room(game, name)
    from retold.journal.guarding import answer_of  # noqa: PLC0415 -- slow, and ours need none of it

    return answer_of(game, load_room, None, game, name, what=f"for {name}.py")


@lru_cache(maxsize=256)  # bounded, because a file may contain any game name
def load_room(game: str, name: str) -> Any:  # noqa: ANN401 -- as above
    """Returns the module `name` of a game, as `room` does; raises whatever a guest's module raises."""
    if game in BUILT_IN:
        package = f"{PACKAGE}.{game}"
    elif (found := _guest(game)) is not None:
        package = found.package
    else:
        return None
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name == f"{package}.{name}":
            return None
        raise


def phrases(game: str) -> str:
    """Returns the text of a game's `phrases.toml`, comments included; empty if the game has none."""
    if game in BUILT_IN:
        written = FOLDER / game / "phrases.toml"
        return written.read_text("utf-8") if written.exists() else ""
    found = _guest(game)
    if found is None:
        return ""
    from retold.journal.guarding import answer_of  # noqa: PLC0415 -- slow, and ours need none of it

    return answer_of(game, found.paper, None, "phrases.toml", what="for phrases.toml") or ""


def _guest(game: str) -> Guest | None:
    """Returns the guest (installed game from another distribution) called `game`; None for our games."""
    if game in ("", "table"):
        return None
    from retold.journal.systems import SYSTEMS  # noqa: PLC0415 -- slow, and ours need none of it

    return guest(game) if SYSTEMS.has(game) else None
