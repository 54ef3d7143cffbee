"""What can be wrong with a campaign's file, each as one sentence."""

from __future__ import annotations


class StoreError(Exception):
    """The record cannot be read or written; `str()` is the sentence for the person who asked."""


class NotACampaign(StoreError):
    """There is no campaign in that place."""


class TooNew(StoreError):
    """The campaign was written by a later Retold, and this one would not understand it."""


class Damaged(StoreError):
    """What the file holds is not what was written."""


class CannotWrite(StoreError):
    """Nothing was recorded: the disk is full, read-only, or somebody else holds the lock."""
