"""A campaign's record: its lines read through from their roots, and an act chained to the end of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from journal.store.lineages import Lineages
from journal.store.rows import Draft, Head, Row, Segment

if TYPE_CHECKING:
    from journal.store.contract import EventStore


class Record:
    """What is recorded in a store, by line; what is not about one line is asked of the `store` itself."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._lineages = Lineages(store)

    # --- reading ------------------------------------------------------------------------------------------

    def lineage(self, line: int) -> tuple[Segment, ...]:
        """The stretches a line is made of, oldest first."""
        return self._lineages.of(line)

    def home(self, line: int, position: int) -> int | None:
        """The line on which a line's position is stored; None beyond what it shares or has."""
        for segment in self.lineage(line):
            if position > segment.after and (segment.upto is None or position <= segment.upto):
                return segment.line
        return None

    def forks(self) -> Iterable[Row]:
        """The first row of every branch in the order they were made."""
        return self._lineages.forks()

    def head(self, line: int) -> Head:
        """Where a line ends; every line has an event of its own, save the first of a new record."""
        return self.store.head(line)

    def rows(
        self, line: int, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[Row]:
        """The rows of a line with positions after+1..upto, one by one; of these kinds, if any are named."""
        for stored, low, high in self.stretches(line, after, upto):
            yield from self.store.stretch(stored, low, high, kinds)

    def backwards(self, line: int, before: int) -> Iterator[Row]:
        """The rows of a line from position before-1 down to 1."""
        for stored, low, high in reversed(self.stretches(line, 0, before - 1)):
            yield from self.store.stretch(stored, low, high, backwards=True)

    def row(self, line: int, position: int) -> Row | None:
        """The row at a position of a line, if there is one."""
        return next(self.rows(line, position - 1, position), None)

    def next_line(self) -> int:
        """The number the next branch gets."""
        return max(self.store.streams(), default=0) + 1

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """The hash of the event stored on this very line at a position, if there is one."""
        found = next(self.store.stretch(line, position - 1, position), None)
        return None if found is None else found.hash

    def everything(self, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows of every line in the order they were recorded; of these kinds, if any are named."""
        return (row for _, row in self.store.log(kinds=kinds))

    def stretches(self, line: int, after: int, upto: int | None) -> list[Segment]:
        """Where positions after+1..upto of a line are stored."""
        found = []
        for stored, left, end in self.lineage(line):
            low = max(after, left)
            high = upto if end is None else end if upto is None else min(end, upto)
            if high is None or high > low:
                found.append(Segment(stored, low, high))
        return found

    # --- writing ------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The one lock: what is recorded inside is kept together when it ends, or not at all."""
        try:
            with self.store.writing():
                yield
        except BaseException:
            self._lineages.forget()
            raise

    def append(self, line: int, head: Head, drafts: Iterable[Draft]) -> list[Row]:
        """Chains the drafts to `head`, which the caller has read inside `writing`, and stores them."""
        from journal.store.chain import link  # noqa: PLC0415 -- reading needs no hashing, and must start at once

        rows = []
        position, parent = head
        for draft in drafts:
            position += 1
            parent = link(parent, line, position, draft.kind, draft.body)
            rows.append(Row(line, position, draft.kind, draft.body, draft.words, parent))
        self.store.append(rows)
        return rows

    def take_words(self, line: int, position: int, words: Sequence[int]) -> None:
        """Takes these words of an event stored on this very line away for good, inside `writing`."""
        self.store.take_words(line, position, words)
        self._lineages.forget()
