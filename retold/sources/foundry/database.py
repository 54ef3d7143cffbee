"""Foundry's database up to version 10: a file of JSON lines, to which every change is appended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from retold.sources.encodings import keepable
from retold.sources.foundry.archive import opens_list
from retold.sources.foundry.messages import decoded, kept_raw, order_of, unit_of
from retold.sources.foundry.world import world_of
from retold.sources.json_objects import string_in
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.unit import Place, Reason, Sort, Unit


@dataclass(slots=True)
class _Row:
    """Newest state of a message, and the lines that told it."""

    first: int
    last: int
    lines: int
    item: Mapping[str, Any] | None
    """None once it was deleted."""


def look(head: Head) -> Likeness:
    """Likeness to the database of messages: lines of JSON with an id, a speaker and a time."""
    if not head.text.lstrip("\ufeff \r\n").startswith('{"') or opens_list(head.text):
        return Likeness.NO
    is_messages = all(f'"{key}":' in head.text for key in ("_id", "speaker", "timestamp", "content"))
    return (
        Likeness.SURELY if is_messages and re.search(r'\}\s*\n\{"|"\$\$|\}\s*\Z', head.text) else Likeness.NO
    )


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(1 for line in stream.text.replace("\r", "\n").split("\n") if line.strip())


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a database in the order of time; of several lines with one id the last counts."""
    rows: dict[str, _Row] = {}
    for number, line in enumerate(stream.text.replace("\r", "\n").split("\n"), start=1):
        if not line.strip():
            continue
        item = decoded(line)
        identifier = string_in(item, "_id") if item else ""
        if item is None or not identifier:
            yield _other(number, line, item, tally)
            continue
        row = rows.setdefault(identifier, _Row(number, number, 0, None))
        row.last, row.lines = number, row.lines + 1
        row.item = None if item.get("$$deleted") else item
    world = world_of(stream, tally)
    gone = [(identifier, row) for identifier, row in rows.items() if row.item is None]
    for identifier, row in gone:
        place = Place(row.first, row.last)
        yield Unit(place, keepable(identifier, tally), Sort.NOTICE, pieces=row.lines, left_out=Reason.FRAME)
    alive = [(row.item, row) for row in rows.values() if row.item is not None]
    for item, row in sorted(alive, key=lambda message: order_of(message[0])):
        yield unit_of(item, Place(row.last, row.last), row.lines, world, tally)


def _other(number: int, line: str, item: Mapping[str, Any] | None, tally: Tally) -> Unit:
    """Unit of a line that is no message: the database's own index, or a line that is broken."""
    place = Place(number, number)
    if item is not None and any(key.startswith("$$") for key in item):
        return Unit(place, f"frame.{number}", Sort.NOTICE, left_out=Reason.FRAME)
    return Unit(place, f"broken.{number}", Sort.NOTICE, raw=kept_raw(line, tally), unread=True)
