"""What outlives a conflict: the game that is played, everybody's sheet and tracks, and the clocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from journal.capabilities import Picture, Row
from journal.names import fold
from journal.systems.homebrew.options import recorded
from journal.systems.homebrew.rules import Game, Kind, Track
from journal.visibility import VisibleTo, next_number
from journal.words import Words

NO_GAME: Final = Game(name="none", title="A game that is nobody's", about="dice, tracks and clocks")
"""What is played where nobody has chosen a game: anything may be kept of anybody."""


_PICTURES: Final = {
    Kind.NUMBER: Picture.NUMBER,
    Kind.BOXES: Picture.BOXES,
    Kind.CLOCK: Picture.CLOCK,
    Kind.COUNTER: Picture.COUNTER,
    Kind.CONDITION: Picture.BOXES,
}


class Kept(Struct):
    """A track of somebody's: where it stands, and its most where it has one of its own."""

    now: int
    most: int | None = None


class Clock(Struct):
    """A clock: its name, how many of its segments are full, and how many it has."""

    name: Words
    now: int
    segments: int


class Shelf(Struct):
    """What outlives a conflict."""

    definition: str | None = None
    """The game as the record has it; None where none is chosen."""
    sheets: dict[int, dict[str, int | str]] = field(default_factory=dict)
    tracks: dict[int, dict[str, Kept]] = field(default_factory=dict)
    conditions: dict[int, list[str]] = field(default_factory=dict)
    """What everybody is, in the order in which it came about."""
    clocks: dict[int, Clock] = field(default_factory=dict)
    clocks_ever: int = 0
    secret_clocks: list[int] = field(default_factory=list)
    """The numbers of all that were started in secret."""
    results: dict[int, str] = field(default_factory=dict)
    """What the last move of everybody came to."""

    def next_clock(self, visible_to: VisibleTo) -> int:
        """The number the next clock gets, which these may know of."""
        return next_number((self.clocks_ever, *self.secret_clocks), visible_to, "clock ")

    @property
    def game(self) -> Game:
        """The game that is played."""
        return NO_GAME if self.definition is None else recorded(self.definition)

    def stat(self, person: int, stat: str) -> int | None:
        """A number of somebody's sheet, or where it starts; None where nothing says it, or it is a word."""
        found = self.sheets.get(person, {}).get(stat)
        if isinstance(found, int):
            return found
        known = self.game.stats.get(stat)
        return None if known is None else known.start

    def kept(self, person: int, name: str) -> Kept | None:
        """Where a track of somebody's stands, with the most it has; None for what is not kept of them.

        Every track of the game is, as it begins, but for one whose most is a stat that nobody has said.
        """
        own = self.tracks.get(person, {}).get(name)
        track = self.game.tracks.get(name)
        if track is None:
            return own
        most = self.most(person, track)
        if own is None and most == 0:
            return None
        if own is None:
            return Kept(begins(track, most), most)
        return Kept(own.now, most if own.most is None else own.most)

    def most(self, person: int, track: Track) -> int | None:
        """The most of a track of the game's, for somebody."""
        if track.kind is Kind.CONDITION:
            return 1
        return self.stat(person, track.most) if isinstance(track.most, str) else track.most

    def has(self, person: int, condition: str) -> bool:
        """Whether somebody has that condition, or a track of that name that is one and is on."""
        if condition in self.conditions.get(person, ()):
            return True
        track, kept = self.game.tracks.get(condition), self.kept(person, condition)
        return track is not None and track.kind is Kind.CONDITION and kept is not None and kept.now > 0

    def knows(self, person: int) -> bool:
        """Whether somebody is of this game: everybody once one is chosen, and whoever has anything here."""
        return self.definition is not None or any(person in one for one in self._people())

    def _people(self) -> tuple[Mapping[int, object], ...]:
        """Whoever has anything here."""
        return self.sheets, self.tracks, self.conditions

    def known(self, person: int) -> tuple[str, ...]:
        """The tracks that are kept of somebody, those of the game first."""
        has_all = person in self.sheets or person in self.tracks
        of_game = tuple(self.game.tracks) if has_all else ()
        return tuple(dict.fromkeys((*of_game, *self.tracks.get(person, {}))))

    def is_out(self, person: int) -> bool:
        """Whether a track of somebody's says that they are out."""
        return any(self.is_out_by(person, name) for name in self.known(person))

    def is_out_by(self, person: int, name: str) -> bool:
        """Whether that track of somebody's says so."""
        track, kept = self.game.tracks.get(name), self.kept(person, name)
        if track is None or kept is None or track.out is None:
            return False
        return kept.now <= 0 if track.out == "empty" else kept.most is not None and kept.now >= kept.most

    def rows(self) -> Iterator[Row]:
        """Every track and condition, person by person, and then the clocks."""
        for person in dict.fromkeys(one for people in self._people() for one in people):
            for name in self.known(person):
                kept = self.kept(person, name)
                if kept is not None:
                    picture = self._picture(name, kept)
                    yield Row(person, name, kept.now, kept.most, picture, self.is_out_by(person, name))
            for name in self.conditions.get(person, ()):
                yield Row(person, name, 1, 1, Picture.BOXES)
        for clock in self.clocks.values():
            yield Row(None, str(clock.name), clock.now, clock.segments, Picture.CLOCK)

    def _picture(self, name: str, kept: Kept) -> Picture:
        """How a track is drawn; what nobody has described is health where it has a most, else counters."""
        track = self.game.tracks.get(name)
        if track is None:
            return Picture.COUNTER if kept.most is None else Picture.HEALTH
        return Picture.HEALTH if track.out == "empty" else _PICTURES[track.kind]

    def clock(self, name: str) -> int | None:
        """The clock of that name, by its number."""
        folded = fold(name)
        found = (one for one, clock in self.clocks.items() if fold(clock.name.text or "") == folded)
        return next(found, None)


def begins(track: Track, most: int | None) -> int:
    """Where a track stands before anything has happened."""
    if track.start is not None:
        return track.start
    return (most or 0) if track.kind is Kind.NUMBER else 0
