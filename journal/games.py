"""Names of the available games: built-in ones by folder, guests (games of other packages) by entry point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from retold import startup
from retold.journal.shell_verbs import SHELL_VERBS

GROUP: Final = "retold.games"
"""Entry point group of guest games: each entry gives the game's name and its package."""

_FIRST: Final = ("spacetime", "whiskey", "edgerunner", "bruise", "guenask")
"""Games listed first, in this order; others follow alphabetically."""

OF_FILES: Final = "homebrew"
"""The game whose rules are in a file."""

READING: Final = frozenset({*SHELL_VERBS, "help"})
"""Verbs of the command line that record no line of the table; scripts and pages do not have them."""

NO_VERBS: Final = READING | {"as", "table", "expect", "x", "exit", "quit", "q"}
"""Words of the command line that no game may use as a verb."""

_NAME: Final = re.compile(r"[a-z]+")


def _in_order(names: set[str]) -> tuple[str, ...]:
    known = [name for name in _FIRST if name in names]
    return (*known, *sorted(names - set(known)))


PACKAGE: Final = "retold.games"
"""Package of our games."""

FOLDER: Final = Path(startup.HOME, "games")
"""Folder of our games, each in a package of its own; its `SYSTEM` is in the module `system`."""

BUILT_IN: Final = _in_order({path.parent.name for path in FOLDER.glob("*/__init__.py")})
"""Names of our games."""


def is_valid_name(name: str) -> bool:
    """True if a game may be called `name`: letters a to z only, and not `table`.

    `table` is the prefix of shared event kinds.
    """
    return name != "table" and _NAME.fullmatch(name) is not None


class Guest(NamedTuple):
    """A game from another installed distribution, found by its entry point."""

    name: str
    distribution: str
    """Its name and version: `retold-lanterns 1.0`."""
    package: str
    """Package with the `SYSTEM`, and possibly `notation`, `voice`, `statistics` and text files."""

    def paper(self, name: str) -> str | None:
        """Returns the text of a file in the guest's package, such as `rules.md`; None if it is missing."""
        from importlib.resources import files  # noqa: PLC0415 -- only guests need it

        found = files(self.package).joinpath(name)
        return found.read_text("utf-8") if found.is_file() else None


@cache
def _installed() -> tuple[Guest, ...]:
    """Returns every guest game's entry point, sorted by name; identical entries count once. Cached."""
    from importlib.metadata import entry_points  # noqa: PLC0415 -- slow, and most tables have no guest

    found = {
        Guest(
            entry.name, f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value, entry.value
        )
        for entry in entry_points(group=GROUP)
    }
    return tuple(sorted(found))


def guests() -> Mapping[str, Guest]:
    """Playable guest games by name; if two have the same name, the first in order of distribution."""
    return {guest.name: guest for guest in reversed(_installed()) if _why_not(guest) is None}


def guest(name: str) -> Guest | None:
    """Returns the playable guest game called `name`; None for a built-in, invalid or unknown name."""
    return None if name in BUILT_IN or not is_valid_name(name) else guests().get(name)


def rejected_guests() -> Iterator[str]:
    """Yields a sentence for each guest game that cannot be played because its name is taken or invalid."""
    taken: dict[str, str] = {}
    for guest in _installed():
        why = _why_not(guest)
        first = taken.setdefault(guest.name, guest.distribution)
        if why is None and first != guest.distribution:
            why = f"as {first} does: one of them is not played, so uninstall the other"
        if why is not None:
            yield f"{guest.distribution} brings a game called {guest.name}, {why}."


def _why_not(guest: Guest) -> str | None:
    if guest.name in BUILT_IN:
        return "which is one of ours: it is not played"
    if not is_valid_name(guest.name):
        return "which no game can be called: a name is small letters, and not table"
    return None


MISSING: Final[set[str]] = set()
"""Missing games that a record asked for, until the user has been told; decides nothing else."""


TROUBLES: Final[dict[str, str]] = {}
"""Installed guest games that cannot be used, by name, each with a sentence about the reason."""


def why_missing(name: str) -> str:
    """Returns the sentence about a game that cannot be used here: what is wrong, or how to install it."""
    if name in TROUBLES:
        return TROUBLES[name]
    return (
        f"The game {name} is not installed here, so its events cannot be read: install the package that"
        f" brings it (usually called retold-{name})."
    )


def absence(name: str) -> str:
    """Returns in a few words why a game is not played here: `not installed here`."""
    return "not playable here" if name in TROUBLES else "not installed here"
