"""A moment: an event on a line, and the table it left behind."""

from __future__ import annotations

from msgspec import Struct

from journal.copying import copied
from journal.store.codec import Envelope, Recorded
from journal.table import Table
from journal.vocabulary.base import Event


class Moment(Struct, frozen=True):
    """An event on a line and the table it left behind.

    `table` belongs to the reading and changes with the next moment: who keeps it copies it (`kept`).
    """

    recorded: Recorded
    event: Event
    table: Table

    @property
    def position(self) -> int:
        """The event's position on its line, from 1."""
        return self.recorded.position

    @property
    def envelope(self) -> Envelope:
        """Who recorded it, when, for whom, and where its luck came from."""
        return self.recorded.envelope

    def kept(self) -> Table:
        """The table after this moment, as a value of its own."""
        return copied(self.table)
