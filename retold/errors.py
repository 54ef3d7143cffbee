"""Exceptions of promised functions: refusals below `Refused`, failures of a record below `StoreError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retold.journal.features import promised
from retold.journal.language.tokens import Unreadable
from retold.journal.names import Unknown
from retold.journal.refused import Forgotten, NotHere, Refused
from retold.journal.store.contract.errors import (
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

if TYPE_CHECKING:
    from retold.promised import UnclearError

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
    "TooNew",
    "UnclearError",
    "Unknown",
    "Unreached",
    "UnreachedToWrite",
    "Unreadable",
]

if not TYPE_CHECKING:  # to a type checker, such a function would have every name

    def __getattr__(name: str) -> object:
        """Returns a promised name that a feature defines, from the feature."""
        return promised(__name__, name, __all__)

    def __dir__() -> list[str]:
        """Returns the promised names, those of features included."""
        return sorted({*globals(), *__all__})
