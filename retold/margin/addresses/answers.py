"""Shape of what the service answers about notes."""

from __future__ import annotations

from retold.cli.service.answers import Answer


class ReaderNote(Answer, frozen=True):
    """Note of a reader. `event` is the id of its step; empty if there is none now on the branch played.

    `shown` is true if all readers see it who see the event; `mine` if the viewer of the link wrote it.
    """

    id: str
    who: str
    words: str
    sent: str
    event: str
    shown: bool
    mine: bool
