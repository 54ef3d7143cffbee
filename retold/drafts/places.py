"""Places of told events on the line that a draft tells now, even after a fix put play on a new line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from retold.drafts.composing import Place
from retold.journal.store.contract.event_store import Segment
from retold.journal.store.events.codec import decode
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Scope
from retold.journal.vocabulary.drafts import GONE, Told
from retold.journal.vocabulary.events import Retired
from retold.projections.reading import LineView
from retold.projections.reading.lines import shared_length


@dataclass(frozen=True)
class Here:
    """The line that a draft tells now, and where events told before a fix stand on it."""

    campaign: CampaignStore
    scope: Scope

    @cached_property
    def line(self) -> int:
        """The line that the draft was begun on; after a fix the mainline, where play went on.

        A line that was promoted in its place and has nothing of the draft's part is another story.
        """
        begun = self.scope.line
        last = self.campaign.record.row(begun, self.campaign.record.head(begun).position)
        if last is None or last.kind != Retired.kind:
            return begun
        main = self.campaign.mainline()
        acts = _Acts(self.campaign, main)
        alone = range(_shared(self.campaign, main, begun) + 1, self.scope.last + 1)
        goes_on = not alone or any(acts.position_of(begun, at) is not None for at in alone)
        return main if goes_on else begun

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
        return _shared(self.campaign, self.line, self.scope.line)

    def _is_stored_here(self, line: int, position: int) -> bool:
        return any(
            segment.line == line and segment.after < position <= (segment.upto or position)
            for segment in self._segments
        )

    @cached_property
    def _segments(self) -> tuple[Segment, ...]:
        return self.campaign.record.lineage(self.line)

    def _moved(self, line: int, position: int) -> int | None:
        return self._acts.position_of(line, position)

    @cached_property
    def _acts(self) -> _Acts:
        return _Acts(self.campaign, self.line)


@dataclass(frozen=True)
class _Acts:
    """Acts of a line past its first fork, by which events that a fix recorded again are found."""

    campaign: CampaignStore
    line: int

    def position_of(self, line: int, position: int) -> int | None:
        """Returns the position here of another line's event that a fix recorded again; None if it did not."""
        row = self.campaign.record.row(line, position)
        if row is None:
            return None
        recorded = decode(row)
        before = self.campaign.record.rows(line, position - recorded.envelope.i, position)
        nth = sum(earlier.kind == row.kind for earlier in before)
        return self._positions.get((recorded.envelope.act, row.kind, nth))

    @cached_property
    def _positions(self) -> dict[tuple[str, str, int], int]:
        """Positions by act, kind, and number of that kind in the act, to which a fix may add others."""
        segments = self.campaign.record.lineage(self.line)
        found: dict[tuple[str, str, int], int] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for row in self.campaign.record.rows(self.line, segments[1].after if segments[1:] else 0):
            key = decode(row).envelope.act, row.kind
            counts[key] += 1
            found[(*key, counts[key])] = row.position
        return found


def _shared(campaign: CampaignStore, line: int, other: int) -> int:
    return shared_length(LineView(campaign, line), LineView(campaign, other))
