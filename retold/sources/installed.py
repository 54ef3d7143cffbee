"""Readers that other installed distributions bring, found by their entry points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from retold.journal.packages import note, problem
from retold.journal.refused import Refused
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, Reader
from retold.sources.unit import Unit

GROUP: Final = "retold.sources"
"""Entry point group of other distributions' readers: each entry gives a name and a `Reader`."""


class Installed(NamedTuple):
    """Readers of other distributions, and a sentence on each unusable reader."""

    readers: tuple[Reader, ...]
    troubles: tuple[str, ...]


@cache
def installed(own: tuple[Reader, ...]) -> Installed:
    """Loads the readers of other distributions; a reader that fails to load, with any exception, is left out.

    `own` are Retold's, whose names and families they may not have.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 -- slow, and only an import needs it

    found: list[Reader] = []
    wrong: list[str] = []
    entries = {(entry.name, entry.value): entry for entry in entry_points(group=GROUP)}
    for (name, value), entry in sorted(entries.items()):
        home = value.partition(":")[0].partition(".")[0]
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else value
        try:
            reader = entry.load()
            _check(name, reader, {*(one.family for one in own), *(one.name for one in (*own, *found))})
            guard = _Guarded(reader, home, package)
            found.append(replace(reader, look=guard.look, read=guard.read, count=guard.count))
        except Refused as refusal:
            wrong.append(f"{package} brings a reader {name!r}, {refusal}")
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- a stranger's mistake must not stop an import
            wrong.append(
                f"The reader {name!r} of {package} cannot be loaded: {problem(error, home)}."
                f" Install {package.partition(' ')[0]} again, or a version that fits this Retold."
            )
    return Installed(tuple(found), tuple(wrong))


class ReaderError(Refused):
    """Raised for an exception in an installed reader; the sentence names its package, file and line."""


class _Guarded(NamedTuple):
    """Functions of an installed reader, each with a guard around it."""

    reader: Reader
    package: str
    distribution: str

    def look(self, head: Head) -> Likeness:
        """Returns the reader's answer; a look that fails is noted, and the file is not this reader's."""
        try:
            return Likeness(self.reader.look(head))
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- any error costs this reader alone
            note(self._failed(f"look at {head.name}", error, self.reader.look))
            return Likeness.NO

    def read(self, stream: Stream, tally: Tally) -> Iterator[Unit]:
        """Yields the reader's units; raises ReaderError for an exception, and for anything but a unit."""
        try:
            yield from map(_checked, self.reader.read(stream, tally))
        except Refused:
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(f"read {stream.name}", error, self.reader.read) from error

    def count(self, stream: Stream) -> int:
        """Returns the reader's count; raises ReaderError for an exception."""
        try:
            return int(self.reader.count(stream))
        except Refused:
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(f"count {stream.name}", error, self.reader.count) from error

    def _failed(self, what: str, error: BaseException, call: object) -> ReaderError:
        found = problem(error, self.package, call)
        return ReaderError(
            f"The reader {self.reader.name} ({self.distribution}) could not {what}: {found}."
            " Nothing was recorded."
        )


def _checked(unit: object) -> Unit:
    if not isinstance(unit, Unit):
        raise TypeError(f"{unit!r} is no Unit")
    return unit


def _check(name: str, reader: object, taken: set[str]) -> None:
    """Raises Refused, with the end of a sentence, for an object other than a Reader or a taken name."""
    if not isinstance(reader, Reader):
        raise Refused("which is no Reader: it is left out.")
    if reader.name != name:
        raise Refused(f"which calls itself {reader.name!r}: it is left out.")
    if {name, reader.family} & taken:
        raise Refused("whose name or family is taken: it is left out.")
