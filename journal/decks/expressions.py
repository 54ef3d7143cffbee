"""Dice as people write them: `2d6+3`, `d20+5 adv`, `4d6kh3`, `3d6!`, `4d6r1`, `8d10>=7`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from journal.decks.dice import FUDGE, MOST_DICE, MOST_DIGITS, SIDES, faces, name, value
from journal.decks.throws import Added, Dice, Faces, Throw
from journal.refused import Refused

MOST_TERMS: Final = 20
LARGEST_NUMBER: Final = 1_000_000
"""What may be added to dice, and what a total may be compared with, at the most."""

HOW: Final = "write 2d6+3, d20+dex, d%, 4dF, 4d6kh3, 2d20kh1+5, 3d6!, 4d6r1 or 8d10>=7"

_DICE: Final = r"(?P<count>\d{0,9})d(?P<sides>\d+|%|f)(?P<after>[^+\-\[]*)"
_AFTER: Final = re.compile(
    r"(?P<keep>kh|kl|dh|dl|k)(?P<many>\d{0,4})|(?P<explode>[!x])"
    r"|r(?P<once>o?)(?P<which>>=|<=)?(?P<face>\d{1,4})|(?P<count>>=|<=|t)(?P<least>\d{1,4})"
)
_TERM: Final = re.compile(r"(?P<sign>[+-]|^)(?P<what>[^+\-\[]+)(?:\[(?P<label>[^\[\]]{1,40})\])?")
_NAME: Final = r"[^\W\d_][\w']*"
_TWICE: Final = r"(?P<dice>1?d20)(?P<rest>.*?)\s*(?P<which>adv|dis)"


def parse(expression: str, twice: str | None = None) -> Throw:
    """The throw that people write so; `adv` or `dis` behind a d20 throws two of them and keeps one.

    That word may also be given apart, as `twice`.

    Raises Refused for anything else; for more than 100 dice or 20 terms; for a die with fewer than 2 or more
    than 1000 sides; where nothing is thrown, or everything that shows is thrown again; and where successes
    are counted beside dice that are added up.
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
        one = Dice(_count(dice["count"]), _size(dice["sides"]), sign, label)
        return _with_all(one, dice["after"], expression)
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


def _with_all(one: Dice, after: str, expression: str) -> Dice:
    place, done = 0, set[str]()
    while place < len(after):
        found = _AFTER.match(after, place)
        if found is None or not done.isdisjoint(_done(found)):
            raise _not_dice(expression)
        done |= _done(found)
        one = _with(one, found)
        place = found.end()
    return one


def _done(found: re.Match[str]) -> set[str]:
    """What one word behind dice has done with them; nothing is done twice."""
    return {what for what in ("keep", "explode", "face", "count") if found[what]}


def _with(one: Dice, found: re.Match[str]) -> Dice:
    """The dice with one thing more that is done with them."""
    if found["explode"]:
        return replace(one, explodes=True)
    if found["face"]:
        return replace(one, again=Faces(found["which"] or "=", int(found["face"])), once=bool(found["once"]))
    if found["count"]:
        return replace(
            one, counted=Faces(">=" if found["count"] == "t" else found["count"], int(found["least"]))
        )
    many = int(found["many"] or 1)
    dropped = found["keep"].startswith("d")
    highest = found["keep"] in ("k", "kh", "dl")
    return replace(one, keep=one.count - many if dropped else many, highest=highest)


def _check(throw: Throw, expression: str) -> None:
    """Refuses what cannot be thrown, though it is written as it should be."""
    if not throw.dice:
        raise _not_dice(expression)
    if len(throw.terms) > MOST_TERMS:
        raise Refused(f"{len(throw.terms)} terms are too many: a throw has {MOST_TERMS} at the most.")
    if sum(one.count for one in throw.dice) > MOST_DICE:
        raise _too_many(sum(one.count for one in throw.dice))
    if throw.counts and not all(one.counted for one in throw.dice):
        raise Refused(f"“{expression}” counts some dice and adds others up: throw them one after the other.")
    for one in throw.dice:
        _check_dice(one)


def _check_dice(one: Dice) -> None:
    if one.keep is not None and not 1 <= one.keep <= one.count:
        raise Refused(f"Of {one.count}{name(one.size)}, 1 to {one.count} are kept, not {one.keep}.")
    if one.explodes and one.size == FUDGE:
        raise Refused("A fudge die does not explode.")
    shown = [value(face) for face in faces(one.size)]
    if one.again is not None and not one.once and all(one.again.has(face) for face in shown):
        raise Refused(f"{one} would be thrown again for ever: leave a face that stays.")
    for which in (one.again, one.counted):
        if which is not None and not any(which.has(face) for face in shown):
            raise Refused(f"No face of a {name(one.size)} is {which}.")


def _not_dice(expression: str) -> Refused:
    return Refused(f"“{expression}” is not dice: {HOW}.")


def _too_many(count: int) -> Refused:
    return Refused(f"{count} dice cannot be rolled: it takes 1 to {MOST_DICE}.")
