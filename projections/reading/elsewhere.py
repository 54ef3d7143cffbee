"""A reading as it is handed to another process, which opens the same record for itself."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from journal.store.campaign import Campaign
from journal.store.contract import EventStore
from journal.store.record import Record
from journal.store.snapshots import Snapshots
from projections.reading.reading import Reading
from projections.reading.viewers import Viewer


class Elsewhere(Struct, frozen=True):
    """Where a line is read, up to which position, and by whom."""

    record: Callable[[], EventStore]
    snapshots: Callable[[], Snapshots] | None
    line: int
    position: int
    viewer: Viewer

    def opened(self) -> Reading:
        """The reading, of a campaign that nobody else has; StoreError where it cannot be opened."""
        cache = None if self.snapshots is None else self.snapshots()
        campaign = Campaign(Record(self.record()), snapshots=cache)
        return Reading(campaign, self.line, self.position, self.viewer)


def elsewhere(reading: Reading) -> Elsewhere | None:
    """What opens a reading in another process; None where the record can be read in this one alone."""
    campaign = reading.campaign
    record = campaign.record.store.elsewhere()
    if record is None:
        return None
    cache = None if campaign.snapshots is None else campaign.snapshots.elsewhere()
    return Elsewhere(record, cache, reading.line, reading.position, reading.viewer)
