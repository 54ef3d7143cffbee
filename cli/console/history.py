"""The console's history: the file of lines said before, and ridding it of what was redacted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cli.writing_files import replaced
from journal.store.copies import holds


def forget(path: Path, texts: Iterable[str], names: Iterable[str]) -> int:
    """Takes every line out of the history at `path` that holds one of the texts; returns how many it took.

    Of a name, a part that begins with a capital is enough: a line may say no more of it. Raises OSError where
    the file cannot be read or written anew.
    """
    try:
        before = path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return 0
    sought = {*texts, *(part for name in names for part in name.split() if not part.islower())}
    entries = list(_entries(before))
    kept = [entry for entry in entries if not any(holds(_said(entry), text) for text in sought)]
    if len(kept) < len(entries):
        replaced(path, (entry.encode("utf-8", "surrogateescape") for entry in kept), 0o600)
    return len(entries) - len(kept)


def _entries(history: str) -> Iterator[str]:
    """What was said each time as the file has it: a line for the time, then each of its lines after a +."""
    entry: list[str] = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", history):
        if entry and entry[-1].startswith("+") and not line.startswith("+"):
            yield "".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield "".join(entry)


def _said(entry: str) -> str:
    return "\n".join(line[1:] for line in entry.split("\n") if line.startswith("+"))
