"""The errors of reading and writing a campaign file; each message is one sentence for the user."""

from __future__ import annotations


class StoreError(Exception):
    """A record that cannot be read or written; `str()` gives the sentence for the user."""


class NotACampaign(StoreError):  # noqa: N818 -- named as the person asked hears it
    """No campaign file exists at the path."""


class TooNew(StoreError):  # noqa: N818 -- as above
    """The campaign was written by a later Retold whose format this release cannot read."""


class AlreadyThere(StoreError):  # noqa: N818 -- as above
    """The place is taken already; Retold overwrites no campaign and no file."""

    def __init__(self, place: object) -> None:
        super().__init__(f"{place} is there already: choose another name.")


class SeveralNames(StoreError):  # noqa: N818 -- as above
    """The file has several names (hard links), each with a write-ahead log of its own.

    No single name shows the events in the other names' logs.
    """


class Damaged(StoreError):  # noqa: N818 -- as above
    """The content of the file differs from the recorded events."""


class Foreign(Damaged):
    """The file holds SQL planted by another program (a trigger, say), which damage alone never causes."""


class CannotWrite(StoreError):  # noqa: N818 -- as above
    """Nothing was recorded: for example the disk is full or read-only, or another process holds the lock."""


class EndMissing(CannotWrite):
    """The record lacks events that were read from it before: another copy of it lies there now."""


class Doubtful(StoreError):  # noqa: N818 -- as above
    """The disk failed at the end of a commit: the events may be recorded, but perhaps not durably."""
