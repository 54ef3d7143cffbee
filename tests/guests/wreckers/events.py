"""Events of Wreckers, and a state that can show all there is to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from retold.game import (
    Balance,
    Border,
    Deck,
    DiceSum,
    Event,
    Handler,
    InPlay,
    Melee,
    Moves,
    Passing,
    PersonInConflict,
    Picture,
    Plan,
    Pool,
    Raise,
    Row,
    StateAccess,
    Table,
    Whole,
    Words,
    Zone,
    events,
)
from tests.guests.wreckers.planted import door

NAME = "wreckers"


class Swum(PersonInConflict):
    """Swum for the wreck; `left` is the air that is left."""

    kind: ClassVar[str] = "wreckers.swum"
    version: ClassVar[int] = 2
    left: Whole
    text: Words | None = None

    def subjects(self) -> tuple[str, ...]:
        """None: everybody sees who swims."""
        door("subjects")
        return ()


@dataclass(slots=True)
class Lungs:
    """A sheet."""

    lungs: int


@dataclass(slots=True)
class Shelf:
    """How often people swam, and their sheets."""

    swims: dict[int, int] = field(default_factory=dict)
    of: dict[int, Lungs] = field(default_factory=dict)

    @property
    def sheets(self) -> Mapping[int, object]:
        """Sheet by person."""
        door("sheets")
        return self.of

    def rows(self) -> Iterable[Row]:
        """How often each person swam."""
        for who, much in self.swims.items():
            door("rows")
            yield Row(who, "swims", much, None, Picture.NUMBER)

    def decks(self) -> Iterable[Deck]:
        """One deck, whole."""
        door("decks")
        return (Deck("tides", None, 1, 1, (), (), ("low",)),)

    def check(self) -> None:
        """Nothing is ever wrong with it."""
        door("check")

    def dice_sums(self, _person: int) -> Iterable[DiceSum]:
        """One sum."""
        door("dice_sums")
        return (DiceSum("lungs", 1, "1d6"),)

    def things(self) -> Iterable[int]:
        """None."""
        door("things of the shelf")
        return ()

    def aspects_in_play(self) -> Iterable[InPlay]:
        """One aspect."""
        door("aspects_in_play")
        return (InPlay(1, 1, "Wet", lasting=True, free=0, holder=None, boxes=0),)


@dataclass(slots=True)
class Play:
    """State of a swim: the air of each person."""

    people: tuple[int, ...]
    air: dict[int, int] = field(default_factory=dict)

    def rows(self) -> Iterable[Row]:
        """The air of each person."""
        door("rows of the conflict")
        return [Row(who, "air", left, 3, Picture.HEALTH) for who, left in self.air.items()]

    def balance(self, conflict: int) -> Balance | None:
        """Nobody is ahead."""
        door("balance")
        return Balance(conflict, "even", None)

    def melee(self) -> Melee:
        """Nobody clashes."""
        door("melee")
        return Melee(1, (), ())

    def plan(self) -> Plan:
        """The quay and the wreck."""
        door("plan")
        ways = (Passing(None, 1),)
        borders = (Border("quay", "wreck", ways, ways),)
        places = tuple((who, "quay") for who in self.people)
        return Plan(1, (Zone("quay"), Zone("wreck")), borders, places)

    def fallen(self) -> Iterable[int]:
        """Whoever has no air left."""
        door("fallen")
        return [who for who, left in self.air.items() if left < 1]

    def face_down(self) -> Iterable[tuple[int, int]]:
        """One card before everybody."""
        door("face_down")
        return [(who, 1) for who in self.people]

    def pools(self) -> Iterable[Pool]:
        """One die each."""
        door("pools")
        return [Pool(1, who, (6,), (), None, out=False) for who in self.people]

    def moves(self) -> Iterable[Moves]:
        """None."""
        return ()

    def put_forward(self) -> Raise | None:
        """Nothing."""
        door("put_forward")
        return None


PLACE = StateAccess(NAME, Shelf, Play)


def _opened(table: Table, event: events.ConflictOpened) -> None:
    door("handler of a shared event")
    PLACE.own(table)
    table.conflicts[event.conflict].state = Play(tuple(one for side in event.sides for one in side))


def _sheet_changed(table: Table, event: events.SheetChanged) -> None:
    if event.system == NAME:
        door("handler outside conflicts")
        PLACE.own(table).of[event.person] = Lungs(int(event.values.get("lungs") or 0))


def _swum(table: Table, event: Swum) -> None:
    door("handler")
    PLACE.play_in(table, event.conflict).air[event.who] = event.left
    own = PLACE.own(table)
    own.swims[event.who] = own.swims.get(event.who, 0) + 1


EVOLVE: Mapping[type[Event], Handler] = {
    events.ConflictOpened: _opened,
    events.SheetChanged: _sheet_changed,
    Swum: _swum,
}
