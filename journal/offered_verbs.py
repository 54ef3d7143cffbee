"""The rule of which verbs are offered: those that every table has, and those of the games played there.

It is asked at every Tab key of a shell, so no game is loaded: each game's folder lists its verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Final

from retold.journal.games import BUILT_IN, FOLDER

EVERYWHERE: Final = (
    *("campaign", "session", "scene", "cast", "merge", "retire", "option", "ruling", "conflict", "join"),
    *("leave", "end", "mark", "declare", "narrate", "say", "note", "aside", "thread", "place", "thing"),
    *("blurb", "content", "epigraph", "reflection", "pull", "image", "handout", "portrait", "cover", "tint"),
    *("reveal", "overrule", "roll"),
    *("undo", "redo", "branch", "switch", "retcon", "fix", "redact"),
)
"""The verbs of every table, written out so that nothing need be loaded; a test holds them to the commands."""

VERBS_FILE: Final = "verbs.txt"
"""File in a game's folder with the verbs that the game adds to a table, one a line; held by a test too."""


def offered_verbs(
    games: Collection[str], of_guests: Callable[[Collection[str]], Iterable[str]]
) -> tuple[str, ...]:
    """Returns the verbs to offer at a table that plays `games`; of all games, if it plays none yet.

    Help, completion and suggestions show these. Every verb is understood, whether it is offered or not.
    `of_guests` returns the verbs of the guests among some games, or of every guest for no games.
    """
    built_in = [name for name in BUILT_IN if name in games or not games]
    verbs = (*EVERYWHERE, *(verb for name in built_in for verb in _added_by(name)), *of_guests(games))
    return tuple(dict.fromkeys(verbs))


@cache
def _added_by(game: str) -> tuple[str, ...]:
    return tuple((FOLDER / game / VERBS_FILE).read_text("utf-8").split())
