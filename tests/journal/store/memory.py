"""A record kept in memory: a second store, no larger than its contract, beside the file of SQLite."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.contract.event_store import EMPTY_HEAD, Head, Row, SweptFiles


@dataclass
class Memory:
    """What is kept, in the order it was recorded; every handle on it reads the same."""

    rows: list[Row] = field(default_factory=list)
    acts: int = 0
    """How often anything was written."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class InMemory:
    """A handle on a memory: an `EventStore`. What it writes is its own until it is done."""

    place = Address("a memory", "a memory", "memory")

    def __init__(self, memory: Memory, *, read_only: bool = False) -> None:
        self._memory = memory
        self._read_only = read_only
        self._own_acts = 0
        self._written: list[Row] | None = None

    @property
    def _rows(self) -> list[Row]:
        return self._memory.rows if self._written is None else self._written

    def close(self) -> None:
        """There is nothing to let go of."""

    def streams(self) -> tuple[int, ...]:
        return tuple(sorted({row.line for row in self._rows}))

    def head(self, line: int) -> Head:
        return max((row.head for row in self._rows if row.line == line), default=EMPTY_HEAD)

    def stretch(
        self,
        line: int,
        after: int = 0,
        upto: int | None = None,
        kinds: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> Iterator[Row]:
        found = [row for row in self._rows if row.line == line and _within(row.position, after, upto)]
        ordered = sorted(found, key=lambda row: row.position, reverse=backwards)
        return (row for row in ordered if not kinds or row.kind in kinds)

    def log(
        self, after: int = 0, upto: int | None = None, kinds: Sequence[str] = ()
    ) -> Iterator[tuple[int, Row]]:
        numbered = enumerate(list(self._rows), 1)
        return (
            (number, row)
            for number, row in numbered
            if _within(number, after, upto) and (not kinds or row.kind in kinds)
        )

    def stored_hash(self, line: int, position: int) -> bytes | None:
        return next((row.hash for row in self._rows if row[:2] == (line, position)), None)

    def size(self) -> int:
        return len(self._rows)

    def changes(self) -> int:
        return self._memory.acts - self._own_acts

    @contextmanager
    def read_transaction(self) -> Iterator[None]:
        if self._written is not None:
            yield
            return
        self._written = list(self._memory.rows)
        try:
            yield
        finally:
            self._written = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        if self._read_only:
            raise CannotWrite("It was opened for reading only.")
        with self._memory.lock:
            self._written = list(self._memory.rows)
            try:
                yield
                self._memory.rows = self._written
                self._memory.acts += 1
                self._own_acts += 1
            finally:
                self._written = None

    def roll_back(self) -> None:
        self._written = None

    def append(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if any(row[:2] == there[:2] for there in self._rows):
                raise CannotWrite("The record is append-only.")
            self._rows.append(row)

    def delete_texts(self, line: int, position: int, words: Sequence[int]) -> None:
        at = next(at for at, row in enumerate(self._rows) if row[:2] == (line, position))
        kept = json.loads(self._rows[at].words or "[]")
        left = [None if number in words else one for number, one in enumerate(kept)]
        self._rows[at] = self._rows[at]._replace(
            words=json.dumps(left, ensure_ascii=False, separators=(",", ":"))
        )

    def sweep(self) -> SweptFiles:
        """Nothing lies beside it."""
        return SweptFiles()

    def settle(self, seconds: float = 0.1) -> tuple[str, ...]:  # noqa: ARG002 -- there is nobody to wait for
        return ()

    def reopener(self) -> None:
        """Nobody else reaches this memory."""

    def storage_faults(self) -> Iterator[str]:
        return iter(())


def _within(number: int, after: int, upto: int | None) -> bool:
    return number > after and (upto is None or number <= upto)
