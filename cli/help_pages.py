"""Help pages as Markdown: the table's language, and the rules of each game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from json import loads
from pathlib import Path

from journal.games import Guest, guests
from journal.names import Unknown, find, normalise
from journal.refused import Refused
from journal.store.record import Record
from journal.systems import SYSTEMS

LANGUAGE = "language"

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def folder() -> Path:
    """Folder of the help pages: inside the installed package, else in the sources."""
    built = Path(__file__).with_name("docs")
    return built if built.is_dir() else Path(__file__).parent.parent / "docs"


def topics() -> Mapping[str, str]:
    """Path of each topic's page, relative to that folder."""
    return {LANGUAGE: "language.md", **{name: f"rules/{name}.md" for name in SYSTEMS}}


def topic(typed: str) -> str | None:
    """Topic for `typed`: the language, or a game (start of its name or title); None if unknown."""
    if typed == LANGUAGE:
        return typed
    try:
        return find(typed, {one.name: (one.title, one.name) for one in SYSTEMS.values()})
    except Unknown:
        return None


def in_a_file(typed: str, record: Record | None) -> str | None:
    """Rules page of a game defined in a file: the campaign's latest of that name, or a bundled one.

    None if no game in a file has that name.
    """
    for system in SYSTEMS.values():
        rows = () if record is None else record.everything((f"{system.name}.game-chosen",))
        chosen = [loads(row.body)["data"] for row in rows]
        own = next(
            (one["definition"] for one in reversed(chosen) if normalise(one["name"]) == normalise(typed)),
            typed,
        )
        found = system.page(own)
        if found is not None:
            return found
    return None


def paper(name: str) -> str:
    """Markdown page on a topic; raises Refused if the page is not installed."""
    guest = guests().get(name)
    if guest is not None:
        return _of_guest(guest)
    path = folder() / topics()[name]
    try:
        return _COMMENT.sub("", path.read_text("utf-8"))
    except FileNotFoundError:
        raise Refused(f"The paper on {name} is not here ({path}): install Retold again.") from None


def _of_guest(guest: Guest) -> str:
    text = guest.paper("rules.md")
    if text is None:
        raise Refused(f"{guest.distribution} brings no paper on {guest.name}: retold systems {guest.name}.")
    return _COMMENT.sub("", text)
