"""What can be wrong with a campaign's file, each as one sentence."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The record cannot be read or written; `str()` is the sentence for the person who asked."""


class NotACampaign(StoreError):  # noqa: N818 -- named as the person asked hears it
    """There is no campaign in that place."""


class TooNew(StoreError):  # noqa: N818 -- as above
    """The campaign was written by a later Retold, and this one would not understand it."""


class AlreadyThere(StoreError):  # noqa: N818 -- as above
    """Something stands there already, and nothing is written over."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already: choose another name.")


class SeveralNames(StoreError):  # noqa: N818 -- as above
    """The file has several names, each with a log of its own: no name shows what the others' logs hold."""


class Damaged(StoreError):  # noqa: N818 -- as above
    """What the file holds is not what was written."""


class Foreign(Damaged):
    """It holds what somebody else put there to be run, which no damage comes to."""


class CannotWrite(StoreError):  # noqa: N818 -- as above
    """Nothing was recorded: the disk is full, read-only, or somebody else holds the lock."""


class Doubtful(StoreError):  # noqa: N818 -- as above
    """The disk failed at the very last: it is recorded, though nobody promises it lasts, or nobody knows."""
