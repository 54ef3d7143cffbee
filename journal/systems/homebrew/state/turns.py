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

    known_round: int = 0
    """The round of the last turn that everybody sees."""
    known_acted: set[int] = field(default_factory=set)
    """Who has had a turn in that round, of those whom everybody knows."""

    def round_of(self, who: int, *, secret: bool = False, waiting: bool = False) -> int:
        """Which round it is if it is somebody's turn now; turns of `secret` people change no open round.

        Somebody secret begins no round while others are `waiting` for their turn in this one.
        """
        if secret:
            return self.round + (self.round == 0 or (who in self.acted and not waiting))
        return self.known_round + (self.known_round == 0 or who in self.known_acted)

    def begin(self, who: int, number: int, *, secret: bool = False) -> None:
        """It is somebody's turn, in that round."""
        self.acted = {*(() if number != self.round else self.acted), who}
        self.round, self.turn = number, who
        if not secret:
            self.known_acted = {*(() if number != self.known_round else self.known_acted), who}
            self.known_round = number

    def order(self, people: Sequence[int]) -> list[int]:
        """These people as they go, the highest number first, then as they stand on their sides."""
        return sorted(people, key=lambda person: -self.numbers.get(person, 0))
