"""Rolls of Foundry VTT, as its database keeps them: terms with every face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from retold.sources.dice.throw import FUDGE, Die, Term, Throw, thrown, told
from retold.sources.encodings import json_value

_MODIFIER: Final = re.compile(
    r"(?P<what>kh|kl|k|dh|dl|d|rr|r|xo|x|cs)(?P<which><=|>=|<|>|=)?(?P<number>\d{0,4})"
)

_LIMIT: Final = re.compile(r"m(?:in|ax)\d{1,4}")
_PLUS: Final = {"class": "OperatorTerm", "operator": "+"}
_MOST_WORDS: Final = 500
_DEEPEST: Final = 8
"""Depth of brackets and pools inside each other that is read."""


def throw_of(roll: object, text: str = "") -> Throw | None:
    """Throw of a roll, given as object or JSON text; None for other types. `text` is the purpose of the roll.

    A text that is not JSON becomes a throw told in words; a blank text gives None.
    """
    value = json_value(roll) if isinstance(roll, str) else roll
    if isinstance(roll, str) and not isinstance(value, dict):
        return told(roll[:_MOST_WORDS], text=text) if roll.strip() else None
    roll = value
    if not isinstance(roll, dict):
        return None
    formula, total = roll.get("formula"), roll.get("total")
    words = f"{formula if isinstance(formula, str) else '?'} = {total}"
    try:
        terms = _terms(roll.get("terms") or [])
        whole = _whole(total, _fraction(roll.get("terms") or []))
    except (TypeError, ValueError, AttributeError, KeyError, OverflowError):
        terms, whole = None, None
    if terms is None:
        terms = [
            Term(term.count, term.sides, plain=False)
            for term in _dice_within(roll.get("terms"))
            if term.count
        ]
    return thrown(words, terms, whole, text=text) if terms else told(words, text=text)


def _terms(items: Sequence[Any], depth: int = 0) -> list[Term] | None:
    """Terms of a sum; None for products and functions, and for pools and brackets that hold no sum."""
    terms: list[Term] = []
    sign = 1
    for item in items:
        if isinstance(item, int | str):
            item = _old_term(item)  # noqa: PLW2901 - versions before 8 wrote numbers and signs bare
        if item.get("class") == "OperatorTerm":
            if item.get("operator") not in ("+", "-"):
                return None
            sign = -sign if item["operator"] == "-" else sign
            continue
        inner = _of_item(item, depth)
        if inner is None:
            return None
        terms += (replace(term, sign=sign * term.sign) for term in inner)
        sign = 1
    return terms


def _of_item(item: Mapping[str, Any], depth: int) -> list[Term] | None:
    name = item.get("class")
    if name == "NumericTerm":
        number = _number(item)
        return None if number is None else [number] if number.count else []
    if name == "ParentheticalTerm":
        roll = item.get("roll")
        return (
            _terms(roll.get("terms") or [], depth + 1)
            if isinstance(roll, dict) and depth < _DEEPEST
            else None
        )
    if name == "PoolTerm":
        return _pool(item, depth)
    die = _die(item)
    return None if die is None else [die]


def _pool(item: Mapping[str, Any], depth: int) -> list[Term] | None:
    """Terms of a pool: a sum without modifiers, or single dice of one size with those of the pool."""
    rolls = [roll.get("terms") for roll in item.get("rolls") or [] if isinstance(roll, dict)]
    modifiers = item.get("modifiers") or []
    if depth >= _DEEPEST or not all(isinstance(terms, list) for terms in rolls):
        return None
    if not modifiers:
        return _terms([term for terms in rolls for term in (*(terms or []), _PLUS)], depth + 1)
    dice = [terms[0] for terms in rolls if terms and len(terms) == 1 and isinstance(terms[0], dict)]
    sides = {die.get("faces") for die in dice if die.get("number") == 1 and not die.get("modifiers")}
    if len(dice) != len(rolls) or len(sides) != 1 or any(die.get("number") != 1 for die in dice):
        return None
    whole = {"class": "Die", "number": len(dice), "faces": sides.pop(), "modifiers": modifiers}
    die = _die({**whole, "results": item.get("results")})
    return None if die is None else [die]


def _old_term(item: int | str) -> Mapping[str, Any]:
    if str(item).strip() in ("+", "-"):
        return {"class": "OperatorTerm", "operator": str(item).strip()}
    return {"class": "NumericTerm", "number": int(item)}


def _fraction(items: Sequence[Any]) -> float:
    """Sum of what the added numbers have behind the point.

    Initiative has such numbers, as in `1d20 + 2 + 0.14`: they part equal totals and are no result.
    """
    numbers = (item.get("number") for item in items if isinstance(item, dict))
    return sum(number % 1 for number in numbers if isinstance(number, float))


def _whole(total: object, fraction: float) -> int | None:
    """Total without the fraction; None if it is no whole number then."""
    if not isinstance(total, int | float):
        return None
    whole = round(total - fraction)
    return whole if abs(total - fraction - whole) < 1e-6 else None


def _number(item: Mapping[str, Any]) -> Term | None:
    number = item.get("number")
    if not isinstance(number, int | float) or (number != int(number) and number < 0):
        return None
    return Term(abs(int(number)), sign=-1 if number < 0 else 1)


def _die(item: Mapping[str, Any]) -> Term | None:
    """Dice of one size, of Foundry's class or a game system's (`D20Die`); None for any other term."""
    count, sides = item.get("number"), item.get("faces")
    if not isinstance(count, int) or not isinstance(sides, int) or isinstance(count, bool):
        return None
    if item.get("class") == "FateDie":
        sides = FUDGE
    elif not sides or item.get("class") == "Coin":
        return None
    results = [result for result in item.get("results") or [] if isinstance(result, dict)]
    is_changed = any("count" in result and result.get("rerolled") for result in results)
    modifiers = [str(name).casefold() for name in item.get("modifiers") or []]
    if not is_changed:  # `min` and `max` that changed no face
        modifiers = [name for name in modifiers if not _LIMIT.fullmatch(name)]
    modifier, least, plain = _modifiers(modifiers, count, sides)
    faces = [result.get("result") for result in results]
    if not all(isinstance(face, int) for face in faces):
        return Term(count, sides, modifier=modifier, plain=False)
    dice = [
        Die(
            face,
            kept=result.get("active") is not False
            and not result.get("discarded")
            and not result.get("rerolled"),
        )
        for face, result in zip(faces, results, strict=True)
        if isinstance(face, int)
    ]
    brought = [
        place for place, result in enumerate(results) if result.get("rerolled") or result.get("exploded")
    ]
    ordered = _die_by_die(count, len(dice), brought)
    plain = plain and (ordered is not None)
    lying = tuple(dice[place] for place in ordered or ())
    return Term(count, sides, modifier=modifier, dice=lying, plain=plain, successes_from=least)


def _die_by_die(count: int, number: int, brought: Sequence[int]) -> list[int] | None:
    """Places of faces in Retold's order: all first ones, then the later ones die by die.

    Foundry appends a face for each one that it rerolls or explodes, in their order. None if the numbers
    differ.
    """
    if number != count + len(brought):
        return None
    next_of = {place: count + index for index, place in enumerate(brought)}
    later: list[int] = []
    for first in range(count):
        place = first
        while place in next_of and next_of[place] > place:
            place = next_of[place]
            later.append(place)
    return [*range(count), *later] if len(later) == len(brought) else None


def _modifiers(items: Sequence[Any], count: int, sides: int) -> tuple[str, int | None, bool]:
    """Modifiers in Retold's notation, the least face that is a success, and whether all could be written."""
    written: list[str] = []
    least: int | None = None
    for item in items:
        found = _MODIFIER.fullmatch(str(item).casefold())
        if found is None:
            return "", None, False
        what, which = found["what"], found["which"] or ""
        number = int(found["number"]) if found["number"] else None
        if what[0] in "kd":
            kept = _kept(what, number or 1, count)
            if which or kept is None:
                return "", None, False
            written.append(kept)
        elif what in ("r", "rr") and which in ("", "=", "<", "<="):
            again = (number or 1) - (which == "<")
            written.append(f"r{'' if what == 'rr' else 'o'}{'<=' if '<' in which else ''}{again}")
        elif what == "x" and which in ("", "=") and number in (None, sides):
            written.append("!")
        elif what == "cs" and (successes := _least(which, number, sides)):
            least = successes
            written.append(f">={least}")
        else:
            return "", None, False
    return "".join(written), least, True


def _least(which: str, number: int | None, sides: int) -> int:
    """Least face that is a success; 0 if the successes are not the highest faces."""
    if which in (">", ">="):
        return 0 if number is None else number + (which == ">")
    return sides if number in (None, sides) else 0


def _kept(what: str, number: int, count: int) -> str | None:
    """Modifier that says which dice are kept; empty if all are kept, None if none is."""
    lowest = what in ("kl", "dh")
    kept = number if what[0] == "k" else count - number
    return "" if kept >= count else f"k{'l' if lowest else 'h'}{kept}" if kept >= 1 else None


def _dice_within(value: object, depth: int = 0) -> Iterator[Term]:
    """Dice anywhere inside the terms of a roll, without their faces."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            yield from _dice_within(item, depth + 1)
    elif isinstance(value, dict):
        term = _die(value)
        if term is not None:
            yield term
        else:
            for item in value.values():
                yield from _dice_within(item, depth + 1)


_LINE: Final = re.compile(
    r"(?P<formula>[^=\n]{0,200}?\d*+d\d++[^=\n]{0,200}?) = (?P<sums>[^=\n]{1,400}?)"
    r" = (?P<total>-?\d{1,9}(?:\.\d{1,4})?)"
)
_WRITTEN: Final = re.compile(
    r"\s*(?P<sign>[-+]?)\s*(?:(?P<count>\d{0,3})d(?P<sides>\d{1,6})(?P<modifiers>(?:[a-z]{1,2}[<>=]{0,2}\d*)*)"
    r"|(?P<number>\d{1,6}(?:\.\d{1,4})?))(?:\[[^\]]*\])?\s*"
)


def throw_in(line: str) -> Throw | None:
    """Throw of a line `formula = sums = total` in Foundry's text log; None for a line of another shape.

    The log has a face only where a term is one die without modifiers; with any other dice the total is taken.
    """
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return None
    written = _split(found["formula"])
    sums = re.findall(r"\d+(?:\.\d+)?", found["sums"])
    if written is None:
        return told(line.strip())
    numbers = [float(part) for part in sums]
    fraction = sum(float(part["number"] or 0) % 1 for part in written if part["number"])
    terms: list[Term] = []
    for place, part in enumerate(written):
        sign = -1 if part["sign"] == "-" else 1
        if part["number"]:
            number = int(float(part["number"]))
            terms += [Term(number, 0, sign)] if number else []
            continue
        count, sides = int(part["count"] or 1), int(part["sides"])
        items = re.findall(r"[a-z]{1,2}[<>=]{0,2}\d*", part["modifiers"] or "")
        modifier, least, plain = _modifiers(items, count, sides)
        face = int(numbers[place]) if len(numbers) == len(written) else 0
        dice = (Die(face),) if count == 1 and not items and face else ()
        terms.append(Term(count, sides, sign, modifier, dice, plain, least))
    return thrown(line.strip(), terms, _whole(float(found["total"]), fraction))


def _split(formula: str) -> list[re.Match[str]] | None:
    """Terms of a formula; None if it is more than a sum."""
    parts: list[re.Match[str]] = []
    at = 0
    while at < len(formula):
        found = _WRITTEN.match(formula, at)
        if found is None or found.end() == at or (parts and not found["sign"]):
            return None
        parts.append(found)
        at = found.end()
    return parts
