"""What was read of a campaign last, kept for whoever reads on from there: nothing of it is folded twice."""

from __future__ import annotations

from msgspec import Struct

from journal.store.campaign import Campaign as Store
from projections.reading import Reading as Read
from projections.reading.past import Past
from projections.reading.viewers import GAME_MASTER


class Lately(Struct):
    """The line that was read last, up to where it was read, as everything was recorded then."""

    past: Past | None = None
    size: int = 0

    def read(self, store: Store, line: int, position: int) -> Read:
        """That line up to there; what is still so of the reading before is not read again."""
        size, before = store.record.store.size(), self.past
        if before is None or (before.line, before.position, self.size) != (line, position, size):
            self.past = Past(store, line, position)
            if before is not None and before.line == line and not self._redacted(store):
                _keep(before, self.past)
            self.size = size
        return Read(store, line, position, GAME_MASTER, self.past)

    def _redacted(self, store: Store) -> bool:
        """True where words were taken away since, on whatever line: a table may still hold them."""
        return any(True for _ in store.record.store.log(self.size, kinds=("table.redacted",)))


def _keep(before: Past, now: Past) -> None:
    """Keeps the last table of the reading before, where nothing that came since has changed it."""
    table = before.latest()
    if table is not None and table[0] <= now.position and now.stands.holds(table[0]):
        now.keep(*table)
