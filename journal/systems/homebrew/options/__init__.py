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
