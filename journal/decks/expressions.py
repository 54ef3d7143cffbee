"""Parsing of dice expressions such as `4d6kh3+2` into throws, in the spellings of tables and dice bots.

Syntax: docs/dice.md.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.dice import FUDGE, MOST_DICE, MOST_DIGITS, SIDES, die_name, face_value, faces
from retold.journal.decks.throws import Added, Dice, Faces, Factor, Group, Term, Throw
from retold.journal.refused import Refused

MOST_TERMS: Final = 20
MOST_DEPTH: Final = 5
"""Brackets within brackets."""
MOST_LETTERS: Final = 400
"""Length of the longest expression."""
LARGEST_NUMBER: Final = 1_000_000
"""Largest number added to dice or compared with a total."""

HOW: Final = "write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7"

_SIGNS: Final = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "÷": "/", "≥": ">=", "≤": "<="})
_DIE: Final = re.compile(
    r"(?P<count>\d{0,9})(?:d|(?<=\d)w(?=\d))"
    r"(?P<sides>\d+|%|f(?![^\W\d_])|f(?=k[hl]|d[hl]|r\d|ro\d))"
)
_MODIFIER: Final = re.compile(
    r"(?P<keep>kh|kl|dh|dl|k)(?P<many>\d{0,4})|(?P<drop>d)(?P<dropped>\d{1,4})"
    r"|(?P<explode>!!?|x)(?P<bursts_once>o)?(?:(?P<bursts>[<>=](?!=))?(?P<burst>\d{1,4}))?"
    r"|r(?P<once>o|r)?(?P<which>>=|<=|>|<|=)?(?P<face>\d{1,4})"
    r"|(?P<count>>=|<=|>|<|t)(?P<least>\d{1,4})"
    r"|(?:(?P<floor>min?)|(?P<ceiling>max?))(?P<limit>\d{1,4})"
    r"|(?P<fail>f)(?P<fails>>=|<=|>|<|=)?(?P<lost>\d{1,4})"
)
_SETS: Final = ("keep", "drop", "explode", "face", "floor", "ceiling", "count", "fail")
"""Parts of a modifier, each of which dice have once."""
_LABEL: Final = re.compile(r"\[(?P<label>[^\[\]]{1,40})\]")
_NAME: Final = re.compile(r"[^\W\d_][\w']*")
_NUMBER: Final = re.compile(r"[0-9]+")
_PART: Final = re.compile(r"[^+\-*/(){},\[\]]+|.")
_TWICE: Final = re.compile(r"(?P<dice>[12]?d20)(?P<rest>.*?)(?P<which>adv(?:antage)?|dis(?:adv(?:antage)?)?)")
TWICE: Final = {"adv": "h", "advantage": "h", "dis": "l", "disadv": "l", "disadvantage": "l"}
"""Words that throw a d20 twice, with the die that is kept."""


def parse_throw(expression: str, twice: str | None = None) -> Throw:
    """Parses a dice expression such as `4d6kh3+2`; `d20 adv` and `d20 dis` throw two and keep one.

    Blanks, capitals and full-width characters make no difference. The word `adv` or `dis` may also be passed
    as `twice`.

    Raises Refused for any other text, naming the part that is not known; for more than 100 dice or 20 terms;
    for a die with fewer than 2 or more than 1000 sides; without dice; if every face would be rerolled or
    explode; and if successes are counted beside dice that are added up.
    """
    return _parse(f"{expression} {twice}" if twice else expression)


@lru_cache(maxsize=4096)
def is_throw(text: str) -> bool:
    """True if the text is a dice expression by its shape, even if no such dice can be thrown."""
    try:
        _parse(text)
    except NotDice:
        return False
    except Refused:
        return True
    return True


class NotDice(Refused):
    """Text that is not a dice expression."""


@lru_cache(maxsize=512)
def _parse(expression: str) -> Throw:
    text = "".join(unicodedata.normalize("NFKC", expression).translate(_SIGNS).casefold().split())
    if len(text) > MOST_LETTERS:
        raise NotDice(f"These dice have {len(text)} characters: {MOST_LETTERS} are the most.")
    if (two := _TWICE.fullmatch(text)) is not None:
        text = f"2d20k{TWICE[two['which']]}1{two['rest']}"
    text = re.sub(r"max\(([^()]*)\)", r"{\1}kh1", text)
    text = re.sub(r"min\(([^()]*)\)", r"{\1}kl1", text)
    parser = _Parser(text, expression)
    throw = parser.throw()
    if parser.place < len(text):
        raise parser.unknown()
    _check(throw, expression)
    return throw


class _Parser:
    """Recursive descent through one expression, from left to right."""

    def __init__(self, text: str, expression: str) -> None:
        self._text = text
        self._expression = expression
        self._depth = 0
        self.place = 0

    def throw(self) -> Throw:
        """Parses terms joined with plus and minus signs; the first sign may be left out."""
        terms = [self._term(self._sign())]
        while self._next() in {"+", "-"}:
            terms.append(self._term(self._sign()))
        return Throw(tuple(terms))

    def unknown(self) -> NotDice:
        """Returns the refusal that names the part of the expression at this place."""
        found = _PART.match(self._text, self.place)
        part = found[0] if found else ""
        if not part or part == self._text:
            return NotDice(f"“{self._expression}” is not dice: {HOW}.")
        return NotDice(f"“{part}” is not known in {self._expression}: {HOW}.")

    def _next(self) -> str:
        return self._text[self.place : self.place + 1]

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self.place)
        if found is not None:
            self.place = found.end()
        return found

    def _skip(self, sign: str) -> bool:
        if self._next() != sign:
            return False
        self.place += 1
        return True

    def _sign(self) -> int:
        """Parses any plus and minus signs: `+-5` and `-5` are both minus 5."""
        sign = 1
        while self._next() in {"+", "-"}:
            sign = -sign if self._next() == "-" else sign
            self.place += 1
        return sign

    def _term(self, sign: int) -> Term:
        """Parses dice, a number, a name, brackets or braces, with what multiplies and divides them."""
        found = self._factor()
        label = self._take(_LABEL)
        found = replace(found, sign=sign, label=label["label"] if label else "")
        while self._next() in {"*", "/"}:
            found = self._times(found)
        return found

    def _times(self, found: Term) -> Term:
        """Parses one multiplication or division of a term, either side of which may be the number."""
        sign, self.place = self._next(), self.place + 1
        other = self._factor()
        if isinstance(other, Added) and isinstance(other.what, int):
            number = other.what
        elif sign == "*" and isinstance(found, Added) and isinstance(found.what, int) and not found.by:
            number, found = found.what, replace(other, sign=found.sign)
        elif sign == "*":
            return _product(found, other)
        else:
            raise Refused(f"In {self._expression} dice are divided by dice: by a number only, as in 4d20/4.")
        if not number:
            raise Refused(f"In {self._expression} 0 follows {sign}: type a number of 1 or more there.")
        return replace(found, by=(*found.by, Factor(sign, number)))

    def _factor(self) -> Term:
        if self._skip("("):
            return self._brackets()
        if self._skip("{"):
            return self._pools()
        if (die := self._take(_DIE)) is not None:
            return self._with_modifiers(Dice(_count(die["count"]), _size(die["sides"])))
        if (number := self._take(_NUMBER)) is not None:
            return Added(_number(number[0]))
        if (name := self._take(_NAME)) is not None:
            return Added(name[0])
        raise self.unknown()

    def _inside(self) -> Throw:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise NotDice(f"“{self._expression}” has too many brackets within brackets: {HOW}.")
        inside = self.throw()
        self._depth -= 1
        return inside

    def _brackets(self) -> Term:
        """Parses the contents of brackets; brackets around a single term are left out."""
        inside = self._inside()
        if not self._skip(")"):
            raise self.unknown()
        alone = inside.terms[0]
        return alone if len(inside.terms) == 1 and alone.sign > 0 and not alone.by else Group((inside,))

    def _pools(self) -> Group:
        pools = [self._inside()]
        while self._skip(","):
            pools.append(self._inside())
        if not self._skip("}"):
            raise self.unknown()
        found = _MODIFIER.match(self._text, self.place)
        if found is None or not (found["keep"] or found["drop"]):
            return Group(tuple(pools))
        self.place = found.end()
        keep, highest = _kept(found, len(pools))
        if not 1 <= keep <= len(pools):
            raise Refused(f"Of {len(pools)} pools, 1 to {len(pools)} are kept, not {keep}.")
        return Group(tuple(pools), keep=keep, highest=highest)

    def _with_modifiers(self, dice: Dice) -> Dice:
        done = set[str]()
        while (found := _MODIFIER.match(self._text, self.place)) is not None:
            sets = {"keep" if what == "drop" else what for what in _SETS if found[what]}
            if not done.isdisjoint(sets):
                raise self.unknown()
            if found["explode"] == "x" and found["burst"] and not (found["bursts"] or found["bursts_once"]):
                raise Refused("“x{0}” may mean times or explode: write *{0} or !{0}.".format(found["burst"]))
            done |= sets
            dice = _with_modifier(dice, found)
            self.place = found.end()
        if self._next() and self._next() not in "+-*/),}[":
            raise self.unknown()
        return dice


def _product(found: Term, other: Term) -> Group:
    """Returns the product of two terms, either of which may be a product itself."""
    pools = found.pools if isinstance(found, Group) and found.product and not found.by else ()
    return Group((*(pools or (Throw((replace(found, sign=1),)),)), Throw((other,))), found.sign, product=True)


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
    if len(text) > MOST_DIGITS or int(text) > LARGEST_NUMBER:
        raise Refused(f"{text} is too much to add to dice: {LARGEST_NUMBER} is the most.")
    return int(text)


def _with_modifier(dice: Dice, found: re.Match[str]) -> Dice:
    """Returns a copy of the dice with the modifier in `found` added."""
    if found["explode"]:
        burst = int(found["burst"]) if found["burst"] else dice.size
        bursting = _faces(found["bursts"], burst)
        if bursting.which == ">=" and bursting.number == dice.size:
            bursting = Faces("=", dice.size)
        return replace(dice, explodes=bursting, bursts_once=bool(found["bursts_once"]))
    if found["limit"]:
        limit = int(found["limit"])
        return replace(dice, least=limit) if found["floor"] else replace(dice, most=limit)
    if found["face"]:
        return replace(dice, again=_faces(found["which"], int(found["face"])), once=found["once"] == "o")
    if found["count"]:
        least = int(found["least"])
        return replace(dice, counted=_faces(">=" if found["count"] == "t" else found["count"], least))
    if found["fail"]:
        return replace(dice, failed=_faces(found["fails"], int(found["lost"])))
    keep, highest = _kept(found, dice.count)
    return replace(dice, keep=keep, highest=highest)


def _faces(which: str | None, number: int) -> Faces:
    """Returns a range of faces; `>4` is 5 or more, and `<3` is 2 or less."""
    if which == ">":
        return Faces(">=", number + 1)
    if which == "<":
        return Faces("<=", number - 1)
    return Faces(which or "=", number)


def _kept(found: re.Match[str], of: int) -> tuple[int, bool]:
    """Returns how many are kept, and whether the highest: `dl1` of 4 keeps the highest 3, as does `d1`."""
    sign = found["keep"] or "dl"
    many = int(found["many"] or found["dropped"] or 1)
    return of - many if sign.startswith("d") else many, sign in {"k", "kh", "dl"}


def _check(throw: Throw, expression: str) -> None:
    """Raises Refused for a well-formed expression that cannot be thrown, such as one without dice."""
    if not throw.dice:
        raise NotDice(f"“{expression}” is not dice: {HOW}.")
    terms = len(throw.terms) + len(throw.dice) if throw.calculates else len(throw.terms)
    if terms > MOST_TERMS:
        raise Refused(f"{terms} terms are too many: a throw has {MOST_TERMS} at the most.")
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
    if dice.failed and not dice.counted:
        raise Refused(f"{dice} takes successes away and counts none: write 5d10>=7f1.")
    shown = [face_value(face) for face in faces(dice.size)]
    if dice.again is not None and not dice.once and all(dice.again.has(face) for face in shown):
        raise Refused(f"{dice} would be thrown again for ever: leave a face that stays.")
    if dice.explodes is not None and not dice.bursts_once and all(dice.explodes.has(face) for face in shown):
        raise Refused(f"{dice} would explode for ever: leave a face that does not.")
    if not 0 <= (dice.least or 0) <= (dice.size if dice.most is None else dice.most) <= max(dice.size, 1):
        raise Refused(f"{dice} has limits that no face of a {die_name(dice.size)} needs.")
    for range_ in (dice.again, dice.explodes, dice.counted, dice.failed):
        if range_ is not None and not any(range_.has(face) for face in shown):
            raise Refused(f"No face of a {die_name(dice.size)} is {range_}.")


def _too_many(count: int) -> Refused:
    return Refused(f"{count} dice cannot be rolled: it takes 1 to {MOST_DICE}.")
