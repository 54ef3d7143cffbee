"""Promised API for authors of readers; a distribution with a reader imports nothing else from Retold.

docs/add-a-source.md is a walk through a reader. Names listed in `__all__` keep their meaning within a major
version; other modules may change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from retold.journal.packages import guest_errors
from retold.journal.refused import Refused
from retold.sources import Source, read, readers, troubles
from retold.sources.conventions import sorted_words
from retold.sources.dice import Rung, Throw
from retold.sources.dice.generic import throws as generic_throws
from retold.sources.encodings import keepable, without_accounts
from retold.sources.installed import ReaderError
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream, streams
from retold.sources.reporting import Report, Tally
from retold.sources.sniffing import Head, Likeness, Reader, chosen, head_of
from retold.sources.times import Order, reader_of
from retold.sources.unit import Fact, FactKind, Place, Precision, Reason, Sort, Unit, When

__all__ = [
    "Fact",
    "FactKind",
    "Head",
    "Likeness",
    "Order",
    "Ordinals",
    "Place",
    "Precision",
    "Reader",
    "Reason",
    "Refused",
    "Report",
    "Rung",
    "Sort",
    "Stream",
    "Tally",
    "Throw",
    "Unit",
    "When",
    "check",
    "generic_throws",
    "keepable",
    "reader_of",
    "sorted_words",
    "without_accounts",
]

CUTS = 20
"""Number of places at which a file is cut off for `check`."""


def check(name: str, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Mistakes of an installed reader with a file of its format, each a sentence; empty without any.

    Raises nothing for an error of the reader: that is a mistake too.
    """
    reader = next((known for known in readers() if known.name == name), None)
    if reader is None:
        return (*troubles(), f"No reader {name!r} is installed.")
    return tuple(dict.fromkeys(_mistakes(reader, path)))


def _mistakes(reader: Reader, path: str | os.PathLike[str]) -> Iterator[str]:
    if not reader.how:
        yield "It does not say how a user comes by such a file (how)."
    for stream in streams(path):
        yield from _looks(reader, stream)
        keys: set[tuple[str, str]] = set()
        try:
            for unit in reader.read(stream, Tally()):
                if (unit.channel, unit.key) in keys:
                    yield f"Two units of {stream.name} have one key, the second at {unit.place} (key)."
                keys.add((unit.channel, unit.key))
        except Refused as refusal:
            yield f"It does not read its file: {refusal}"
    yield from _unread(reader, path)
    for stream in streams(path):
        for length in range(0, len(stream.data), len(stream.data) // CUTS + 1):
            yield from _cut_off(reader, stream, length)


def _looks(reader: Reader, stream: Stream) -> Iterator[str]:
    """Yields a sentence if users have to say which reader is meant, since this one or another is not sure."""
    if reader.look(head_of(stream)) is not Likeness.SURELY:
        yield f"It is not sure about {stream.name} (look), so that users have to say --as {reader.name}."
        yield from guest_errors()
        return
    try:
        found = chosen(stream, readers())
    except Refused as refusal:
        yield f"Another reader is sure of its file (look): {refusal}"
        return
    if found is None or found.name != reader.name:
        yield f"Its file is read by {found.name if found else 'nobody'} (look)."


def _unread(reader: Reader, path: str | os.PathLike[str]) -> Iterator[str]:
    try:
        report = read(path, format=reader.name).report()
    except Refused as refusal:
        yield f"It does not read its file: {refusal}"
        return
    if not report.read:
        yield "It understands nothing of its file."


def _cut_off(reader: Reader, stream: Stream, length: int) -> Iterator[str]:
    """Yields a sentence if reading a cut-off file raises anything but Refused."""
    data = stream.data[:length]
    part = replace(stream, read=lambda most: data[:most])
    try:
        Source(reader.family, ((part, reader),)).report()
    except ReaderError as error:
        yield f"Cut off after {length:,} bytes, the file is not refused: {error}"
    except Refused:
        return
