"""A conflict of a table's own game: who goes when, where the game or the table says so."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field


class Play(Struct):
    """The state of one conflict: rounds are counted from 1, and 0 is before the first turn."""

    numbers: dict[int, int] = field(default_factory=dict)
    """What everybody rolled for who goes first."""
    round: int = 0
    turn: int | None = None
    acted: set[int] = field(default_factory=set)
    """Who has had a turn in this round."""

    def round_of(self, who: int) -> int:
        """Which round it is if it is somebody's turn now."""
        return self.round + (self.round == 0 or who in self.acted)

    def order(self, people: Sequence[int]) -> list[int]:
        """These people as they go, the highest number first, then as they stand on their sides."""
        return sorted(people, key=lambda person: -self.numbers.get(person, 0))
