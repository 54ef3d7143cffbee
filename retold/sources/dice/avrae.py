"""Rolls that the Discord bot Avrae tells, in messages and in embeds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from retold.sources.dice import d20
from retold.sources.dice.throw import Throw, told, with_words

_RESULT: Final = re.compile(
    r"\*\*(?P<what>[^*\n]+)\*\*: (?P<roll>[^\n]*)\n\*\*Total\*\*: (?P<total>-?\d{1,9})"
)
_LABELLED: Final = re.compile(r"^\*\*(?P<what>[^*\n]{1,80}?):?\*\*:? ", re.MULTILINE)
_AGAINST: Final = re.compile(r"\b(?P<which>AC|DC) (?P<number>\d{1,4})\b")
_VERDICT: Final = re.compile(r"\b(?:Success|Failure|Hit|Miss|CRITICAL|Critical Hit)!")


def throws(text: str, title: str = "", footer: str = "") -> tuple[Throw, ...]:
    """Throws of one answer: its words, or the title, description, fields and footer of an embed.

    A line that tells of a roll and cannot be read becomes a throw on the rung WORDS.
    """
    found = [_of_result(one) for one in _RESULT.finditer(text)]
    if not found:
        for line in text.split("\n"):
            more = _of_line(line)
            if not more and found and not found[-1].verdict:
                found[-1] = replace(found[-1], verdict=verdict_in(line))
            found += more
    against = _AGAINST.search(f"{title}\n{text}")
    verdict = _VERDICT.search(footer or text) if len(found) == 1 else None
    return tuple(
        with_words(
            throw,
            text=" ".join(filter(None, (title, throw.text))) if title else throw.text,
            against=throw.against or (against[0] if against and against["which"] == "DC" else ""),
            verdict=throw.verdict or (verdict[0] if verdict else ""),
        )
        for throw in found
    )


def verdict_in(text: str) -> str:
    """What the bot found of a throw, such as `Hit!`; empty if the text says nothing of it."""
    found = _VERDICT.search(text)
    return found[0] if found else ""


def _of_result(found: re.Match[str]) -> Throw:
    throw = d20.rolled(found[0], found["roll"], int(found["total"]))
    return replace(throw, text="" if found["what"] == "Result" else found["what"].strip())


def _of_line(line: str) -> list[Throw]:
    labelled = _LABELLED.match(line)
    what = labelled["what"] if labelled else ""
    against = _AGAINST.search(what)
    rolls = list(d20.rolls_in(line))
    if not rolls and re.search(r"\dd\d[^\n]{0,2000}= `", line):
        rolls = [told(line)]
    verdict = _VERDICT.search(line)
    return [
        with_words(
            throw,
            text=re.sub(r" \((?:AC|DC) \d+\)", "", what),
            against=against[0] if against else "",
            verdict=verdict[0] if verdict else "",
        )
        for throw in rolls
    ]
