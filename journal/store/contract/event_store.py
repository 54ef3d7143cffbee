"""Storage contract: the operations a database must offer to hold a campaign's events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from retold.journal.store.contract.address import Address


class Row(NamedTuple):
    """An event as stored: branch, position, kind, JSON body, its texts as JSON (`words`), and hash."""

    line: int
    position: int
    kind: str
    body: str
    words: str | None
    hash: bytes

    @property
    def head(self) -> Head:
        """The position and hash of this row: the head of its branch while no event follows."""
        return Head(self.position, self.hash)


class Draft(NamedTuple):
    """An encoded event before it gets its branch, position and hash: kind, JSON body, texts as JSON."""

    kind: str
    body: str
    words: str | None


class Head(NamedTuple):
    """The end of a branch: position of its last event (0 if it has none) and that event's hash."""

    position: int
    hash: bytes


EMPTY_HEAD: Final = Head(0, b"")
"""The head of an empty line."""


class Segment(NamedTuple):
    """Part of a branch: its events at positions `after`+1..`upto` are stored under number `line`.

    A branch shares its events before the fork with its parent, so it may consist of several segments. `upto`
    None means no end.
    """

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


FIRST_DRAFT: Final = 2**30
"""The lowest number of a draft's stream; lines have lower ones."""

DRAFTS: Final = 2**30
"""How many numbers there are for drafts; the highest fits into 31 bits."""

DRAFT_BEGUN: Final = "table.draft-begun"


def is_draft(stream: int) -> bool:
    """True if the stream of that number is a draft, and no line."""
    return FIRST_DRAFT <= stream < FIRST_DRAFT + DRAFTS


class SweptFiles(NamedTuple):
    """Unfinished copies of a record found beside its file: the deleted ones, and the remaining ones."""

    gone: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()
    """Files that another process may still be writing, or that could not be deleted."""


class EventStore(Protocol):
    """The append-only streams of one campaign: each branch has a stream with its events since the fork.

    A store knows positions, kinds and the order of recording, and nothing of an event's meaning: branches
    with their shared history, the hash chain and undo are worked out above it. Reading methods may raise
    `Damaged`; writing methods `CannotWrite`, or `Doubtful` if the very last step failed; no other error
    escapes. `tests/journal/store/test_stores.py` checks every store against this contract.
    """

    @property
    def place(self) -> Address:
        """The address of the record."""

    def close(self) -> None:
        """Closes the store; afterwards a copy of the campaign's file alone is complete."""

    # --- reading ---

    def streams(self) -> tuple[int, ...]:
        """Returns the sorted numbers of the branches with events of their own, then those of the drafts."""

    def head(self, line: int) -> Head:
        """Returns last position and hash of the stream of branch `line`; `EMPTY_HEAD` for an empty stream."""

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        """Yields a stream's events at positions `after`+1..`upto` (to its end if None), in order of position.

        With `kinds`, only events of these kinds; `SIGNPOSTS` are found without reading the rest. `backwards`
        reverses the order. Ends where the stream ended when the first event was read: what others record
        meanwhile is not among the events.
        """

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Yields the events of every stream in the order recorded, each after its sequence number (from 1).

        Restricted to numbers `after`+1..`upto` (to the end if None), and to `kinds` if any are given. Ends
        where the record ended when the first event was read; later events are not among these.
        """

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """Returns the hash of the event at `position` of branch `line`; None if no such event is stored."""

    def size(self) -> int:
        """Returns the number of events in the store, which is also the last event's sequence number."""

    def changes(self) -> int:
        """Returns a number that changes whenever another connection records events."""

    def read_transaction(self) -> AbstractContextManager[None]:
        """Context manager: reads inside see the record at one moment, even if others record meanwhile.

        Inside another one, or inside `writing`, it changes nothing.
        """

    # --- writing ---

    def writing(self) -> AbstractContextManager[None]:
        """Context manager: waits for the write lock; changes inside are stored together or not at all.

        Other connections see nothing before it ends. After `CannotWrite` nothing was stored, now or later;
        after `Doubtful` the same act may be recorded again only with its own id.
        """

    def roll_back(self) -> None:
        """Takes back the changes of a `writing` block that was interrupted before its end."""

    def append(self, rows: Iterable[Row]) -> None:
        """Appends rows, with positions and hashes given, to the ends of their streams.

        Call inside `writing`.
        """

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        """Deletes for good the texts numbered `words` of the event at `position`; call inside `writing`."""

    def settle(self, seconds: float = 0.1) -> tuple[str, ...]:
        """Empties what the database keeps beside the record, such as a log; it may hold redacted text.

        Waits up to `seconds` for other readers. Returns a sentence for each place where a copy remains.
        """

    def sweep(self) -> SweptFiles:
        """Deletes unfinished copies that killed programs left beside the record's file.

        Returns the deleted files, and those that remain.
        """

    # --- proof ---

    def reopener(self) -> Callable[[], EventStore] | None:
        """Returns a picklable function that opens the same record for reading in another process.

        Returns None if only this process can read it.
        """

    def storage_faults(self) -> Iterator[str]:
        """Yields a sentence for each fault of the database itself, whatever its events hold."""
