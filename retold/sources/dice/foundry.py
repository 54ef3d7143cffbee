"""Rolls of Foundry VTT, as its database keeps them: terms with every face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from retold.sources.dice.throw import Die, Term, Throw, thrown, told

_MODIFIER: Final = re.compile(
    r"(?P<what>kh|kl|k|dh|dl|d|rr|r|xo|x|cs)(?P<which><=|>=|<|>|=)?(?P<number>\d{0,4})"
)


def throw_of(roll: object, text: str = "") -> Throw | None:
    """Throw of a roll, which is an object or its JSON; None for anything else. `text` is what it was for."""
    if isinstance(roll, str):
        try:
            roll = msgspec.json.decode(roll)
        except (ValueError, RecursionError):
            return None
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
            if term.count and term.sides
        ]
    return thrown(words, terms, whole, text=text) if terms else told(words, text=text)


def _terms(items: Sequence[Any]) -> list[Term] | None:
    """Terms of a sum; None for products, pools, functions and brackets."""
    terms: list[Term] = []
    sign = 1
    for item in items:
        if isinstance(item, int | str):
            item = _old_term(item)  # noqa: PLW2901 - versions before 8 wrote numbers and signs bare
        name = item.get("class")
        if name == "OperatorTerm" and item.get("operator") in ("+", "-"):
            sign = -sign if item["operator"] == "-" else sign
            continue
        term = _number(item, sign) if name == "NumericTerm" else _die(item, sign) if name == "Die" else None
        if term is None:
            return None
        if term.sides or term.count:
            terms.append(term)
        sign = 1
    return terms


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


def _number(item: Mapping[str, Any], sign: int) -> Term | None:
    number = item.get("number")
    if not isinstance(number, int | float) or (number != int(number) and (number < 0 or sign < 0)):
        return None
    return Term(abs(int(number)), 0, -sign if number < 0 else sign)


def _die(item: Mapping[str, Any], sign: int = 1) -> Term | None:
    count, sides = item.get("number"), item.get("faces")
    if not isinstance(count, int) or not isinstance(sides, int) or isinstance(count, bool):
        return None
    modifier, least, plain = _modifiers(item.get("modifiers") or [], count, sides)
    results = [one for one in item.get("results") or [] if isinstance(one, dict)]
    faces = [one.get("result") for one in results]
    if not all(isinstance(face, int) for face in faces):
        return Term(count, sides, sign, modifier, plain=False)
    dice = [
        Die(
            face, kept=one.get("active") is not False and not one.get("discarded") and not one.get("rerolled")
        )
        for face, one in zip(faces, results, strict=True)
        if isinstance(face, int)
    ]
    brought = [place for place, one in enumerate(results) if one.get("rerolled") or one.get("exploded")]
    ordered = _die_by_die(count, len(dice), brought)
    plain = plain and (ordered is not None)
    return Term(count, sides, sign, modifier, tuple(dice[place] for place in ordered or ()), plain, least)


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
        elif what == "cs" and which in (">", ">=") and number is not None:
            least = number + (which == ">")
            written.append(f">={least}")
        else:
            return "", None, False
    return "".join(written), least, True


def _kept(what: str, number: int, count: int) -> str | None:
    lowest = what in ("kl", "dh")
    kept = number if what[0] == "k" else count - number
    return f"k{'l' if lowest else 'h'}{kept}" if 1 <= kept <= count else None


def _dice_within(value: object, depth: int = 0) -> Iterator[Term]:
    """Dice anywhere inside the terms of a roll, without their faces."""
    if depth > 8:
        return
    if isinstance(value, list):
        for one in value:
            yield from _dice_within(one, depth + 1)
    elif isinstance(value, dict):
        if value.get("class") == "Die":
            term = _die(value)
            if term is not None:
                yield term
        else:
            for one in value.values():
                yield from _dice_within(one, depth + 1)


_LINE: Final = re.compile(
    r"(?P<formula>[^=\n]{0,200}?\d*d\d+[^=\n]{0,200}?) = (?P<sums>[^=\n]{1,400}?)"
    r" = (?P<total>-?\d{1,9}(?:\.\d{1,4})?)"
)
_WRITTEN: Final = re.compile(
    r"\s*(?P<sign>[-+]?)\s*(?:(?P<count>\d{0,3})d(?P<sides>\d{1,6})(?P<modifiers>(?:[a-z]{1,2}[<>=]{0,2}\d*)*)"
    r"|(?P<number>\d{1,6}(?:\.\d{1,4})?))(?:\[[^\]]*\])?\s*"
)


def throw_in(line: str) -> Throw | None:
    """Throw of a line `formula = sums = total` of the text log; None for any other line.

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
