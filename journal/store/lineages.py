"""Where the lines of a record lie: a branch shares with its parent what came before it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from journal.store.errors import Damaged, StoreError
from journal.store.rows import Row, Segment

if TYPE_CHECKING:
    from journal.store.contract import EventStore


class Lineages:
    """The lines of one store; what was found once is kept, because a fork never changes."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._known: dict[int, tuple[Segment, ...]] = {}
        self._forks: dict[int, Row] = {}
        self._seen = 0
        """The number of the last fork found."""

    def of(self, line: int) -> tuple[Segment, ...]:
        """The stretches a line is made of, oldest first."""
        if line not in self._known:
            self._known[line] = self._trace(line)
        return self._known[line]

    def forks(self) -> Iterable[Row]:
        """The first row of every branch in the order they were made; only newer ones are looked for."""
        for number, row in self._store.log(self._seen, kinds=("table.forked",)):
            self._forks[row.line] = row
            self._seen = number
        return self._forks.values()

    def forget(self) -> None:
        """Forgets everything: a branch may have been read that is not there now, or words that are gone."""
        self._known.clear()
        self._forks.clear()
        self._seen = 0

    def _trace(self, line: int) -> tuple[Segment, ...]:
        """Climbs from a line to the root, or to one known already; a stretch ends where a line left it."""
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
        """The parent of a line and the position where it left it; None for the first line."""
        first = next(self._store.stretch(line), None)
        if first is None:
            raise StoreError(f"There is no line {line} in {self._store.path}.")
        if first.kind != "table.forked":
            return None
        try:
            fork = json.loads(first.body)["data"]
            parent, at = int(fork["parent"]), int(fork["at"])
        except (ValueError, KeyError, TypeError):
            raise Damaged(f"The beginning of line {line} in {self._store.path} is broken.") from None
        if parent >= line:
            raise Damaged(f"Line {line} in {self._store.path} forks from line {parent}, which is no older.")
        return parent, at
