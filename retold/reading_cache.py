"""Cache of the branches read last, so that reading further processes only new events."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from retold.journal.store.writing.campaign import CampaignStore as Store
from retold.projections.reading import LineView as Read
from retold.projections.reading.recorded_line import RecordedLine
from retold.projections.reading.viewers import GAME_MASTER

MOST_LINES: Final = 2
"""Lines cached: the game master may write to another line than the players see."""


class ReadingCache(Struct):
    """Most recently read branches, by number, each with its events up to the position read."""

    lines: dict[int, _CachedLine] = field(default_factory=dict)

    def read(self, store: Store, line: int, position: int) -> Read:
        """Returns branch `line` up to `position`, reusing unchanged parts of the previous reading.

        Drops the branch read longest ago if more than `MOST_LINES` are cached.
        """
        cached = self.lines.pop(line) if line in self.lines else _CachedLine()
        self.lines[line] = cached
        while len(self.lines) > MOST_LINES:
            del self.lines[next(iter(self.lines))]
        return cached.read(store, line, position)


class _CachedLine(Struct):
    """Cached reading of one branch; `size` is the record's size when it was read."""

    past: RecordedLine | None = None
    size: int = 0

    def read(self, store: Store, line: int, position: int) -> Read:
        """Returns branch `line` up to `position`; keeps it for the next call."""
        size, before = store.record.store.size(), self.past
        if before is None or (before.position, self.size) != (position, size):
            self.past = RecordedLine(store, line, position) if before is None else before.later(position)
            redacted = store.record.store.log(self.size, kinds=("table.redacted",))
            if before is not None and not any(True for _ in redacted):
                _keep_tables(before, self.past)
            self.size = size
        return Read(store, line, position, GAME_MASTER, self.past)


def _keep_tables(before: RecordedLine, now: RecordedLine) -> None:
    """Copies each viewer's last table state from the previous reading to `now`, if it is still valid."""
    table = before.latest()
    if table is not None and table[0] <= now.position and now.amendments.holds(table[0]):
        now.keep(*table)
    for viewer, tables in before.found("tables"):
        last = max(tables, default=0)
        reading = Read(now.campaign, now.line, now.position, viewer, now)
        if 0 < last <= now.position and now.amendments.holds(last) and reading.holds(last):
            reading.tables.keep(last, tables[last])
