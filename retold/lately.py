"""What was read of a campaign last, kept for whoever reads on from there: nothing of it is folded twice."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from journal.store.campaign import Campaign as Store
from projections.reading import Reading as Read
from projections.reading.past import Past
from projections.reading.viewers import GAME_MASTER

MOST: Final = 2
"""So many lines are kept: what the game master writes to may be another one than the players are shown."""


class Lately(Struct):
    """The lines that were read last, each up to where it was read, as everything was recorded then."""

    lines: dict[int, _Line] = field(default_factory=dict)

    def read(self, store: Store, line: int, position: int) -> Read:
        """That line up to there; what is still so of the reading before is not read again."""
        one = self.lines.pop(line) if line in self.lines else _Line()
        self.lines[line] = one
        while len(self.lines) > MOST:
            del self.lines[next(iter(self.lines))]
        return one.read(store, line, position)


class _Line(Struct):
    """One line, up to where it was read last."""

    past: Past | None = None
    size: int = 0

    def read(self, store: Store, line: int, position: int) -> Read:
        """It up to there."""
        size, before = store.record.store.size(), self.past
        if before is None or (before.position, self.size) != (position, size):
            self.past = Past(store, line, position) if before is None else before.later(position)
            if before is not None and not self._redacted(store):
                _keep(before, self.past)
            self.size = size
        return Read(store, line, position, GAME_MASTER, self.past)

    def _redacted(self, store: Store) -> bool:
        """True where words were taken away since, on whatever line: a table may still hold them."""
        return any(True for _ in store.record.store.log(self.size, kinds=("table.redacted",)))


def _keep(before: Past, now: Past) -> None:
    """Keeps each viewer's last table of the reading before, where nothing that came since has changed it."""
    table = before.latest()
    if table is not None and table[0] <= now.position and now.stands.holds(table[0]):
        now.keep(*table)
    for viewer, tables in before.found("tables"):
        last = max(tables, default=0)
        reading = Read(now.campaign, now.line, now.position, viewer, now)
        if 0 < last <= now.position and now.stands.holds(last) and reading.holds(last):
            reading.tables.keep(last, tables[last])
