"""Throws of other tools in one form: dice, faces and total, as far as the source gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

import msgspec

from retold.journal.decks import throws as rules
from retold.journal.decks.chance import TOTAL, Luck
from retold.journal.decks.expressions import parse_throw
from retold.journal.refused import Refused

FUDGE: Final = -1
"""Size of a fudge die, whose faces are -1, 0 and 1."""
MOST_DICE: Final = 100
MOST_NUMBER: Final = 999_999
MOST_WORDS: Final = 20_000
"""Longest text in which throws are looked for, in characters; programs write shorter ones."""
MOST_EXPRESSION: Final = 2_000
"""Longest expression that is read, in characters."""


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
    formula: str = ""
    """The tool's formula and total, where `dice` are its dice alone, since they do not come to that total."""
    act: str = ""
    """`attack` or `damage`, where the tool says so beside the words."""
    target: str = ""
    """Name of the one whom the attack is for, where the tool says it beside the words."""


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
    """False if the dice have a modifier that Retold's notation has no sign for."""
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


def thrown(
    words: str,
    terms: Sequence[Term],
    total: int | None,
    *,
    text: str = "",
    asked: str = "",
    formula: str = "",
) -> Throw:
    """Throw on the highest rung that the table's own dice rules allow; `text` is the purpose of the roll.

    `asked` is the expression in Retold's notation, if it is more than the sum of `terms`; `formula` is the
    tool's own, by default `words`. FACES needs every face, with which the expression comes to the tool's
    total, if it gives one. Dice that come to another total are thrown alone, and the formula is told beside
    them. TOTAL is for dice whose faces are not given.
    """
    dice = [term for term in terms if term.sides]
    if not dice:
        return told(words, text=text)
    expression = canonical(asked or _written(terms)) if all(term.plain for term in dice) else ""
    came: int | None = None
    if all(map(_has_every_face, dice)):
        first = [die.face for term in dice for die in term.dice[: term.count]]
        later = [die.face for term in dice for die in term.dice[term.count :]]
        in_pools = [die.face for term in dice for die in term.dice]
        for each in _readings(expression) if expression else ():
            for faces in ((*first, *later), in_pools) if later and "{" in each else ((*first, *later),):
                came = comes_to(each, faces)
                if came is not None and total in (None, came):
                    return Throw(Rung.FACES, words, each, tuple(faces), came, text)
    elif expression and total is not None and can_come_to(expression, total):
        return Throw(Rung.TOTAL, words, expression, (), total, text)
    if total is None:
        return told(words, text=text)
    said = formula or words
    said = said if re.search(rf"(?<!\d){total}(?!\d)", said) else f"{said} = {total}"
    found = alone(words, dice, said.strip(), text=text)
    return found if came is None else replace(found, difference=total - came)


def alone(words: str, terms: Sequence[Term], formula: str, *, text: str = "") -> Throw:
    """Throw of dice without modifiers and numbers, with the tool's `formula` and total beside them.

    On the rung WORDS if a face is missing.
    """
    dice = [term for term in terms if term.sides]
    if not dice or not all(term.dice for term in dice):
        return told(words, text=text)
    expression = "+".join(replace(term, count=len(term.dice), modifier="").notation for term in dice)
    faces = tuple(die.face for term in dice for die in term.dice)
    came = comes_to(expression, faces)
    if came is None:
        return told(words, text=text)
    return Throw(Rung.FACES, words, expression, faces, came, text, formula=formula)


# --- The table's own rules ---


class _NoDealer:
    """Dealer that deals nothing, since throws of a source have their results."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 - it never gives any
        """Always raises Refused."""
        raise Refused("A throw of a source has its results.")


def canonical(expression: str) -> str:
    """Expression in the table's one spelling; empty if the table cannot throw it, or needs a sheet for it."""
    try:
        parsed = parse_throw(expression)
    except Refused:
        return ""
    return "" if parsed.names else str(rules.Throw(tuple(_flat(parsed.terms))))


def _flat(terms: Iterable[rules.Term], sign: int = 1) -> Iterator[rules.Term]:
    """Terms without brackets that change nothing, and without noughts."""
    for term in terms:
        if isinstance(term, rules.Group) and not (term.by or term.keep or term.product or term.pools[1:]):
            yield from _flat(term.pools[0].terms, sign * term.sign)
        elif not (isinstance(term, rules.Added) and term.what == 0):
            yield msgspec.structs.replace(term, sign=sign * term.sign)


def comes_to(expression: str, faces: Sequence[int]) -> int | None:
    """Total of these faces by the table's rules; None if they refuse the dice or the faces."""
    return _comes_to(expression, tuple(faces))


@lru_cache(65_536)
def _comes_to(expression: str, faces: tuple[int, ...]) -> int | None:
    # A reader asks, and the recorder asks again.
    try:
        parsed, luck = parse_throw(expression), Luck(_NoDealer(), tuple(map(str, faces)))
        if parsed.names:
            return None
        found = rules.throw(parsed, luck)
        luck.finish()
    except Refused:
        return None
    return found.total


def can_come_to(expression: str, total: int) -> bool:
    """True if the table takes `= total` with this number for the dice."""
    try:
        parsed = parse_throw(expression)
        return not parsed.names and parsed.attains(Luck(_NoDealer(), (TOTAL, str(total))).total())
    except Refused:
        return False


def _readings(expression: str) -> list[str]:
    """The expression; before it each pool with dice of a choice among pools, if only that one has dice."""
    choice = _CHOICE.fullmatch(expression)
    pools = [pool for pool in choice["pools"].split(",") if "d" in pool] if choice else []
    return [*pools, expression] if len(pools) == 1 else [expression]


_CHOICE: Final = re.compile(r"\{(?P<pools>[^{}]*)\}k[hl]1")


def calculated(
    text: str, dice: re.Pattern[str], term: Callable[[re.Match[str]], Term]
) -> tuple[str, list[Term]]:
    """Expression with every match of `dice` in Retold's notation, and the terms of these dice.

    Functions are written as pools (`max(1d4, 2)`) and brackets (`floor(1d6 / 2)`). The expression is empty
    if it has a function without such a form, or dice that `dice` does not match, or is too long.
    """
    if len(text) > MOST_EXPRESSION:
        return "", []
    terms = [term(found) for found in dice.finditer(text)]
    if _DIE_LEFT.search(dice.sub(" ", text)):
        return "", []
    notations = iter(terms)
    return without_functions(dice.sub(lambda _: next(notations).notation, text)), terms


_DIE_LEFT: Final = re.compile(r"\d*[dD](?:\d|%)")
_FUNCTION: Final = re.compile(r"(?P<name>[A-Za-z]{2,9})\s{0,9}\(|[()]")
_FORMS: Final = {"max": ("{", "}kh1"), "min": ("{", "}kl1"), "floor": ("(", ")")}


def without_functions(text: str) -> str:
    """Expression with pools and brackets for its functions; empty if one has no such form."""
    closing: list[str] = []
    parts: list[str] = []
    at = 0
    for found in _FUNCTION.finditer(text):
        name = found["name"]
        if (name and name not in _FORMS) or (found[0] == ")" and not closing):
            return ""
        parts.append(text[at : found.start()])
        at = found.end()
        if found[0] == ")":
            parts.append(closing.pop())
        else:
            opens, closes = _FORMS[name] if name else ("(", ")")
            parts.append(opens)
            closing.append(closes)
    return "".join((*parts, text[at:]))


def with_words(throw: Throw, *, text: str = "", against: str = "", verdict: str = "") -> Throw:
    """Throw with purpose, target and verdict replaced where given."""
    return replace(
        throw,
        text=text or throw.text,
        against=against or throw.against,
        verdict=verdict or throw.verdict,
    )


def in_place(again: Sequence[bool]) -> list[list[int]]:
    """Places of faces die by die, where those that a die brings stand right behind its first one.

    Each face has whether it brings another.
    """
    chains: list[list[int]] = []
    for place in range(len(again)):
        if place and again[place - 1]:
            chains[-1].append(place)
        else:
            chains.append([place])
    return chains


def appended(count: int, again: Sequence[bool]) -> list[int] | None:
    """Places of faces in Retold's order, where those that dice bring stand behind all first ones.

    Each face has whether it brings another. Retold has all first ones, then the later ones die by die. None
    if the numbers differ.
    """
    places = [place for place, brings in enumerate(again) if brings]
    if len(again) != count + len(places):
        return None
    next_of = {place: count + number for number, place in enumerate(places)}
    order = list(range(count))
    for first in range(count):
        place = first
        while next_of.get(place, 0) > place:
            place = next_of[place]
            order.append(place)
    return order if len(order) == len(again) else None


def in_retolds_order(faces: Sequence[tuple[Die, bool]], *, is_rerolled: bool) -> tuple[int, tuple[Die, ...]]:
    """Number of dice thrown at first, and all faces: those first, then the later ones die by die.

    Many tools write the later faces of a die right behind its first one. Each face has whether it exploded.
    """
    chains = in_place([exploded or (is_rerolled and not die.kept) for die, exploded in faces])
    order = [chain[0] for chain in chains] + [place for chain in chains for place in chain[1:]]
    return len(chains), tuple(faces[place][0] for place in order)


def keeping(what: str, number: int, count: int) -> str | None:
    """Modifier of `count` dice of which a number is kept (`k`, `kh`, `kl`) or dropped (`d`, `dl`, `dh`).

    Empty if all are kept, None if none is.
    """
    kept = number if what[0] == "k" else count - number
    return "" if kept >= count else f"k{'l' if what in ('kl', 'dh') else 'h'}{kept}" if kept >= 1 else None


def _has_every_face(term: Term) -> bool:
    faces = range(-1, 2) if term.sides == FUDGE else range(1, term.sides + 1)
    if any(die.face not in faces for die in term.dice):
        return False
    return len(term.dice) == term.count or (
        len(term.dice) > term.count and ("r" in term.modifier or "!" in term.modifier)
    )


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
