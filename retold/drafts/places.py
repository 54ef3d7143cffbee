"""Places of told events on the line that a draft tells now, also after a fix put play on a new line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from journal.store.campaign import CampaignStore
from journal.store.codec import decode
from journal.store.drafts import Scope
from journal.store.event_store import Segment
from journal.vocabulary.drafts import GONE, Told
from journal.vocabulary.events import Retired
from projections.reading import LineView
from projections.reading.lines import shared_length
from retold.drafts.composing import Place


@dataclass(frozen=True)
class Here:
    """The line that a draft tells now, and where events told before a fix stand on it."""

    campaign: CampaignStore
    scope: Scope

    @cached_property
    def line(self) -> int:
        """The line that the draft was begun on; the mainline if play went on elsewhere since."""
        scope = self.scope.line
        last = self.campaign.record.row(scope, self.campaign.record.head(scope).position)
        return self.campaign.mainline() if last is not None and last.kind == Retired.kind else scope

    @cached_property
    def first(self) -> int:
        """Position of the first event of the draft's part of the line."""
        if self.scope.first <= self._shared:
            return self.scope.first
        later = range(self.scope.first, self.scope.last + 1)
        moved = (self._moved(self.scope.line, at) for at in later)
        return next((at for at in moved if at is not None), self._shared + 1)

    @cached_property
    def last(self) -> int:
        """Position of the last event of the draft's part of the line."""
        if self.scope.last <= self._shared:
            return self.scope.last
        earlier = range(self.scope.last, self._shared, -1)
        moved = (self._moved(self.scope.line, at) for at in earlier)
        return next((at for at in moved if at is not None), self._shared)

    def place(self, told: Told) -> Place | None:
        """Returns the stored place of a told event on this line; None if it is not there."""
        if told.position == GONE:
            return None
        if self._is_stored_here(told.line, told.position):
            return Place(told.line, told.position)
        at = self._moved(told.line, told.position)
        if at is None:
            return None
        line = self.campaign.record.home(self.line, at)
        return None if line is None else Place(line, at)

    @cached_property
    def _shared(self) -> int:
        """Last position that the line shares with the one the draft was begun on."""
        if self.line == self.scope.line:
            return self.campaign.record.head(self.line).position
        return shared_length(LineView(self.campaign, self.line), LineView(self.campaign, self.scope.line))

    def _is_stored_here(self, line: int, position: int) -> bool:
        return any(
            segment.line == line and segment.after < position <= (segment.upto or position)
            for segment in self._segments
        )

    @cached_property
    def _segments(self) -> tuple[Segment, ...]:
        return self.campaign.record.lineage(self.line)

    def _moved(self, line: int, position: int) -> int | None:
        """Returns the position here of an event that a fix recorded again; None if there is none."""
        row = self.campaign.record.row(line, position)
        if row is None:
            return None
        recorded = decode(row)
        before = self.campaign.record.rows(line, position - recorded.envelope.i, position)
        nth = sum(one.kind == row.kind for one in before)
        return self._by_act.get((recorded.envelope.act, row.kind, nth))

    @cached_property
    def _by_act(self) -> dict[tuple[str, str, int], int]:
        """Positions of this line's own events, by act, kind, and number of that kind in the act.

        A fix keeps the acts, and may put other events into one.
        """
        own = self._segments[-1]
        found: dict[tuple[str, str, int], int] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for row in self.campaign.record.rows(self.line, own.after):
            key = decode(row).envelope.act, row.kind
            counts[key] += 1
            found[(*key, counts[key])] = row.position
        return found
