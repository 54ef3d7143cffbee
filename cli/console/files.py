"""Completions at the console for the file of a picture: pictures and folders below the current folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from retold.cli.console.nameable import Offer
from retold.journal.language.writing import write_word

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
MOST = 200
"""Files of a folder that are offered."""


def pictures(typed: str) -> Iterator[Offer]:
    """Yields picture files and folders whose path begins as `typed` does, sorted; hidden ones are skipped.

    Yields nothing for a folder that cannot be read.
    """
    folder, _, begun = typed.lstrip('"').rpartition("/")
    if typed.startswith("/") and not folder:
        folder = "/"
    before = folder if folder.endswith("/") or not folder else f"{folder}/"
    with suppress(OSError, ValueError), os.scandir(os.path.expanduser(folder) or ".") as entries:  # noqa: PTH111 -- "~" alone
        found = sorted(
            f"{entry.name}/" if entry.is_dir() else entry.name
            for entry in entries
            if entry.name.casefold().startswith(begun.casefold())
            and not entry.name.startswith(".")
            and entry.name.isprintable()
            and (entry.is_dir() or entry.name.casefold().endswith(ENDINGS))
        )
        yield from (Offer(write_word(f"{before}{name}")) for name in found[:MOST])
