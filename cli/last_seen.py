"""What was recorded last on this computer in a campaign: where its end is gone, that is missed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from journal.store.record import Record
from journal.store.rows import Row
from journal.vocabulary.base import LIMIT


class LastSeen(NamedTuple):
    """A file of one line: where the last act ended, its seal, and in which file it was recorded.

    Written after each act, so that it also knows of those that are lost with a log: it may be deleted at any
    time, and what cannot be written or read is no matter.
    """

    path: Path
    record: Record

    def keep(self, last: Row) -> None:
        """Notes that an act was recorded, by its last event."""
        noted = f"{last.line}:{last.position}:{last.hash.hex()} {self.record.store.path.absolute()}\n"
        with suppress(OSError, UnicodeError):
            try:
                descriptor = self._opened()
            except FileNotFoundError:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = self._opened()
            try:
                os.write(descriptor, noted.encode())
            finally:
                os.close(descriptor)

    def _opened(self) -> int:
        # Not emptied first, for which some file systems wait: a line that was longer leaves its end behind.
        return os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600)

    def missed(self) -> str | None:
        """That this file once reached further, in a sentence; None where it holds what was noted of it."""
        try:
            receipt, _, path = self.path.read_text("utf-8").partition("\n")[0].partition(" ")
            line, position, hash_ = receipt.split(":")
            noted = int(line), int(position)
        except (OSError, ValueError):
            return None
        here = self.record.store.path
        if path != str(here.absolute()) or not all(0 < one <= LIMIT for one in noted):
            return None
        stored = self.record.stored_hash(*noted)
        if stored is not None and stored.hex() == hash_:
            return None
        return (
            f"{here} lacks what was recorded last on this computer, up to {position}"
            f" (receipt {receipt}). A log that was deleted ({here.name}-wal) takes its acts"
            " along, and so does an older copy put in its place: if you have a later one, play on"
            " with that. Once you go on here, this is not said again."
        )
