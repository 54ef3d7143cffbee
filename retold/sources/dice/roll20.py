"""Rolls of Roll20: expressions with labels, faces in brackets or as JSON, and a total."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from retold.sources.dice.throw import (
    FUDGE,
    MOST_DICE,
    Die,
    Term,
    Throw,
    alone,
    appended,
    calculated,
    in_place,
    thrown,
)
from retold.sources.json_objects import is_number, objects_in

MOST_EXPRESSION: Final = 2_000
"""Longest expression that is parsed, in characters."""
MOST_DEPTH: Final = 12
"""Deepest brackets that are parsed."""
_DICE: Final = re.compile(
    r"(?P<count>\d{0,4})[dD](?P<sides>\d{1,6}|[fF])"
    r"(?P<operations>(?:(?:k[hl]?|d[hl]?|ro?[<>=]?|!{1,2}p?[<>=]?|c[sf][<>=]?|s[ad]?|mt?|f[<>=]?|[<>]=?)\d{0,5}){0,12})"
)
_OPERATION: Final = re.compile(
    r"(?P<what>k[hl]?|d[hl]?|ro?|!{1,2}p?|c[sf]|s[ad]?|mt?|f|(?=[<>]))(?P<which>[<>]?)=?(?P<number>\d{0,5})"
)
_ASKED: Final = re.compile(r"(?<![A-Za-z\d])(?P<count>\d{0,4})[dD](?P<sides>\d{1,6})(?!\w)")
_NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}")
_LABEL: Final = re.compile(r"(?:\s{0,20}\[[^\[\]]{0,200}\])+\s*|\s+")
_GROUP: Final = re.compile(r"\{(?P<members>[^{},]{1,12}(?:,[^{},]{1,12}){1,19})\}(?P<kept>k[hl]?\d{0,2})")
_FUNCTION: Final = re.compile(r"(floor|ceil|round|abs)\s{0,9}(?=\()")
_FUNCTIONS: Final[Mapping[str, Callable[[float], float]]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda number: math.floor(number + 0.5),
    "abs": abs,
}
_IMAGE: Final = re.compile(r"<img\b[^<>]{0,300}>")
_FACE: Final = re.compile(
    r'<span class="basicdiceroll(?P<classes>[^"<>]{0,80})">\s{0,9}(?P<face>[-+]|-?\d{1,6})\s{0,9}</span>|[()]'
)
_PLAIN_FACES: Final = re.compile(r"\(\s{0,9}(\d{1,6}(?:\s{0,9}[+,]\s{0,9}\d{1,6}){0,99})\s{0,9}\)")
_WITHIN_LABEL: Final = re.compile(r"-?\d{1,9}\s{0,9}\[(?P<expression>[^\[\]]{0,200})\]")
_TOTAL: Final = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


class Rolled(NamedTuple):
    """Face of one die, as Roll20 tells it."""

    face: int
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class _Dice:
    """Dice of an expression with their modifiers in Retold's notation."""

    count: int
    sides: int
    """0 for Fate dice."""
    modifier: str = ""
    rerolls: tuple[str, int] | None = None
    """Faces that are thrown again: `<`, `>` or empty for one face, and the number."""
    once: bool = False
    explodes: tuple[str, int] | None = None
    """Faces that bring another die, as `rerolls`."""
    keep: int | None = None
    lowest: bool = False
    least: int | None = None
    """Smallest face that is a success."""
    plain: bool = True


@dataclass(slots=True)
class _Sum:
    """Sum of signed dice terms and a plain number."""

    number: float = 0.0
    dice: list[tuple[int, _Dice]] = field(default_factory=list)

    def times(self, sign: int) -> _Sum:
        return _Sum(sign * self.number, [(sign * factor, dice) for factor, dice in self.dice])


class _NoSumError(Exception):
    """Raised for an expression that is not a plain sum of dice and numbers."""


# --- Rolls as a page and as JSON tell them ---


def of_title(title: str, shown: str) -> Throw | None:
    """Throw of an inline roll: its title, with the faces as HTML, and the result that is shown.

    None if no dice were rolled.
    """
    words = _IMAGE.sub("", title[: 4 * MOST_EXPRESSION]).strip()
    begun = words.removeprefix("Rolling ").removeprefix("Roll: ").removesuffix(" =")
    expression, _, sums = begun.partition("<br>Results: " if "<br>Results: " in begun else " = ")
    within = _WITHIN_LABEL.fullmatch(expression.strip())
    if within and _ASKED.search(within["expression"]):
        expression = within["expression"]
    groups = _groups(sums) or [
        [Rolled(int(face)) for face in re.findall(r"\d+", found[1])] for found in _PLAIN_FACES.finditer(sums)
    ]
    if not has_dice(expression):
        return None
    plain = re.sub(r"<[^<>]{0,200}>", "", words)
    return rolled(f"{plain} = {shown}".strip(), expression, groups, _number(shown))


def of_result(expression: str, result: object) -> Throw | None:
    """Throw of a result in JSON and its expression; None if no dice were rolled."""
    if not isinstance(result, dict):
        return None
    nodes = objects_in(result, "rolls")
    dice = list(_dice_nodes(nodes))
    if not dice:
        return None
    total = result.get("total")
    known = float(total) if is_number(total) else None
    flat = [node for node in nodes if node.get("type") == "R" and _is_dice(node)]
    asked = expression if has_dice(expression) else _expression_of(nodes)
    groups = [_faces_of(node) for node in flat] if len(flat) == len(dice) else []
    return rolled(f"{asked[:MOST_EXPRESSION]} = {total}", asked, groups, known)


def has_dice(expression: str) -> bool:
    """True if an expression names dice."""
    plain = re.sub(r"\[[^\[\]]{0,200}\]", "", expression[:MOST_EXPRESSION])
    return re.search(r"(?<![A-Za-z])\d{0,4}[dD](?:\d|[fF](?!\w))", plain) is not None


def split(formula: str) -> tuple[str, str]:
    """Expression at the beginning of a typed roll, and the words behind it."""
    text = formula.strip()
    reader = _Reader(text[:MOST_EXPRESSION])
    try:
        reader.sum()
    except (_NoSumError, OverflowError):
        return text, ""
    words = text[reader.place :].strip()
    return text[: reader.place].strip(), words.removeprefix("\\").strip()


def rolled(words: str, expression: str, groups: Sequence[Sequence[Rolled]], total: float | None) -> Throw:
    """Throw of an expression from the faces of each dice term, in order, and the total."""
    parsed = _parsed(expression)
    if parsed is None:
        return _calculated(words, expression, groups, total)
    whole = _whole(total, parsed.number - math.trunc(parsed.number))
    added = math.trunc(parsed.number)
    if not groups and whole is not None and len(parsed.dice) == 1:
        sign, dice = parsed.dice[0]  # of a single die some sheets give the total alone
        groups = [[Rolled(whole - added)]] if (sign, dice.count, dice.modifier) == (1, 1, "") else []
    fits = len(groups) == len(parsed.dice)
    terms = [
        _term(sign, dice, groups[place] if fits else ()) for place, (sign, dice) in enumerate(parsed.dice)
    ]
    if added:
        terms.append(Term(abs(added), 0, -1 if added < 0 else 1))
    return thrown(words, terms, whole)


def _calculated(
    words: str, expression: str, groups: Sequence[Sequence[Rolled]], total: float | None
) -> Throw:
    """Throw of an expression that is more than a sum, such as `(1d8+4)*2`."""
    plain = re.sub(r"\[[^\[\]]{0,200}\]", "", expression[:MOST_EXPRESSION])
    found = list(_DICE.finditer(plain))
    left = iter(groups if len(groups) == len(found) else ())
    asked, terms = calculated(plain, _DICE, lambda one: _term(1, _dice(one), next(left, ())))
    whole, formula = _whole(total, 0.0), " ".join(plain.split())
    if asked and whole is not None:
        return thrown(words, terms, whole, asked=asked, formula=f"{formula} = {whole}")
    return alone(words, terms, words)


# --- Expressions ---


def _parsed(expression: str) -> _Sum | None:
    text = expression.strip()
    if not text or len(text) > MOST_EXPRESSION:
        return None
    reader = _Reader(text)
    try:
        found = reader.sum()
    except (_NoSumError, OverflowError):
        return None
    return found if reader.place == len(text) and found.dice else None


class _Reader:
    """Parser of one expression; stops at the first text that cannot belong to a sum."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.place = 0
        self._depth = 0

    def sum(self) -> _Sum:
        """Returns the sum at the current place, and moves behind it."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _NoSumError
        found = self._product(self._signs())
        while self._next() in ("+", "-"):
            before = self.place
            try:
                more = self._product(self._signs())
            except _NoSumError:
                if self._depth > 1:
                    raise
                self.place = before
                break
            found = _Sum(found.number + more.number, found.dice + more.dice)
        self._depth -= 1
        return found

    def _signs(self) -> int:
        sign = 1
        while self._next() in ("+", "-"):
            sign = -sign if self._text[self.place] == "-" else sign
            self.place += 1
            self._skip()
        return sign

    def _product(self, sign: int) -> _Sum:
        found = self._factor()
        while self._next() in ("*", "/"):
            operator = self._text[self.place]
            self.place += 1
            self._skip()
            more = self._factor().times(self._signs())
            if found.dice or more.dice or (operator == "/" and not more.number):
                raise _NoSumError
            found = _Sum(found.number * more.number if operator == "*" else found.number / more.number)
        return found.times(sign)

    def _factor(self) -> _Sum:
        self._skip()
        function = _FUNCTION.match(self._text, self.place)
        if function:
            self.place = function.end()
            inner = self._bracket()
            if inner.dice:
                raise _NoSumError
            return _Sum(float(_FUNCTIONS[function[1]](inner.number)))
        if self._next() == "(":
            return self._bracket()
        if self._next() == "{":
            return self._group()
        dice, number = (shape.match(self._text, self.place) for shape in (_DICE, _NUMBER))
        if dice:
            self.place = dice.end()
            self._skip()
            return _Sum(0.0, [(1, _dice(dice))])
        if number:
            self.place = number.end()
            self._skip()
            return _Sum(float(number[0]))
        raise _NoSumError

    def _bracket(self) -> _Sum:
        self.place += 1
        self._skip()
        found = self.sum()
        if self._next() != ")":
            raise _NoSumError
        self.place += 1
        self._skip()
        return found

    def _group(self) -> _Sum:
        """Returns equal dice in braces of which one counts, as in `{1d20,1d20}kh1`."""
        found = _GROUP.match(self._text, self.place)
        if found is None:
            raise _NoSumError
        members = {member.strip().casefold() for member in found["members"].split(",")}
        die = _DICE.fullmatch(members.pop())
        if members or die is None or die["operations"] or int(die["count"] or 1) != 1:
            raise _NoSumError
        self.place = found.end()
        self._skip()
        count = found["members"].count(",") + 1
        whole = _DICE.fullmatch(f"{count}d{die['sides']}{found['kept']}")
        if whole is None:
            raise _NoSumError
        return _Sum(0.0, [(1, _dice(whole))])

    def _next(self) -> str:
        return self._text[self.place : self.place + 1]

    def _skip(self) -> None:
        """Moves behind blanks and labels."""
        while found := _LABEL.match(self._text, self.place):
            self.place = found.end()


def _dice(found: re.Match[str]) -> _Dice:
    """Dice with their modifiers; not plain if Retold's notation has no sign for one of them."""
    count = int(found["count"] or 1)
    sides = FUDGE if found["sides"] in "fF" else int(found["sides"])
    again, kept, counted, bursting, lost = "", "", "", "", ""
    rerolls: tuple[str, int] | None = None
    explodes: tuple[str, int] | None = None
    keep, lowest, least, plain, once = None, False, None, True, False
    for operation in _OPERATION.finditer(found["operations"]):
        what, which = operation["what"], operation["which"]
        number = int(operation["number"]) if operation["number"] else None
        if what in ("k", "kh", "kl", "d", "dh", "dl"):
            keep = (number or 1) if what[0] == "k" else count - (number or 1)
            lowest = what in ("kl", "dh")
            kept = f"k{'l' if lowest else 'h'}{keep}"
            plain = plain and 1 <= keep <= count
        elif what in ("r", "ro"):
            plain = plain and not rerolls
            rerolls, once = (which, 1 if number is None else number), what == "ro"
            again = f"r{'o' if once else ''}{which and which + '='}{rerolls[1]}"
        elif what == "!":
            explodes = (which, sides if number is None else number)
            step = {"<": 1, ">": -1}.get(which, 0)
            bursting = "!" if explodes[1] == sides and which != "<" else f"!{which}{explodes[1] + step}"
        elif what == "" and which == ">" and number is not None and least is None:
            least, counted = number, f">={number}"
        elif what == "" and which == "<" and number is not None and not counted:
            counted = f"<={number}"
        elif what == "f" and number is not None:
            lost = f"f{which and which + '='}{number}"
        elif what in ("cs", "cf", "s", "sa", "sd", "m"):
            continue
        else:
            plain = False
    plain = plain and not (rerolls and (keep is not None or explodes))
    modifier = f"{again}{bursting}{'' if keep == count else kept}{counted}{lost}"
    return _Dice(count, sides, modifier, rerolls, once, explodes, keep, lowest, least, plain)


# --- Faces ---


def _term(sign: int, dice: _Dice, faces: Sequence[Rolled]) -> Term:
    """Dice with their faces in Retold's order."""
    bare = Term(dice.count, dice.sides, sign, dice.modifier, (), plain=dice.plain)
    if not faces or len(faces) > MOST_DICE:
        return bare
    if not dice.plain:
        return replace(bare, dice=tuple(Die(die.face) for die in faces))
    again = _thrown_again(dice, faces)
    chains = in_place(again)
    order = appended(dice.count, again)
    if len(chains) == dice.count and not again[-1]:
        order = [chain[0] for chain in chains] + [place for chain in chains for place in chain[1:]]
    if order is None:
        return replace(bare, dice=tuple(Die(die.face) for die in faces), plain=False)
    dropped = (
        {place for place, is_again in enumerate(again) if is_again} if dice.rerolls else _dropped(dice, faces)
    )
    lying = tuple(Die(faces[place].face, place not in dropped) for place in order)
    return Term(dice.count, dice.sides, sign, dice.modifier, lying, True, dice.least)


def _thrown_again(dice: _Dice, faces: Sequence[Rolled]) -> list[bool]:
    """Flags, one for each face: True if the die exploded or was rerolled, so that another die follows."""
    if dice.explodes:
        return [_has(dice.explodes, die.face) for die in faces]
    if dice.rerolls is None:
        return [False] * len(faces)
    marked = any(die.dropped for die in faces)
    again: list[bool] = []
    for die in faces:
        fits = _has(dice.rerolls, die.face)
        again.append(die.dropped if marked else fits and not (dice.once and bool(again) and again[-1]))
    return again


def _has(faces: tuple[str, int], face: int) -> bool:
    which, number = faces
    return face <= number if which == "<" else face >= number if which else face == number


def _dropped(dice: _Dice, faces: Sequence[Rolled]) -> set[int]:
    """Places of dice that do not count."""
    if dice.keep is None or dice.keep >= len(faces):
        return set()
    marked = {place for place, rolled in enumerate(faces) if rolled.dropped}
    if len(marked) == len(faces) - dice.keep:
        return marked
    best = sorted(range(len(faces)), key=lambda place: faces[place].face, reverse=not dice.lowest)
    return set(best[dice.keep :])


def _groups(sums: str) -> list[list[Rolled]]:
    """Faces of each pair of brackets that holds dice."""
    groups: list[list[Rolled]] = []
    current: list[Rolled] = []
    for found in _FACE.finditer(sums):
        if found["face"]:
            current.append(Rolled(_face(found["face"]), "dropped" in found["classes"]))
        elif current:
            groups.append(current)
            current = []
    return [*groups, current] if current else groups


def _face(text: str) -> int:
    return int(f"{text}1" if text in ("+", "-") else text)


def face_of(text: str) -> int | None:
    """Number on a die of a saved page; None if the text shows no face."""
    text = text.strip()
    return _face(text) if re.fullmatch(r"[-+]|-?\d{1,6}", text) else None


# --- Nodes of JSON ---


def _is_dice(node: Mapping[str, Any]) -> bool:
    return bool(node.get("sides")) and not node.get("table") and isinstance(node.get("results"), list)


def _dice_nodes(value: object, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yields the dice of a result, at any depth, those of groups included."""
    if depth > MOST_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _dice_nodes(item, depth + 1)
    elif isinstance(value, dict):
        if value.get("type") == "R":
            if _is_dice(value):
                yield value
        elif value.get("type") == "G":
            yield from _dice_nodes(value.get("rolls"), depth + 1)


def _faces_of(node: Mapping[str, Any]) -> list[Rolled]:
    results = objects_in(node, "results")
    faces = [
        Rolled(result["v"], result.get("d") is True)
        for result in results
        if isinstance(result.get("v"), int) and not isinstance(result["v"], bool)
    ]
    return faces if len(faces) == len(results) else []


def _expression_of(nodes: Sequence[Mapping[str, Any]]) -> str:
    """Expression made from a result without one."""
    parts = []
    for node in nodes:
        if node.get("type") == "R" and _is_dice(node):
            is_fate = bool(node.get("fate"))
            mods = node.get("mods")
            parts.append(f"{node.get('dice')}d{'F' if is_fate else node.get('sides')}{'mt' if mods else ''}")
        elif node.get("type") == "M":
            parts.append(str(node.get("expr")))
    return "".join(parts)


def _number(shown: str) -> float | None:
    text = shown.replace("\u2212", "-").strip()
    return float(text) if _TOTAL.fullmatch(text) else None


def number_of(shown: str) -> float | None:
    """Total shown on a page, such as `8` or `3 Successes`; None if the first word is not a number."""
    return _number(shown.strip().partition(" ")[0])


def _whole(total: float | None, fraction: float) -> int | None:
    """Total as a whole number, without the fraction that breaks ties; None if no whole number is left."""
    if total is None or not math.isfinite(total):
        return None
    rest = total - fraction
    return round(rest) if abs(rest - round(rest)) < 1e-6 else None
