"""Attachments: small documents kept with a campaign, outside its record, in files or on its server."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from retold.cli.output.writing_files import replaced
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.attachments import Attachments

__all__ = ["Attachments", "FileAttachments", "attachments_of"]  # the service knows no store


def attachments_of(place: Address, sort: str, files: FileAttachments) -> Attachments:
    """Returns one kind of a campaign's attachments: `files` if the campaign is a file, else its server's."""
    return places.attachments(place, sort) or files


class FileAttachments(Struct, frozen=True):
    """Attachments of one kind: a folder of files, each named by a key between `before` and `ending`."""

    folder: Path
    before: str = ""
    ending: str = ".json"

    def every(self) -> dict[str, bytes]:
        """Returns the documents by key; an unreadable file is left out."""
        found = ((path, self._read(path)) for path in self._paths())
        return {self._key(path): data for path, data in found if data is not None}

    def get(self, key: str) -> bytes | None:
        """Returns the document stored under a key; None if it is missing or unreadable."""
        return self._read(self._path(key))

    def keep(self, key: str, data: bytes) -> None:
        """Stores a document on the disk, replacing the one with that key; OSError if the disk refuses."""
        self._make_folder()
        replaced(self._path(key), [data], 0o600, lasting=True)

    def drop(self, key: str) -> None:
        """Deletes the document of a key, if there is one; OSError if the disk refuses."""
        self._path(key).unlink(missing_ok=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Context manager: keeps every other `alone` block of these attachments waiting, in any program.

        It cannot be entered again inside itself.
        """
        self._make_folder()
        with (self.folder / f"{self.before}.lock").open("ab") as file:
            if sys.platform == "win32":
                import msvcrt

                file.seek(0)
                while True:
                    try:
                        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    except OSError as error:
                        if error.errno != errno.EDEADLOCK:  # it has waited for ten seconds
                            raise
                    else:
                        break
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def stamp(self) -> frozenset[tuple[str, int, int]]:
        """Returns names, times and numbers of the files, changed by each stored or deleted document.

        The times alone would not do: two changes within some milliseconds may have the same.
        """
        with suppress(OSError):
            found = ((path.name, path.stat()) for path in self._paths())
            return frozenset((name, stat.st_mtime_ns, stat.st_ino) for name, stat in found)
        return frozenset()

    def _paths(self) -> Iterator[Path]:
        return self.folder.glob(f"{self.before}*{self.ending}")

    def _path(self, key: str) -> Path:
        return self.folder / f"{self.before}{key}{self.ending}"

    def _key(self, path: Path) -> str:
        return path.name.removeprefix(self.before).removesuffix(self.ending)

    def _read(self, path: Path) -> bytes | None:
        with suppress(OSError):
            return path.read_bytes()
        return None

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
