"""A campaign's record: reads branches with the events they share, verifies the hash chain, appends acts."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from retold.journal.store.contract.errors import Damaged, StoreError
from retold.journal.store.contract.event_store import AMENDING_KINDS, EMPTY_HEAD, Draft, Head, Row, Segment
from retold.journal.store.events.chain import (
    ASK_DOCTOR,
    RedactedNumbers,
    RowFilter,
    checked_row,
    checked_rows,
    damaged_row,
    is_skipped,
    links,
    missing_row,
    parent_hash_of,
)

if TYPE_CHECKING:
    from retold.journal.store.contract.event_store import EventStore


_ROW = itemgetter(1)
_LINE = attrgetter("line")


class Record:
    """The branches of an event store, verified while reading.

    Each row read is checked against the hash chain, and its texts against their commitments (digests); a
    mismatch raises `Damaged`. The `store` itself checks nothing.
    """

    def __init__(self, store: EventStore, *, hides_redacted: bool = True) -> None:
        """Reads and writes `store`.

        With `hides_redacted`, redacted texts that are back in the store are still read as redacted.
        """
        self.store = store
        self._hides_redacted = hides_redacted
        self.on_recorded: Callable[[Row], object] | None = None
        """Called with the last event after each transaction."""
        self._last: Row | None = None
        """The last event appended in the running transaction."""
        self._lineages = Lineages(store, self._checked_by_itself)
        self._amendments: dict[int, tuple[Row, ...]] = {}
        self._amended = 0
        """The record's size when `_amendments` was filled."""
        self._ends: dict[int, Head] = {}
        """Verified heads of lines."""
        self._gone: RedactedNumbers = {}
        self._gone_at = 0
        """The record's size when `_gone` was filled."""

    # --- reading ------------------------------------------------------------------------------------------

    def lineage(self, line: int) -> tuple[Segment, ...]:
        """Returns the segments that branch `line` consists of, oldest first.

        Events before a fork are stored with the parent branch, in a segment of their own.
        """
        return self._lineages.of(line)

    def home(self, line: int, position: int) -> int | None:
        """Returns the number of the branch whose stream stores the event at `position` of `line`.

        That is `line` itself or, for events before its fork, an ancestor. None if there is no such position.
        """
        for segment in self.lineage(line):
            if position > segment.after and (segment.upto is None or position <= segment.upto):
                return segment.line
        return None

    def forks(self) -> Iterable[Row]:
        """Returns the first row of each branch but the first one, in order of creation."""
        return self._lineages.forks()

    def head(self, line: int) -> Head:
        """Returns the last position of branch `line` and that event's hash, verified.

        Returns `EMPTY_HEAD` for an unknown branch.
        """
        head = self.store.head(line)
        if head != EMPTY_HEAD and head != self._ends.get(line):
            self._check_end(line, head)
            self._ends[line] = head
        return head

    def _check_end(self, line: int, head: Head) -> None:
        """Raises Damaged if the last row of branch `line`, at `head`, does not match its hash."""
        if type(head.position) is not int:
            raise Damaged(f"The end of line {line} is damaged. {ASK_DOCTOR}")
        rows = list(self.store.stretch(line, max(head.position - 2, 0), head.position))
        if rows:
            last = rows[-1]
            before = rows[0].head if len(rows) > 1 else self._before(last)
            checked_row(last._replace(words=None), before, {})

    def as_stored(self) -> Record:
        """Returns another record of this store that also shows redacted texts which are back in the store.

        With it they can be redacted again.
        """
        return Record(self.store, hides_redacted=False)

    def rows(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        where: RowFilter | None = None,
    ) -> Iterator[Row]:
        """Yields the verified rows of branch `line` at positions `after`+1..`upto`, in order.

        `upto` None means its last event. Restricted to `kinds` if any are given; rows that `where` rejects
        are left out, unverified.
        """
        if upto is not None and upto <= after:
            return iter(())
        if kinds:
            return self._of_kinds(line, after, upto, kinds, where)
        stretches = self.stretches(line, max(after - 1, 0), upto)
        rows = chain.from_iterable(self.store.stretch(*stretch) for stretch in stretches)
        if after == 0:
            return checked_rows(rows, EMPTY_HEAD, self._redacted(), where)
        before = next(rows, None)
        if before is None:
            return iter(())
        if before.position != after:
            raise missing_row(line, after)
        return checked_rows(rows, before.head, self._redacted(), where)

    def _of_kinds(
        self, line: int, after: int, upto: int | None, kinds: Sequence[str], where: RowFilter | None
    ) -> Iterator[Row]:
        gone: RedactedNumbers | None = None
        for stored, low, high in self.stretches(line, after, upto):
            for row in self.store.stretch(stored, low, high, kinds):
                if where is None or not is_skipped(where, row):
                    gone = self._redacted() if gone is None else gone
                    yield checked_row(row, self._before(row), gone)

    def backwards(self, line: int, before: int) -> Iterator[Row]:
        """Yields the verified rows of branch `line` from position `before`-1 down to 1."""
        later: Row | None = None
        gone = self._redacted()
        for stored, low, high in reversed(self.stretches(line, 0, before - 1)):
            for row in self.store.stretch(stored, low, high, backwards=True):
                if later is not None:
                    yield checked_row(later, row.head, gone)
                later = row
        if later is not None:
            yield checked_row(later, EMPTY_HEAD, gone)

    def row(self, line: int, position: int) -> Row | None:
        """Returns the verified row at `position` of branch `line`; None beyond the branch's last event."""
        return next(self.rows(line, position - 1, position), None)

    def next_line(self) -> int:
        """Returns the number that the next new branch will get: one more than the highest."""
        return max((row.line for row in self.forks()), default=1) + 1

    def stored_hash(self, line: int, position: int) -> bytes | None:
        """Returns the hash of the event stored at `position` with branch `line` itself, unverified.

        Returns None if there is none: also for an event before the fork, which is stored with the parent.
        """
        return self.store.stored_hash(line, position)

    def everything(self, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Yields the verified rows of every branch in the order recorded, of `kinds` if any are given."""
        rows = map(_ROW, self.store.log(kinds=kinds))
        return map(self._checked_by_itself, rows) if kinds else self._checked_rows(rows)

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        """Yields (sequence number, verified row) of every branch in the order recorded.

        Restricted to numbers `after`+1..`upto` (to the end if None), and to `kinds` if any are given.
        """
        numbers: deque[int] = deque()

        def rows() -> Iterator[Row]:
            for number, row in self.store.log(after, upto, kinds):
                numbers.append(number)
                yield row

        found = map(self._checked_by_itself, rows()) if kinds else self._checked_rows(rows())
        return ((numbers.popleft(), row) for row in found)

    def _checked_rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yields `rows` of several branches, each verified against the row before on its branch."""
        ends: dict[int, Head] = {}
        for line, some in groupby(rows, _LINE):
            first = next(some)
            last = ends[line] if line in ends else self._before(first)
            row = first
            for row in checked_rows(chain((first,), some), last, self._redacted()):
                yield row
            ends[line] = row.head

    def _checked_by_itself(self, row: Row) -> Row:
        return checked_row(row, self._before(row), self._redacted())

    def _before(self, row: Row) -> Head:
        """Returns position and hash of the event that `row` must follow on its branch.

        For a branch's first event, the hash is the one that event names as its parent.
        """
        if type(row.line) is not int or type(row.position) is not int:
            raise damaged_row(row)
        if row.position == 1:
            return EMPTY_HEAD
        if row.kind == "table.forked":
            return Head(row.position - 1, parent_hash_of(row))
        before = self.store.stored_hash(row.line, row.position - 1)
        if before is None:
            raise damaged_row(row)
        return Head(row.position - 1, before)

    def _redacted(self) -> RedactedNumbers:
        """Returns the numbers of an event's redacted texts, by stored branch and position.

        Cached until the record grows; empty unless the record hides redacted texts.
        """
        size = self.store.size() if self._hides_redacted else 0
        if size != self._gone_at:
            gone: dict[tuple[int, int], set[int]] = {}
            for _, row in self.store.log(kinds=("table.redacted",)):
                checked_row(row._replace(words=None), self._before(row), {})
                data = json.loads(row.body)["data"]
                home = self.home(row.line, data["about"])
                if home is not None:
                    gone.setdefault((home, data["about"]), set()).update(data["words"])
            self._gone, self._gone_at = gone, size
        return self._gone

    def amendments(self, line: int) -> tuple[Row, ...]:
        """Returns the rows of the undos, redos, rewordings and redactions on branch `line`.

        Cached until the record grows.
        """
        size = self.store.size()
        if size != self._amended:
            self._amendments.clear()
            self._amended = size
        if line not in self._amendments:
            self._amendments[line] = tuple(self.rows(line, 0, None, AMENDING_KINDS))
        return self._amendments[line]

    def stretches(self, line: int, after: int, upto: int | None) -> list[Segment]:
        """Returns the segments (stored parts) that hold positions `after`+1..`upto` of branch `line`.

        Segments are cut to these positions.
        """
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
        """Context manager: takes the write lock; events appended inside are stored together or not at all.

        If an exception leaves the block, it is rolled back. At the end, `on_recorded` is called with the last
        event.
        """
        try:
            with self.store.writing():
                yield
        except BaseException:
            self.roll_back()
            raise
        self._notify()

    def roll_back(self) -> None:
        """Takes back the changes of a `writing` block that was interrupted before its end; empties caches."""
        self.store.roll_back()
        self._last = None
        self._forget()

    def append(self, line: int, head: Head, drafts: Iterable[Draft]) -> list[Row]:
        """Stores the drafts as the next events of branch `line`, after `head`; returns their rows.

        They get positions and hashes. Call inside `writing`, with a head that was read inside `writing` too.
        """
        drafts = tuple(drafts)
        bodies = (draft.body.encode() for draft in drafts)
        hashes = links(head.hash, line, head.position, (draft.kind for draft in drafts), bodies)
        rows = [
            Row(line, position, *draft, hash_)
            for position, (draft, hash_) in enumerate(zip(drafts, hashes, strict=True), head.position + 1)
        ]
        self.store.append(rows)
        if rows:
            self._last = rows[-1]
            self._ends[line] = self._last.head
        return rows

    def append_copied(self, rows: Sequence[Row]) -> None:
        """Stores rows of another copy of this record as they are, after the ends of their streams.

        Call inside `writing`. Nothing is checked: `sync` has compared the ends, and inspected the rows.
        """
        self.store.append(rows)
        if rows:
            self._last = rows[-1]

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        """Deletes for good the texts numbered `words` of an event stored with branch `line` itself.

        Call inside `writing`.
        """
        self.store.delete_texts(line, position, words)
        self._forget()

    def _notify(self) -> None:
        last, self._last = self._last, None
        if last is not None and self.on_recorded is not None:
            self.on_recorded(last)

    def _forget(self) -> None:
        self._lineages.forget()
        self._amendments.clear()
        self._ends.clear()
        self._gone, self._gone_at = {}, 0


class Lineages:
    """The tree of a store's branches and forks; results are cached, because a fork never changes."""

    def __init__(self, store: EventStore, check: Callable[[Row], Row]) -> None:
        self._store = store
        self._check = check
        self._known: dict[int, tuple[Segment, ...]] = {}
        self._forks: dict[int, Row] = {}
        self._seen = 0
        """The number of the last fork found."""

    def of(self, line: int) -> tuple[Segment, ...]:
        """Returns the segments that branch `line` consists of, oldest first; see `Record.lineage`."""
        if line not in self._known:
            self._known[line] = self._trace(line)
        return self._known[line]

    def forks(self) -> Iterable[Row]:
        """Returns the first row of each branch but the first one, in order of creation.

        Only forks that are new since the last call are read.
        """
        for number, row in self._store.log(self._seen, kinds=("table.forked",)):
            self._forks[row.line] = self._check(row)
            self._seen = number
        return self._forks.values()

    def forget(self) -> None:
        """Empties the cache after a rollback or a redaction."""
        self._known.clear()
        self._forks.clear()
        self._seen = 0

    def _trace(self, line: int) -> tuple[Segment, ...]:
        """Returns the segments of branch `line`, oldest ancestor first, each cut where the next forks."""
        below: list[Segment] = []
        upto: int | None = None
        while line not in self._known:
            fork = self._fork(line)
            after = fork[1] if fork else 0
            if upto is None or after < upto:
                below.insert(0, Segment(line, after, upto))
                upto = after
            if fork is None:
                return tuple(below)
            line = fork[0]
        above = [segment for segment in self._known[line] if upto is None or segment.after < upto]
        if above and upto is not None:
            last = above.pop()
            above.append(Segment(last.line, last.after, upto if last.upto is None else min(upto, last.upto)))
        return (*above, *below)

    def _fork(self, line: int) -> tuple[int, int] | None:
        """Returns the parent of branch `line` and the position of the fork; None for the first branch.

        Raises StoreError for an unknown branch, Damaged if its first event is broken.
        """
        first = next(self._store.stretch(line), None)
        if first is None:
            raise StoreError(f"There is no line {line} in {self._store.place}.")
        if first.kind != "table.forked":
            return None
        parent_hash_of(first)
        try:
            fork = json.loads(first.body)["data"]
            parent, at = int(fork["parent"]), int(fork["at"])
        except (ValueError, KeyError, TypeError):
            raise Damaged(f"The beginning of line {line} in {self._store.place} is broken.") from None
        if parent >= line:
            raise Damaged(f"Line {line} in {self._store.place} forks from line {parent}, which is no older.")
        return parent, at
