"""Rolls that the Discord bot Dice Maiden tells in one line or as a set."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, thrown, told

_REQUEST: Final = re.compile(r"Request: `\[(?P<request>[^\]`]*)\]`")
_ROLL: Final = re.compile(
    r"(?:Roll: )?`(?P<tally>\[[^`]*\])`[^`\n]*?(?:Rerolls: `\d+`)? ?Result: `(?P<total>-?\d{1,9})`"
)
_RESULT: Final = re.compile(r"(?<!s )Result: `(?P<total>-?\d{1,9})`")
_REASON: Final = re.compile(r"Reason: `(?P<reason>[^`]*)`")
_TERM: Final = re.compile(
    r"(?P<sign>[-+])?\s*(?:(?P<count>\d{0,6})d(?P<sides>\d{1,6}|%)(?P<options>(?:\s*(?:kl|ir|ie|k|d|r|e|t|f|b)\d+)*)"
    r"|(?P<number>\d{1,9}))\s*"
)
_OPTION: Final = re.compile(r"(?P<what>kl|ir|ie|[kdretfb])(?P<number>\d+)")


def asker(text: str) -> str:
    """Name in front of `Request:`, without the mention's sign; empty if missing."""
    found = _REQUEST.search(text)
    return text[: found.start()].strip().removeprefix("@") if found else ""


def throws(text: str) -> tuple[Throw, ...]:
    """Throws of one answer; one on the rung WORDS if it tells of a roll that cannot be read."""
    request = _REQUEST.search(text)
    if request is None:
        return ()
    reason = _REASON.search(text)
    what = reason["reason"].strip() if reason else ""
    asked = re.sub(r"^\d+ (?=\d*d\d)", "", request["request"].strip()).partition("!")[0].strip()
    found = [
        _throw(roll[0], asked, roll["tally"], int(roll["total"]))
        for roll in _ROLL.finditer(text, request.end())
    ]
    if not found:
        only = _RESULT.search(text, request.end())
        found = [_throw(text, asked, "", int(only["total"]))] if only else [told(text)]
    return tuple(replace(throw, text=what) for throw in found)


def _throw(words: str, asked: str, tally: str, total: int) -> Throw:
    groups = [group.split(",") for group in re.findall(r"\[([^\[\]]*)\]", tally)]
    terms = _terms(asked, groups)
    return thrown(words, terms, total) if terms else told(words)


def _terms(asked: str, groups: list[list[str]]) -> list[Term] | None:
    """Terms of the request, with faces taken from the tally; None for expressions other than sums."""
    terms: list[Term] = []
    at, left = 0, list(groups)
    while at < len(asked):
        found = _TERM.match(asked, at)
        if found is None or found.end() == at or (terms and not found["sign"]):
            return None
        at = found.end()
        sign = -1 if found["sign"] == "-" else 1
        if found["number"]:
            terms.append(Term(int(found["number"]), 0, sign))
        else:
            terms.append(_dice(found, sign, left.pop(0) if left else []))
    return terms or None


def _dice(found: re.Match[str], sign: int, group: list[str]) -> Term:
    """Dice of one term.

    The tally holds the last face of a rerolled die only, so the reroll itself is not written.
    """
    count = int(found["count"] or 1)
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    faces = [int(face) for face in group if re.fullmatch(r"\s*\d{1,9}\s*", face)]
    options = {one["what"]: int(one["number"]) for one in _OPTION.finditer(found["options"] or "")}
    kept, lowest = _kept(options, count)
    counted = sorted(range(len(faces)), key=lambda place: faces[place], reverse=not lowest)[:kept]
    plain = len(faces) == count and not {"f", "b", "e", "ie"} & options.keys()
    modifier = "" if kept == count else f"k{'l' if lowest else 'h'}{kept}"
    if "t" in options:
        modifier += f">={options['t']}"
    dice = tuple(Die(face, place in counted) for place, face in enumerate(faces))
    return Term(count, sides, sign, modifier, dice, plain, options.get("t"))


def _kept(options: dict[str, int], count: int) -> tuple[int, bool]:
    """Number of dice kept, and whether they are the lowest."""
    if "kl" in options:
        return min(max(options["kl"], 1), count), True
    if "k" in options:
        return min(max(options["k"], 1), count), False
    if "d" in options:
        return max(count - options["d"], 1), False
    return count, False
