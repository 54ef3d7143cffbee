"""Rolls in anybody's words: an expression, its faces in brackets, and a total."""

from __future__ import annotations

import re
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, thrown

_TERM = r"(?:\d{0,3}d\d{1,6}(?:k[hl]?\d{1,2})?|\d{1,6}(?![\dd]))"
_DICE = r"\d{0,3}d\d{1,6}(?:k[hl]?\d{1,2})?"
_END = r"(?!\w|\.\w)"
# Every repetition has a bound: without one, a text of 200,000 signs takes minutes.
_ROLL: Final = re.compile(
    rf"(?<![\w./:])(?P<asked>{_DICE}{_END}(?:\s{{0,9}}[-+]\s{{0,9}}{_TERM}{_END}){{0,40}}+)"
    r"(?P<between>[^\n]{0,80}?)"
    r"(?:[\[(]\s{0,9}(?P<faces>\d{1,6}(?:\s{0,9}[,+]\s{0,9}\d{1,6}){0,999}+)\s{0,9}[\])]"
    r"(?P<after>[^\n]{0,40}?))?"
    r"(?:=|→|⟶|->|\b[Tt]otal:?|\b[Rr]esult:?)\s{0,9}[*`_]{0,9}(?P<total>-?\d{1,9})(?![\w.,]{0,99}\d)",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"(?P<sign>[-+]?)\s*(?:(?P<count>\d{0,3})d(?P<sides>\d{1,6})(?:k(?P<which>[hl]?)(?P<kept>\d{1,2}))?|(?P<number>\d{1,6}))"
)


def throws(text: str) -> tuple[Throw, ...]:
    """Throws that are written out with a total; nothing where an expression stands alone."""
    return tuple(_throw(found) for found in _ROLL.finditer(text))


def _throw(found: re.Match[str]) -> Throw:
    faces = [int(face) for face in re.findall(r"\d+", found["faces"] or "")]
    terms = [_term(part, faces) for part in _PART.finditer(found["asked"].casefold())]
    only = [term for term in terms if term.sides]
    total = int(found["total"])
    if not faces and len(terms) == 1 and only[0].count == 1:
        terms = [Term(1, only[0].sides, 1, "", (Die(total),))]
    return thrown(found[0], terms, total)


def _term(part: re.Match[str], faces: list[int]) -> Term:
    """Dice or number of one part; dice take their faces from the front of the list."""
    sign = -1 if part["sign"] == "-" else 1
    if part["number"]:
        return Term(int(part["number"]), 0, sign)
    count, sides = int(part["count"] or 1), int(part["sides"])
    mine, faces[:] = faces[:count], faces[count:]
    kept = min(int(part["kept"] or count), count)
    lowest = part["which"] == "l"
    counted = sorted(range(len(mine)), key=lambda place: mine[place], reverse=not lowest)[:kept]
    modifier = "" if kept in (0, count) else f"k{'l' if lowest else 'h'}{kept}"
    dice = tuple(Die(face, place in counted) for place, face in enumerate(mine))
    return Term(count, sides, sign, modifier, dice)
