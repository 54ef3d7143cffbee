"""Rolls that the Discord bot Dice Maiden tells in one line or as a set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, appended, calculated, keeping, thrown, told

_REQUEST: Final = re.compile(r"Request: `\[(?P<request>[^\]`]*)\]`")
_ROLL: Final = re.compile(
    r"(?:Roll: )?`(?P<tally>\[[^`]*\])`[^`\n]*?(?:Rerolls: `\d+`)? ?Result: `(?P<total>-?\d{1,9})`"
)
_RESULT: Final = re.compile(r"(?<!s )Result: `(?P<total>-?\d{1,9})`")
_REASON: Final = re.compile(r"Reason: `(?P<reason>[^`]*)`")
_ANSWER: Final = re.compile(r"(?:\A|\s)(?:Request|Rolls?|Result|Results Total):\s")
_DICE: Final = re.compile(
    r"(?P<count>\d{0,6})d(?P<sides>\d{1,6}|%)(?P<options>(?:\s*(?:kl|ir|ie|k|d|r|e|t|f|b)\d+)*)"
)
_OPTION: Final = re.compile(r"(?P<what>kl|ir|ie|[kdretfb])(?P<number>\d+)")
_SETS_AND_FLAGS: Final = re.compile(r"\A(?:(?:s|ul|nr|p|\d{1,2})\s+)+(?=\(*\d*d\d)")
"""In front of the dice: simple, unsorted, no results, private, and the number of sets."""
_ALIASES: Final = tuple(
    (re.compile(rf"(?:{shape})(?![\w%])", re.IGNORECASE), dice)
    for shape, dice in (
        (r"dndstats", "6 4d6 k3"),
        (r"(?:attack|skill|save)", "1d20"),
        (r"\+d20", "2d20 d1"),
        (r"-d20", "2d20 kl1"),
        (r"(\d{1,2})cod", r"\1d10 t8 ie10"),
        (r"(\d{1,2})cod([89])", r"\1d10 t8 ie\2"),
        (r"(\d{1,2})wod(\d{1,2})", r"\1d10 f1 t\2"),
        (r"sp(\d{1,2})", r"\1d10 t8 ie10"),
        (r"sr(\d{1,2})", r"\1d6 t5"),
        (r"yz(\d{1,2})", r"\1d6 t6"),
        (r"snm(\d{1,2})", r"\1d6 ie6 t4"),
        (r"age", "2d6 + 1d6"),
    )
)
"""Names that the bot has for the dice of games."""


def throws(text: str, asked: str = "") -> tuple[Throw, ...]:
    """Throws of one answer; one on the rung WORDS if it tells of a roll that cannot be read.

    Answers of 2018 to 2022 do not repeat the request: `asked` is the command's, such as `3d6 e6 ! luck`.
    """
    request = _REQUEST.search(text)
    begins = request or _ANSWER.search(text)
    if begins is None or "`" not in text:
        return ()
    if request:
        asked = request["request"]
    reason = _REASON.search(text)
    asked, _, comment = asked.partition("!")
    what = reason["reason"] if reason else comment
    asked = _SETS_AND_FLAGS.sub("", _without_alias(asked.strip()))
    start = request.end() if request else begins.start()
    found = [
        _throw(roll[0], asked, roll["tally"], int(roll["total"])) for roll in _ROLL.finditer(text, start)
    ]
    if not found:
        only = _RESULT.search(text, start)
        found = [_throw(text, asked, "", int(only["total"]))] if only else [told(text)]
    return tuple(replace(throw, text=what.strip()) for throw in found)


def _without_alias(asked: str) -> str:
    """Request with its dice in place of the name of a game's."""
    for shape, dice in _ALIASES:
        if begun := shape.match(asked):
            return begun.expand(dice) + asked[begun.end() :]
    return asked


def _throw(words: str, asked: str, tally: str, total: int) -> Throw:
    groups = [_faces(group) for group in re.findall(r"\[([^\[\]]*)\]", tally)]
    left = iter(groups)
    expression, terms = calculated(asked, _DICE, lambda found: _dice(found, left))
    formula = " ".join(asked.split())
    if not expression:
        return told(" ".join(filter(None, (formula, words))))
    return thrown(words, terms, total, asked=expression, formula=f"{formula} = {total}")


def _faces(group: str) -> list[int]:
    return [int(face) for face in group.split(",") if re.fullmatch(r"\s*\d{1,9}\s*", face)]


def _dice(found: re.Match[str], groups: Iterator[list[int]]) -> Term:
    """Dice of one term, with the faces of its groups.

    The tally holds the last face of a rerolled die only, so the reroll itself is not written.
    """
    count = int(found["count"] or 1)
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    options = {one["what"]: int(one["number"]) for one in _OPTION.finditer(found["options"] or "")}
    once, bursts = "e" in options, options.get("e", options.get("ie"))
    waves = [next(groups, [])]
    while bursts and (more := sum(face >= bursts for face in waves[-1])) and not (once and waves[1:]):
        wave = next(groups, [])
        if len(wave) != more:
            return Term(count, sides, plain=False)
        waves.append(wave)
    modifier = (
        "" if bursts is None else ("!o" if once else "!") + ("" if bursts == sides else f">{bursts - 1}")
    )
    which = next((key for key in ("kl", "k", "d") if key in options), "")
    number = min(options[which], count - 1) if which == "d" else max(options.get(which, 1), 1)
    modifier += (keeping(which, number, count) or "") if which else ""
    modifier += f">={options['t']}" if "t" in options else ""
    lost = options.get("f", options.get("b"))
    modifier += "" if lost is None else f"f<={lost}" if lost > 1 else "f1"
    first, faces = len(waves[0]), [face for wave in waves for face in wave]
    again = [
        bool(bursts and face >= bursts and not (once and place >= first)) for place, face in enumerate(faces)
    ]
    order = appended(first, again) or range(len(faces))
    return Term(count, sides, 1, modifier, tuple(Die(faces[place]) for place in order))
