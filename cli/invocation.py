"""What a command is called with before its verb, which verbs there are, and the codes that one ends with."""

from __future__ import annotations

from typing import NamedTuple

DONE, FAILED, USAGE = 0, 1, 2

READING = frozenset(
    {
        "backup",
        "branches",
        "can",
        "completion",
        "demo",
        "diff",
        "doctor",
        "dump",
        "export",
        "head",
        "load",
        "new",
        "new-game",
        "play",
        "proposals",
        "recap",
        "replay",
        "run",
        "search",
        "serve",
        "show",
        "stats",
        "systems",
        "verify",
        "voices",
        "who",
    }
)
"""The verbs that are not the table's: each has a module of its name (`new-game`: `new_game`)."""


class Options(NamedTuple):
    """What stands before the verb."""

    campaign: str | None = None
    branch: str | None = None
    json: bool = False
    debug: bool = False
    yes: bool = False


class UsageError(Exception):
    """The command line itself was not right."""
