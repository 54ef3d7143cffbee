"""The format of a record, wherever it is kept: its number, its tags, and what is looked for in it."""

from __future__ import annotations

from typing import Final

FORMAT: Final = 1
"""The version of the file and of the bodies in it; `docs/record.md` is its specification."""

TAG: Final = b"retold/1"
WORDS_TAG: Final = b"retold/words/1"

SIGNPOSTS: Final = (
    "table.cast-introduced",
    "table.renamed",
    "table.forked",
    "table.promoted",
    "table.retired",
    "table.undone",
    "table.redone",
    "table.reworded",
    "table.redacted",
    "table.marked",
    "table.session-opened",
)
"""Kinds that are looked for without reading the rest: who is called what, and what still counts."""

AMENDING: Final = ("table.undone", "table.redone", "table.reworded", "table.redacted")
"""Kinds that change what came before them."""
