"""Capabilities of a game's or a conflict's state (`HasRows`, `HasDecks`, `HasMap`), and their record types.

A view, such as a table of points or a map, tests a state for a capability (`isinstance(state, HasMap)`)
and never for a particular game.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from retold.journal.vocabulary.base import Command


class Picture(StrEnum):
    """Pictorial form in which a view draws a `Row`: number, boxes, clock, health bar and so on.

    `NUMBER`, `COUNTER`, `BOXES` and `CLOCK` suit any counted value; the rest have a special view for people.
    """

    NUMBER = "number"
    COUNTER = "counter"
    """Counters in a heap: ammunition, torches."""
    BOXES = "boxes"
    """Boxes to be marked."""
    CLOCK = "clock"
    """A circle in segments that fills."""
    POINTS = "points"
    """Counters that are held and spent."""
    HEALTH = "health"
    """A health bar; `out` once it is empty."""
    STRESS = "stress"
    """Boxes markable in any order; `most` is the highest one."""
    FALLOUT = "fallout"
    """Rows of boxes that are marked one after the other, and what each full row means."""
    SLOT = "slot"
    """A slot for one consequence of a person: `value` is its worth, `words` its current content."""


class _Structural(ABCMeta):
    """Metaclass for duck-typed `isinstance`: True for an object with every abstract member of the capability.

    `typing.Protocol` gives the same answers, but looks the members up again each time: forty times slower.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        return cls._had_by(instance) if Capability in cls.__bases__ else super().__instancecheck__(instance)

    def __subclasscheck__(cls, kind: type) -> bool:
        return cls._had_by(kind) if Capability in cls.__bases__ else super().__subclasscheck__(kind)

    def _had_by(cls, candidate: object) -> bool:
        return all(hasattr(candidate, name) for name in cls.__abstractmethods__)


class Capability(metaclass=_Structural):
    """Base class of capabilities.

    Any object with a capability's abstract members is an instance of it, without inheriting.
    """

    __slots__ = ()


class Row(Struct, frozen=True):
    """One counted value for a view to draw, such as Zel's stress 2/6: owner, name, value and maximum.

    `who` is a person's id, the name of a thing, or None for a row without owner. `what` is the game's word
    for the value, such as `stress`; a game's phrases may replace it (`named.<word>`), and except for slots no
    two rows of a person share it. `boxes` lists the numbers of the marked boxes, if these need not be the
    first ones. `words` gives the meaning of each full row, or the content of a slot; None if not yet given.
    """

    who: int | str | None
    what: str
    value: int
    most: int | None = None
    picture: Picture = Picture.NUMBER
    out: bool = False
    boxes: tuple[int, ...] | None = None
    rows: int = 1
    words: tuple[str | None, ...] = ()
    given: int | None = None
    """Number dealt to the person, if the table deals points to all."""
    by: int | None = None
    """Person who temporarily keeps `most` at its value."""
    reverts: int | None = None
    """Value to which `most` returns afterwards."""

    @property
    def marked(self) -> tuple[int, ...]:
        """Numbers of the marked boxes, from 1: 1 to `value`, unless `boxes` lists others."""
        return tuple(range(1, self.value + 1)) if self.boxes is None else self.boxes

    @property
    def own(self) -> int | None:
        """The usual maximum: `reverts` while the maximum is temporarily changed, else `most`."""
        return self.most if self.reverts is None else self.reverts

    @property
    def full(self) -> int | None:
        """Number of full rows of boxes, for a value drawn as several rows; None without a maximum."""
        return None if self.most is None else self.value * self.rows // self.most if self.most else 0


class Deck(Struct, frozen=True):
    """One deck: number of cards left, cards in each hand, discards, and all cards of the full deck."""

    name: str
    owner: int | None
    size: int
    left: int
    hands: tuple[tuple[int, tuple[str, ...]], ...]
    discarded: tuple[str, ...]
    cards: tuple[str, ...] = ()


class Balance(Struct, frozen=True):
    """Balance of a conflict: its level, such as `balanced`, and the first person of the advantaged side."""

    conflict: int
    level: str
    advantaged: int | None
    scale: tuple[str, ...] = ()
    """All levels, from a balanced state to victory; empty if they need not be shown."""


class Aim(NamedTuple):
    """A person's chosen act and target in a fight; once resolved, its outcome and its causers (`by`)."""

    who: int
    act: str
    target: int | None
    outcome: str | None
    by: tuple[int, ...]


class InOrder(NamedTuple):
    """One person's entry in the turn order of a conflict: initiative, and whether they act now or next."""

    who: int
    number: int | None
    """Initiative number; None if not rolled yet."""
    now: bool
    """True if it is this person's turn."""
    next: bool
    acted: bool
    """True if the person has had a turn this round."""
    out: bool


class Pairing(NamedTuple):
    """Two people who clash in a fight, the one who makes the check (the deciding roll), and the winner.

    `checker` and `winner` are None until settled.
    """

    one: int
    other: int
    checker: int | None
    winner: int | None


class Melee(Struct, frozen=True):
    """One phase of a fight: each person's chosen act, and the pairs of people who clash."""

    phase: int
    aims: tuple[Aim, ...]
    pairs: tuple[Pairing, ...]


class HasSheets(Capability):
    """Capability of a game state with one character sheet per person."""

    @property
    @abstractmethod
    def sheets(self) -> Mapping[int, object]:
        """The game's own sheet object of each person, by person id."""


class DiceSum(NamedTuple):
    """Dice in one part of a sheet, added up: `what` stat dice, `number` 17, `dice` 17d6."""

    what: str
    number: int
    dice: str


class HasDiceSums(Capability):
    """Capability of a game state whose sheets have parts that hold dice, such as stats and traits."""

    @abstractmethod
    def dice_sums(self, person: int) -> Iterable[DiceSum]:
        """Yields the sum of dice in each part of the person's sheet, zeros too; nothing without a sheet."""


class HasRows(Capability):
    """Capability of a game's or a conflict's state with counted values, such as points or stress."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """Yields a row for each counted value, in display order."""


class HasDecks(Capability):
    """Capability of a game state with decks of cards."""

    @abstractmethod
    def decks(self) -> Iterable[Deck]:
        """Yields each deck from which cards have been drawn."""

    @abstractmethod
    def check(self) -> None:
        """Raises ValueError if the places of a deck's cards do not add up, such as a card held twice."""


class HasBalance(Capability):
    """Capability of a conflict's state that keeps a balance, the advantage of one side over another."""

    @abstractmethod
    def balance(self, conflict: int) -> Balance | None:
        """Returns conflict number `conflict`'s balance (which side has an advantage); None without one."""


class HasClashes(Capability):
    """Capability of a conflict's state in which fighters clash in pairs."""

    @abstractmethod
    def melee(self) -> Melee:
        """Returns the current phase of the fight: chosen acts and clashing pairs."""


class Pool(Struct, frozen=True):
    """One person's rolled dice on the table in a conflict, the dice they keep, and their approach."""

    conflict: int
    person: int
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    approach: str | None
    out: bool


class Raise(NamedTuple):
    """A raise: dice that a person put forward as an attack, and the opponents who must still answer it."""

    conflict: int
    by: int
    to: tuple[int, ...]
    dice: tuple[int, ...]
    total: int


class HasRaise(Capability):
    """Capability of a conflict's state with raises: dice put forward, to be answered by the opponents."""

    @abstractmethod
    def put_forward(self) -> Raise | None:
        """Returns the raise (attack dice put forward) still to be answered; None without a raise."""


class HasFaceDown(Capability):
    """Capability of a conflict's state with cards lying face down."""

    @abstractmethod
    def face_down(self) -> Iterable[tuple[int, int]]:
        """Yields pairs of a person's id and the number of cards face down before them."""


class Way(NamedTuple):
    """One possible choice of dice to put forward: its name, dice, total, and the fallout (harm) it brings.

    `said` is the players' word for it, `price` its cost in words, `command` the command that does it.
    """

    what: str
    dice: tuple[int, ...]
    total: int
    fallout: int | None = None
    said: str = ""
    price: str = ""
    command: Command | None = None


class Moves(NamedTuple):
    """Dice that a person may put forward now, best first, to raise (attack) or to see (answer a raise).

    `task` says which, `against` is the total to see, `stands` is the situation in words.
    """

    conflict: int
    person: int
    task: str
    against: int | None
    kept: tuple[int, ...]
    ways: tuple[Way, ...]
    stands: str = ""


class HasPool(Capability):
    """Capability of a conflict's state with a pool of rolled dice per person."""

    @abstractmethod
    def pools(self) -> Iterable[Pool]:
        """Yields every person's pool of rolled dice, in the order of the conflict."""

    @abstractmethod
    def moves(self) -> Iterable[Moves]:
        """Yields the possible choices of dice for each person who may act now."""


class Passing(Struct, frozen=True):
    """One way across a border, such as a door, and its cost in shifts; a border's only way needs no name."""

    way: str | None
    value: int


class Zone(Struct, frozen=True):
    """A zone of a conflict's map; `pin` is its place on the picture (x to the right, y down).

    The pin is None unless a user set it.
    """

    name: str
    pin: tuple[int, int] | None = None


class Border(NamedTuple):
    """Border between two zones: ways from `one` to `other` and back, damage threshold, marked boxes."""

    one: str
    other: str
    there: tuple[Passing, ...]
    back: tuple[Passing, ...]
    threshold: int | None = None
    marked: tuple[int, ...] = ()


class Plan(Struct, frozen=True):
    """Map of a conflict: zones in the order they were named, borders, and pairs of person and zone.

    `out` lists the people taken out of the fight; they stay in their zone.
    """

    conflict: int
    zones: tuple[Zone, ...]
    borders: tuple[Border, ...]
    places: tuple[tuple[int, str], ...]
    out: tuple[int, ...] = ()
    things: tuple[tuple[str, str], ...] = ()
    """Things lying on the map: pairs of name and zone."""


class InPlay(Struct, frozen=True):
    """An aspect in play (a phrase true of its bearer): bearer, wording, free invokes and who may use these.

    With `holder` None and `free` above 0, any opponent of the bearer may use them.
    """

    id: int
    on: int | str
    wording: str
    lasting: bool
    free: int
    holder: int | None
    boxes: int
    marked: tuple[int, ...] = ()


class HasMap(Capability):
    """Capability of a conflict's state with a map of zones."""

    @abstractmethod
    def plan(self) -> Plan:
        """Returns the map: zones, borders, and each person's zone."""


class HasFallen(Capability):
    """Capability of a conflict's state in which people can be taken out while the conflict goes on."""

    @abstractmethod
    def fallen(self) -> Iterable[int]:
        """Yields the ids of people taken out of the conflict."""


class HasWinners(Capability):
    """Capability of a conflict's state in a game whose conflicts have winners."""

    @abstractmethod
    def winners(self) -> Iterable[int]:
        """Yields the ids of people who have won so far by the rules of the game."""


class HasThings(Capability):
    """Capability of a game state with sheets of devices, problems or factions, beside those of people."""

    @abstractmethod
    def things(self) -> Iterable[int]:
        """Yields the ids of sheets that belong to no person."""


class HasAspects(Capability):
    """Capability of a state with aspects in play: phrases true of a person, a scene or a zone."""

    @abstractmethod
    def aspects_in_play(self) -> Iterable[InPlay]:
        """Yields every aspect in play, oldest first."""


class Choice(Struct, frozen=True):
    """A command that a person may give now, with its expected result in words.

    Texts that the user must still write are `…` in the command. `shifts` is the value of an unfinished roll
    after the choice; None if the choice changes no roll.
    """

    who: int
    command: Command
    comes_to: str
    shifts: int | None = None


class Outlook(Struct, frozen=True):
    """Advice to the table: the state of a conflict in sentences, and the commands possible now.

    The first sentence says which person or answer the game waits for; the first choices supply it. `moves`
    lists possible dice; `beside` lists choices that hold up no one.
    """

    conflict: int | None
    stands: tuple[str, ...]
    choices: tuple[Choice, ...]
    moves: tuple[Moves, ...] = ()
    beside: tuple[Choice, ...] = ()


class OwnRoll(NamedTuple):
    """A roll a person may make at any time, even out of turn.

    `move` is the name of the move and `about` its description; both empty in games with skills alone.
    `stat` is the skill or stat used, and `number` its value on the sheet; None without one.
    """

    who: int
    command: Command
    comes_to: str
    move: str = ""
    about: str = ""
    stat: str | None = None
    number: int | None = None
    against: bool = True
    """True if the line may continue with `vs` and a number."""
    bonus: bool = False
    """True if the line may continue with a bonus, such as `+2`."""
    twice: bool = False
    """True if the line may continue with `adv` or `dis`."""
    hurts: bool = False
    """True if the line may continue with `damage` and dice."""
    own: bool = False
    """True if game and sheet leave no choice of the stat, so that a line need not name it."""


class Blank(Struct, frozen=True):
    """Slot of a half-typed line that is to be completed: the command, the slot's name, earlier slots' values.

    Known people are given by id, all other values as typed.
    """

    command: type[Command]
    slot: str
    filled: Mapping[str, tuple[int | str, ...]]

    def one(self, slot: str) -> int | str | None:
        """Returns the last value typed for `slot`; None if the slot is empty."""
        found = self.filled.get(slot, ())
        return found[-1] if found else None

    def somebody(self, slot: str) -> int | None:
        """Returns the id of the last person given for `slot`; None without one."""
        found = self.one(slot)
        return found if isinstance(found, int) else None


class Suggestion(Struct, frozen=True):
    """Text offered to complete a slot of a half-typed line, with a short description."""

    text: str
    about: str = ""
