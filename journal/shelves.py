"""Where a table keeps what a game knows: its shelf, which outlives a conflict, and a conflict's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from journal.table import OpenConflict, Table

S = TypeVar("S")
P = TypeVar("P")


class Place(Generic[S, P]):
    """Where one game's shelf and the states of its conflicts are found."""

    def __init__(
        self, game: str, shelf: type[S], play: type[P], empty: Callable[[Table], S] | None = None
    ) -> None:
        """`empty` makes the shelf of a table that never played it, where that hangs on its options."""
        self._game, self._shelf, self._play = game, shelf, play
        self._empty = empty or (lambda _table: shelf())

    def shelf(self, table: Table) -> S:
        """What the game keeps on this table, to be read; an empty shelf where it was never played."""
        found = table.shelves.get(self._game)
        if found is None:
            return self._empty(table)
        assert isinstance(found, self._shelf)  # noqa: S101 -- the name is the game's alone
        return found

    def own(self, table: Table) -> S:
        """The shelf for the fold to change, put up when it is first needed."""
        if self._game not in table.shelves:
            table.shelves[self._game] = self._empty(table)
        return self.shelf(table)

    def play(self, conflict: OpenConflict) -> P:
        """The state of a conflict of this game, of the kind that was set when it opened."""
        assert isinstance(conflict.state, self._play)  # noqa: S101 -- no other game sees this conflict
        return conflict.state

    def play_in(self, table: Table, conflict: int | None) -> P:
        """The state of the conflict of that number, which is one of this game's."""
        return self.play(table.conflicts[conflict or 0])
