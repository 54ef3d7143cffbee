"""Throws: dice expressions with modifiers, such as `4d6kh3+2` or `8d10>=7`; parsing, rolling and totals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import ge, le
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from journal.decks.chance import Luck
from journal.decks.dice import FUDGE, MOST_DICE, MOST_DIGITS, SIDES, die_name, face_value, faces
from journal.refused import Refused


class Faces(NamedTuple):
    """Range of die faces for a modifier: 7 or more (`>=7`), 2 or less (`<=2`), or exactly 1 (`=1`)."""

    which: str
    number: int

    def __str__(self) -> str:
        return f"{self.which.removeprefix('=')}{self.number}"

    def has(self, face: int) -> bool:
        """True if the number on a face is in the range."""
        if self.which == "=":
            return face == self.number
        compared: Callable[[int, int], bool] = ge if self.which == ">=" else le
        return compared(face, self.number)


class Dice(Struct, frozen=True):
    """Dice of one size in a throw, with their modifiers: `4d6kh3`. Subtracted dice have `sign` -1."""

    count: int
    size: int
    sign: int = 1
    label: str = ""
    again: Faces | None = None
    """Faces to throw again, `once` or until others show."""
    once: bool = False
    explodes: bool = False
    """True where the highest face brings another die."""
    highest: bool = True
    keep: int | None = None
    """Number of dice kept, highest or lowest; None keeps all."""
    counted: Faces | None = None
    """Faces counting as successes; their number replaces the sum."""

    @property
    def open_ended(self) -> bool:
        """True if the dice explode and all of them count, so that their sum has no limit."""
        return self.explodes and self.keep is None

    def __str__(self) -> str:
        once = "o" if self.once else ""
        again = "" if self.again is None else f"r{once}{self.again}"
        kept = "" if self.keep is None else f"k{'h' if self.highest else 'l'}{self.keep}"
        counted = "" if self.counted is None else str(self.counted)
        return f"{self.count}{die_name(self.size)}{again}{'!' if self.explodes else ''}{kept}{counted}"


class Added(Struct, frozen=True):
    """Number added to dice or subtracted, or a sheet value's name, such as `dex`, to be added."""

    what: int | str
    sign: int = 1
    label: str = ""

    @classmethod
    def of(cls, number: int, label: str = "", sign: int = 1) -> Added:
        """Builds a term from a possibly negative number: -3 becomes `what` 3, `sign` -1."""
        return cls(abs(number), -sign if number < 0 else sign, label)

    def __str__(self) -> str:
        return str(self.what)


class Against(NamedTuple):
    """Goal of a throw: a number to reach or, with `under`, not to exceed; or an opponent's throw."""

    target: int | None = None
    under: bool = False
    opponent: int | None = None

    def margin(self, total: int) -> int | None:
        """Returns by how much `total` passes the target, negative if it fails; None without a target."""
        if self.target is None:
            return None
        return self.target - total if self.under else total - self.target


class Thrown(Struct, frozen=True):
    """Result of a throw: size and face of every die in the order thrown, the dice that count, the total."""

    dice: tuple[int, ...]
    """Their sizes; a fudge die's is 0."""
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    """Numbers (from 1) of the dice that count."""
    total: int
    """The sum, or how many successes where they are counted."""


class Throw(Struct, frozen=True):
    """A dice expression, parsed into dice and added numbers: `2d6+1d8+3`."""

    terms: tuple[Dice | Added, ...]

    def __str__(self) -> str:
        """Returns the throw in standard spelling, such as `2d6+3[dex]`."""
        return "".join(
            f"{'-' if term.sign < 0 else '+' if place else ''}{term}{f'[{term.label}]' if term.label else ''}"
            for place, term in enumerate(self.terms)
        )

    @property
    def dice(self) -> tuple[Dice, ...]:
        """Dice terms of the throw, such as `2d6`, without the added numbers."""
        return tuple(term for term in self.terms if isinstance(term, Dice))

    @property
    def counts(self) -> bool:
        """True if the throw counts successes instead of adding up faces."""
        return any(dice.counted for dice in self.dice)

    @property
    def plain(self) -> bool:
        """True for a throw of plain dice, such as `2d6+1d8`: no numbers, modifiers, labels or minus signs."""
        return all(isinstance(term, Dice) and term == Dice(term.count, term.size) for term in self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of sheet values, such as `dex`, still to be replaced by numbers."""
        return tuple(
            term.what for term in self.terms if isinstance(term, Added) and isinstance(term.what, str)
        )

    @property
    def added(self) -> int:
        """Sum of the numbers added and subtracted, names aside."""
        return sum(
            term.sign * term.what
            for term in self.terms
            if isinstance(term, Added) and isinstance(term.what, int)
        )

    def with_numbers(self, number: Callable[[str], int]) -> Throw:
        """Returns a copy with each name replaced by `number(name)`; the name becomes a label: `3[dex]`."""
        return Throw(tuple(_with_number(term, number) for term in self.terms))

    def least(self) -> int | None:
        """Returns the lowest possible total; None if there is none, as with subtracted dice that explode."""
        if any(dice.open_ended and dice.sign < 0 for dice in self.dice):
            return None
        return self.added + sum(min(_ends(dice)) for dice in self.dice)

    def most(self) -> int | None:
        """Returns the highest possible total; None if there is none, as with added dice that explode."""
        if any(dice.open_ended and dice.sign > 0 for dice in self.dice):
            return None
        return self.added + sum(max(_ends(dice)) for dice in self.dice)

    def attains(self, total: int) -> bool:
        """False if `total` is below the lowest or above the highest total, or skipped by an exploding die.

        A d6 that explodes alone never gives 6, 12 and so on. Other totals in the range count as possible,
        even if no faces give them.
        """
        least, most = self.least(), self.most()
        if (least is not None and total < least) or (most is not None and total > most):
            return False
        lone = self.dice[0] if len(self.dice) == 1 else None
        if lone is None or not lone.open_ended or lone.count > 1 or lone.counted:
            return True
        return (total - self.added) % lone.size != 0

    def ends(self) -> str:
        """Returns the possible totals in words: `2 to 12`, `3 or more`, `9 or less`."""
        least, most = self.least(), self.most()
        if least is None:
            return "any number" if most is None else f"{most} or less"
        return f"{least} or more" if most is None else f"{least} to {most}"


def throw(parsed: Throw, luck: Luck) -> Thrown:
    """Throws the dice, dealt or with the called faces of `luck`, and returns the result.

    Called faces come in this order: one for each die, then one for each die rerolled or added by an
    explosion, from left to right. Rerolls and explosions stop at 100 dice. Raises Refused if the called
    faces do not fit or are too few, and ValueError if the throw still has names.
    """
    if parsed.names:
        raise ValueError(f"{parsed.names[0]} is no number")
    table = _OnTable(luck)
    lying = table.first(parsed.dice)
    kept: list[int] = []
    total = parsed.added
    for dice, places in zip(parsed.dice, lying, strict=True):
        counted = _counted(dice, table, list(table.settled(dice, places)))
        kept += counted
        total += dice.sign * (len(counted) if dice.counted else sum(table.faces[place] for place in counted))
    return Thrown(tuple(table.sizes), tuple(table.faces), tuple(sorted(place + 1 for place in kept)), total)


class _OnTable(Struct):
    """Dice on the table while a throw is rolled: their sizes and faces, in the order thrown."""

    luck: Luck
    sizes: list[int] = []
    faces: list[int] = []

    def first(self, dice: Sequence[Dice]) -> list[range]:
        """Throws the initial dice, and returns for each entry of `dice` the indices (from 0) of its dice."""
        sizes = tuple(group.size for group in dice for _ in range(group.count))
        self.sizes += sizes
        self.faces += self.luck.faces(sizes)
        ends = [sum(group.count for group in dice[: place + 1]) for place in range(len(dice))]
        return [range(end - group.count, end) for group, end in zip(dice, ends, strict=True)]

    def settled(self, dice: Dice, places: Sequence[int]) -> Iterator[int]:
        """Rerolls and explodes the dice at `places`, and yields the index of each die left lying."""
        for place in places:
            last = self._settled(dice, place)
            yield last
            while dice.explodes and self.faces[last] == dice.size and len(self.faces) < MOST_DICE:
                last = self._settled(dice, self._another(dice.size))
                yield last

    def _settled(self, dice: Dice, place: int) -> int:
        """Rerolls the die at `place` as its modifier demands, and returns the index of the last roll."""
        while dice.again and dice.again.has(self.faces[place]) and len(self.faces) < MOST_DICE:
            place = self._another(dice.size)
            if dice.once:
                break
        return place

    def _another(self, size: int) -> int:
        self.sizes.append(size)
        self.faces += self.luck.faces((size,))
        return len(self.faces) - 1


def _counted(dice: Dice, table: _OnTable, places: list[int]) -> list[int]:
    """Returns the indices of the dice that count: those kept and, if successes count, those that succeed."""
    if dice.keep is not None:
        in_order = sorted(places, key=lambda place: table.faces[place], reverse=dice.highest)
        places = in_order[: dice.keep]
    return [place for place in places if dice.counted is None or dice.counted.has(table.faces[place])]


def _ends(dice: Dice) -> tuple[int, int]:
    """Returns the lowest and the highest sum of dice without explosions; swapped for subtracted dice."""
    if dice.counted:
        return 0, dice.sign * dice.count
    kept = dice.count if dice.keep is None else dice.keep
    shown = [face_value(face) for face in faces(dice.size)]
    staying = [face for face in shown if not dice.again or dice.once or not dice.again.has(face)]
    return dice.sign * kept * min(staying), dice.sign * kept * max(staying)


def _with_number(term: Dice | Added, number: Callable[[str], int]) -> Dice | Added:
    if isinstance(term, Dice) or isinstance(term.what, int):
        return term
    return Added.of(number(term.what), term.what, term.sign)


MOST_TERMS: Final = 20
LARGEST_NUMBER: Final = 1_000_000
"""Largest number added to dice or compared with a total."""

HOW: Final = "write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7"

_DICE: Final = r"(?P<count>\d{0,9})d(?P<sides>\d+|%|f)(?P<after>[^+\-\[]*)"
_AFTER: Final = re.compile(
    r"(?P<keep>kh|kl|dh|dl|k)(?P<many>\d{0,4})|(?P<explode>[!x])"
    r"|r(?P<once>o?)(?P<which>>=|<=)?(?P<face>\d{1,4})|(?P<count>>=|<=|t)(?P<least>\d{1,4})"
)
_TERM: Final = re.compile(r"(?P<sign>[+-]|^)(?P<what>[^+\-\[]+)(?:\[(?P<label>[^\[\]]{1,40})\])?")
_NAME: Final = r"[^\W\d_][\w']*"
_TWICE: Final = r"(?P<dice>1?d20)(?P<rest>.*?)\s*(?P<which>adv|dis)"


def parse_throw(expression: str, twice: str | None = None) -> Throw:
    """Parses a dice expression such as `4d6kh3+2`; `d20 adv` and `d20 dis` throw two and keep one.

    The word `adv` or `dis` may also be passed as `twice`.

    Raises Refused for any other text; for more than 100 dice or 20 terms; for a die with fewer than 2 or
    more than 1000 sides; without dice; if every face would be rerolled; and if successes are counted beside
    dice that are added up.
    """
    expression = f"{expression} {twice}" if twice else expression
    text = "".join(expression.casefold().split())
    two = re.fullmatch(_TWICE, text)
    if two is not None:
        text = f"2d20k{'h' if two['which'] == 'adv' else 'l'}1{two['rest']}"
    throw = Throw(tuple(_terms(text, expression)))
    _check(throw, expression)
    return throw


def _terms(text: str, expression: str) -> Iterator[Dice | Added]:
    place = 0
    while place < len(text):
        found = _TERM.match(text, place) if place else _TERM.match(text)
        if found is None or (place and not found["sign"]):
            raise _not_dice(expression)
        yield _term(found["what"], -1 if found["sign"] == "-" else 1, found["label"] or "", expression)
        place = found.end()


def _term(what: str, sign: int, label: str, expression: str) -> Dice | Added:
    dice = re.fullmatch(_DICE, what)
    if dice is not None:
        parsed = Dice(_count(dice["count"]), _size(dice["sides"]), sign, label)
        return _with_modifiers(parsed, dice["after"], expression)
    if what.isdecimal() and what.isascii():
        return Added(_number(what), sign, label)
    if re.fullmatch(_NAME, what):
        return Added(what, sign, label)
    raise _not_dice(expression)


def _count(text: str) -> int:
    count = int(text or 1)
    if not 1 <= count <= MOST_DICE:
        raise _too_many(count)
    return count


def _size(text: str) -> int:
    if text == "f":
        return FUDGE
    size = 100 if text == "%" else int(text) if len(text) <= MOST_DIGITS else 0
    if size not in SIDES:
        raise Refused(f"There is no d{text}: a die has {SIDES[0]} to {SIDES[-1]} sides.")
    return size


def _number(text: str) -> int:
    if int(text) > LARGEST_NUMBER:
        raise Refused(f"{text} is too much to add to dice: {LARGEST_NUMBER} is the most.")
    return int(text)


def _with_modifiers(dice: Dice, after: str, expression: str) -> Dice:
    place, done = 0, set[str]()
    while place < len(after):
        found = _AFTER.match(after, place)
        if found is None or not done.isdisjoint(_modifiers_set(found)):
            raise _not_dice(expression)
        done |= _modifiers_set(found)
        dice = _with_modifier(dice, found)
        place = found.end()
    return dice


def _modifiers_set(found: re.Match[str]) -> set[str]:
    """Returns the modifiers that one match sets (keep, explode, face, count); each may be set once."""
    return {what for what in ("keep", "explode", "face", "count") if found[what]}


def _with_modifier(dice: Dice, found: re.Match[str]) -> Dice:
    """Returns a copy of the dice with the modifier in `found` added."""
    if found["explode"]:
        return replace(dice, explodes=True)
    if found["face"]:
        return replace(dice, again=Faces(found["which"] or "=", int(found["face"])), once=bool(found["once"]))
    if found["count"]:
        return replace(
            dice, counted=Faces(">=" if found["count"] == "t" else found["count"], int(found["least"]))
        )
    many = int(found["many"] or 1)
    dropped = found["keep"].startswith("d")
    highest = found["keep"] in ("k", "kh", "dl")
    return replace(dice, keep=dice.count - many if dropped else many, highest=highest)


def _check(throw: Throw, expression: str) -> None:
    """Raises Refused for a well-formed expression that cannot be thrown, such as one without dice."""
    if not throw.dice:
        raise _not_dice(expression)
    if len(throw.terms) > MOST_TERMS:
        raise Refused(f"{len(throw.terms)} terms are too many: a throw has {MOST_TERMS} at the most.")
    if sum(dice.count for dice in throw.dice) > MOST_DICE:
        raise _too_many(sum(dice.count for dice in throw.dice))
    if throw.counts and not all(dice.counted for dice in throw.dice):
        raise Refused(f"“{expression}” counts some dice and adds others up: throw them one after the other.")
    for dice in throw.dice:
        _check_dice(dice)


def _check_dice(dice: Dice) -> None:
    if dice.keep is not None and not 1 <= dice.keep <= dice.count:
        raise Refused(f"Of {dice.count}{die_name(dice.size)}, 1 to {dice.count} are kept, not {dice.keep}.")
    if dice.explodes and dice.size == FUDGE:
        raise Refused("A fudge die does not explode.")
    shown = [face_value(face) for face in faces(dice.size)]
    if dice.again is not None and not dice.once and all(dice.again.has(face) for face in shown):
        raise Refused(f"{dice} would be thrown again for ever: leave a face that stays.")
    for range_ in (dice.again, dice.counted):
        if range_ is not None and not any(range_.has(face) for face in shown):
            raise Refused(f"No face of a {die_name(dice.size)} is {range_}.")


def _not_dice(expression: str) -> Refused:
    return Refused(f"“{expression}” is not dice: {HOW}.")


def _too_many(count: int) -> Refused:
    return Refused(f"{count} dice cannot be rolled: it takes 1 to {MOST_DICE}.")
