"""Files of a source: a path, folder, zip or gz file becomes named streams, within limits."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from retold.journal.encodings import text_of
from retold.journal.refused import Refused
from retold.sources.folders import LOGS, NEIGHBOURS, WORLD, databases, needs_look, worlds_among
from retold.sources.leveldb import is_database, is_part
from retold.sources.times import Order

MOST_BYTES: Final = 1_000_000_000
"""Size of one file."""
MOST_UNPACKED: Final = 2_000_000_000
"""Size of all files of an archive."""
MOST_FILES: Final = 10_000
HEAD: Final = 65_536
"""Length of the beginning that readers look at before they are chosen, in bytes."""
ARCHIVES: Final = (".zip", ".gz", ".tgz", ".7z", ".rar", ".tar", ".bz2", ".xz", ".zst")
_ZIP: Final = b"PK\x03\x04"
_EMPTY_ZIP: Final = b"PK\x05\x06"
_GZ: Final = b"\x1f\x8b"


@dataclass(frozen=True)
class Hints:
    """Hints of the user for a source that cannot be understood by its look alone."""

    encoding: str = ""
    dates: Order | None = None
    """Order of day and month in its dates."""
    names: frozenset[str] = frozenset()
    """Names that speak in it."""
    pattern: str = ""
    """Shape of a line: one of the shapes known, or a regular expression with the groups `name` and `words`,
    and perhaps `time`."""
    columns: tuple[tuple[str, str], ...] = ()
    """Headings of the columns of a table, by their content: `name`, `words`, `time`, `channel`."""


@dataclass(frozen=True)
class Stream:
    """One file of a source."""

    name: str
    """Name as the user knows it; inside a folder or archive its path there."""
    read: Callable[[int], bytes]
    """Returns up to that many bytes from the beginning of the file."""
    hints: Hints = Hints()
    beside: tuple[Stream, ...] = ()
    """All files of the same folder or archive, in which names may stand."""
    parts: tuple[Stream, ...] = ()
    """Files of a folder that is one log, such as a LevelDB; the bytes of all are then those of the stream."""
    is_dead: bool = False
    """True if other files beside it say the same in a newer form."""

    @cached_property
    def head(self) -> bytes:
        """First 64 KB."""
        return self.read(HEAD)

    @cached_property
    def data(self) -> bytes:
        """Whole file. Raises Refused if it is larger than 1 GB."""
        data = self.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Refused(f"{self.name} is larger than 1 GB; export it in parts.")
        return data

    @cached_property
    def text(self) -> str:
        """Whole file as text, without a byte order mark. Raises Refused if its encoding is not known."""
        return text_of(self.data, self.name, self.hints.encoding)

    def release(self) -> None:
        """Forgets the file's bytes and text, to free memory; the next use reads them again."""
        for name in ("data", "text"):
            self.__dict__.pop(name, None)
        for part in self.parts:
            part.release()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file, as hex digits."""
        return hashlib.sha256(self.data).hexdigest()


def streams(path: str | os.PathLike[str]) -> tuple[Stream, ...]:
    """Files at a path: the file itself, a folder's files by name, or the files in a zip or gz file.

    A folder that is a LevelDB is one stream, and so is any file of it; of a world of Foundry only the
    messages and the names are here.
    Raises Refused with one sentence if something is missing, unreadable, too large or hostile.
    """
    place = Path(path)
    try:
        place = _whole(place)
        mode = place.stat().st_mode
        if stat.S_ISDIR(mode):
            return _in_folder(place, place.resolve().name)
        if not stat.S_ISREG(mode):
            raise Refused(f"{place.name} is neither a file nor a folder; save the log as a file first.")
        stream = Stream(place.name, lambda most: _read(place, most))
        if stream.head.startswith((_ZIP, _EMPTY_ZIP)):
            return _grouped(_in_zip(place), place.stem)
        if stream.head.startswith(_GZ):
            return (Stream(place.name.removesuffix(".gz"), lambda most: _unpacked(place, most)),)
    except FileNotFoundError:
        raise Refused(f"There is no file {place}.") from None
    except ValueError:
        raise Refused("The name of the file holds a character that no file can have.") from None
    except OSError as error:
        raise Refused(f"{place.name} cannot be read: {error.strerror or error}.") from None
    return (stream,)


def neighbours(path: str | os.PathLike[str]) -> tuple[Stream, ...]:
    """Files beside a path that explain its ids: users and actors for Foundry's messages.

    A neighbour that cannot be read is left out.
    """
    place = _whole(Path(path)).resolve()
    found: list[Stream] = []
    for name in NEIGHBOURS.get(place.name.removesuffix(".db"), ()):
        for neighbour in (place.with_name(f"{name}.db"), place.with_name(name)):
            with contextlib.suppress(Refused, OSError):
                if neighbour.is_dir():
                    found += _in_folder(neighbour, name)
                elif neighbour.is_file():
                    found.append(Stream(neighbour.name, _reader(neighbour)))
    return tuple(found)


def _whole(place: Path) -> Path:
    """Folder of a LevelDB if the path is a file inside one; any other path unchanged."""
    if (
        is_part(place.name)
        and place.is_file()
        and is_database([file.name for file in place.parent.iterdir()])
    ):
        return place.parent
    return place


def _read(place: Path, most: int) -> bytes:
    try:
        with place.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise Refused(f"{place.name} cannot be read: {error.strerror or error}.") from None


def _in_folder(folder: Path, title: str) -> tuple[Stream, ...]:
    found: dict[str, Path] = {}
    worlds: set[str] = set()
    for root, folders, files in os.walk(folder):
        here = "".join(f"{part}/" for part in Path(root).relative_to(folder).parts)
        if WORLD in files and "data" in folders:
            worlds.add(here)
            folders[:] = [name for name in folders if name in LOGS]
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        wanted = (name for name in files if not name.startswith(".") and needs_look(here + name, worlds))
        paths = {here + name: Path(root, name) for name in wanted}
        found |= {name: file for name, file in paths.items() if file.is_file() and not file.is_symlink()}
        if len(found) > MOST_FILES:
            raise Refused(f"{folder.name} holds more than {MOST_FILES:,} files; name a smaller folder.")
    return _grouped((Stream(name, _reader(found[name])) for name in sorted(found)), title)


def _grouped(files: Iterable[Stream], title: str) -> tuple[Stream, ...]:
    """Files sorted by name, one stream for each LevelDB; a LevelDB in the topmost folder is named `title`."""
    named = {stream.name: stream for stream in files}
    found = databases(named)
    single = named.keys() - found.frame - set().union(*found.parts.values())
    streams_ = [replace(named[name], is_dead=name in found.dead) for name in single]
    streams_ += [
        _as_one(folder or title, [named[name] for name in found.parts[folder]]) for folder in found.parts
    ]
    return tuple(sorted(streams_, key=lambda stream: stream.name))


def _as_one(name: str, parts: Sequence[Stream]) -> Stream:
    def read(most: int) -> bytes:
        whole = io.BytesIO()
        for part in parts:
            if (room := most - whole.tell()) > 0:
                whole.write(part.read(room))
        return whole.getvalue()

    return Stream(name, read, parts=tuple(parts))


def _reader(path: Path) -> Callable[[int], bytes]:
    return lambda most: _read(path, most)


def _in_zip(place: Path) -> Iterator[Stream]:
    """Files of an archive, whose table is checked before anything is unpacked."""
    try:
        with zipfile.ZipFile(place) as archive:
            everything = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        raise Refused(f"{place.name} is no whole zip file; copy or download it again.") from None
    worlds = worlds_among([entry.filename for entry in everything])
    entries = [entry for entry in everything if needs_look(entry.filename, worlds)]
    _check(place.name, entries)
    for entry in sorted(entries, key=lambda entry: entry.filename):
        yield Stream(entry.filename, _entry_reader(place, entry))


def _check(archive: str, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Raises Refused if an archive has too many or too large files, links, or names that lead out of it."""
    if len(entries) > MOST_FILES:
        raise Refused(f"{archive} holds more than {MOST_FILES:,} files; pack fewer.")
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        raise Refused(f"{archive} would be larger than 2 GB when unpacked; pack less into it.")
    names: set[str] = set()
    for entry in entries:
        name = entry.filename
        if leads_out(name):
            raise Refused(
                f"{archive} holds a file whose name leads out of it: {name!r}; nothing was unpacked."
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise Refused(f"{archive} holds a link, {name!r}; pack the file itself.")
        if entry.flag_bits & 1:
            raise Refused(f"{archive} has a password; pack it without one.")
        if name in names:
            raise Refused(f"{archive} holds two files named {name!r}; pack it again.")
        names.add(name)


def leads_out(name: str) -> bool:
    """True if a file of this name would lie outside the folder it is unpacked into."""
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name


def _entry_reader(place: Path, entry: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            with zipfile.ZipFile(place) as archive, archive.open(entry) as file:
                return file.read(most)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            ValueError,
            RuntimeError,
            OSError,
        ):
            raise Refused(f"{entry.filename} in {place.name} cannot be unpacked; pack it again.") from None

    return read


def _unpacked(place: Path, most: int) -> bytes:
    try:
        with gzip.open(place) as file:
            return _up_to(file, most)
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise Refused(f"{place.name} is no whole gz file; copy or download it again.") from None


def _up_to(file: io.BufferedIOBase | gzip.GzipFile, most: int) -> bytes:
    """Bytes of a file, read in pieces, so that a small archive cannot ask for all memory at once."""
    pieces = io.BytesIO()
    while pieces.tell() < most and (piece := file.read(min(most - pieces.tell(), 1 << 20))):
        pieces.write(piece)
    return pieces.getvalue()


def is_archive(name: str) -> bool:
    """True if the name is that of an archive; archives inside archives are not opened."""
    return name.casefold().endswith(ARCHIVES)
