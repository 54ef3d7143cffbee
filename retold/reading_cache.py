"""What was read of a campaign last, kept for whoever reads on from there: nothing of it is folded twice."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from journal.store.campaign import CampaignStore as Store
from projections.reading import LineView as Read
from projections.reading.recorded_line import RecordedLine
from projections.reading.viewers import GAME_MASTER

MOST_LINES: Final = 2
"""So many lines are kept: what the game master writes to may be another one than the players are shown."""


class ReadingCache(Struct):
    """The lines that were read last, each up to where it was read, as everything was recorded then."""

    lines: dict[int, _CachedLine] = field(default_factory=dict)

    def read(self, store: Store, line: int, position: int) -> Read:
        """That line up to there; what is still so of the reading before is not read again."""
        one = self.lines.pop(line) if line in self.lines else _CachedLine()
        self.lines[line] = one
        while len(self.lines) > MOST_LINES:
            del self.lines[next(iter(self.lines))]
        return one.read(store, line, position)


class _CachedLine(Struct):
    """One line, up to where it was read last."""

    past: RecordedLine | None = None
    size: int = 0

    def read(self, store: Store, line: int, position: int) -> Read:
        """It up to there."""
        size, before = store.record.store.size(), self.past
        if before is None or (before.position, self.size) != (position, size):
            self.past = RecordedLine(store, line, position) if before is None else before.later(position)
            if before is not None and not self._redacted(store):
                _keep_tables(before, self.past)
            self.size = size
        return Read(store, line, position, GAME_MASTER, self.past)

    def _redacted(self, store: Store) -> bool:
        """True where words were taken away since, on whatever line: a table may still hold them."""
        return any(True for _ in store.record.store.log(self.size, kinds=("table.redacted",)))


def _keep_tables(before: RecordedLine, now: RecordedLine) -> None:
    """Keeps each viewer's last table of the reading before, where nothing that came since has changed it."""
    table = before.latest()
    if table is not None and table[0] <= now.position and now.stands.holds(table[0]):
        now.keep(*table)
    for viewer, tables in before.found("tables"):
        last = max(tables, default=0)
        reading = Read(now.campaign, now.line, now.position, viewer, now)
        if 0 < last <= now.position and now.stands.holds(last) and reading.holds(last):
            reading.tables.keep(last, tables[last])
