"""What a database must be able to do to keep a campaign's record; everything above asks no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, NamedTuple, Protocol


class Row(NamedTuple):
    """An event as it is stored."""

    line: int
    position: int
    kind: str
    body: str
    words: str | None
    hash: bytes

    @property
    def head(self) -> Head:
        """Where a line ends whose last event this is."""
        return Head(self.position, self.hash)


class Draft(NamedTuple):
    """An event ready to be chained and stored."""

    kind: str
    body: str
    words: str | None


class Head(NamedTuple):
    """Where a line ends: its last position (0 for none yet) and that event's hash."""

    position: int
    hash: bytes


EMPTY_HEAD: Final = Head(0, b"")
"""The end of what has not begun."""


class Segment(NamedTuple):
    """Positions `after`+1 to `upto` of a line are stored on stream `line`; None is as far as it goes."""

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
"""Kinds that are looked for without reading the rest: who is called what, and what still counts."""

AMENDING_KINDS: Final = ("table.undone", "table.redone", "table.reworded", "table.redacted")
"""Kinds that change what came before them."""


class SweptFiles(NamedTuple):
    """What became of the unfinished files beside a record, each of which may be a copy of it."""

    gone: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()
    """Those that somebody may still be writing, and those that could not be deleted."""


class EventStore(Protocol):
    """The streams of one campaign, append-only: a line's stream holds what was recorded on that very line.

    It knows positions, kinds and the order of recording, and nothing of what an event means: which streams
    make up a line, what is chained and what counts is worked out above it. Whatever reads may raise
    `Damaged`, whatever writes `CannotWrite`, or `Doubtful` where its very last step failed; nobody else's
    error passes. `tests/journal/store/test_stores.py`
    holds every store to this.
    """

    @property
    def path(self) -> Path:
        """Where it is kept, as sentences name it."""

    def close(self) -> None:
        """Lets go of it; what was recorded is in its one place then."""

    # --- reading ---

    def streams(self) -> tuple[int, ...]:
        """Every line that has an event of its own, in order."""

    def head(self, line: int) -> Head:
        """The last event of a stream; `NOTHING` if it has none."""

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        """The events of a stream at positions after+1..upto, or to its end, one by one in their order.

        Of these kinds only, if any are named; `SIGNPOSTS` are found without reading the rest. From the last
        to the first, if `backwards`.
        """

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """The events of all streams in the order they were recorded, each with its number in it, from 1.

        Numbers after+1..upto, or to the end; of these kinds only, if any are named.
        """

    def size(self) -> int:
        """How many events were ever recorded, which is the number of the last one."""

    def changes(self) -> int:
        """A number that is another one once somebody else has recorded anything."""

    def standing_still(self) -> AbstractContextManager[None]:
        """What is read inside is the record of one moment, whatever others record meanwhile."""

    # --- writing ---

    def writing(self) -> AbstractContextManager[None]:
        """The one lock on the whole record, waited for: what is done inside is kept together, or not at all.

        Nobody else sees any of it before it ends. After `CannotWrite` none of it was kept, now or later;
        after `Doubtful` the same act may be recorded once more only with its own id.
        """

    def give_up(self) -> None:
        """Takes back what `writing` began and has not ended: it was interrupted while it was ending."""

    def append(self, rows: Iterable[Row]) -> None:
        """Adds events that are chained already to the ends of their streams, inside `writing`."""

    def take_words(self, line: int, position: int, words: Sequence[int]) -> None:
        """Takes these words, by number, from the event at a stream's position for good, inside `writing`."""

    def settle(self, seconds: float = 0.1) -> tuple[Path, ...]:
        """Empties whatever is kept beside the record's one place, so that nothing taken stays in it.

        Waits so long for those who still read there; returns where they did not let it.
        """

    def sweep(self) -> SweptFiles:
        """Takes away the unfinished copies that killed programs left beside the record's one place."""

    # --- proof ---

    def elsewhere(self) -> Callable[[], EventStore] | None:
        """What opens the same record for reading, in another process too; None where nothing does."""

    def unsound(self) -> Iterator[str]:
        """What is wrong with the place itself, whatever the events in it say; a sentence for each."""
