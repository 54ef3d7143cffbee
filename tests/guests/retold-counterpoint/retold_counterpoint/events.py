"""What can happen in Counterpoint, and what is kept of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from journal.capabilities import Picture, Row
from journal.system import StateAccess
from journal.table import Handler, Table
from journal.vocabulary.base import Event, Id, InConflict, PersonInConflict, Whole, Words
from journal.vocabulary.events import ConflictOpened

NAME = "counterpoint"


class ChoiceSealed(PersonInConflict):
    """Somebody chose in secret what they will sing, and against whom."""

    kind: ClassVar[str] = "counterpoint.choice-sealed"
    public: ClassVar[frozenset[str]] = frozenset({"conflict", "who"})
    choice: Words


class ChoicesRevealed(InConflict):
    """What these people had sealed is open."""

    kind: ClassVar[str] = "counterpoint.choices-revealed"
    final: ClassVar[str] = "The table has seen what was sealed."
    people: tuple[Id, ...]


class Chosen(PersonInConflict):
    """Somebody's choice, open."""

    kind: ClassVar[str] = "counterpoint.chosen"
    act: str
    target: Id | None = None
    text: Words | None = None


class Sung(PersonInConflict):
    """Somebody sang; the dice were rolled with the same line."""

    kind: ClassVar[str] = "counterpoint.sung"
    successes: Whole
    text: Words | None = None


class VerseWon(InConflict):
    """A verse is over, and the next begins."""

    kind: ClassVar[str] = "counterpoint.verse-won"
    who: Id
    verse: Whole


class Invoked(PersonInConflict):
    """Somebody called on what they know."""

    kind: ClassVar[str] = "counterpoint.invoked"


class EncoreSung(PersonInConflict):
    """Somebody sang a verse again."""

    kind: ClassVar[str] = "counterpoint.encore-sung"


EVENTS = (ChoiceSealed, ChoicesRevealed, Chosen, Sung, VerseWon, Invoked, EncoreSung)


@dataclass(slots=True)
class Shelf:
    """What outlives a conflict: applause, by person."""

    applause: dict[int, int] = field(default_factory=dict)

    def rows(self) -> Iterable[Row]:
        """The applause of everybody who had any."""
        for who, much in self.applause.items():
            yield Row(who, "applause", much, None, Picture.NUMBER)


@dataclass(slots=True)
class Play:
    """A contest: its verse, what is sealed and what is open in it, and what was sung."""

    people: tuple[int, ...]
    verse: int = 1
    sealed: dict[int, Words] = field(default_factory=dict)
    chosen: dict[int, str] = field(default_factory=dict)
    sung: dict[int, int] = field(default_factory=dict)


PLACE = StateAccess(NAME, Shelf, Play)
shelf, own, play = PLACE.shelf, PLACE.own, PLACE.play


def _opened(table: Table, event: ConflictOpened) -> None:
    if event.system == NAME:
        own(table)
        table.conflicts[event.conflict].state = Play(tuple(one for side in event.sides for one in side))


def _sealed(table: Table, event: ChoiceSealed) -> None:
    PLACE.play_in(table, event.conflict).sealed[event.who] = event.choice


def _chosen(table: Table, event: Chosen) -> None:
    here = PLACE.play_in(table, event.conflict)
    here.sealed.pop(event.who, None)
    here.chosen[event.who] = event.act


def _sung(table: Table, event: Sung) -> None:
    PLACE.play_in(table, event.conflict).sung[event.who] = event.successes
    own(table).applause[event.who] = shelf(table).applause.get(event.who, 0) + event.successes


def _won(table: Table, event: VerseWon) -> None:
    here = PLACE.play_in(table, event.conflict)
    here.verse = event.verse + 1
    here.chosen.clear()
    here.sung.clear()


EVOLVE: Mapping[type[Event], Handler] = {
    ConflictOpened: _opened,
    ChoiceSealed: _sealed,
    ChoicesRevealed: lambda *_: None,
    Chosen: _chosen,
    Sung: _sung,
    VerseWon: _won,
    Invoked: lambda *_: None,
    EncoreSung: lambda *_: None,
}
