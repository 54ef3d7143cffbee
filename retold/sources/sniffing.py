"""Choice of a reader by a file's name and first characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from retold.journal.encodings import text_of_head
from retold.journal.packages import how_to_install
from retold.journal.refused import Refused
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.unit import Unit

ReadUnit: TypeAlias = "tuple[Stream, Reader, Unit]"
"""A unit, its file and that file's reader."""
Joined: TypeAlias = Callable[[Iterable[ReadUnit]], Iterator[ReadUnit]]
"""Function that merges the units of several files."""


class UnclearError(Refused):
    """Raised if several readers may know a file, or one is not sure; `readers` are those."""

    def __init__(self, name: str, readers: Sequence[Reader], text: str = "") -> None:
        self.readers = tuple(readers)
        if len(readers) == 1:
            wanted = f"{name} may be {readers[0].title}; name the format {readers[0].name} if it is."
        else:
            names = " or ".join(f"{reader.name} ({reader.title})" for reader in readers)
            wanted = f"{name} may be {names}; name the format."
        super().__init__(wanted, *beginning(text))


BEGINS: Final = "It begins with "
SHOWN: Final = 60
"""Characters of a line that are shown of a file that cannot be read."""


def beginning(text: str) -> Iterator[str]:
    """Yields a sentence with the first two lines of a text; none if it has no words, or is no text."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][:2]
    if lines and "\x00" not in text:
        shown = (f"“{line if len(line) <= SHOWN else line[: SHOWN - 1] + '…'}”" for line in lines)
        yield f"{BEGINS}{' and '.join(shown)}."


class Likeness(IntEnum):
    """Answer of a reader to a look at a file: whether the file has its format."""

    NO = 0
    PERHAPS = 1
    SURELY = 2


@dataclass(frozen=True)
class Head:
    """Beginning of a file: its name, and the text of its first 64 KB."""

    name: str
    text: str


@dataclass(frozen=True)
class Reader:
    """Reader of one format."""

    name: str
    """Name as the user may give it, such as `discord-json`."""
    family: str
    """Tool the format comes from; formats of a family are told apart by themselves."""
    title: str
    look: Callable[[Head], Likeness]
    read: Callable[[Stream, Tally], Iterator[Unit]]
    count: Callable[[Stream], int]
    """Number of pieces by a second way, which knows nothing of the first; mostly a unit is one piece."""
    has_ids: bool = True
    """True if the keys of its units are ids of the tool, which hold in every channel and in every export."""
    reads_folders: bool = False
    """True if it reads folders whose files are one log; otherwise it reads single files."""
    can_mark: bool = True
    """False if the format cannot tell hidden units from others."""
    has_channels: bool = True
    """False if the channels of its units are colours or files, so that no question is asked about them."""
    is_solo: bool = False
    """True if most of its logs are of a game without a game master."""
    joined: Joined | None = None
    """Merges the units of all files of one source; None if the files follow each other."""
    how: str = ""
    """How a user comes by such a file, in a few words."""
    is_general: bool = False
    """True if it reads any tool's logs, so that a reader of one tool that is sure too reads the file."""
    instead: str = ""
    """Name of a reader whose file, in the same folder, holds the same log, so that this one is not read."""


def head_of(stream: Stream) -> Head:
    """Beginning of a file, for a first look."""
    return Head(stream.name, text_of_head(stream.head))


def chosen(
    stream: Stream, readers: Sequence[Reader], named: str = "", *, is_alone: bool = True
) -> Reader | None:
    """Reader of a file: the only sure reader, or the one named by the user; None if no reader knows the file.

    A general reader counts as sure only where no specific one is.

    `named` is the name of a reader or of a family; with other files beside it (not `is_alone`) the file still
    has to look like it. Raises Refused if several readers are sure, or if none is
    and some think it possible: the user is asked.
    """
    able = [reader for reader in readers if named in ("", reader.name, reader.family)]
    if not able:
        names = ", ".join(sorted({reader.name for reader in readers} | {reader.family for reader in readers}))
        other = f" If a package brings it: {how_to_install(f'retold-{named}')}" if named.isalpha() else ""
        raise Refused(f"There is no format {named!r}; there are {names}.{other}")
    if named and len(able) == 1 and is_alone:
        return able[0]
    able = [reader for reader in able if reader.reads_folders == bool(stream.parts)]
    head = head_of(stream)
    likeness = {reader.name: reader.look(head) for reader in able}
    sure = [reader for reader in able if likeness[reader.name] is Likeness.SURELY]
    specific = [reader for reader in sure if not reader.is_general]
    if len(specific or sure) == 1:
        return (specific or sure)[0]
    possible = specific or sure or [reader for reader in able if likeness[reader.name] is Likeness.PERHAPS]
    if named and len(possible) == 1:
        return possible[0]
    if possible:
        raise UnclearError(stream.name, possible, head.text)
    return None
