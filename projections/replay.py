"""From a line to moments: each event with the table after it. The only stair down to the record."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass

from journal import line as line_
from journal.line import Live
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import TABLE, Envelope, Recorded
from journal.table import Table
from journal.vocabulary.base import GM, Event


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: `person` None and not `gm` is the whole table; the game master sees everything."""

    gm: bool = True
    person: int | None = None

    def sees(self, envelope: Envelope) -> bool:
        """True if this viewer may see an event with that envelope."""
        if self.gm or envelope.see == TABLE:
            return True
        return isinstance(envelope.see, tuple) and self.person in envelope.see


KEEPER = Viewer()
"""The game master's eyes."""

EVERYBODY = Viewer(gm=False)
"""What the whole table may see."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event on a line and the table it left behind.

    `table` belongs to the replay and changes with the next moment: who keeps it copies it (`kept`).
    `before` is there only if the replay was asked for it.
    """

    recorded: Recorded
    event: Event
    table: Table
    before: Table | None = None

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
        return copy.deepcopy(self.table)


def moments(
    campaign: Campaign,
    line: int,
    after: int = 0,
    upto: int | None = None,
    *,
    viewer: Viewer = KEEPER,
    with_before: bool = False,
) -> Iterator[Moment]:
    """The live moments of `line` at positions after+1..upto that `viewer` may see, one at a time.

    What counts is judged as of `upto`. An event nobody may see still changes the table.
    """
    table = campaign.table_at(line, after, reading.standing(campaign.file, line, upto)) if after else Table()
    for recorded, counts in reading.recorded(campaign.file, line, after, upto):
        if not counts or not isinstance(recorded.event, Event):
            continue
        before = copy.deepcopy(table) if with_before else None
        line_.evolve(table, Live(recorded.position, recorded.event, recorded.envelope.luck))
        if viewer.sees(recorded.envelope):
            yield Moment(recorded, recorded.event, table, before)


def viewer_called(table: Table, name: str) -> Viewer:
    """The viewer meant by `gm`, `table`, or somebody's name."""
    if name in ("gm", "table"):
        return KEEPER if name == "gm" else EVERYBODY
    person = table.called(name)
    return Viewer(gm=person == GM, person=person)
