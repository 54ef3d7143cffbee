"""Readers that other installed distributions bring, found by their entry points."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from journal.refused import Refused
from retold.sources.sniffing import Reader

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
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else value
        try:
            reader = entry.load()
            _check(name, reader, {*_families(own), *(known.name for known in (*own, *found))})
        except Refused as refusal:
            wrong.append(f"{package} brings a reader {name!r}, {refusal}")
        except Exception as error:  # noqa: BLE001 -- a stranger's mistake must not stop an import
            wrong.append(
                f"The reader {name!r} of {package} cannot be loaded ({type(error).__name__}: {error}):"
                f" install {package.partition(' ')[0]} again, or a version that fits this Retold."
            )
        else:
            found.append(reader)
    return Installed(tuple(found), tuple(wrong))


def _families(readers: tuple[Reader, ...]) -> set[str]:
    return {reader.family for reader in readers}


def _check(name: str, reader: object, taken: set[str]) -> None:
    """Raises Refused, with the end of a sentence, for an object other than a Reader or a taken name."""
    if not isinstance(reader, Reader):
        raise Refused("which is no Reader: it is left out.")
    if reader.name != name:
        raise Refused(f"which calls itself {reader.name!r}: it is left out.")
    if {name, reader.family} & taken:
        raise Refused("whose name or family is taken: it is left out.")
