"""Notation of the library d20, in which Avrae tells its rolls: `2d20kh1 (~~4~~, 17) + 5`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, calculated, in_retolds_order, thrown, told

_DICE: Final = re.compile(
    r"(?<!\d)(?P<count>\d{0,6})d(?P<sides>\d{1,6}|%)"
    r"(?P<operations>(?:[a-z]{1,2}[<>hl]?\d{1,9}|[<>]=?\d{1,9}){0,5})\s*"
    r"(?:\((?P<faces>[^()]*)\)|(?P<hidden>(?:\([^()]*)?(?:…|\.\.\.)))"
)
_LABEL: Final = re.compile(r"\[[^\[\]]*\]")
_OPERATION: Final = re.compile(
    r"(?P<what>rr|ro|ra|mi|ma|[kpe])(?P<which>[<>hl]?)(?P<number>\d+)|(?P<counted>[<>]=?\d+)"
)
_FACE: Final = re.compile(r"(?P<face>\d+)(?P<exploded>!?)")
_BEGINS: Final = re.compile(
    r"(?:[-+*/(]\s{0,9}){0,9}(?:\d{1,9}(?:\.\d{1,9})?\s{0,9}[-+*/]\s{0,9}){0,9}\d{0,6}d(?:\d{1,6}|%)"
)
_TOTAL: Final = re.compile(r"=\s{0,9}`(?P<total>-?\d{1,9})`")


def rolled(words: str, expression: str, total: int | None) -> Throw:
    """Throw of an expression with its faces in brackets, and the total beside it."""
    asked, terms = calculated(_LABEL.sub("", expression), _DICE, _dice)
    plain = _DICE.sub(lambda found: found[0][: found.end("operations") - found.start()] + " ", expression)
    return thrown(words, terms, total, asked=asked, formula=" ".join(plain.split())) if asked else told(words)


def rolls_in(text: str) -> Iterator[Throw]:
    """Throws of all rolls in a line whose totals stand in backquotes, as Avrae writes them."""
    for total in _TOTAL.finditer(text):
        begun = _BEGINS.search(text, text.rfind("`", 0, total.start()) + 1, total.start())
        if begun:
            words, expression = text[begun.start() : total.end()], text[begun.start() : total.start()]
            yield rolled(words, expression, int(total["total"]))


def _dice(found: re.Match[str]) -> Term:
    count = int(found["count"] or 1)
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    modifier, plain = _modifier(found["operations"], count, sides)
    faces = list(_faces(found["faces"] or "", is_rerolled="r" in modifier))
    if found["hidden"] or None in faces:
        return Term(count, sides, 1, modifier, plain=plain)
    first, lying = in_retolds_order([face for face in faces if face], is_rerolled="r" in modifier)
    return Term(count, sides, 1, modifier, lying if first == count else (), plain)


def _faces(text: str, *, is_rerolled: bool) -> Iterator[tuple[Die, bool] | None]:
    """Faces between the brackets, each with whether it exploded; None for one that is not shown.

    `1 -> 3` is a face that was thrown again, or that counts as another: the die shows the first of them.
    """
    for part in text.split(","):
        *before, last = part.replace("~~", "").replace("*", "").split("->")
        shown = [
            _FACE.fullmatch(one.strip())
            for one in ((*before, last) if is_rerolled else (before or [last])[:1])
        ]
        for place, found in enumerate(shown, start=1):
            if found is None or len(found["face"]) > 6:
                yield None
            else:
                kept = place == len(shown) if before else "~~" not in part
                yield Die(int(found["face"]), kept=kept), bool(found["exploded"])


def _modifier(operations: str, count: int, sides: int) -> tuple[str, bool]:
    """Operations in Retold's notation, and True if that notation can express every one."""
    written: list[str] = []
    for found in _OPERATION.finditer(operations):
        if found["counted"]:
            written.append(found["counted"])
            continue
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
        elif what in ("e", "ra") and which not in ("h", "l"):
            again = f"{which}{number}" if which or number != sides else ""
            written.append(f"!{'o' if what == 'ra' else ''}{again}")
        elif what in ("mi", "ma") and not which:
            written.append(f"{what}{number}")
        else:
            return "", False
    whole = "".join(found[0] for found in _OPERATION.finditer(operations)) == operations
    return ("".join(written), True) if whole else ("", False)
