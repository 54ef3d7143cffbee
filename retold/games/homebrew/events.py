"""Events of homebrew games: moves (named rolls), tracks, conditions, rests, clocks, turns."""

from __future__ import annotations

from typing import ClassVar

from retold.journal.vocabulary.base import (
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
    """Returns the keys under which the secrecy of a track or condition, and its sheet's, are stored."""
    return (f"track {who} {what}", sheet_subject("homebrew", who))


class GameChosen(Event):
    """The table plays this game from now on; `definition` is the content of the game's file as JSON."""

    kind: ClassVar[str] = "homebrew.game-chosen"
    name: str
    definition: str
    text: Words | None = None


class MoveMade(PersonAnywhere):
    """The throw before this event was a move of the game: its name, the stat used, and the result.

    `number` is the stat's number at that time; `result` is None if no result fits the total. `target` is the
    opponent if they throw no dice, `against` their stat that had to be reached. `conditions` lists those
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
    """A person's track, such as hp, changed from `was` (None if new) to `now`; `most` is its maximum.

    `move` is the move that changed it, if any, `by` the person who made that move if not the owner, and
    `rest` the rest that changed it. With `by` and no move, it went to that person, or came from them.
    `seen` is never recorded: for viewers from whom the numbers are hidden, it is a word for the value, and
    the numbers are parts of a bar.
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
    seen: str | None = None

    def subjects(self) -> tuple[str, ...]:
        """Returns the keys of the track's and its sheet's secrecy."""
        return kept_subjects(self.who, self.track)


class ConditionChanged(PersonAnywhere):
    """A condition of a person, such as poisoned, began (`on`) or ended.

    `move` is the move that caused the change, if any, and `rest` the rest that ended the condition.
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
        """True if the condition ends, since it must have begun before."""
        return not self.on

    def subjects(self) -> tuple[str, ...]:
        """Returns the keys of the condition's and its sheet's secrecy."""
        return kept_subjects(self.who, self.condition)


class Rested(Anywhere):
    """People rested; the events after this one give the effects on tracks and conditions."""

    kind: ClassVar[str] = "homebrew.rested"
    hideable: ClassVar[bool] = True
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    rest: str
    text: Words | None = None


class OfClock(Event):
    """Base of events about a clock: segments that fill, belonging to no person."""

    hideable: ClassVar[bool] = True
    clock: Id

    def subjects(self) -> tuple[str, ...]:
        """Returns the key, such as `clock 3`, under which the table stores who may know of the clock."""
        return (f"clock {self.clock}",)


class ClockStarted(OfClock):
    """A clock of `segments` segments started, with the first `now` of them full."""

    kind: ClassVar[str] = "homebrew.clock-started"
    name: Words
    segments: Whole
    now: Whole = 0
    text: Words | None = None


class ClockTicked(OfClock):
    """The number of a clock's full segments changed from `was` to `now`."""

    kind: ClassVar[str] = "homebrew.clock-ticked"
    name: Words
    was: Whole
    now: Whole
    segments: Whole
    text: Words | None = None


class ClockStopped(OfClock):
    """A clock was put away, full or not."""

    kind: ClassVar[str] = "homebrew.clock-stopped"
    name: Words
    now: Whole
    text: Words | None = None

    @property
    def continues(self) -> bool:
        """Always True, as a clock to be put away was started before."""
        return True


class InitiativeRolled(PersonInConflict):
    """A person got an initiative number in a conflict; the highest goes first."""

    kind: ClassVar[str] = "homebrew.initiative-rolled"
    number: Whole


class TurnBegan(PersonInConflict):
    """A person's turn began, in round `round`, counted from 1."""

    kind: ClassVar[str] = "homebrew.turn-began"
    round: Whole
    text: Words | None = None


EVENTS = kinds(vars())
