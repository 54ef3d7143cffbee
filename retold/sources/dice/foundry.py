"""Rolls of Foundry VTT, as its database keeps them: terms with every face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from retold.sources.dice.throw import (
    FUDGE,
    Die,
    Term,
    Throw,
    alone,
    appended,
    calculated,
    keeping,
    thrown,
    told,
    without_functions,
)
from retold.sources.json_objects import json_value, objects_in

_MODIFIER: Final = re.compile(
    r"(?P<what>kh|kl|k|dh|dl|df|d|rr|r|xo|x|cs|min|max)(?P<which><=|>=|<|>|=)?(?P<number>\d{0,4})"
)
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
    terms: list[Term] = []
    try:
        items = roll.get("terms") or []
        asked = _expression(items, terms)
        whole = _whole(total, _fraction(items))
    except (TypeError, ValueError, AttributeError, KeyError, OverflowError):
        asked, whole = None, None
    if asked is None or whole is None:
        found = list(_dice_within(roll.get("terms"))) if asked is None else terms
        return alone(words, found, words, text=text)
    return thrown(words, terms, whole, text=text, asked=asked, formula=words)


def _expression(items: Sequence[Any], dice: list[Term], depth: int = 0) -> str | None:
    """Expression of terms in Retold's notation; None if it has no sign for one. Adds their dice to `dice`.

    Numbers behind the point are left out.
    """
    if depth > _DEEPEST:
        return None
    parts: list[str] = []
    for item in items:
        if isinstance(item, int | str):
            item = _old_term(item)  # noqa: PLW2901 - versions before 8 wrote numbers and signs bare
        part = _part(item, dice, depth)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def _part(item: Mapping[str, Any], dice: list[Term], depth: int) -> str | None:
    name = item.get("class")
    if name == "OperatorTerm":
        return str(item["operator"]) if item.get("operator") in ("+", "-", "*", "/") else None
    if name == "NumericTerm":
        return _number(item)
    if name in ("ParentheticalTerm", "PoolTerm", "FunctionTerm", "MathTerm"):
        return _grouped(item, dice, depth)
    die = _die(item)
    if die is None or not die.plain:
        return None
    dice.append(die)
    return die.notation


def _grouped(item: Mapping[str, Any], dice: list[Term], depth: int) -> str | None:
    """Brackets, pool or function."""
    if item["class"] == "PoolTerm":
        return _pool(item, dice, depth)
    if item["class"] == "ParentheticalTerm":
        roll = item.get("roll")
        inside = _expression(roll.get("terms") or [], dice, depth + 1) if isinstance(roll, dict) else None
        return None if inside is None else f"({inside})"
    pools = _pools(item, dice, depth)
    return None if pools is None else without_functions(f"{item.get('fn')}({','.join(pools)})") or None


def _pools(item: Mapping[str, Any], dice: list[Term], depth: int) -> list[str] | None:
    """Expressions of the rolls within a pool or a function; None if one cannot be written or is missing."""
    rolls = [roll.get("terms") for roll in objects_in(item, "rolls")]
    if not rolls or not all(isinstance(terms, list) for terms in rolls):
        return None
    found = [_expression(terms or [], dice, depth + 1) for terms in rolls]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) else None


def _pool(item: Mapping[str, Any], dice: list[Term], depth: int) -> str | None:
    """Pool in braces; single dice of one size with modifiers of their pool are dice with these modifiers."""
    modifiers = item.get("modifiers") or []
    if not modifiers:
        pools = _pools(item, dice, depth)
        return None if pools is None else f"({'+'.join(pools)})"
    rolls = [roll.get("terms") for roll in objects_in(item, "rolls")]
    only = [terms[0] for terms in rolls if terms and len(terms) == 1 and isinstance(terms[0], dict)]
    sides = {die.get("faces") for die in only if die.get("number") == 1 and not die.get("modifiers")}
    if len(only) == len(rolls) and len(sides) == 1 and all(die.get("number") == 1 for die in only):
        whole = {"class": "Die", "number": len(only), "faces": sides.pop(), "modifiers": modifiers}
        die = _die({**whole, "results": item.get("results")})
        if die is None or not die.plain:
            return None
        dice.append(die)
        return die.notation
    pools = _pools(item, dice, depth)
    kept, _, plain = _modifiers([str(one).casefold() for one in modifiers], len(rolls), 0)
    is_kept = re.fullmatch(r"k[hl]\d+", kept) is not None
    return f"{{{','.join(pools)}}}{kept}" if pools and plain and is_kept else None


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


def _number(item: Mapping[str, Any]) -> str | None:
    number = item.get("number")
    if not isinstance(number, int | float) or (number != int(number) and number < 0):
        return None
    return str(int(number))


def _die(item: Mapping[str, Any]) -> Term | None:
    """Dice of one size, of Foundry's class or a game system's (`D20Die`); None for any other term."""
    count, sides = item.get("number"), item.get("faces")
    if not isinstance(count, int) or not isinstance(sides, int) or isinstance(count, bool):
        return None
    if item.get("class") == "FateDie":
        sides = FUDGE
    elif not sides or item.get("class") == "Coin":
        return None
    results = objects_in(item, "results")
    given = item.get("modifiers") or []
    modifiers = [str(name).casefold() for name in (given if isinstance(given, list) else (given,))]
    is_limited = any(name.startswith("m") for name in modifiers)  # `min` and `max` mark faces as rerolled too
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
    again = [
        bool(result.get("exploded") or (result.get("rerolled") and not (is_limited and "count" in result)))
        for result in results
    ]
    ordered = appended(count, again)  # Foundry appends a face for each that it rerolls or explodes
    plain = plain and (ordered is not None)
    lying = tuple(dice[place] for place in ordered or range(len(dice)))
    return Term(count, sides, modifier=modifier, dice=lying, plain=plain, successes_from=least)


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
        if what[0] in "kd" and what != "df":
            kept = keeping(what, number or 1, count)
            if which or kept is None:
                return "", None, False
            written.append(kept)
            continue
        sign = _sign(what, which, number, sides)
        if not sign:
            return "", None, False
        written.append(sign)
        least = int(sign[2:]) if sign.startswith(">=") else least
    return "".join(written), least, True


def _sign(what: str, which: str, number: int | None, sides: int) -> str:
    """Modifier other than those that keep dice, in Retold's notation; empty if it has none."""
    if what in ("r", "rr"):
        return f"r{'' if what == 'rr' else 'o'}{which.removeprefix('=')}{number or 1}"
    if what in ("x", "xo"):
        sign = "!" if what == "x" else "!o"
        if which in ("", "="):
            return sign if number in (None, sides) else f"{sign}{number}"
        step = {">=": -1, "<=": 1}.get(which, 0)
        return f"{sign}{which[0]}{(sides if number is None else number) + step}"
    if number is not None and what in ("min", "max", "df"):
        return f"{'f' if what == 'df' else what[:2]}{which}{number}"
    if what == "cs" and which in ("<", "<=") and number is not None:
        return f"{which}{number}"
    least = _least(which, number, sides) if what == "cs" else 0
    return f">={least}" if least else ""


def _least(which: str, number: int | None, sides: int) -> int:
    """Least face that is a success; 0 if the successes are not the highest faces."""
    if which in (">", ">="):
        return 0 if number is None else number + (which == ">")
    return sides if number in (None, sides) else 0


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
    r"(?P<count>\d{0,3})d(?P<sides>\d{1,6})(?P<modifiers>(?:[a-z]{1,3}[<>=]{0,2}\d*)*)"
)
_PARTS: Final = re.compile(rf"{_WRITTEN.pattern}|(?P<number>\d{{1,6}}(?:\.\d{{1,4}})?)")
_FRACTION: Final = re.compile(r"(?<=\d)\.\d{1,4}")


def throw_in(line: str) -> Throw | None:
    """Throw of a line `formula = sums = total` in Foundry's text log; None for a line of another shape.

    The log has a face only where a term is one die without modifiers; with any other dice the total is taken.
    """
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return None
    formula, sums = found["formula"], re.findall(r"\d+(?:\.\d+)?", found["sums"])
    plain = re.sub(r"\[[^\]]*\]", "", formula)
    parts = [part for part in _PARTS.finditer(plain) if part["sides"] or part["number"]]
    numbers = iter(sums if len(sums) == len(parts) else ())
    faces = {part.start(): int(float(next(numbers, 0))) for part in parts}
    fraction = sum(float(part["number"] or 0) % 1 for part in parts)
    asked, terms = calculated(_FRACTION.sub("", plain), _WRITTEN, lambda part: _written(part, faces))
    line = line.strip()
    return (
        thrown(line, terms, _whole(float(found["total"]), fraction), asked=asked, formula=line)
        if asked
        else told(line)
    )


def _written(part: re.Match[str], faces: Mapping[int, int]) -> Term:
    """Dice of a formula, with the face of a die that is the only one of its term."""
    count, sides = int(part["count"] or 1), int(part["sides"])
    items = re.findall(r"[a-z]{1,3}[<>=]{0,2}\d*", part["modifiers"] or "")
    modifier, least, plain = _modifiers(items, count, sides)
    face = faces.get(part.start(), 0)
    dice = (Die(face),) if count == 1 and not items and face else ()
    return Term(count, sides, 1, modifier, dice, plain, least)
