"""Who looks: the game master, the whole table, or somebody at it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from journal import names
from journal.store.codec import Envelope
from journal.table import Table
from journal.visibility import TABLE
from journal.vocabulary.base import GM


class Viewer(Struct, frozen=True):
    """Who looks: `person` None and not `gm` is the whole table; the game master sees everything."""

    gm: bool = True
    person: int | None = None
    also: frozenset[int] = frozenset()
    """Whom this person plays, and who plays them: what is for these is for them too."""

    def sees(self, envelope: Envelope) -> bool:
        """True if this viewer may see an event with that envelope."""
        return (
            self.gm
            or envelope.visible_to == TABLE
            or (isinstance(envelope.visible_to, tuple) and self.among(envelope.visible_to))
        )

    def among(self, people: Sequence[int]) -> bool:
        """True if this viewer is one of `people`."""
        return self.person in people or not self.also.isdisjoint(people)


GAME_MASTER = Viewer()
"""The game master's eyes."""

EVERYBODY = Viewer(gm=False)
"""What the whole table may see."""


def viewer_called(table: Table, name: str) -> Viewer:
    """The viewer meant by `gm`, `table`, or somebody's name; Refused where nobody is called so."""
    if name in ("gm", "table"):
        return GAME_MASTER if name == "gm" else EVERYBODY
    return viewer_of(table, names.find(name, table.names()))


def viewer_of(table: Table, person: int) -> Viewer:
    """The eyes of somebody, with whom they play, or who plays them, at this table.

    Whoever sits in the game master's chair there sees what the game master sees.
    """
    if person in (GM, table.people[GM].player):
        return GAME_MASTER
    played = {one.id for one in table.everybody() if one.player == person}
    player = table.people[person].player
    group = {person, *played} if player is None else {person, *played, player}
    numbers = {number for one in group for number in table.numbers(one)}
    return Viewer(gm=False, person=person, also=frozenset(numbers - {person}))
