"""Capabilities that a game's state may have (`HasRows`, `HasDecks`, `HasMap`), and the values they return.

A view asks a state for a capability, never for a game.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from journal.vocabulary.base import Command


class Picture(StrEnum):
    """Picture that draws a row: a number, boxes, a clock, a health bar and so on.

    The first four fit anything a game counts. A person's rows of the others have views of their own.
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
    """Metaclass that makes an object an instance of a `Capability` if it has every abstract member of it.

    `typing.Protocol` gives the same answers, but looks the members up again each time: forty times slower.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        return cls._had_by(instance) if Capability in cls.__bases__ else super().__instancecheck__(instance)

    def __subclasscheck__(cls, kind: type) -> bool:
        return cls._had_by(kind) if Capability in cls.__bases__ else super().__subclasscheck__(kind)

    def _had_by(cls, candidate: object) -> bool:
        return all(hasattr(candidate, name) for name in cls.__abstractmethods__)


class Capability(metaclass=_Structural):
    """Base of all capabilities; an object that has the named members is an instance, without inheriting."""

    __slots__ = ()


class Row(NamedTuple):
    """One counted value of a game: its owner, its name, its value and its maximum.

    `who` is a person's id, the name of a thing, or None for a row without owner. `what` is the game's word
    for it, which the game's phrases may replace (`named.<word>`); except for slots, no two rows of a person
    share it. `boxes` lists the numbers of the marked boxes, where these need not be the first ones. `words`
    gives the meaning of each full row, or of a slot, in order; None where nobody has said it yet.
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
    """Number dealt to the person, if the table deals points to everybody."""
    by: int | None = None
    """Person who temporarily keeps `most` at its value."""
    reverts: int | None = None
    """Value to which `most` returns afterwards."""

    @property
    def marked(self) -> tuple[int, ...]:
        """Numbers of the marked boxes: the first `value` ones, unless `boxes` lists them."""
        return tuple(range(1, self.value + 1)) if self.boxes is None else self.boxes

    @property
    def own(self) -> int | None:
        """The row's usual maximum, ignoring a temporary one that a person keeps up."""
        return self.most if self.reverts is None else self.reverts

    @property
    def full(self) -> int | None:
        """Number of full box rows; None if the number of boxes in a row is unknown."""
        return None if self.most is None else self.value * self.rows // self.most if self.most else 0


class Deck(NamedTuple):
    """One deck: cards left, hands, discards, and all cards of the complete deck."""

    name: str
    owner: int | None
    size: int
    left: int
    hands: tuple[tuple[int, tuple[str, ...]], ...]
    discarded: tuple[str, ...]
    cards: tuple[str, ...] = ()


class Balance(NamedTuple):
    """Balance of a conflict: the level, and the side with the advantage."""

    conflict: int
    level: str
    advantaged: int | None
    scale: tuple[str, ...] = ()
    """Every level there is, from nobody's advantage to victory; empty where nobody need see them."""


class Aim(NamedTuple):
    """A person's intended action in a fight and its target; once resolved, the outcome and who caused it."""

    who: int
    act: str
    target: int | None
    outcome: str | None
    by: tuple[int, ...]


class InOrder(NamedTuple):
    """A person's place in the turn order of a conflict."""

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
    """Two people who clash: the one who checks, and the winner; each None until settled."""

    one: int
    other: int
    checker: int | None
    winner: int | None


class Melee(NamedTuple):
    """One phase of a fight: each person's aim, and the pairs who clash."""

    phase: int
    aims: tuple[Aim, ...]
    pairs: tuple[Pairing, ...]


class HasSheets(Capability):
    """A game state with one sheet per person."""

    @property
    @abstractmethod
    def sheets(self) -> Mapping[int, object]:
        """The sheets by person."""


class DiceSum(NamedTuple):
    """Sum of the dice in one part of a sheet: `stat dice`, `number` 17, `dice` 17d6."""

    what: str
    number: int
    dice: str


class HasDiceSums(Capability):
    """A game state whose sheets have parts that hold dice."""

    @abstractmethod
    def dice_sums(self, person: int) -> Iterable[DiceSum]:
        """Dice sum of each part of the person's sheet, zeros included; empty for a person without a sheet."""


class HasRows(Capability):
    """A state, of a game or of one conflict, with counted rows."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """Every row, in display order."""


class HasDecks(Capability):
    """A game state with decks of cards."""

    @abstractmethod
    def decks(self) -> Iterable[Deck]:
        """Every deck already drawn from."""

    @abstractmethod
    def check(self) -> None:
        """Raises ValueError if a card is in two places or in no place."""


class HasBalance(Capability):
    """A conflict state that keeps a balance between the sides."""

    @abstractmethod
    def balance(self, conflict: int) -> Balance | None:
        """Returns the conflict's balance; None if it keeps none."""


class HasClashes(Capability):
    """A conflict state that pairs people against each other."""

    @abstractmethod
    def melee(self) -> Melee:
        """Returns the current phase of the fight."""


class Pool(NamedTuple):
    """A person's dice on the table, the kept ones among them, and the person's approach."""

    conflict: int
    person: int
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    approach: str | None
    out: bool


class Raise(NamedTuple):
    """Dice a person has put forward, and the opponents who must still meet them."""

    conflict: int
    by: int
    to: tuple[int, ...]
    dice: tuple[int, ...]
    total: int


class HasRaise(Capability):
    """A conflict state where a person's raised dice lie on the table until the others meet them."""

    @abstractmethod
    def put_forward(self) -> Raise | None:
        """The raise on the table, if any."""


class HasFaceDown(Capability):
    """A conflict state where unseen cards may lie face down."""

    @abstractmethod
    def face_down(self) -> Iterable[tuple[int, int]]:
        """Pairs of a person and the number of cards face down before them."""


class Way(NamedTuple):
    """One way to put dice forward: its name, the dice, their total, and the fallout it would bring.

    `said` is the table's word for it, `price` its cost in words, `command` the line that does it.
    """

    what: str
    dice: tuple[int, ...]
    total: int
    fallout: int | None = None
    said: str = ""
    price: str = ""
    command: Command | None = None


class Moves(NamedTuple):
    """The dice a person may put forward now, to raise or to see `against`; best ways first.

    `stands` describes the situation in words.
    """

    conflict: int
    person: int
    task: str
    against: int | None
    kept: tuple[int, ...]
    ways: tuple[Way, ...]
    stands: str = ""


class HasPool(Capability):
    """A conflict state with dice pools on the table."""

    @abstractmethod
    def pools(self) -> Iterable[Pool]:
        """Every person's pool, in the order of the conflict."""

    @abstractmethod
    def moves(self) -> Iterable[Moves]:
        """Possible moves of each person who may act now."""


class Passing(NamedTuple):
    """One way across a border and its cost in shifts; the only way of a border needs no name."""

    way: str | None
    value: int


class Zone(NamedTuple):
    """A zone on a map; `pin` is the position a user gave it on the picture (x to the right, y down)."""

    name: str
    pin: tuple[int, int] | None = None


class Border(NamedTuple):
    """Border between two zones: ways from `one` to `other`, ways back, and the damage it can take."""

    one: str
    other: str
    there: tuple[Passing, ...]
    back: tuple[Passing, ...]
    threshold: int | None = None
    marked: tuple[int, ...] = ()


class Plan(NamedTuple):
    """Map of a conflict: zones in the order they were named, borders, and each person's zone.

    `out` lists people who are taken out, wherever they lie.
    """

    conflict: int
    zones: tuple[Zone, ...]
    borders: tuple[Border, ...]
    places: tuple[tuple[int, str], ...]
    out: tuple[int, ...] = ()
    things: tuple[tuple[str, str], ...] = ()
    """Things lying on the map: pairs of name and zone."""


class InPlay(NamedTuple):
    """An aspect in play: its bearer, its wording, its free invokes and their holder.

    `holder` None with `free` above 0 means any opponent of the bearer.
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
    """A conflict state with a map."""

    @abstractmethod
    def plan(self) -> Plan:
        """Returns the map: zones, borders, and each person's zone."""


class HasFallen(Capability):
    """A conflict state where a person can be taken out while the conflict goes on."""

    @abstractmethod
    def fallen(self) -> Iterable[int]:
        """People who are taken out."""


class HasThings(Capability):
    """A game state with sheets of devices, problems or factions, beside those of people."""

    @abstractmethod
    def things(self) -> Iterable[int]:
        """Ids of the sheets that belong to no person."""


class HasAspects(Capability):
    """A game state with aspects in play."""

    @abstractmethod
    def aspects_in_play(self) -> Iterable[InPlay]:
        """Every aspect, in the order they came into play."""


class Choice(NamedTuple):
    """A command that a person may say now, with its expected effect in words.

    Words still to be found are `…`. `shifts` is the resulting value of an open roll, if the choice is about
    one.
    """

    who: int
    command: Command
    comes_to: str
    shifts: int | None = None


class Outlook(NamedTuple):
    """Current state of a conflict, in sentences, and the commands that may be said now.

    The first sentence says who or what is awaited; the first choices answer it. `moves` lists possible dice;
    `beside` lists choices that hold nothing up.
    """

    conflict: int | None
    stands: tuple[str, ...]
    choices: tuple[Choice, ...]
    moves: tuple[Moves, ...] = ()
    beside: tuple[Choice, ...] = ()


class OwnRoll(NamedTuple):
    """A roll a person may make at any time, even out of turn.

    `move` is the name of the move and `about` its description; both empty where the game has skills alone.
    `stat` is the skill or stat that counts, and `number` its value on the sheet; None where none counts.
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


class Blank(NamedTuple):
    """An unfilled slot in a half-typed line: the command, the slot's name, and the values of earlier slots.

    People of the cast are given by number, anything else as typed.
    """

    command: type[Command]
    slot: str
    filled: Mapping[str, tuple[int | str, ...]]

    def one(self, slot: str) -> int | str | None:
        """Last value of `slot`; None if the slot is empty."""
        found = self.filled.get(slot, ())
        return found[-1] if found else None

    def somebody(self, slot: str) -> int | None:
        """Person last given for `slot`, if any."""
        found = self.one(slot)
        return found if isinstance(found, int) else None


class Suggestion(NamedTuple):
    """Possible value for a blank, with a short description."""

    text: str
    about: str = ""
