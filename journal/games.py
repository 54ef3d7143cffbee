"""Which games there are, by name: ours by their folders, guests by entry points of other distributions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

GROUP: Final = "retold.games"
"""The entry points by which a distribution brings games: the name of each, and the package it is in."""

_FIRST: Final = ("spacetime", "whiskey", "edgerunner", "bruise", "guenask")
"""Those that come before others wherever games stand in order; any other follows, by its name."""

NO_VERBS: Final = frozenset(
    {
        *("as", "table", "expect", "x", "help", "log", "exit", "quit", "q"),
        *(
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
        ),
        *("new-game", "play", "proposals", "recap", "replay", "run", "search", "serve", "show", "stats"),
        *("systems", "verify", "voices", "who"),
    }
)
"""What is typed and is no verb of the table, so that no game can have a verb of that name."""

_NAME: Final = re.compile(r"[a-z]+")


def _in_order(names: set[str]) -> tuple[str, ...]:
    known = [name for name in _FIRST if name in names]
    return (*known, *sorted(names - set(known)))


BUILT_IN: Final = _in_order(
    {path.parent.name for path in (Path(__file__).parent / "systems").glob("*/__init__.py")}
)
"""Every game of ours: a folder in `journal/systems`, which shows its system under its name in capitals."""


def is_valid_name(name: str) -> bool:
    """True for what a game may be called: small letters, and not what begins the table's own kinds."""
    return name != "table" and _NAME.fullmatch(name) is not None


class Guest(NamedTuple):
    """A game that another distribution brings."""

    name: str
    distribution: str
    """Its name and version: `retold-lanterns 1.0`."""
    package: str
    """The package that shows its `SYSTEM`; `notation`, `voice`, `statistics` and papers may lie in it."""

    def paper(self, name: str) -> str | None:
        """A text that lies in its package (`rules.md`, `tour.session`); None where there is none."""
        from importlib.resources import files  # noqa: PLC0415 -- only a guest is asked for it

        found = files(self.package).joinpath(name)
        return found.read_text("utf-8") if found.is_file() else None


@cache
def _installed() -> tuple[Guest, ...]:
    """Everything in the group, by name; a distribution that is on the path twice counts once."""
    from importlib.metadata import entry_points  # noqa: PLC0415 -- slow, and most tables have no guest

    found = {
        Guest(one.name, f"{one.dist.name} {one.dist.version}" if one.dist else one.value, one.value)
        for one in entry_points(group=GROUP)
    }
    return tuple(sorted(found))


def guests() -> Mapping[str, Guest]:
    """The games of others that may be played, by name."""
    return {one.name: one for one in reversed(_installed()) if _why_not(one) is None}


def guest(name: str) -> Guest | None:
    """The guest of that name; nobody looks for one where the name is ours, or is no name of a game."""
    if name in BUILT_IN or not is_valid_name(name):
        return None
    return guests().get(name)


def rejected_guests() -> Iterator[str]:
    """A sentence for each game of others that cannot be played because of what it is called."""
    taken: dict[str, str] = {}
    for one in _installed():
        why = _why_not(one)
        first = taken.setdefault(one.name, one.distribution)
        if why is None and first != one.distribution:
            why = f"as {first} does: one of them is not played, so uninstall the other"
        if why is not None:
            yield f"{one.distribution} brings a game called {one.name}, {why}."


def _why_not(one: Guest) -> str | None:
    if one.name in BUILT_IN:
        return "which is one of ours: it is not played"
    if not is_valid_name(one.name):
        return "which no game can be called: a name is small letters, and not table"
    return None


MISSING: Final[set[str]] = set()
"""The games that a record asked for and that are not here, until somebody has said so."""


def install_hint(name: str) -> str:
    """A sentence for who needs a game that is not here."""
    return (
        f"The game {name} is not installed here: what is its own is not understood until the package that"
        f" brings it is installed (by custom it is called retold-{name})."
    )
