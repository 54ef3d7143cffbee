"""State of a homebrew game: sheets, tracks and clocks of a table, and the turns of a conflict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from retold.games.homebrew import events as h
from retold.games.homebrew.options import NAME, recorded_game
from retold.games.homebrew.rules import Game, Kind, Track
from retold.journal.capabilities import Picture, Row
from retold.journal.copying import copied
from retold.journal.names import normalise
from retold.journal.system import StateAccess
from retold.journal.table import Handler, Table, no_change
from retold.journal.visibility import VisibleTo, is_secret_number, next_number
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words

NO_GAME: Final = Game(name="none", title="A game that is nobody's", about="dice, tracks and clocks")
"""Game used before one is chosen: any track may be kept for any person."""


HIDDEN_SHEET: Final = {"numbers": "hidden"}
"""Sheet of an opponent, for a viewer from whom the numbers are hidden."""

PARTS: Final = 6
"""Parts of an opponent's bar, for a viewer from whom the numbers are hidden."""

_PICTURES: Final = {
    Kind.NUMBER: Picture.NUMBER,
    Kind.BOXES: Picture.BOXES,
    Kind.CLOCK: Picture.CLOCK,
    Kind.COUNTER: Picture.COUNTER,
    Kind.CONDITION: Picture.BOXES,
}


class TrackValue(Struct):
    """Current value of a person's track, and its maximum if it has one."""

    now: int
    most: int | None = None
    seen: str | None = None
    """Word for the value, if its numbers are hidden from the viewer."""


class Clock(Struct):
    """Clock that fills: its name, `now` full segments, and `segments` in total."""

    name: Words
    now: int
    segments: int


class GameState(Struct):
    """A table's state of its homebrew game, which outlives conflicts: chosen game, sheets, tracks, clocks."""

    definition: str | None = None
    """Chosen game as recorded; None before one is chosen."""
    sheets: dict[int, dict[str, int | str]] = field(default_factory=dict)
    tracks: dict[int, dict[str, TrackValue]] = field(default_factory=dict)
    conditions: dict[int, list[str]] = field(default_factory=dict)
    """Conditions by person, oldest first."""
    clocks: dict[int, Clock] = field(default_factory=dict)
    clocks_ever: int = 0
    secret_clocks: list[int] = field(default_factory=list)
    """Numbers of clocks started in secret."""
    results: dict[int, str] = field(default_factory=dict)
    """Result of each person's last move."""
    told: dict[int, dict[str, int]] = field(default_factory=dict)
    """Numbers that open throws were made against, by person and stat: these are public."""

    def next_clock(self, visible_to: VisibleTo, name: str, recorded: Iterable[int] = ()) -> int:
        """Returns the id for a new clock with this audience; of a secret one it follows from `name`.

        `recorded` are the ids that an act decided again has in the record.
        """
        return next_number((self.clocks_ever, *self.secret_clocks), visible_to, "clock ", name, recorded)

    @property
    def game(self) -> Game:
        """The chosen game; `NO_GAME`, without stats or moves, if none is chosen."""
        return NO_GAME if self.definition is None else recorded_game(self.definition)

    def stat(self, person: int, stat: str) -> int | None:
        """Returns the number on the person's sheet under the key `stat`, else that stat's start value.

        None for an unknown stat.
        """
        found = self.sheets.get(person, {}).get(stat)
        if isinstance(found, int):
            return found
        known = self.game.stats.get(stat)
        return None if known is None else known.start

    def kept(self, person: int, name: str) -> TrackValue | None:
        """Returns the current value and maximum of a person's track; None if the person has no such track.

        All people have each track of the game, from its start value, unless its maximum is a stat that is
        still 0.
        """
        own = self.tracks.get(person, {}).get(name)
        track = self.game.tracks.get(name)
        if track is None:
            return own
        most = self.most(person, track)
        if own is None and track.out is not None and self.sheets.get(person) == HIDDEN_SHEET:
            return TrackValue(PARTS if track.out == "empty" else 0, PARTS, "unhurt")
        if own is None and most == 0:
            return None
        if own is None:
            return TrackValue(starting_value(track, most), most)
        return TrackValue(own.now, most if own.most is None else own.most, own.seen)

    def most(self, person: int, track: Track) -> int | None:
        """Returns a track's maximum for this person (perhaps a stat of theirs); None if unlimited."""
        if track.kind is Kind.CONDITION:
            return 1
        return self.stat(person, track.most) if isinstance(track.most, str) else track.most

    def has(self, person: int, condition: str) -> bool:
        """True if the person has the condition, or an on/off track of that name switched on."""
        if condition in self.conditions.get(person, ()):
            return True
        track, kept = self.game.tracks.get(condition), self.kept(person, condition)
        return track is not None and track.kind is Kind.CONDITION and kept is not None and kept.now > 0

    def knows(self, person: int) -> bool:
        """True if the game may store values for the person.

        Once a game is chosen, all people count; before, people with a sheet, track or condition.
        """
        return self.definition is not None or any(person in kept for kept in self._people())

    def _people(self) -> tuple[Mapping[int, object], ...]:
        """Sheets, tracks and conditions: the three mappings by person."""
        return self.sheets, self.tracks, self.conditions

    def known(self, person: int) -> tuple[str, ...]:
        """Returns the names of a person's tracks, those of the game first.

        The game's tracks count once the person has a sheet or any track.
        """
        has_all = person in self.sheets or person in self.tracks
        is_hidden = self.sheets.get(person) == HIDDEN_SHEET
        of_game = (
            name for name, track in self.game.tracks.items() if has_all and (track.out or not is_hidden)
        )
        return tuple(dict.fromkeys((*of_game, *self.tracks.get(person, {}))))

    def is_out(self, person: int) -> bool:
        """True if any track puts the person out of the fight, such as hp at 0."""
        return any(self.is_out_by(person, name) for name in self.known(person))

    def is_dying(self, person: int) -> bool:
        """True if all tracks that put the person out are ones at whose end people die slowly."""
        return all(
            self.game.tracks[name].dying for name in self.known(person) if self.is_out_by(person, name)
        )

    def is_out_by(self, person: int, name: str) -> bool:
        """True if the person's track `name` is at the end that puts them out of the fight."""
        track, kept = self.game.tracks.get(name), self.kept(person, name)
        if track is None or kept is None or track.out is None:
            return False
        return kept.now <= 0 if track.out == "empty" else kept.most is not None and kept.now >= kept.most

    def rows(self) -> Iterator[Row]:
        """Yields a row for views for each track and condition, person by person, then for each clock."""
        for person in dict.fromkeys(owner for people in self._people() for owner in people):
            for name in self.known(person):
                kept = self.kept(person, name)
                if kept is not None:
                    picture = self._picture(name, kept)
                    is_out, words = self.is_out_by(person, name), (kept.seen,) * (kept.seen is not None)
                    yield Row(person, name, kept.now, kept.most, picture, is_out, words=words)
            for name in self.conditions.get(person, ()):
                yield Row(person, name, 1, 1, Picture.BOXES)
        for clock in self.clocks.values():
            yield Row(None, str(clock.name), clock.now, clock.segments, Picture.CLOCK)

    def _picture(self, name: str, kept: TrackValue) -> Picture:
        """Returns the picture drawn for a track: by its kind, or a health bar if empty means out.

        For a track the game does not define, a health bar with a maximum, else a counter.
        """
        track = self.game.tracks.get(name)
        if track is None:
            return Picture.COUNTER if kept.most is None else Picture.HEALTH
        return Picture.HEALTH if track.out == "empty" else _PICTURES[track.kind]

    def clock(self, name: str) -> int | None:
        """Returns the id of the clock with this name, compared normalised, or None."""
        folded = normalise(name)
        found = (
            number for number, clock in self.clocks.items() if normalise(clock.name.text or "") == folded
        )
        return next(found, None)


def starting_value(track: Track, most: int | None) -> int:
    """Returns a track's start value: the one given, else its maximum for a number, else 0."""
    if track.start is not None:
        return track.start
    return (most or 0) if track.kind is Kind.NUMBER else 0


class ConflictState(Struct):
    """State of a homebrew conflict: initiative numbers, current turn, and round (0 before the first turn)."""

    numbers: dict[int, int] = field(default_factory=dict)
    """Initiative numbers by person."""
    round: int = 0
    turn: int | None = None
    acted: set[int] = field(default_factory=set)
    """People with a turn in this round."""

    known_round: int = 0
    """The round of the last public turn."""
    known_acted: set[int] = field(default_factory=set)
    """Public people with a turn in that round."""

    def round_of(self, who: int, *, secret: bool = False, waiting: bool = False) -> int:
        """Returns the round number of a turn that `who` takes now.

        If `who` has had a turn in the current round, the next round. A `secret` person counts all turns,
        others only public ones. A secret person begins no round while others are `waiting` for their turn in
        this one.
        """
        if secret:
            return self.round + (self.round == 0 or (who in self.acted and not waiting))
        return self.known_round + (self.known_round == 0 or who in self.known_acted)

    def begin(self, who: int, number: int, *, secret: bool = False) -> None:
        """Begins the turn of `who` in the round `number`; a `secret` one leaves the public round alone."""
        self.acted = {*(() if number != self.round else self.acted), who}
        self.round, self.turn = number, who
        if not secret:
            self.known_acted = {*(() if number != self.known_round else self.known_acted), who}
            self.known_round = number

    def order(self, people: Sequence[int]) -> list[int]:
        """Returns people sorted by initiative number, highest first; ties keep their order."""
        return sorted(people, key=lambda person: -self.numbers.get(person, 0))


ACCESS = StateAccess(NAME, GameState, ConflictState)
shelf, own, play = ACCESS.shelf, ACCESS.own, ACCESS.play


def without_conditions(table: Table) -> Table:
    """Returns a copy of a table without conditions."""
    plain = copied(table)
    here = own(plain)
    here.conditions = {}
    switched = [name for name, track in here.game.tracks.items() if track.kind is Kind.CONDITION]
    for tracks in here.tracks.values():
        for name in switched:
            tracks.pop(name, None)
    return plain


def _game_chosen(table: Table, event: h.GameChosen) -> None:
    own(table).definition = event.definition


def _move_made(table: Table, event: h.MoveMade) -> None:
    results = own(table).results
    results.pop(event.who, None)
    if event.result is not None:
        results[event.who] = event.result
    if event.target is None or event.against is None or table.secret(event.who) is not None:
        return
    if table.open_goal is not None:
        own(table).told.setdefault(event.target, {})[event.against] = table.open_goal


def _track_changed(table: Table, event: h.TrackChanged) -> None:
    """Stores the track's new value, and its maximum only if it differs from the game's.

    So a maximum given by a stat keeps following the stat.
    """
    shelf = own(table)
    known = shelf.game.tracks.get(event.track)
    of_game = None if known is None else shelf.most(event.who, known)
    most = None if event.most == of_game else event.most
    shelf.tracks.setdefault(event.who, {})[event.track] = TrackValue(event.now, most, event.seen)


def _condition_changed(table: Table, event: h.ConditionChanged) -> None:
    """Adds or removes the condition of a person; a person without any leaves the mapping.

    A condition that has ended is no longer secret.
    """
    conditions = own(table).conditions
    left = [condition for condition in conditions.pop(event.who, []) if condition != event.condition]
    if event.on or left:
        conditions[event.who] = [*left, *([event.condition] if event.on else [])]
    if not event.on:  # an ended condition is not secret: its next line decides its audience
        table.secrets.pop(event.subjects()[0], None)


def _clock_started(table: Table, event: h.ClockStarted) -> None:
    shelf = own(table)
    if is_secret_number(event.clock):
        shelf.secret_clocks.append(event.clock)
    else:
        shelf.clocks_ever = event.clock
    shelf.clocks[event.clock] = Clock(event.name, event.now, event.segments)


def _clock_ticked(table: Table, event: h.ClockTicked) -> None:
    own(table).clocks[event.clock].now = event.now


def _clock_stopped(table: Table, event: h.ClockStopped) -> None:
    del own(table).clocks[event.clock]


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    own(table)
    table.conflicts[event.conflict].state = ConflictState()


def _initiative_rolled(table: Table, event: h.InitiativeRolled) -> None:
    play(table.conflicts[event.conflict]).numbers[event.who] = event.number


def _turn_began(table: Table, event: h.TurnBegan) -> None:
    here = play(table.conflicts[event.conflict])
    here.begin(event.who, event.round, secret=table.secret(event.who) is not None)


def _left(table: Table, event: e.Left) -> None:
    here = play(table.conflicts[event.conflict])
    for person in event.people:
        here.numbers.pop(person, None)
        here.acted.discard(person)
        here.known_acted.discard(person)
        here.turn = None if here.turn == person else here.turn


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = own(table).sheets.setdefault(event.person, {})
    for key, value in event.values.items():
        if value is None:
            sheet.pop(key, None)
        else:
            sheet[key] = value


EVOLVE: Mapping[type[Event], Handler] = {
    h.GameChosen: _game_chosen,
    h.MoveMade: _move_made,
    h.TrackChanged: _track_changed,
    h.ConditionChanged: _condition_changed,
    h.Rested: no_change,
    h.ClockStarted: _clock_started,
    h.ClockTicked: _clock_ticked,
    h.ClockStopped: _clock_stopped,
    h.InitiativeRolled: _initiative_rolled,
    h.TurnBegan: _turn_began,
    e.ConflictOpened: _conflict_opened,
    e.Left: _left,
    e.SheetChanged: _sheet_changed,
}
