"""Risks of a campaign file outside its record: SQLite's version, the disk, a large log, leftover files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from retold.journal.store.disk.unfinished_files import leftovers
from retold.journal.store.sqlite.location import SQLITE_VERSION, is_safe_version, large_log, shared_disk


def footing(path: Path) -> Iterator[str]:
    """Yields sentences about risks to the file at `path`, each with a remedy."""
    if not is_safe_version(SQLITE_VERSION):
        version = ".".join(map(str, SQLITE_VERSION))
        yield (
            f"SQLite {version} has a rare fault: two programs that tidy up one file in the same instant may"
            " damage it (the WAL-reset bug, mended in 3.51.3). A newer one comes with a newer Python or"
            " system; until then keep backups."
        )
    if (shared := shared_disk(path)) is not None:
        yield shared.sentence(path)
    if (large := large_log(path)) is not None:
        yield large
    left = list(leftovers(path.absolute().parent))
    if left:
        yield (
            f"Files that killed programs left beside it are deleted by the next file that Retold makes there:"
            f" {', '.join(file.name for file in left)}."
        )
