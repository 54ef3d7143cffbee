"""Notation of the library d20, in which Avrae tells its rolls: `2d20kh1 (~~4~~, 17) + 5`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, thrown, told

_DICE: Final = re.compile(
    r"(?P<count>\d{0,6})d(?P<sides>\d{1,6}|%)(?P<operations>(?:[a-z]{1,2}[<>hl]?\d+)*)\s*"
    r"(?:\((?P<faces>[^()]*)\)|(?P<hidden>(?:…|\.\.\.)))"
)
_NUMBER: Final = re.compile(r"\d{1,9}(?![\d.d])")
_LABEL: Final = re.compile(r"\[[^\[\]]*\]")
_OPERATION: Final = re.compile(r"(?P<what>rr|ro|ra|mi|ma|[kpe])(?P<which>[<>hl]?)(?P<number>\d+)")
_FACE: Final = re.compile(r"(?P<face>\d+)(?P<exploded>!?)")
_ASKED: Final = re.compile(r"(?<!\w)(?P<count>\d{0,6})d(?P<sides>\d{1,6})(?!\d)")
ROLL: Final = re.compile(
    r"(?:[-+*/(]\s*)*(?:\d+(?:\.\d+)?\s*[-+*/]\s*)*\d{0,6}d(?:\d{1,6}|%)[^\n`]*?(?:=\s*`-?\d{1,9}`)"
)
"""One roll with its total in backquotes, as Avrae writes it inside embeds and answers."""


def rolled(words: str, expression: str, total: int | None) -> Throw:
    """Throw of an expression with its faces in brackets, and the total that stood beside it."""
    terms = _terms(expression)
    if terms is None:
        asked = _ASKED.finditer(expression)
        terms = [Term(int(one["count"] or 1), int(one["sides"]), plain=False) for one in asked]
    return thrown(words, terms, total) if terms else told(words)


def rolls_in(text: str) -> Iterator[Throw]:
    """Throws of all rolls in a text whose totals stand in backquotes."""
    for found in ROLL.finditer(text):
        expression, _, _ = found[0].rpartition("=")
        total = int(found[0].rpartition("`")[0].rpartition("`")[2])
        yield rolled(found[0], expression, total)


def _terms(expression: str) -> list[Term] | None:
    """Terms of a sum of dice and numbers; None for other expressions, such as products or brackets."""
    rest = expression.strip()
    terms: list[Term] = []
    sign = 1
    while rest:
        if rest[0] in "+-":
            sign = -sign if rest[0] == "-" else sign
            rest = rest[1:].lstrip()
            continue
        dice, number, label = _DICE.match(rest), _NUMBER.match(rest), _LABEL.match(rest)
        found = dice or number or label
        if found is None:
            return None
        if dice:
            terms.append(_dice(dice, sign))
        elif number:
            terms.append(Term(int(number[0]), 0, sign))
        if not label:
            sign = 1
        rest = rest[found.end() :].lstrip()
        if rest and rest[0] not in "+-[":
            return None
    return terms or None


def _dice(found: re.Match[str], sign: int = 1) -> Term:
    count = int(found["count"] or 1)
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    modifier, plain = _modifier(found["operations"], count, sides)
    faces = list(_faces(found["faces"] or ""))
    if found["hidden"] or None in faces or ("r" in modifier and "k" in modifier):
        return Term(count, sides, sign, modifier, plain=False)
    lying = _in_retolds_order([face for face in faces if face], is_rerolled="r" in modifier)
    plain = plain and lying[0] == count
    return Term(count, sides, sign, modifier, lying[1], plain)


def _faces(text: str) -> Iterator[tuple[Die, bool] | None]:
    """Faces between the brackets, each with whether it exploded; None for one whose number was changed."""
    for part in text.split(","):
        found = _FACE.fullmatch(part.replace("~~", "").replace("*", "").strip())
        if found is None or len(found["face"]) > 6:
            yield None
        else:
            yield Die(int(found["face"]), kept="~~" not in part), bool(found["exploded"])


def _in_retolds_order(faces: Sequence[tuple[Die, bool]], *, is_rerolled: bool) -> tuple[int, tuple[Die, ...]]:
    """Number of dice thrown at first, and all faces: those first, then the later ones die by die.

    d20 writes the later faces of a die right behind its first one.
    """
    chains: list[list[Die]] = []
    goes_on = False
    for die, exploded in faces:
        if goes_on:
            chains[-1].append(die)
        else:
            chains.append([die])
        goes_on = exploded or (is_rerolled and not die.kept)
    first = tuple(chain[0] for chain in chains)
    return len(first), first + tuple(die for chain in chains for die in chain[1:])


def _modifier(operations: str, count: int, sides: int) -> tuple[str, bool]:
    """Operations in Retold's notation, and True if that notation can express every one."""
    written: list[str] = []
    for found in _OPERATION.finditer(operations):
        what, which, number = found["what"], found["which"], int(found["number"])
        if what in "kp" and which in ("h", "l"):
            lowest = which == "l" if what == "k" else which == "h"
            kept = number if what == "k" else count - number
            if not 1 <= kept <= count:
                return "", False
            written.append(f"k{'l' if lowest else 'h'}{kept}")
        elif what in ("rr", "ro") and which in ("", "<"):
            again = f"<={number - 1}" if which else str(number)
            written.append(f"r{'o' if what == 'ro' else ''}{again}")
        elif what == "e" and not which and number == sides:
            written.append("!")
        else:
            return "", False
    whole = "".join(found[0] for found in _OPERATION.finditer(operations)) == operations
    return ("".join(written), True) if whole else ("", False)
