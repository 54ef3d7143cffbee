"""A note of the last event recorded on this computer: it shows if a campaign file lost its latest events."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.disk.folders import moved_to, own_folder
from retold.journal.vocabulary.base import LIMIT

if TYPE_CHECKING:
    from retold.journal.store.events.record import Record

_ENDING = ".end"
_SEALED: Final = "sha256:"
"""How a note begins since it has a checksum; the older ones begin with the number of a branch."""

OVER_THE_GAP = (
    "A server that took over from another may lack its last acts. Retold records nothing there until you say"
    " so: retold play --over-the-gap."
)
"""Said where the end of a campaign on a server is missing."""


class LastSeen:
    """A small file beside the caches with the last recorded event: branch, position, hash, campaign file.

    It is written after each act, so it also knows of acts lost with a write-ahead log. It may be deleted at
    any time; failures to read or write it are ignored, and so is a note of which only a part was written.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        place = record.store.place
        self._file = place.text if place.file is None else os.path.realpath(place.file)

    @cached_property
    def path(self) -> Path:
        """The path of the note; StoreError, ValueError or LookupError if the record begins no campaign."""
        first = next(self.record.store.stretch(1, 0, 1), None)
        if first is None:
            raise StoreError(f"{self.record.store.place} is empty.")
        return _folder() / f"{json.loads(first.body)['data']['campaign']}{_ENDING}"

    def keep(self, last: Row) -> None:
        """Writes the note for `last`, the last event of an act."""
        noted = _sealed(f"{last.line}:{last.position}:{last.hash.hex()} {self._file}")
        with suppress(OSError, ValueError, LookupError, TypeError, StoreError):
            try:
                descriptor = self._open_note()
            except FileNotFoundError:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = self._open_note()
            try:
                os.write(descriptor, f"{noted}\n".encode())
            finally:
                os.close(descriptor)

    def _open_note(self) -> int:
        # Not truncated, which is slow on some file systems: the end of a longer old line stays.
        return os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600)

    def keep_end(self, line: int) -> None:
        """Writes the note for the event that branch `line` ends with now."""
        with suppress(StoreError):
            last = self.record.row(line, self.record.head(line).position)
            if last is not None:
                self.keep(last)

    def missed(self) -> str | None:
        """Returns a warning if the campaign lacks the event in the note; None if it has it.

        Also None if the note cannot be read, or belongs to another file.
        """
        receipt = self.missed_receipt()
        if receipt is None:
            return None
        here, (_, position, _) = self.record.store.place, receipt.split(":")
        lacks = f"{here} lacks what was recorded last on this computer, up to {position} (receipt {receipt})."
        if here.file is None:
            return f"{lacks} {OVER_THE_GAP}"
        return (
            f"{lacks} A log that was deleted or damaged ({here.name}-wal) takes its acts"
            " along, and so does an older copy put in its place: if you have a later one, play on"
            " with that. Once you go on here, this is not said again."
        )

    def missed_receipt(self) -> str | None:
        """Returns the receipt (`line:position:hash`) in the note if the campaign lacks its event; else None.

        Also None if the note cannot be read, or belongs to another file.
        """
        try:
            receipt, file = _read(self.path)
            line, position, hash_ = receipt.split(":")
            noted = int(line), int(position)
            stored = self.record.stored_hash(*noted) if _is_possible(noted) else None
        except (OSError, ValueError, LookupError, TypeError, StoreError):
            return None
        if not _is_same(file, self._file) or not _is_possible(noted):
            return None
        return None if stored is not None and stored.hex() == hash_ else receipt


def files_seen() -> Iterator[Path]:
    """Yields the campaign files in which this computer recorded events."""
    with suppress(OSError):
        for note in sorted(_folder().glob(f"*{_ENDING}")):
            with suppress(OSError, ValueError):
                _, file = _read(note)
                if (path := Address.read(file).file) is not None:
                    yield path


def _read(path: Path) -> tuple[str, str]:
    """Returns a note's receipt (`line:position:hash`) and the path of the campaign file in it.

    Raises ValueError if its checksum is wrong: the note was cut off while it was written over the last one.
    """
    line = path.read_text("utf-8").partition("\n")[0]
    noted = line.partition(" ")[2] if line.startswith(_SEALED) else line
    if line not in (noted, _sealed(noted)):
        raise ValueError(f"{path} is torn")
    receipt, _, file = noted.partition(" ")
    return receipt, file


def _sealed(noted: str) -> str:
    return f"{_SEALED}{hashlib.sha256(noted.encode()).hexdigest()[:16]} {noted}"


def _is_possible(noted: tuple[int, int]) -> bool:
    return all(0 < number <= LIMIT for number in noted)


def _is_same(noted: str, file: str) -> bool:
    """True if both names refer to the same file."""
    with suppress(OSError, ValueError):
        return noted == file or Path(noted).samefile(file)
    return False


def _folder() -> Path:
    return own_folder("cache", moved_to())
