"""What can happen where the table plays a game of its own, beside the shared words."""

from __future__ import annotations

from typing import ClassVar

from journal.vocabulary.base import (
    Anywhere,
    Event,
    Id,
    PersonAnywhere,
    PersonInConflict,
    Whole,
    Words,
    kinds,
    sheet_subject,
)


def kept_subjects(who: int, what: str) -> tuple[str, ...]:
    """The subjects of a track or a condition of somebody's: itself, and the sheet it is on."""
    return (f"track {who} {what}", sheet_subject("homebrew", who))


class GameChosen(Event):
    """The table plays this game from now on; `definition` is all that its file says."""

    kind: ClassVar[str] = "homebrew.game-chosen"
    name: str
    definition: str
    text: Words | None = None


class MoveMade(PersonAnywhere):
    """The dice of the same line are a move of the game: which, with what stat, and its result.

    `stat` is the stat that counted, with its number then; `result` is None where the file names none.
    `target` is whom it was against where they need not throw, `against` their stat that had to be reached.
    `conditions` are those that counted in it.
    """

    kind: ClassVar[str] = "homebrew.move-made"
    hideable: ClassVar[bool] = True
    move: str
    stat: str | None = None
    number: Whole | None = None
    result: str | None = None
    target: Id | None = None
    against: str | None = None
    conditions: tuple[str, ...] | None = None


class TrackChanged(PersonAnywhere):
    """Somebody's track stands at `now`, of `most` where it has one; `was` is None where it was not kept yet.

    `move` is the move that did it, where one did, `by` whose it was where it was not theirs, and `rest` the
    rest that set it back.
    """

    kind: ClassVar[str] = "homebrew.track-changed"
    hideable: ClassVar[bool] = True
    track: str
    was: Whole | None = None
    now: Whole
    most: Whole | None = None
    move: str | None = None
    by: Id | None = None
    rest: str | None = None
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """The track, and the sheet it is on."""
        return kept_subjects(self.who, self.track)


class ConditionChanged(PersonAnywhere):
    """Somebody is poisoned, or whatever the condition is called, or is it no more.

    `move` is the move that did it, where one did, and `rest` the rest that ended it.
    """

    kind: ClassVar[str] = "homebrew.condition-changed"
    hideable: ClassVar[bool] = True
    condition: str
    on: bool
    move: str | None = None
    rest: str | None = None
    text: Words | None = None

    @property
    def continues(self) -> bool:
        """A condition that ends began before."""
        return not self.on

    def subjects(self) -> tuple[str, ...]:
        """The condition, and the sheet it is on."""
        return kept_subjects(self.who, self.condition)


class Rested(Anywhere):
    """These rest; what that sets back stands in the events after it."""

    kind: ClassVar[str] = "homebrew.rested"
    hideable: ClassVar[bool] = True
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    rest: str
    text: Words | None = None


class OfClock(Event):
    """What happens to a clock, which is nobody's."""

    hideable: ClassVar[bool] = True
    clock: Id

    def subjects(self) -> tuple[str, ...]:
        """The clock."""
        return (f"clock {self.clock}",)


class ClockStarted(OfClock):
    """A clock of so many segments; the first `now` of them are full."""

    kind: ClassVar[str] = "homebrew.clock-started"
    name: Words
    segments: Whole
    now: Whole = 0
    text: Words | None = None


class ClockTicked(OfClock):
    """So many segments of a clock are full now."""

    kind: ClassVar[str] = "homebrew.clock-ticked"
    name: Words
    was: Whole
    now: Whole
    segments: Whole
    text: Words | None = None


class ClockStopped(OfClock):
    """A clock is put away, whatever it stands at."""

    kind: ClassVar[str] = "homebrew.clock-stopped"
    name: Words
    now: Whole
    text: Words | None = None

    @property
    def continues(self) -> bool:
        """A clock that stops was started before."""
        return True


class InitiativeRolled(PersonInConflict):
    """Somebody takes their place in the order of a fight by this number, the highest first."""

    kind: ClassVar[str] = "homebrew.initiative-rolled"
    number: Whole


class TurnBegan(PersonInConflict):
    """It is somebody's turn, in a round that is counted from 1."""

    kind: ClassVar[str] = "homebrew.turn-began"
    round: Whole
    text: Words | None = None


EVENTS = kinds(vars())
