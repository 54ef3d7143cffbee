"""An evening at which anything may be typed, one line after another, as at the console."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.table import Table
from retold.scribe import Scribe

SEED = b"the same for everybody"
"""What every evening deals from, so that it can be played again."""


@dataclass
class Evening:
    """A campaign in a folder of its own, what was typed into it, and which of that was taken."""

    scribe: Scribe
    typed: list[str] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    """Why, by the number of the line in `typed`, from 0."""

    @property
    def table(self) -> Table:
        return self.scribe.table

    def type(self, line: str) -> bool:
        """Whether the line was taken; anything but a refusal in a sentence is let through."""
        self.typed.append(line)
        try:
            self.scribe.say(line)
        except (Refused, StoreError) as refusal:
            self.refused[len(self.typed) - 1] = str(refusal)
            return False
        return True

    def told(self) -> list[str]:
        """Everything typed, as a script that plays it again, with why some of it was refused."""
        return [
            f"# {line}   -- {self.refused[number]}" if number in self.refused else line
            for number, line in enumerate(self.typed)
        ]


@contextmanager
def evening(lines: Sequence[str] = ()) -> Iterator[Evening]:
    """A new evening, these lines typed into it already, refused or not; its folder goes with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evening.retold"
        with CampaignStore.create(path, seed=SEED) as campaign:
            begun = Evening(Scribe(campaign, 1, today="2026-03-14"))
            for line in lines:
                begun.type(line)
            yield begun
