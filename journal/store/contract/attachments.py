"""Attachments (small documents beside a campaign's record): the operations that each storage offers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class Attachments(Protocol):
    """One kind of a campaign's attachments, stored by key; several programs may share them."""

    def every(self) -> dict[str, bytes]:
        """Returns the documents by key; one that cannot be read is left out."""

    def get(self, key: str) -> bytes | None:
        """Returns the document stored under a key; None for an unknown key."""

    def keep(self, key: str, data: bytes) -> None:
        """Stores a document under a key, in place of the one before; OSError or StoreError if that fails."""

    def drop(self, key: str) -> None:
        """Deletes the document of a key, if there is one; OSError or StoreError if that fails."""

    def alone(self) -> AbstractContextManager[None]:
        """Context manager: keeps every other `alone` block of these attachments waiting, in any program.

        It cannot be entered again inside itself.
        """

    def stamp(self) -> object:
        """Returns a value that differs once a document was stored or deleted."""
