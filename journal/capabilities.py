"""What a state may be able to say of itself, whichever game it belongs to; a view asks for one of these."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from journal.vocabulary.base import Command


class Picture(StrEnum):
    """How a row is drawn, and with that what it is to whoever has it.

    The first four are anything a game counts. Of the others, somebody's have a view of their own.
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
    """A bar of what can still be taken; `out` once there is no more of it."""
    STRESS = "stress"
    """Boxes any of which may be marked, `most` the highest one that can be."""
    FALLOUT = "fallout"
    """Rows of boxes that are marked one after the other, and what each full row means."""
    SLOT = "slot"
    """Somebody's place for one consequence: `value` is what it is worth, and `words` what fills it."""


class _Structural(ABCMeta):
    """A capability is had by whatever has all that it names; what is built on one is a class as any other.

    `typing.Protocol` answers the same, and looks anew at what is named each time: forty times as long.
    """

    def __instancecheck__(cls, one: object) -> bool:
        return cls._had_by(one) if Capability in cls.__bases__ else super().__instancecheck__(one)

    def __subclasscheck__(cls, kind: type) -> bool:
        return cls._had_by(kind) if Capability in cls.__bases__ else super().__subclasscheck__(kind)

    def _had_by(cls, one: object) -> bool:
        return all(hasattr(one, name) for name in cls.__abstractmethods__)


class Capability(metaclass=_Structural):
    """What a state may be able to do: it can, if it has all that is named; no game need be built on it."""

    __slots__ = ()


class Row(NamedTuple):
    """Something a game counts: whose it is, what it is, how much there is of it, and at most.

    `who` is somebody by id, a thing by its name, or None for what is nobody's. `what` is the game's word for
    it, which its phrases may say otherwise (`named.<word>`); but for slots, no two rows of somebody have the
    same. `boxes` are the numbers of those marked, where they need not be the first ones. `words` are what the
    full rows, or a slot, mean, in their order; None for what nobody has said yet.
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
    """How many they were dealt, where the table deals them out to everybody, and not by what they do."""
    by: int | None = None
    """Who keeps `most` at what it is, while somebody does."""
    reverts: int | None = None
    """What `most` goes back to then."""

    @property
    def marked(self) -> tuple[int, ...]:
        """The numbers of the boxes that are marked: the first ones, unless it says which."""
        return tuple(range(1, self.value + 1)) if self.boxes is None else self.boxes

    @property
    def own(self) -> int | None:
        """The most there is while nobody keeps up another."""
        return self.most if self.reverts is None else self.reverts

    @property
    def full(self) -> int | None:
        """How many of its rows are full; None where nobody has said how many boxes a row has."""
        return None if self.most is None else self.value * self.rows // self.most if self.most else 0


class Deck(NamedTuple):
    """One deck: what lies in it, who holds what, what was discarded, and all its cards when it is whole."""

    name: str
    owner: int | None
    size: int
    left: int
    hands: tuple[tuple[int, tuple[str, ...]], ...]
    discarded: tuple[str, ...]
    cards: tuple[str, ...] = ()


class Balance(NamedTuple):
    """Where a conflict of balances stands: the level, and the side it favours."""

    conflict: int
    level: str
    advantaged: int | None
    scale: tuple[str, ...] = ()
    """Every level there is, from nobody's advantage to victory; empty where nobody need see them."""


class Aim(NamedTuple):
    """What somebody means to do, and to or for whom; once it is resolved, what became of it, through whom."""

    who: int
    act: str
    target: int | None
    outcome: str | None
    by: tuple[int, ...]


class InOrder(NamedTuple):
    """Somebody's place in the order in which people of a conflict go."""

    who: int
    number: int | None
    """What they rolled for it; None where nobody has said."""
    now: bool
    """True for whoever has the turn."""
    next: bool
    acted: bool
    """True if they have had a turn in this round."""
    out: bool


class Pairing(NamedTuple):
    """Two who clash: who checks, where that is settled, and who won, once somebody has."""

    one: int
    other: int
    checker: int | None
    winner: int | None


class Melee(NamedTuple):
    """One phase of a fight: who wants what, and who is on whom."""

    phase: int
    aims: tuple[Aim, ...]
    pairs: tuple[Pairing, ...]


class HasSheets(Capability):
    """A shelf with a sheet for each person it knows."""

    @property
    @abstractmethod
    def sheets(self) -> Mapping[int, object]:
        """The sheets by person."""


class DiceSum(NamedTuple):
    """The dice of one part of a sheet, added up: of the `stat dice` the `number` is 17, as `dice` 17d6."""

    what: str
    number: int
    dice: str


class HasDiceSums(Capability):
    """A shelf whose sheets have parts that each hold dice."""

    @abstractmethod
    def dice_sums(self, person: int) -> Iterable[DiceSum]:
        """The sum of each part of somebody's sheet, also where it is 0; nothing for nobody with a sheet."""


class HasRows(Capability):
    """A shelf, or the state of a conflict, on which something is counted."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """Every row, in the order in which they are shown."""


class HasDecks(Capability):
    """A shelf with decks."""

    @abstractmethod
    def decks(self) -> Iterable[Deck]:
        """Every deck that has been drawn from."""

    @abstractmethod
    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""


class HasBalance(Capability):
    """A conflict whose state is a balance."""

    @abstractmethod
    def balance(self, conflict: int) -> Balance | None:
        """Where it stands; None for a conflict that keeps no balance."""


class HasClashes(Capability):
    """A conflict in which people are paired against each other."""

    @abstractmethod
    def melee(self) -> Melee:
        """Who wants what, and who is on whom."""


class Pool(NamedTuple):
    """The dice that lie before somebody, what they keep among them, and how they go about it."""

    conflict: int
    person: int
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    approach: str | None
    out: bool


class Raise(NamedTuple):
    """Dice that somebody has put forward, and who has yet to meet them."""

    conflict: int
    by: int
    to: tuple[int, ...]
    dice: tuple[int, ...]
    total: int


class HasRaise(Capability):
    """A conflict in which somebody's dice lie before the others until these have met them."""

    @abstractmethod
    def put_forward(self) -> Raise | None:
        """What lies there now."""


class HasFaceDown(Capability):
    """A conflict in which cards may lie before somebody that nobody has looked at."""

    @abstractmethod
    def face_down(self) -> Iterable[tuple[int, int]]:
        """Before whom, and how many."""


class Way(NamedTuple):
    """Dice that could be put forward: as what, which, their total, and the fallout that would bring.

    `said` is what the table calls it, `price` what it costs, in words; `command` is the line that does it.
    """

    what: str
    dice: tuple[int, ...]
    total: int
    fallout: int | None = None
    said: str = ""
    price: str = ""
    command: Command | None = None


class Moves(NamedTuple):
    """What somebody's pool allows now, to raise or to see `against` so much; the best ways stand first.

    `stands` says so in words.
    """

    conflict: int
    person: int
    task: str
    against: int | None
    kept: tuple[int, ...]
    ways: tuple[Way, ...]
    stands: str = ""


class HasPool(Capability):
    """A conflict with dice on the table."""

    @abstractmethod
    def pools(self) -> Iterable[Pool]:
        """Everybody's, in the order of the conflict."""

    @abstractmethod
    def moves(self) -> Iterable[Moves]:
        """What those who may act now can put forward."""


class Passing(NamedTuple):
    """One way over a border, and the shifts it takes; a border with one way needs no name for it."""

    way: str | None
    value: int


class Zone(NamedTuple):
    """A place of a map; `pin` is where a hand has put it on the picture, x to the right and y down."""

    name: str
    pin: tuple[int, int] | None = None


class Border(NamedTuple):
    """What lies between two zones: the ways from `one` to `other`, the ways back, and what it can take."""

    one: str
    other: str
    there: tuple[Passing, ...]
    back: tuple[Passing, ...]
    threshold: int | None = None
    marked: tuple[int, ...] = ()


class Plan(NamedTuple):
    """The map of a conflict: its zones in the order they were named, its borders, and who is where.

    `out` are those who are taken out, wherever they lie.
    """

    conflict: int
    zones: tuple[Zone, ...]
    borders: tuple[Border, ...]
    places: tuple[tuple[int, str], ...]
    out: tuple[int, ...] = ()
    things: tuple[tuple[str, str], ...] = ()
    """What lies where that is nobody: zone by name."""


class InPlay(NamedTuple):
    """An aspect: on whom or what, its wording, and who holds how many free invokes on it.

    `holder` None with `free` above 0 means anybody who opposes the one it is on.
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
    """A conflict that is played on a map."""

    @abstractmethod
    def plan(self) -> Plan:
        """Its zones, its borders, and who is where."""


class HasFallen(Capability):
    """A conflict in which somebody can be taken out, and lie there while it goes on."""

    @abstractmethod
    def fallen(self) -> Iterable[int]:
        """Who is out."""


class HasThings(Capability):
    """A shelf with sheets of more than people: of devices, problems, whole factions."""

    @abstractmethod
    def things(self) -> Iterable[int]:
        """What is nobody, by id."""


class HasAspects(Capability):
    """A shelf with aspects in play."""

    @abstractmethod
    def aspects_in_play(self) -> Iterable[InPlay]:
        """Every aspect, in the order they came into play."""


class Choice(NamedTuple):
    """Something that may be said now: by whom, the command that says it, and what it would come to.

    Words that somebody has yet to find are `…`. `shifts` is where an open roll would stand, if it is on one.
    """

    who: int
    command: Command
    comes_to: str
    shifts: int | None = None


class Outlook(NamedTuple):
    """Where something stands that waits for somebody, in sentences, and what may be said now.

    The first sentence says who or what is waited for, and the first choices answer it. `moves` is what dice
    on the table allow; `beside` is what may be said, and holds nothing up.
    """

    conflict: int | None
    stands: tuple[str, ...]
    choices: tuple[Choice, ...]
    moves: tuple[Moves, ...] = ()
    beside: tuple[Choice, ...] = ()


class OwnRoll(NamedTuple):
    """A roll that somebody may make at any time, whoever's turn it is: for what, by which number of theirs.

    `move` is the move it makes and `about` what that is for; empty where the game has skills alone. `stat` is
    the skill or stat that counts, and `number` what stands on their sheet for it; None where none counts.
    """

    who: int
    command: Command
    comes_to: str
    move: str = ""
    about: str = ""
    stat: str | None = None
    number: int | None = None
    against: bool = True
    """Whether the line may go on with `vs` and a number."""
    bonus: bool = False
    """Whether it may go on with a bonus, such as `+2`."""
    twice: bool = False
    """Whether it may go on with `adv` or `dis`."""


class Blank(NamedTuple):
    """A place in a half-typed line: the verb, what the place is called, and what filled those before it.

    What is somebody in the cast is there by number, everything else as it was typed.
    """

    command: type[Command]
    slot: str
    filled: Mapping[str, tuple[int | str, ...]]

    def one(self, slot: str) -> int | str | None:
        """What filled `slot` last, if anything did."""
        found = self.filled.get(slot, ())
        return found[-1] if found else None

    def somebody(self, slot: str) -> int | None:
        """Who filled `slot` last, if it was somebody."""
        found = self.one(slot)
        return found if isinstance(found, int) else None


class Suggestion(NamedTuple):
    """What may fill a blank, and a word about it."""

    text: str
    about: str = ""
