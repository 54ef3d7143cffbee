"""What came of a line of the table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from journal.store.acts import Done
from journal.vocabulary.base import Event


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a line: events recorded, or only something to say."""

    done: Done | None = None
    said: tuple[str, ...] = ()
    checked: bool = False
    """True where nothing was to be recorded."""
    would: tuple[Event, ...] = ()
    """With --check: what would have happened."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, or would have, where it was only checked; nothing where the line only asked."""
        return self.would if self.done is None else self.done.events


class Forgotten(NamedTuple):
    """What became of copies beside the record: lines taken out, and the files that could not be changed."""

    lines: int = 0
    left: tuple[Path, ...] = ()
