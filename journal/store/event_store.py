"""The storage contract: the operations a database must offer to hold a campaign's record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, NamedTuple, Protocol


class Row(NamedTuple):
    """A stored event."""

    line: int
    position: int
    kind: str
    body: str
    words: str | None
    hash: bytes

    @property
    def head(self) -> Head:
        """The head of a line whose last event is this row."""
        return Head(self.position, self.hash)


class Draft(NamedTuple):
    """An encoded event, ready to be chained and stored."""

    kind: str
    body: str
    words: str | None


class Head(NamedTuple):
    """The end of a line: its last position (0 for an empty line) and that event's hash."""

    position: int
    hash: bytes


EMPTY_HEAD: Final = Head(0, b"")
"""The head of an empty line."""


class Segment(NamedTuple):
    """A stretch of a line: positions `after`+1 to `upto` are stored in stream `line`; None is open-ended."""

    line: int
    after: int
    upto: int | None


FORMAT: Final = 1
"""The version of the file and of the bodies in it; `docs/record.md` is its specification."""

TAG: Final = b"retold/1"
WORDS_TAG: Final = b"retold/words/1"

SIGNPOSTS: Final = (
    "table.cast-introduced",
    "table.renamed",
    "table.forked",
    "table.promoted",
    "table.retired",
    "table.undone",
    "table.redone",
    "table.reworded",
    "table.redacted",
    "table.marked",
    "table.session-opened",
)
"""Kinds found by an index without reading other events: names, forks, sessions, undos and the like."""

AMENDING_KINDS: Final = ("table.undone", "table.redone", "table.reworded", "table.redacted")
"""Kinds that amend earlier events."""


class SweptFiles(NamedTuple):
    """Deleted and remaining unfinished files beside a record; each may hold a copy of the record."""

    gone: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()
    """Files that another process may still be writing, or that could not be deleted."""


class EventStore(Protocol):
    """The append-only event streams of one campaign, one for each line's own events.

    A store knows positions, kinds and the order of recording, and nothing of an event's meaning: lines with
    their shared history, the hash chain and undo are worked out above it. Reading methods may raise
    `Damaged`; writing methods `CannotWrite`, or `Doubtful` if the very last step failed; no other error
    escapes. `tests/journal/store/test_stores.py` checks every store against this contract.
    """

    @property
    def path(self) -> Path:
        """The path of the store, as messages show it."""

    def close(self) -> None:
        """Closes the store; all recorded events are then in its single file."""

    # --- reading ---

    def streams(self) -> tuple[int, ...]:
        """Returns the numbers of all lines with events of their own, sorted."""

    def head(self, line: int) -> Head:
        """Returns the head of a stream; `EMPTY_HEAD` for an empty stream."""

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        """Yields a stream's events at positions after+1..upto (to its end if None), in order.

        Restricted to `kinds` if any are given; `SIGNPOSTS` are found without reading the rest. In reverse
        order with `backwards`.
        """

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Yields the events of all streams in recording order, each with its sequence number, from 1.

        Restricted to numbers after+1..upto (to the end if None), and to `kinds` if any are given.
        """

    def size(self) -> int:
        """Returns the number of events in the store, which is also the last event's sequence number."""

    def changes(self) -> int:
        """Returns a number that changes whenever another connection records events."""

    def read_transaction(self) -> AbstractContextManager[None]:
        """Context manager: reads inside see the record at one moment, even if others record meanwhile."""

    # --- writing ---

    def writing(self) -> AbstractContextManager[None]:
        """Context manager: waits for the write lock; changes inside are stored together or not at all.

        Other connections see nothing before it ends. After `CannotWrite` nothing was stored, now or later;
        after `Doubtful` the same act may be recorded again only with its own id.
        """

    def roll_back(self) -> None:
        """Rolls back a transaction of `writing` that was interrupted before its end."""

    def append(self, rows: Iterable[Row]) -> None:
        """Appends chained events to the ends of their streams; call inside `writing`."""

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        """Deletes texts by number beside the event at `position`, for good; call inside `writing`."""

    def settle(self, seconds: float = 0.1) -> tuple[Path, ...]:
        """Empties the files beside the main file, such as a write-ahead log; they may hold redacted text.

        Waits up to `seconds` for other readers; returns the files that readers kept from being emptied.
        """

    def sweep(self) -> SweptFiles:
        """Deletes unfinished copies that killed programs left beside the record's file."""

    # --- proof ---

    def reopener(self) -> Callable[[], EventStore] | None:
        """Returns a picklable function that opens the same record for reading; None if there is none."""

    def storage_faults(self) -> Iterator[str]:
        """Yields a sentence for each fault of the storage itself, whatever its events hold."""
