"""Throws: dice expressions with modifiers, such as `4d6kh3+2` or `8d10>=7`; rolling and totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product as corners
from math import prod
from operator import ge, le
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.decks.chance import Luck
from retold.journal.decks.dice import MOST_DICE, die_name, face_value, faces


class Faces(NamedTuple):
    """Range of die faces for a modifier: 7 or more (`>=7`), 2 or less (`<=2`), or exactly 1 (`=1`)."""

    which: str
    number: int

    def __str__(self) -> str:
        return f"{self.which.removeprefix('=')}{self.number}"

    def in_words(self) -> str:
        """Returns the range in words: `7 or more`."""
        return f"{self.number}{ {'=': '', '>=': ' or more', '<=': ' or less'}[self.which] }"

    def has(self, face: int) -> bool:
        """True if the number on a face is in the range."""
        if self.which == "=":
            return face == self.number
        compared: Callable[[int, int], bool] = ge if self.which == ">=" else le
        return compared(face, self.number)


class Factor(Struct, frozen=True):
    """Multiplication of a term by a number (`*10`), or division by it, rounded down (`/4`)."""

    sign: str
    number: int

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"

    def of(self, value: int) -> int:
        """Returns the value multiplied or divided."""
        return value * self.number if self.sign == "*" else value // self.number


class Dice(Struct, frozen=True):
    """Dice of one size in a throw, with their modifiers: `4d6kh3`. Subtracted dice have `sign` -1."""

    count: int
    size: int
    sign: int = 1
    label: str = ""
    again: Faces | None = None
    """Faces to throw again, `once` or until others show."""
    once: bool = False
    explodes: Faces | None = None
    """Faces that bring another die."""
    highest: bool = True
    keep: int | None = None
    """Number of dice kept, highest or lowest; None keeps all."""
    counted: Faces | None = None
    """Faces counting as successes; their number replaces the sum."""
    failed: Faces | None = None
    """Faces that each take one success away."""
    by: tuple[Factor, ...] = ()
    bursts_once: bool = False
    """True if a die that an explosion brought brings no other."""
    least: int | None = None
    """Number that a lower face counts as."""
    most: int | None = None
    """Number that a higher face counts as."""

    @property
    def open_ended(self) -> bool:
        """True if the sum has no upper limit: explosions repeat, and no dice are dropped."""
        return self.explodes is not None and not self.bursts_once and self.keep is None

    def __str__(self) -> str:
        once = "o" if self.once else ""
        again = "" if self.again is None else f"r{once}{self.again}"
        kept = "" if self.keep is None else f"k{'h' if self.highest else 'l'}{self.keep}"
        counted = "" if self.counted is None else str(self.counted)
        failed = "" if self.failed is None else f"f{self.failed}"
        limits = ("" if self.least is None else f"mi{self.least}") + (
            "" if self.most is None else f"ma{self.most}"
        )
        return f"{self.count}{die_name(self.size)}{again}{self.explosion()}{limits}{kept}{counted}{failed}"

    def explosion(self) -> str:
        """Returns the sign of an explosion: `!`, `!5`, `!o>4`; `!>=5` would count successes from 5."""
        if self.explodes is None:
            return ""
        which, number = self.explodes
        sign = "!o" if self.bursts_once else "!"
        if number == self.size and which != "<=":
            return sign
        return sign + {"=": f"{number}", ">=": f">{number - 1}", "<=": f"<{number + 1}"}[which]

    def worth(self, face: int) -> int:
        """Returns the number that a face counts as: itself, within `least` and `most`."""
        face = face if self.least is None else max(face, self.least)
        return face if self.most is None else min(face, self.most)


class Added(Struct, frozen=True):
    """Number added to dice or subtracted, or a sheet value's name, such as `dex`, to be added."""

    what: int | str
    sign: int = 1
    label: str = ""
    by: tuple[Factor, ...] = ()

    @classmethod
    def of(cls, number: int, label: str = "", sign: int = 1) -> Added:
        """Builds a term from a possibly negative number: -3 becomes `what` 3, `sign` -1."""
        return cls(abs(number), -sign if number < 0 else sign, label)

    def __str__(self) -> str:
        return str(self.what)


class Group(Struct, frozen=True):
    """Part of a throw in brackets, `(2d6+6)*5`, several pools in braces, `{1d8!,1d6!}kh1`, or a product.

    Without `keep`, the totals of all `pools` are added, or multiplied if they are a `product`: `1d8*1d2`.
    """

    pools: tuple[Throw, ...]
    sign: int = 1
    label: str = ""
    highest: bool = True
    keep: int | None = None
    """Number of pools that count, those with the highest or the lowest totals; None counts all."""
    by: tuple[Factor, ...] = ()
    product: bool = False

    def __str__(self) -> str:
        if self.product:
            first, *others = self.pools
            return "*".join(
                (str(first), *(f"({pool})" if _is_product(pool) else str(pool) for pool in others))
            )
        if self.keep is None and not self.pools[1:]:
            return f"({self.pools[0]})"
        kept = "" if self.keep is None else f"k{'h' if self.highest else 'l'}{self.keep}"
        return f"{{{','.join(map(str, self.pools))}}}{kept}"


def _is_product(throw: Throw) -> bool:
    """True if a throw begins with a product, which needs brackets within another one."""
    first = throw.terms[0]
    return bool(first.by) or (isinstance(first, Group) and first.product)


class Against(Struct, frozen=True):
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

    terms: tuple[Dice | Added | Group, ...]

    def __str__(self) -> str:
        """Returns the throw in standard spelling, such as `2d6+3[dex]`."""
        return "".join(
            f"{'-' if term.sign < 0 else '+' if place else ''}{term}{f'[{term.label}]' if term.label else ''}"
            f"{''.join(map(str, term.by))}"
            for place, term in enumerate(self.terms)
        )

    @property
    def dice(self) -> tuple[Dice, ...]:
        """Dice terms of the throw, such as `2d6`, those in brackets included, without the added numbers."""
        return tuple(dice for term in self.terms for dice in _dice_in(term))

    @property
    def counts(self) -> bool:
        """True if the throw counts successes instead of adding up faces."""
        return any(dice.counted for dice in self.dice)

    @property
    def plain(self) -> bool:
        """True for a throw of plain dice, such as `2d6+1d8`: no numbers, modifiers, labels or minus signs."""
        return all(isinstance(term, Dice) and term == Dice(term.count, term.size) for term in self.terms)

    @property
    def calculates(self) -> bool:
        """True if the throw multiplies, divides, or has brackets or braces."""
        return any(term.by or isinstance(term, Group) for term in self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of sheet values, such as `dex`, still to be replaced by numbers."""
        return tuple(name for term in self.terms for name in _names_in(term))

    @property
    def added(self) -> int:
        """Sum of the numbers added and subtracted outside brackets, names aside."""
        return sum(
            _signed(term, term.what)
            for term in self.terms
            if isinstance(term, Added) and isinstance(term.what, int)
        )

    def with_numbers(self, number: Callable[[str], int]) -> Throw:
        """Returns a copy with each name replaced by `number(name)`; the name becomes a label: `3[dex]`."""
        return Throw(tuple(_with_number(term, number) for term in self.terms))

    def least(self) -> int | None:
        """Returns the lowest possible total; None if there is none, as with subtracted dice that explode."""
        lows = [_limits(term)[0] for term in self.terms]
        return None if None in lows else sum(low for low in lows if low is not None)

    def most(self) -> int | None:
        """Returns the highest possible total; None if there is none, as with added dice that explode."""
        highs = [_limits(term)[1] for term in self.terms]
        return None if None in highs else sum(high for high in highs if high is not None)

    def attains(self, total: int) -> bool:
        """False if `total` is out of the range of totals, or skipped by a lone term.

        Dice times 10 give whole tens only, and a d6 that explodes alone never gives 6, 12 and so on. Other
        totals in the range count as possible, even if no faces give them.
        """
        least, most = self.least(), self.most()
        if (least is not None and total < least) or (most is not None and total > most):
            return False
        scaled = [term for term in self.terms if not isinstance(term, Added)]
        lone = scaled[0] if len(scaled) == 1 else None
        if lone is None or any(factor.sign == "/" for factor in lone.by):
            return True
        value, rest = divmod(lone.sign * (total - self.added), prod(factor.number for factor in lone.by))
        if rest or not isinstance(lone, Dice):
            return not rest
        skips = lone.open_ended and lone.count == 1 and not lone.counted
        return not (skips and lone.explodes == Faces("=", lone.size) and value % lone.size == 0)

    def ends(self) -> str:
        """Returns the possible totals in words: `2 to 12`, `3 or more`, `9 or less`."""
        least, most = self.least(), self.most()
        if least is None:
            return "any number" if most is None else f"{most} or less"
        return f"{least} or more" if most is None else f"{least} to {most}"

    def reading(self) -> str:
        """Returns in words what signs mean that other dice programs use otherwise; empty if there are none.

        Example: `10d10!>=8` gives `10 brings another die, 8 or more counts`.
        """
        told = [
            f"{dice.explodes.in_words()} brings another die"
            + (f", {dice.counted.in_words()} counts" if dice.counted else "")
            for dice in self.dice
            if dice.explodes and (dice.counted or dice.explodes != Faces("=", dice.size))
        ]
        told += [
            f"one die of {dice.size} sides; two d{dice.size % 10} read as tens and ones are"
            f" 1d{dice.size % 10}*10+1d{dice.size % 10}"
            for dice in self.dice
            if dice.size in _TWO_DIGITS
        ]
        return "; ".join(dict.fromkeys(told))


_TWO_DIGITS: Final = frozenset({44, 66, 88})
"""Sizes that other tables read as two dice, the tens and the ones."""


Term = Dice | Added | Group
Limits = tuple[int | None, int | None]
"""Lowest and highest total; None where there is no limit."""


def _dice_in(term: Term) -> Iterator[Dice]:
    if isinstance(term, Dice):
        yield term
    elif isinstance(term, Group):
        yield from (dice for pool in term.pools for dice in pool.dice)


def _names_in(term: Term) -> Iterator[str]:
    if isinstance(term, Added) and isinstance(term.what, str):
        yield term.what
    elif isinstance(term, Group):
        yield from (name for pool in term.pools for name in pool.names)


def _with_number(term: Term, number: Callable[[str], int]) -> Term:
    if isinstance(term, Group):
        return replace(term, pools=tuple(pool.with_numbers(number) for pool in term.pools))
    if isinstance(term, Dice) or isinstance(term.what, int):
        return term
    return replace(Added.of(number(term.what), term.what, term.sign), by=term.by)


def _signed(term: Term, value: int) -> int:
    """Returns a term's value with its factors and its sign applied."""
    for factor in term.by:
        value = factor.of(value)
    return term.sign * value


def _limits(term: Term) -> Limits:
    """Returns the lowest and the highest value of a term, its factors and sign applied."""
    if isinstance(term, Added):
        low: int | None = term.what if isinstance(term.what, int) else 0
        high = low
    elif isinstance(term, Dice):
        low, high = _ends(term)
        if term.open_ended:
            low, high = (None if term.failed else low), None
    else:
        low, high = _group_limits(term)
    ends = [None if end is None else _signed(term, end) for end in (low, high)]
    return (ends[0], ends[1]) if term.sign > 0 else (ends[1], ends[0])


def _group_limits(group: Group) -> Limits:
    ends = [(pool.least(), pool.most()) for pool in group.pools]
    if not group.product:
        return _kept_sum(group, [low for low, _ in ends]), _kept_sum(group, [high for _, high in ends])
    known = [(low, high) for low, high in ends if low is not None and high is not None]
    if len(known) < len(ends):
        return None, None
    products = [prod(corner) for corner in corners(*known)]
    return min(products), max(products)


def _kept_sum(group: Group, totals: Sequence[int | None]) -> int | None:
    """Returns the sum of the pools' totals that count; None if one has no limit."""
    known = [total for total in totals if total is not None]
    if len(known) < len(totals):
        return None
    return sum(known if group.keep is None else sorted(known, reverse=group.highest)[: group.keep])


def throw(parsed: Throw, luck: Luck) -> Thrown:
    """Throws the dice, dealt or with the called faces of `luck`, and returns the result.

    Called faces come in this order: one for each die, then one for each die rerolled or added by an
    explosion, from left to right; then, in the same order, those of each pool in braces. Rerolls and
    explosions stop at 100 dice. Raises Refused if the called faces do not fit or are too few, and ValueError
    if the throw still has names.
    """
    if parsed.names:
        raise ValueError(f"{parsed.names[0]} is no number")
    table = _OnTable(luck)
    loose = tuple(dice for term in parsed.terms if not _has_pools(term) for dice in _dice_in(term))
    total, kept = _came_to(parsed, table, iter(table.counted(loose)))
    return Thrown(tuple(table.sizes), tuple(table.faces), tuple(sorted(place + 1 for place in kept)), total)


def _has_pools(term: Term) -> bool:
    """True for pools in braces, which are thrown one after the other."""
    return isinstance(term, Group) and not term.product and bool(term.keep is not None or term.pools[1:])


def _came_to(parsed: Throw, table: _OnTable, counted: Iterator[list[int]]) -> tuple[int, list[int]]:
    """Returns the total of a throw, and the indices of the dice that count; throws its pools in braces.

    `counted` gives the dice that count of each other dice term, in order.
    """
    total, kept = parsed.added, list[int]()
    for term in parsed.terms:
        if isinstance(term, Added):
            continue
        if isinstance(term, Dice):
            value, places = _dice_value(term, table, next(counted))
        else:
            alone = _has_pools(term)
            came = [
                _came_to(pool, table, iter(table.counted(pool.dice)) if alone else counted)
                for pool in term.pools
            ]
            value, places = _group_value(term, came)
        total += _signed(term, value)
        kept += places
    return total, kept


def _dice_value(dice: Dice, table: _OnTable, places: list[int]) -> tuple[int, list[int]]:
    """Returns the sum of the dice that count, or the number of successes, and those dice."""
    faces = [dice.worth(table.faces[place]) for place in places]
    if dice.counted is None:
        return sum(faces), places
    lost = 0 if dice.failed is None else sum(map(dice.failed.has, faces))
    return sum(map(dice.counted.has, faces)) - lost, places


def _group_value(group: Group, came: Sequence[tuple[int, list[int]]]) -> tuple[int, list[int]]:
    """Returns the sum of the pools that count, or the product, and their dice."""
    if group.keep is not None:
        came = sorted(came, key=lambda pool: pool[0], reverse=group.highest)[: group.keep]
    totals = [total for total, _ in came]
    dice = [place for _, places in came for place in places]
    return prod(totals) if group.product else sum(totals), dice


class _OnTable(Struct):
    """Dice on the table while a throw is rolled: their sizes and faces, in the order thrown."""

    luck: Luck
    sizes: list[int] = []
    faces: list[int] = []

    def counted(self, dice: Sequence[Dice]) -> list[list[int]]:
        """Throws dice, and returns for each entry of `dice` the indices of those that count."""
        return [
            _counted(group, self, list(self.settled(group, places)))
            for group, places in zip(dice, self.first(dice), strict=True)
        ]

    def first(self, dice: Sequence[Dice]) -> list[range]:
        """Throws the initial dice, and returns for each entry of `dice` the indices (from 0) of its dice."""
        sizes = tuple(group.size for group in dice for _ in range(group.count))
        before = len(self.faces)
        self.sizes += sizes
        self.faces += self.luck.faces(sizes)
        ends = [before + sum(group.count for group in dice[: place + 1]) for place in range(len(dice))]
        return [range(end - group.count, end) for group, end in zip(dice, ends, strict=True)]

    def settled(self, dice: Dice, places: Sequence[int]) -> Iterator[int]:
        """Rerolls and explodes the dice at `places`, and yields the index of each die left lying."""
        for place in places:
            last = self._settled(dice, place)
            yield last
            while dice.explodes and dice.explodes.has(self.faces[last]) and len(self.faces) < MOST_DICE:
                last = self._settled(dice, self._another(dice.size))
                yield last
                if dice.bursts_once:
                    break

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
    """Returns the indices of the dice that count: those kept and, if successes count, those that decide."""
    if dice.keep is not None:
        in_order = sorted(places, key=lambda place: dice.worth(table.faces[place]), reverse=dice.highest)
        places = in_order[: dice.keep]
    if dice.counted is None:
        return places
    deciding = [dice.counted, *([] if dice.failed is None else [dice.failed])]
    worth = {place: dice.worth(table.faces[place]) for place in places}
    return [place for place in places if any(faces.has(worth[place]) for faces in deciding)]


def _ends(dice: Dice) -> tuple[int, int]:
    """Returns the lowest and the highest sum of dice, their sign, factors and endless explosions aside."""
    count = 2 * dice.count if dice.bursts_once else dice.count
    if dice.counted:
        return (-count if dice.failed else 0), count
    shown = [face_value(face) for face in faces(dice.size)]
    staying = [dice.worth(face) for face in shown if not dice.again or dice.once or not dice.again.has(face)]
    fewest, most = (dice.count, count) if dice.keep is None else (dice.keep, dice.keep)
    return min(number * min(staying) for number in (fewest, most)), most * max(staying)
