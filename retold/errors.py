"""Exceptions of promised functions: refusals below `Refused`, failures of a record below `StoreError`."""

from __future__ import annotations

from journal.language.tokens import Unreadable
from journal.names import Unknown
from journal.refused import Forgotten, NotHere, Refused
from journal.store.errors import (
    AlreadyThere,
    CannotWrite,
    Closed,
    Damaged,
    Doubtful,
    EndMissing,
    Foreign,
    NotACampaign,
    OutcomeUnknown,
    SeveralNames,
    StoreError,
    TooNew,
    Unreached,
    UnreachedToWrite,
)
from retold.sources.sniffing import UnclearError
from retold.startup import StrangersError

__all__ = [
    "AlreadyThere",
    "CannotWrite",
    "Closed",
    "Damaged",
    "Doubtful",
    "EndMissing",
    "Foreign",
    "Forgotten",
    "NotACampaign",
    "NotHere",
    "OutcomeUnknown",
    "Refused",
    "SeveralNames",
    "StoreError",
    "StrangersError",
    "TooNew",
    "UnclearError",
    "Unknown",
    "Unreached",
    "UnreachedToWrite",
    "Unreadable",
]
