"""Throws of other tools in one form: dice, faces and total, as far as the source gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

SIDES: Final = range(2, 1_001)
FUDGE: Final = -1
"""Size that stands for a fudge die, whose faces are -1, 0 and 1."""
MOST_DICE: Final = 100
MOST_TERMS: Final = 20
MOST_NUMBER: Final = 999_999
MOST_WORDS: Final = 20_000
"""Longest text in which throws are looked for, in characters; programs write shorter ones."""


class Rung(StrEnum):
    """Detail known about a throw: faces, total only, or words only."""

    FACES = "faces"
    TOTAL = "total"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw as a tool told it."""

    rung: Rung
    words: str
    """The tool's own words for the throw."""
    dice: str = ""
    """Expression in Retold's notation, such as `2d20kh1+5`; empty on the rung WORDS."""
    faces: tuple[int, ...] = ()
    """Faces as all dice lay, then those of rerolls and explosions; empty unless the rung is FACES."""
    total: int | None = None
    text: str = ""
    """What the throw was for."""
    against: str = ""
    """Target as the tool gave it, such as `DC 15`."""
    verdict: str = ""
    """Success or failure in the tool's words."""
    difference: int = 0
    """The tool's total minus the sum of the kept faces and numbers, if they differ."""


@dataclass(frozen=True, slots=True)
class Die:
    """Face of one die that was thrown; a dropped die is not `kept`."""

    face: int
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Term:
    """Dice of one size (`sides`, or FUDGE), or a plain number if `sides` is 0."""

    count: int
    sides: int = 0
    sign: int = 1
    modifier: str = ""
    """Modifier in Retold's notation, such as `kh1`."""
    dice: tuple[Die, ...] = ()
    plain: bool = True
    """False if the tool changed the faces in a way that Retold's notation has no sign for."""
    successes_from: int | None = None
    """Smallest face that counts as a success; None if the faces are added."""

    @property
    def notation(self) -> str:
        """Term without its sign."""
        size = "F" if self.sides == FUDGE else str(self.sides)
        return f"{self.count}d{size}{self.modifier}" if self.sides else str(self.count)

    @property
    def value(self) -> int:
        """Sum of the kept faces, or the number; a count where faces are successes."""
        if not self.sides:
            return self.sign * self.count
        kept = [die.face for die in self.dice if die.kept]
        if self.successes_from is not None:
            return self.sign * sum(face >= self.successes_from for face in kept)
        return self.sign * sum(kept)


def told(words: str, *, text: str = "") -> Throw:
    """Throw on the lowest rung."""
    return Throw(Rung.WORDS, words, text=text)


def thrown(words: str, terms: Sequence[Term], total: int | None, *, text: str = "") -> Throw:
    """Throw on the highest rung that its terms and the tool's total allow; `text` is the purpose of the roll.

    FACES needs every face of every die, and a sum that equals the tool's total.
    """
    dice = [term for term in terms if term.sides]
    if not dice or not _within_bounds(terms):
        return told(words, text=text)
    expression = _written(terms)
    summed = sum(term.value for term in terms)
    whole = all(_has_every_face(term) for term in dice)
    if whole and (total is None or total == summed):
        first = [die.face for term in dice for die in term.dice[: term.count]]
        later = [die.face for term in dice for die in term.dice[term.count :]]
        faces = (*first, *later)
        return Throw(Rung.FACES, words, expression, faces, summed, text)
    if total is None:
        return told(words, text=text)
    difference = total - summed if whole else 0
    return Throw(Rung.TOTAL, words, expression, (), total, text, difference=difference)


def with_words(throw: Throw, *, text: str = "", against: str = "", verdict: str = "") -> Throw:
    """Throw with purpose, target and verdict replaced where given."""
    return replace(
        throw,
        text=text or throw.text,
        against=against or throw.against,
        verdict=verdict or throw.verdict,
    )


def _within_bounds(terms: Sequence[Term]) -> bool:
    dice = [term for term in terms if term.sides]
    return (
        len(terms) <= MOST_TERMS
        and all((term.sides in SIDES or term.sides == FUDGE) and term.count >= 1 for term in dice)
        and sum(term.count for term in dice) <= MOST_DICE
        and all(term.count <= MOST_NUMBER for term in terms)
    )


def _has_every_face(term: Term) -> bool:
    faces = range(-1, 2) if term.sides == FUDGE else range(1, term.sides + 1)
    if not term.plain or any(die.face not in faces for die in term.dice):
        return False
    if len(term.dice) == term.count:
        return True
    return len(term.dice) > term.count and ("r" in term.modifier or "!" in term.modifier)


def _written(terms: Sequence[Term]) -> str:
    signed = [("-" if term.sign < 0 else "+") + term.notation for term in terms]
    return "".join(signed).removeprefix("+")


def summed(
    text: str, dice: re.Pattern[str], number: re.Pattern[str], term: Callable[[re.Match[str], int], Term]
) -> list[Term] | None:
    """Terms of a sum of dice and numbers without blanks; None if the text has another shape.

    `term` makes a term of what `dice` matches, with its sign, 1 or -1; `number` matches a plain number.
    """
    terms: list[Term] = []
    at, sign, is_open = 0, 1, True
    while at < len(text):
        if text[at] in "+-":
            sign = -sign if text[at] == "-" else sign
            at, is_open = at + 1, True
            continue
        found = dice.match(text, at) or number.match(text, at)
        if found is None or not is_open:
            return None
        terms.append(term(found, sign) if found.re is dice else Term(int(found[0]), 0, sign))
        at, sign, is_open = found.end(), 1, False
    return terms or None
