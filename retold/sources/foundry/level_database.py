"""Foundry's messages since version 11: a folder that is a LevelDB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retold.journal.refused import Refused
from retold.sources import leveldb
from retold.sources.encodings import keepable
from retold.sources.foundry.messages import decoded, kept_raw, order_of, unit_of
from retold.sources.foundry.world import files_of, world_of
from retold.sources.leveldb import Damaged, Value
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Reason, Sort, Unit

_KEY: Final = b"!messages!"
_OTHER_KEY: Final = re.compile(r"!(?!messages!)[a-z]{2,20}(?:\.[a-z]{2,20})?![A-Za-z0-9]{16}")


def look(head: Head) -> Likeness:
    """Likeness to the database of messages: a LevelDB of that name, or with keys of messages alone."""
    if head.name.rpartition("/")[2] == "messages":
        return Likeness.SURELY
    has_messages = _KEY.decode() in head.text and _OTHER_KEY.search(head.text) is None
    return Likeness.SURELY if has_messages else Likeness.NO


def count(stream: Stream) -> int:
    """Number of changes in all files that count: what logs say of themselves, and the entries of tables.

    A part that is damaged counts as one.
    """
    files = _files(stream)
    live = leveldb.live_files(files)
    total = 0
    for name in live.logs:
        for record in leveldb.records(name, files[name]()):
            total += 1 if isinstance(record, Damaged) else int.from_bytes(record[8:12], "little")
    for name in live.tables:
        for block in leveldb.blocks(name, files[name]()):
            total += 1 if isinstance(block, Damaged) else _entries(block)
    return total


def _entries(block: bytes) -> int:
    """Number of entries of a block, found by the lengths alone."""
    end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
    total = at = 0
    while at < end:
        sizes = []
        for _ in range(3):
            size = shift = 0
            while at < end and block[at] > 127:
                size |= (block[at] & 127) << shift
                shift, at = shift + 7, at + 1
            sizes.append(size | (block[at] << shift) if at < end else size)
            at += 1
        at += sizes[1] + sizes[2]
        total += 1
    return total


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a database in the order of time; of several entries with one key the newest counts.

    Raises Refused if it is no LevelDB, or if the library for it is missing.
    """
    files = _files(stream)
    live = leveldb.live_files(files)
    if live.warning:
        tally.warn(f"{stream.name}: {live.warning}")
    entries, damaged = leveldb.newest(files, live)
    for number, part in enumerate(damaged, start=1):
        raw = f"{part.where}. {kept_raw(part.data.decode('utf-8', 'replace'), tally)}".strip()
        yield Unit(Place(number, number), f"damaged.{number}", Sort.NOTICE, raw=raw, unread=True)
    if damaged:
        tally.warn(
            f"{stream.name} is damaged: changed or deleted messages may be here as they were before."
            " Copy the world again if you can, while it is closed in Foundry."
        )
    world = world_of(stream, tally)
    messages = []
    for ordinal, key in enumerate(sorted(entries), start=len(damaged) + 1):
        place, value = Place(ordinal, ordinal), entries.pop(key)
        name = keepable(key.decode("utf-8", "replace").removeprefix(_KEY.decode()), tally)
        item = decoded(value.data) if value.data is not None and key.startswith(_KEY) else None
        if item is not None:
            messages.append((order_of(item), {**item, "_id": name}, place, value.told))
        else:
            yield _other(key, name, value, place, tally)
    for _, item, place, told in sorted(messages, key=lambda message: message[0]):
        yield unit_of(item, place, told, world, tally)


def _other(key: bytes, name: str, value: Value, place: Place, tally: Tally) -> Unit:
    """Unit of a deleted key, of a key of another kind than messages, or of malformed JSON."""
    if value.data is None or not key.startswith(_KEY):
        return Unit(place, name, Sort.NOTICE, pieces=value.told, left_out=Reason.FRAME)
    raw = kept_raw(value.data.decode("utf-8", "replace"), tally)
    return Unit(place, f"broken.{name}", Sort.NOTICE, raw=raw, pieces=value.told, unread=True)


def _files(stream: Stream) -> leveldb.Files:
    if not stream.parts:
        raise Refused(f"{stream.name} is no LevelDB folder; name the folder data/messages of the world.")
    return files_of(stream)
