"""LevelDB, read only: the newest state of every key in the files of one folder."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from retold.journal.extras import Extra
from retold.journal.refused import Refused

MOST_IN_KEY: Final = 1_000
"""Length of a key, in bytes; Foundry's are shorter than 100."""
MOST_IN_BLOCK: Final = 32_000_000
"""Size of one block when unpacked, in bytes; LevelDB's own are 4 KB, or one value."""
MOST_IN_ALL: Final = 2_000_000_000
"""Size of all blocks when unpacked, in bytes."""
LOG_BLOCK: Final = 32_768
"""Length of a block of a log, in bytes; a record goes on from block to block in fragments."""
_FOOTER: Final = 48
_MAGIC: Final = bytes.fromhex("57fb808b247547db")
_TRAILER: Final = 5
_FRAME: Final = 65_536
_NO_COMPRESSION, _SNAPPY, _ZLIB, _RAW_ZLIB = 0, 1, 2, 4
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_PUT: Final = 1
_TABLE: Final = re.compile(r"(\d{1,18})\.(?:ldb|sst)")
_LOG: Final = re.compile(r"(\d{1,18})\.log")
_MANIFEST: Final = re.compile(r"MANIFEST-(\d{1,18})")

Files = Mapping[str, Callable[[], bytes]]
"""Files of a folder by name; each is read when it is called."""


@dataclass(frozen=True, slots=True)
class Live:
    """Live files of a LevelDB, in the order of their numbers, and a warning about ignored files."""

    tables: tuple[str, ...]
    logs: tuple[str, ...]
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Damaged:
    """Part of a file with a wrong checksum."""

    where: str
    data: bytes = b""
    """Its bytes where they were not compressed."""


@dataclass(slots=True)
class Value:
    """Newest state of a key."""

    sequence: int
    data: bytes | None
    """None once it was deleted."""
    told: int = 1
    """Number of entries that told the key, in all files."""


def is_part(name: str) -> bool:
    """True if a file of this name holds a part of a database; `LOCK` and `LOG` do not."""
    return name == "CURRENT" or any(shape.fullmatch(name) for shape in (_TABLE, _LOG, _MANIFEST))


def is_database(names: Sequence[str]) -> bool:
    """True if the files of a folder are those of a database."""
    return any(_TABLE.fullmatch(name) or _MANIFEST.fullmatch(name) for name in names)


def newest(files: Files, live: Live) -> tuple[dict[bytes, Value], list[Damaged]]:
    """Returns the newest state of every key, by sequence number, and the damaged parts.

    Raises Refused if the files are no tables and logs of LevelDB, or if Snappy is not installed.
    """
    found: dict[bytes, Value] = {}
    damaged: list[Damaged] = []
    for key, sequence, data in _all_entries(files, live, damaged):
        known = found.get(key)
        if known is None:
            found[key] = Value(sequence, data)
            continue
        known.told += 1
        if sequence >= known.sequence:
            known.sequence, known.data = sequence, data
    return found, damaged


def _all_entries(
    files: Files, live: Live, damaged: list[Damaged]
) -> Iterator[tuple[bytes, int, bytes | None]]:
    size = 0
    for name in live.tables:
        for block in blocks(name, files[name]()):
            if isinstance(block, Damaged):
                damaged.append(block)
                continue
            size += len(block)
            if size > MOST_IN_ALL:
                raise Refused("The database is larger than 2 GB when unpacked; it cannot be read.")
            yield from _entries(block, name)
    for name in live.logs:
        for record in records(name, files[name]()):
            if isinstance(record, Damaged):
                damaged.append(record)
            else:
                yield from _batch(record, name)


# --- Which files count ---


def live_files(files: Files) -> Live:
    """Files that the newest manifest names; without a whole manifest all tables and logs."""
    tables = {int(found[1]): name for name in sorted(files) if (found := _TABLE.fullmatch(name))}
    logs = {int(found[1]): name for name in sorted(files) if (found := _LOG.fullmatch(name))}
    named = files["CURRENT"]()[:200].decode("ascii", "replace").strip() if "CURRENT" in files else ""
    manifests = [name for name in files if _MANIFEST.fullmatch(name)]
    warning = ""
    if named not in manifests:
        warning = "The file CURRENT names no manifest that is there; the newest one is taken."
        named = max(manifests, key=lambda name: int(name.partition("-")[2]), default="")
    state = _state(named, files[named]()) if named else None
    if state is None or not state.tables <= tables.keys():
        everything = "every table and log is read, so deleted messages may be among the others."
        missing = "The manifest of the database is damaged" if state is None else "A table is missing"
        return Live(
            tuple(tables[number] for number in sorted(tables)),
            tuple(logs[number] for number in sorted(logs)),
            f"{missing}: {everything}",
        )
    return Live(
        tuple(tables[number] for number in sorted(state.tables)),
        tuple(logs[number] for number in sorted(logs) if number >= state.log or number == state.former_log),
        warning,
    )


@dataclass(slots=True)
class _State:
    tables: set[int]
    log: int = 0
    former_log: int = -1


def _state(name: str, data: bytes) -> _State | None:
    """State after all edits of a manifest; None if the manifest is damaged before its last edit."""
    state, levels = _State(set()), set[tuple[int, int]]()
    edits = list(records(name, data))
    if edits and isinstance(edits[-1], Damaged) and len(edits) > 1:
        edits.pop()
    try:
        for edit in edits:
            if isinstance(edit, Damaged):
                return None
            _edit(_Cursor(edit), state, levels)
    except _Nonsense:
        return None
    state.tables = {number for _, number in levels}
    return state if edits else None


def _edit(cursor: _Cursor, state: _State, levels: set[tuple[int, int]]) -> None:
    while cursor.is_open:
        tag = cursor.number()
        if tag == 1:  # comparator
            cursor.text()
        elif tag == 2:
            state.log = cursor.number()
        elif tag in (3, 4):  # next file, last sequence number
            cursor.number()
        elif tag == 5:  # where the next compaction begins
            cursor.number()
            cursor.text()
        elif tag == 6:
            levels.discard((cursor.number(), cursor.number()))
        elif tag == 7:
            levels.add((cursor.number(), cursor.number()))
            cursor.number()
            cursor.text()
            cursor.text()
        elif tag == 9:
            state.former_log = cursor.number()
        else:
            raise _Nonsense


# --- Tables ---


def blocks(name: str, data: bytes) -> Iterator[bytes | Damaged]:
    """Data blocks of a table, unpacked; a table without a whole index is damaged as one."""
    if len(data) < _FOOTER or not data.endswith(_MAGIC):
        yield Damaged(f"{name} is cut off")
        return
    end = 0
    try:
        footer = _Cursor(data[-_FOOTER:])
        footer.number(), footer.number()
        index = _block(name, data, footer.number(), footer.number())
        if isinstance(index, Damaged):
            yield Damaged(f"The index of {name} is damaged")
            return
        for _, entry in _pairs(index):
            handle = _Cursor(entry)
            start, size = handle.number(), handle.number()
            if start != end:
                yield Damaged(f"The index of {name} is damaged at byte {end:,}")
                return
            end = start + size + _TRAILER
            yield _block(name, data, start, size)
    except _Nonsense:
        yield Damaged(f"The index of {name} is damaged")


def _block(name: str, data: bytes, start: int, size: int) -> bytes | Damaged:
    where = f"Block at byte {start:,} of {name} is damaged"
    whole = data[start : start + size + 1]
    if start + size + _TRAILER > len(data) - _FOOTER:
        return Damaged(where)
    if not _holds(whole, data[start + size + 1 : start + size + _TRAILER]):
        return Damaged(where)
    packed, how = whole[:-1], whole[-1]
    return packed if how == _NO_COMPRESSION else _unpacked(packed, how, name) or Damaged(where)


def _unpacked(packed: bytes, how: int, name: str) -> bytes | None:
    if how == _SNAPPY:
        from cramjam import DecompressionError, snappy  # noqa: PLC0415 - `_holds` has looked for it

        try:
            if snappy.decompress_raw_len(packed) > MOST_IN_BLOCK:
                return None
            return bytes(snappy.decompress_raw(packed))
        except DecompressionError:
            return None
    if how not in (_ZLIB, _RAW_ZLIB):
        raise Refused(f"{name} is compressed in a way that is not known ({how}); it is not from Foundry.")
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS if how == _RAW_ZLIB else zlib.MAX_WBITS)
    try:
        unpacked = unpacking.decompress(packed, MOST_IN_BLOCK)
    except zlib.error:
        return None
    return unpacked if unpacking.eof else None


def _pairs(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of a block, whose keys are stored without the beginning shared with the key before."""
    if len(block) < 4:
        raise _Nonsense
    end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
    if end < 0:
        raise _Nonsense
    cursor, key = _Cursor(block, end), b""
    while cursor.is_open:
        shared, own, length = cursor.number(), cursor.number(), cursor.number()
        if shared > len(key) or shared + own > MOST_IN_KEY:
            raise _Nonsense
        key = key[:shared] + cursor.take(own)
        yield key, cursor.take(length)


def _entries(block: bytes, name: str) -> Iterator[tuple[bytes, int, bytes | None]]:
    """Key, sequence number and value of each entry of a data block; the value of a deletion is None.

    The number is in the last 8 bytes of the key, with the sort of entry.
    """
    try:
        for key, value in _pairs(block):
            tag = int.from_bytes(key[-8:], "little")
            yield key[:-8], tag >> 8, value if tag & 255 == _PUT else None
    except _Nonsense:
        raise _no_database(name) from None


# --- Logs ---


def records(name: str, data: bytes) -> Iterator[bytes | Damaged]:
    """Records of a log or a manifest, put together from their fragments."""
    parts: list[bytes] | None = None
    for fragment in _fragments(name, data):
        if isinstance(fragment, Damaged):
            yield Damaged(fragment.where, b"".join(parts or ()) + fragment.data)
            parts = None
            continue
        kind, words = fragment
        if kind in (_FULL, _FIRST):
            if parts is not None:
                yield Damaged(f"A record of {name} has no end", b"".join(parts))
            parts = []
        elif parts is None:
            continue  # its beginning was in a damaged block
        parts.append(words)
        if kind in (_FULL, _LAST):
            yield b"".join(parts)
            parts = None
    if parts is not None:
        yield Damaged(f"The last record of {name} is cut off", b"".join(parts))


def _fragments(name: str, data: bytes) -> Iterator[tuple[int, bytes] | Damaged]:
    """Kind and bytes of each fragment; nothing behind a damaged fragment of a block can be read."""
    for start in range(0, len(data), LOG_BLOCK):
        block, at = data[start : start + LOG_BLOCK], 0
        while at + 7 <= len(block):
            length, kind = int.from_bytes(block[at + 4 : at + 6], "little"), block[at + 6]
            if kind == 0 and length == 0 and not any(block[at : at + 4]):
                break  # room that was reserved and never written
            words = block[at + 7 : at + 7 + length]
            if len(words) < length and start + LOG_BLOCK >= len(data):
                yield Damaged(f"The last record of {name} is cut off", words)
                break
            is_whole = len(words) == length and _FULL <= kind <= _LAST
            if not is_whole or not _holds(block[at + 6 : at + 7 + length], block[at : at + 4]):
                yield Damaged(f"{name} is damaged at byte {start + at:,}", block[at + 7 :])
                break
            yield kind, words
            at += 7 + length


def _batch(record: bytes, name: str) -> Iterator[tuple[bytes, int, bytes | None]]:
    """Key, sequence number and value of each change of a batch."""
    sequence, count = int.from_bytes(record[:8], "little"), int.from_bytes(record[8:12], "little")
    cursor = _Cursor(record, at=12)
    try:
        for place in range(count):
            is_put = cursor.take(1)[0] == _PUT
            key = cursor.text()
            yield key, sequence + place, cursor.text() if is_put else None
    except _Nonsense:
        raise _no_database(name) from None
    if len(record) < 12 or cursor.is_open:
        raise _no_database(name)


# --- Bytes ---


class _Nonsense(Exception):  # noqa: N818 - never leaves this module
    """Raised for bytes that contradict the format."""


class _Cursor:
    """Reading position in bytes; its methods return the next value and move behind it."""

    def __init__(self, data: bytes, end: int | None = None, at: int = 0) -> None:
        self._data, self._at, self._end = data, at, len(data) if end is None else end

    @property
    def is_open(self) -> bool:
        """True until the end is reached."""
        return self._at < self._end

    def number(self) -> int:
        """Returns the next varint."""
        number = shift = 0
        while shift < 64 and self._at < self._end:
            byte = self._data[self._at]
            self._at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise _Nonsense

    def take(self, length: int) -> bytes:
        """Returns the next `length` bytes."""
        start, self._at = self._at, self._at + length
        if self._at > self._end:
            raise _Nonsense
        return self._data[start : self._at]

    def text(self) -> bytes:
        """Returns the next bytes, as many as the varint before them says."""
        return self.take(self.number())


def _holds(data: bytes, checksum: bytes) -> bool:
    """True if the data's masked CRC-32C equals the stored checksum.

    A frame of Snappy begins with the same checksum, so cramjam computes it. It goes up to 64 KB: larger
    blocks, of one large value, are not checked.
    """
    return len(data) > _FRAME or bytes(_snappy().compress(data))[14:18] == checksum


def _snappy() -> ModuleType:
    Extra("cramjam", "cramjam", "import").load("A world of Foundry 11 or later")
    from cramjam import snappy  # noqa: PLC0415 - an extra, which few need

    return snappy


def _no_database(name: str) -> Refused:
    return Refused(f"{name} is no file of a LevelDB that can be read; copy the world's folder again.")
