"""The notation in which a verb's form is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from journal.language.classes import SAID
from journal.language.parts import Choice, Many, Maybe, Part, Series, Slot, Word

SIGN = re.compile(
    r"(?P<results>\[= results\])|(?P<may>\[: text\])|(?P<must>: text)|(?P<data>KEY=VALUE(?:…|\.\.\.))"
    r"|(?P<flag>--[a-z]+)|(?P<slot>[A-Z]+:[a-z_]+)|(?P<word>[a-z][a-z-]*(?::[a-z_]+)?)|(?P<name>:[a-z_]+)"
    r"|(?P<sign>[\[\]()|+*])"
)
MARKS: Final = frozenset({"results", "may", "must", "data", "flag"})


class Notation(NamedTuple):
    """What a notation says: the parts in order, their literal words, and the marks outside that order.

    `marks` are among `MARKS`, `flags` without their dashes.
    """

    part: Part
    words: frozenset[str]
    marks: frozenset[str]
    flags: frozenset[str]


def read_notation(notation: str) -> Notation:
    """The notation taken apart; ValueError if it is wrong."""
    signs = list(_signs(notation))
    reader = _Reader([sign for sign in signs if sign[0] not in MARKS])
    part = reader.choice()
    if reader.signs:
        raise ValueError(f"{reader.signs[0][1]} closes nothing in: {notation}")
    flags = frozenset(text.removeprefix("--") for kind, text in signs if kind == "flag")
    return Notation(part, reader.words, frozenset(kind for kind, _ in signs) & MARKS, flags)


def _signs(notation: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(notation):
        if notation[place] == " ":
            place += 1
            continue
        found = SIGN.match(notation, place)
        if not found or not found.lastgroup:
            raise ValueError(f"No form has {notation[place:]!r} in: {notation}")
        yield found.lastgroup, found.group()
        place = found.end()


class _Reader:
    """The signs of a notation, read from the left."""

    def __init__(self, signs: list[tuple[str, str]]) -> None:
        self.signs = signs
        self.words: frozenset[str] = frozenset()

    def choice(self) -> Part:
        parts = [self._series()]
        while self._took("|"):
            parts.append(self._series())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _series(self) -> Part:
        parts: list[Part] = []
        while self.signs and self.signs[0][1] not in {"|", "]", ")"}:
            parts.append(self._repeated(self._part()))
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def _repeated(self, part: Part) -> Part:
        if self._took("+"):
            return Many(part)
        return Maybe(Many(part)) if self._took("*") else part

    def _part(self) -> Part:
        kind, text = self.signs.pop(0)
        before, _, after = text.partition(":")
        if kind == "word":
            self.words |= {before}
            return Word(before, after)
        if kind == "slot" and before in SAID:
            return Slot(before, after)
        if text == "[":
            return Maybe(self._until("]"))
        if text == "(":
            return self._kept(self._until(")"))
        raise ValueError(f"A form has no {text!r}")

    def _until(self, close: str) -> Part:
        part = self.choice()
        if not self._took(close):
            raise ValueError(f"A {close} is missing")
        return part

    def _kept(self, part: Part) -> Part:
        """The part in brackets; the literal words it chooses among are kept in the slot named after it."""
        if not self.signs or self.signs[0][0] != "name":
            return part
        slot = self.signs.pop(0)[1].removeprefix(":")
        options = part.parts if isinstance(part, Choice) else (part,)
        words = [Word(word.text, slot) for word in options if isinstance(word, Word)]
        if len(words) < len(options):
            raise ValueError(f"Only literal words can be kept in {slot}")
        return Choice(tuple(words))

    def _took(self, text: str) -> bool:
        if self.signs and self.signs[0][1] == text:
            self.signs.pop(0)
            return True
        return False
