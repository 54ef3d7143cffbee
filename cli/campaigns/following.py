"""Watching a campaign's file, and the user's files beside it, for changes by other programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retold.journal.store.contract.address import Address


def follow(
    place: Address, stamp: Callable[[], object], wake: Callable[[], object], every: float
) -> Callable[[], None]:
    """Calls `wake` now, and after each change of the campaign's record or of the value of `stamp()`.

    Looks every `every` seconds in a thread of its own, where `stamp` and `wake` are called: they must return
    quickly, and `wake` must not raise. A server tells of changes of attachments too, and `stamp` is not
    called. Returns a function that stops the watching. Raises StoreError if the
    campaign cannot be opened.
    """
    from retold.journal.store.disk.watch import WATCH
    from retold.journal.store.recorder import CampaignRecorder  # slow to import, and rarely needed

    subscription = CampaignRecorder(place, read_only=True).subscribe(every=every, wake=wake)
    if place.file is None:
        return subscription.stop
    leave = WATCH.add(stamp, wake, every)

    def end() -> None:
        leave()
        subscription.stop()

    return end
