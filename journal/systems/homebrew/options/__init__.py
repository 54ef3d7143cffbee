"""The games a table may choose: those that come with Retold, and any other in a file of its own."""

from __future__ import annotations

from journal.systems.homebrew.options.files import (
    FILE,
    LARGEST_FILE,
    NAME,
    built_in,
    known,
    read,
    recorded,
    written,
)
from journal.systems.homebrew.options.page import page


def page_of(name: str) -> str | None:
    """The page on a game that comes with Retold, by its name, or on one as the record has it; else None."""
    if name.startswith("{"):
        return page(recorded(name))
    return page(built_in(name)) if name.casefold() in known() else None
