"""The error to raise after a failed commit, by what a second look finds: recorded, not recorded, unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retold.journal.store.contract.errors import CannotWrite, Doubtful, OutcomeUnknown, StoreError
from retold.journal.store.contract.event_store import Row


class Look(NamedTuple):
    """Second look at the record after a failed commit: the row found in place of the act's last event."""

    found: Row | None
    """The row at the position of the act's last event."""
    is_final: bool
    """True if an act that is not there now cannot appear later."""


class FailedCommit(NamedTuple):
    """Failed commit of an act, described in its database's own words."""

    cause: str
    """A clause such as `The disk failed at the very last (disk I/O error)`."""
    recorded: str
    """The clause for an act that is there, such as `it is recorded in a.retold`."""
    unknown: str
    """The clause for an act that may be there, such as `nobody can say yet whether it was recorded`."""
    unwritten: CannotWrite
    """The error to raise if nothing was recorded, with the cause and what to do."""
    advice: str = ""
    """A sentence on what to do once the act is recorded."""

    def error(self, last: Row, look: Callable[[], Look | None]) -> StoreError:
        """Returns CannotWrite if the act surely was not stored, Doubtful if it was, else OutcomeUnknown.

        `last` is the act's last event. `look` reads the record again; None if it cannot be read.
        """
        seen = look()
        if seen is not None and seen.found is not None and seen.found.hash == last.hash:
            return Doubtful(
                f"{self.cause}, but {self.recorded}, at {last.position}: do not say it again."
                f" {self.advice}".rstrip()
            )
        if seen is not None and seen.is_final:
            return self.unwritten
        return OutcomeUnknown(f"{self.cause}, and {self.unknown}.")
