"""Events of homebrew games: moves, tracks, conditions, rests, clocks, turns."""

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
    """Subjects of a person's track or condition: the track itself, and its sheet."""
    return (f"track {who} {what}", sheet_subject("homebrew", who))


class GameChosen(Event):
    """The table plays this game from now on; `definition` is the content of its file, as JSON."""

    kind: ClassVar[str] = "homebrew.game-chosen"
    name: str
    definition: str
    text: Words | None = None


class MoveMade(PersonAnywhere):
    """The dice of the same line were a move of the game: its name, its stat and its result.

    `stat` is the stat that counted, with its number then; `result` is None if no band fits. `target` is the
    opponent if they need not throw, `against` their stat that had to be reached. `conditions` lists those
    that changed the roll.
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
    """A person's track changes from `was` (None if new) to `now`; `most` is its maximum, if it has one.

    `move` is the move that changed it, if any, `by` the person who made that move if not the owner, and
    `rest` the rest that reset it.
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
        """The track and its sheet."""
        return kept_subjects(self.who, self.track)


class ConditionChanged(PersonAnywhere):
    """A person's condition, such as poisoned, begins or ends.

    `move` is the move that caused it, if any, and `rest` the rest that ended it.
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
        """True if the condition ends, as it must have begun before."""
        return not self.on

    def subjects(self) -> tuple[str, ...]:
        """The condition and its sheet."""
        return kept_subjects(self.who, self.condition)


class Rested(Anywhere):
    """People rest; the events after it give the effects."""

    kind: ClassVar[str] = "homebrew.rested"
    hideable: ClassVar[bool] = True
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    rest: str
    text: Words | None = None


class OfClock(Event):
    """Base of events about a clock, which belongs to no person."""

    hideable: ClassVar[bool] = True
    clock: Id

    def subjects(self) -> tuple[str, ...]:
        """The clock."""
        return (f"clock {self.clock}",)


class ClockStarted(OfClock):
    """A clock with `segments` segments starts; the first `now` are full."""

    kind: ClassVar[str] = "homebrew.clock-started"
    name: Words
    segments: Whole
    now: Whole = 0
    text: Words | None = None


class ClockTicked(OfClock):
    """A clock has `now` full segments, after `was`."""

    kind: ClassVar[str] = "homebrew.clock-ticked"
    name: Words
    was: Whole
    now: Whole
    segments: Whole
    text: Words | None = None


class ClockStopped(OfClock):
    """A clock is put away, full or not."""

    kind: ClassVar[str] = "homebrew.clock-stopped"
    name: Words
    now: Whole
    text: Words | None = None

    @property
    def continues(self) -> bool:
        """Always True, as the clock was started before."""
        return True


class InitiativeRolled(PersonInConflict):
    """A person joins the turn order of a fight with this number; highest goes first."""

    kind: ClassVar[str] = "homebrew.initiative-rolled"
    number: Whole


class TurnBegan(PersonInConflict):
    """A person's turn begins, in a round counted from 1."""

    kind: ClassVar[str] = "homebrew.turn-began"
    round: Whole
    text: Words | None = None


EVENTS = kinds(vars())
