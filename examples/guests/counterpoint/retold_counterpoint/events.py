"""Events of Counterpoint, and the state they change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from retold.game import (
    ChoicesRevealed,
    Event,
    Handler,
    Id,
    InConflict,
    PersonInConflict,
    Picture,
    Row,
    SealedChoice,
    StateAccess,
    Table,
    Whole,
    Words,
    events,
    no_change,
)

NAME = "counterpoint"


class ChoiceSealed(SealedChoice):
    """Sealed choice of a singer: how they will sing, and against whom."""

    kind: ClassVar[str] = "counterpoint.choice-sealed"
    choice: Words


class SongsRevealed(ChoicesRevealed):
    """Sealed choices of `people` revealed at once."""

    kind: ClassVar[str] = "counterpoint.choices-revealed"
    final: ClassVar[str | None] = "The table has seen what was sealed."


class Chosen(PersonInConflict):
    """Open choice of a singer."""

    kind: ClassVar[str] = "counterpoint.chosen"
    act: str
    target: Id | None = None
    text: Words | None = None


class Sung(PersonInConflict):
    """Song of one verse; the dice are a `DiceRolled` of the same act."""

    kind: ClassVar[str] = "counterpoint.sung"
    successes: Whole
    text: Words | None = None


class VerseWon(InConflict):
    """Verse won by `who`; the next begins."""

    kind: ClassVar[str] = "counterpoint.verse-won"
    who: Id
    verse: Whole


class Invoked(PersonInConflict):
    """Singer called on what they know."""

    kind: ClassVar[str] = "counterpoint.invoked"


class EncoreSung(PersonInConflict):
    """Singer asked to sing again."""

    kind: ClassVar[str] = "counterpoint.encore-sung"


EVENTS = (ChoiceSealed, SongsRevealed, Chosen, Sung, VerseWon, Invoked, EncoreSung)


@dataclass(slots=True)
class Shelf:
    """Applause by person; kept between contests."""

    applause: dict[int, int] = field(default_factory=dict)

    def rows(self) -> Iterable[Row]:
        """Rows shown in views: the applause of each singer who has any."""
        for who, much in self.applause.items():
            yield Row(who, "applause", much, None, Picture.NUMBER)


@dataclass(slots=True)
class Play:
    """State of a contest: its verse, sealed and open choices, and songs."""

    people: tuple[int, ...]
    verse: int = 1
    sealed: dict[int, Words] = field(default_factory=dict)
    chosen: dict[int, str] = field(default_factory=dict)
    sung: dict[int, int] = field(default_factory=dict)


PLACE = StateAccess(NAME, Shelf, Play)
shelf, own, play = PLACE.shelf, PLACE.own, PLACE.play


def _opened(table: Table, event: events.ConflictOpened) -> None:
    own(table)
    table.conflicts[event.conflict].state = Play(tuple(one for side in event.sides for one in side))


def _chosen(table: Table, event: Chosen) -> None:
    PLACE.play_in(table, event.conflict).chosen[event.who] = event.act


def _sung(table: Table, event: Sung) -> None:
    PLACE.play_in(table, event.conflict).sung[event.who] = event.successes
    own(table).applause[event.who] = shelf(table).applause.get(event.who, 0) + event.successes


def _won(table: Table, event: VerseWon) -> None:
    here = PLACE.play_in(table, event.conflict)
    here.verse = event.verse + 1
    here.chosen.clear()
    here.sung.clear()


EVOLVE: Mapping[type[Event], Handler] = {
    events.ConflictOpened: _opened,
    Chosen: _chosen,
    Sung: _sung,
    VerseWon: _won,
    Invoked: no_change,
    EncoreSung: no_change,
}
"""Handlers of every event but the two about sealed choices, which the kit brings."""
