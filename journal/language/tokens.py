"""What a line is made of: tokens with their quotes, and the refusal of one that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from journal.refused import Refused

CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")


class Unreadable(Refused):
    """A line that cannot be read in exactly one way.

    `sentence` says why and what to write instead; `column` counts from 1 in the line, `row` counts the lines
    of one command from 1, where its continuation lines are the others.
    """

    def __init__(self, sentence: str, column: int, row: int = 1) -> None:
        super().__init__(sentence)
        self.column = column
        self.row = row


class Segment(NamedTuple):
    """A piece of a token that is quoted throughout or not at all; `text` is without its quotes."""

    text: str
    quoted: bool


class Token(Struct, frozen=True, eq=False):
    """One word of a line; tokens are equal wherever they stand. `column` counts from 1."""

    segments: tuple[Segment, ...]
    column: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self.segments == other.segments

    def __hash__(self) -> int:
        return hash(self.segments)

    @property
    def text(self) -> str:
        """What was written, without quotes."""
        return "".join(segment.text for segment in self.segments)

    @property
    def bare(self) -> bool:
        """True if no part of it is quoted."""
        return not any(segment.quoted for segment in self.segments)

    @property
    def quoted(self) -> bool:
        """True if all of it is quoted; a token may be neither bare nor quoted."""
        return bool(self.segments) and all(segment.quoted for segment in self.segments)

    @property
    def assign(self) -> Assign | None:
        """The token as `key=value`, `key+=value` or `key-=value`; None if it has not that shape."""
        for place, (text, quoted) in enumerate(self.segments):
            before, equals, after = text.partition("=")
            if quoted or not equals:
                continue
            op = before[-1:] + "=" if before.endswith(("+", "-")) else "="
            key = self._part((*self.segments[:place], Segment(before[: len(before) + 1 - len(op)], False)))
            value = self._part((Segment(after, False), *self.segments[place + 1 :]))
            return Assign(key, op, value) if key.text else None
        return None

    def split(self, joiners: str) -> tuple[Token, ...]:
        """The tokens between the unquoted characters among `joiners`; itself alone where there is none."""
        parts: list[list[Segment]] = [[]]
        for text, quoted in self.segments:
            first, *others = [text] if quoted else re.split(f"[{re.escape(joiners)}]", text)
            parts[-1].append(Segment(first, quoted))
            parts.extend([Segment(other, False)] for other in others)
        return tuple(self._part(part) for part in parts)

    def _part(self, segments: Iterable[Segment]) -> Token:
        return Token(tuple(part for part in segments if part.text or part.quoted), self.column)


class Assign(NamedTuple):
    """A piece of the game's data: `op` is one of `=`, `+=`, `-=`."""

    key: Token
    op: str
    value: Token


def refuse_control(line: str, column: int = 1, but: str = "") -> None:
    """Raises Unreadable at the first control character or lone surrogate; a tab and those in `but` may be."""
    for found in CONTROL.finditer(line):
        if found.group() not in but:
            code = f"U+{ord(found.group()):04X}"
            raise Unreadable(
                f"A control character ({code}) stands here: take it out.", column + found.start()
            )
