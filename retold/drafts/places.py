"""Places of told events on the line that a draft tells now, also after a fix put play on a new line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from journal.store.campaign import CampaignStore
from journal.store.codec import Recorded, decode
from journal.store.drafts import Scope
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
        return next((at for at in map(self._moved_position, later) if at is not None), self._shared + 1)

    @cached_property
    def last(self) -> int:
        """Position of the last event of the draft's part of the line."""
        if self.scope.last <= self._shared:
            return self.scope.last
        earlier = range(self.scope.last, self._shared, -1)
        return next((at for at in map(self._moved_position, earlier) if at is not None), self._shared)

    def place(self, told: Told) -> Place | None:
        """Returns the stored place of a told event on this line; None if it is not there."""
        if told.position == GONE:
            return None
        if self._is_stored_here(told.line, told.position):
            return Place(told.line, told.position)
        row = self.campaign.record.row(told.line, told.position)
        at = None if row is None else self._position_of(decode(row))
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
            for segment in self.campaign.record.lineage(self.line)
        )

    def _moved_position(self, position: int) -> int | None:
        """Returns the position here of an event of the line that the draft was begun on."""
        row = self.campaign.record.row(self.scope.line, position)
        return None if row is None else self._position_of(decode(row))

    def _position_of(self, recorded: Recorded) -> int | None:
        return self._by_act.get((recorded.envelope.act, recorded.envelope.i))

    @cached_property
    def _by_act(self) -> dict[tuple[str, int], int]:
        """Positions of this line's own events, by their act and number in it: a fix keeps both."""
        own = self.campaign.record.lineage(self.line)[-1]
        found = map(decode, self.campaign.record.rows(self.line, own.after))
        return {(one.envelope.act, one.envelope.i): one.position for one in found}
