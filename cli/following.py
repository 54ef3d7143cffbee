"""Following a campaign in the console and the service: its record, and the files of this user beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def follow(
    path: Path, stamp: Callable[[], object], wake: Callable[[], object], every: float
) -> Callable[[], None]:
    """Calls `wake` immediately, then after each change of the record at `path` or of `stamp`.

    Both are compared every `every` seconds. `stamp` and `wake` are called in the watching thread: they must
    return quickly, and `wake` must not raise. Returns a function that ends the following. StoreError if the
    campaign cannot be opened.
    """
    from journal.store.recorder import CampaignRecorder  # what few need takes long to import
    from journal.store.watch import WATCH

    subscription = CampaignRecorder(path, read_only=True).subscribe(every=every, wake=wake)
    leave = WATCH.add(stamp, wake, every)

    def end() -> None:
        leave()
        subscription.stop()

    return end
