"""What was recorded last on this computer in a campaign: where its end is gone, that is missed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from journal.store.record import Record
from journal.store.rows import Row

_NOTED: Final = re.compile(
    r"(?P<receipt>(?P<line>\d{1,15}):(?P<position>\d{1,15}):(?P<hash>[0-9a-f]{64})) (?P<path>.+)\n"
).fullmatch


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
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            try:
                os.write(descriptor, noted.encode())
            finally:
                os.close(descriptor)

    def missed(self) -> str | None:
        """That this file once reached further, in a sentence; None where it holds what was noted of it."""
        try:
            noted = _NOTED(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        here = self.record.store.path
        if noted is None or noted["path"] != str(here.absolute()):
            return None
        stored = self.record.stored_hash(int(noted["line"]), int(noted["position"]))
        if stored is not None and stored.hex() == noted["hash"]:
            return None
        return (
            f"{here} lacks what was recorded last on this computer, up to {noted['position']}"
            f" (receipt {noted['receipt']}). A log that was deleted ({here.name}-wal) takes its acts"
            " along, and so does an older copy put in its place: if you have a later one, play on"
            " with that. Once you go on here, this is not said again."
        )
