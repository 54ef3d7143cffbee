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


class Closed(StoreError):  # noqa: N818 -- as above
    """The program has closed the campaign itself; `retold.open` opens it again."""

    def __init__(self, place: object) -> None:
        super().__init__(f"{place} is closed: open it again.")


class Unreached(StoreError):  # noqa: N818 -- as above
    """The server that holds the record cannot be reached, so nothing can be read."""

    def __init__(self, place: str, fact: str) -> None:
        super().__init__(place, fact)
        self.fact = fact
        """A sentence such as `club cannot be reached (no route to host).`"""

    def __str__(self) -> str:
        return f"{self.args[0]} cannot be read: {self.fact}"


class CannotWrite(StoreError):  # noqa: N818 -- as above
    """Nothing was recorded: for example the disk is full or read-only, or another process holds the lock."""


class EndMissing(CannotWrite):
    """The record lacks events that were read from it before: another copy of it lies there now."""


class Doubtful(StoreError):  # noqa: N818 -- as above
    """The disk or the connection failed at the end of a commit: the events may be recorded.

    In a file perhaps not durably. `OutcomeUnknown` if that is unknown; else they are recorded.
    """


class UnreachedToWrite(CannotWrite):
    """Nothing was recorded, since the server that holds the record cannot be reached."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact
        """A sentence such as `club cannot be reached (no route to host).`"""

    def __str__(self) -> str:
        return f"Nothing was recorded: {self.fact} Say it again."


class OutcomeUnknown(Doubtful):
    """The commit failed, and the record cannot be checked yet for the act's events."""

    def __init__(self, fact: str, *, has_id: bool = False) -> None:
        super().__init__(fact)
        self.fact = fact
        """The sentence without what to do."""
        self.has_id = has_id
        """True if the caller knows the act's id, and so can say it again."""

    def __str__(self) -> str:
        if self.has_id:
            return f"{self.fact} Said again under the same id, it cannot be recorded twice."
        return f"{self.fact.removesuffix('.')}: look with log -n 1 before you say it again."
