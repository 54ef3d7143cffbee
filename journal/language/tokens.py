"""Tokens of a typed line with their quotes and classes (NAME, DICE …), and the syntax error `Unreadable`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from retold.journal.decks.expressions import is_throw
from retold.journal.refused import Refused

FLAG_START: Final = re.compile(r"--[^\W\d_]")

ORIGINS: Final = {"=": None, "=dealt": "dealt", "=later": "reconstructed"}
"""Signs that begin results, with the `--provenance` they mean; None is the verb's default."""

CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")


class Unreadable(Refused):
    """Syntax error: a typed line that cannot be parsed, or in more than one way.

    `sentence` says why and what to write instead. `column` counts from 1 in the line; `row` is 1 for the line
    itself, 2 and more for its indented text lines.
    """

    def __init__(self, sentence: str, column: int, row: int = 1) -> None:
        super().__init__(sentence)
        self.column = column
        self.row = row


class Segment(NamedTuple):
    """Part of a token, entirely quoted or entirely unquoted; `text` excludes the quotes."""

    text: str
    quoted: bool


class Token(Struct, frozen=True, eq=False):
    """Word of a typed line; tokens are equal if their segments are, wherever they stand.

    `column` is the number of its first character, from 1.
    """

    segments: tuple[Segment, ...]
    column: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self.segments == other.segments

    def __hash__(self) -> int:
        return hash(self.segments)

    @property
    def text(self) -> str:
        """Text of the token without quotes."""
        if len(self.segments) == 1:  # as of nearly all, which are asked again and again
            return self.segments[0].text
        return "".join(segment.text for segment in self.segments)

    @property
    def bare(self) -> bool:
        """True if no part of the token is quoted."""
        if len(self.segments) == 1:
            return not self.segments[0].quoted
        return not any(segment.quoted for segment in self.segments)

    @property
    def quoted(self) -> bool:
        """True if the whole token is quoted.

        A token quoted in part (`Zel."melee skill"`) is neither bare nor quoted.
        """
        return bool(self.segments) and all(segment.quoted for segment in self.segments)

    @property
    def assign(self) -> Assign | None:
        """Key, operator and value of a `key=value` token (operators `=`, `+=`, `-=`).

        None for other tokens.
        """
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
        """Splits the token at each unquoted character of `joiners`: `Ann+Bob` at `+` gives `Ann` and `Bob`.

        Returns the token alone if it has none.
        """
        parts: list[list[Segment]] = [[]]
        for text, quoted in self.segments:
            first, *others = [text] if quoted else re.split(f"[{re.escape(joiners)}]", text)
            parts[-1].append(Segment(first, quoted))
            parts.extend([Segment(other, False)] for other in others)
        return tuple(self._part(part) for part in parts)

    def _part(self, segments: Iterable[Segment]) -> Token:
        return Token(tuple(part for part in segments if part.text or part.quoted), self.column)


class Assign(NamedTuple):
    """Assignment typed on a line, such as `hp=3` or `hp-=2`: key, operator and value."""

    key: Token
    op: str
    value: Token


def refuse_control_characters(line: str, column: int = 1, but: str = "") -> None:
    """Raises Unreadable at the first control character or lone surrogate, except tabs and those in `but`."""
    for found in CONTROL.finditer(line):
        if found.group() not in but:
            code = f"U+{ord(found.group()):04X}"
            raise Unreadable(
                f"A control character ({code}) stands here: take it out.", column + found.start()
            )


KEYWORDS: Final = frozenset({"vs", "with", "to", "as", "none", "all", "not"})
"""Words that are never bare names."""

JOINERS: Final = "+,"
_BEGINS_DICE: Final = re.compile(
    r"(?:(?:max|min)(?=\())?[-+({]*(?:(?P<count>\d+(?:[dDwW\uff44\uff24\uff57\uff37][\d%]|[xX#]\d*[dD]\d|[dD][xX]?$)"
    r"(?!.*(?:\.|(?<![<>])=)))|\d|[dD\uff44\uff24](?:\d|%|[fF](?![^\W\d_])))"
)
NOT_IN_A_NAME: Final = frozenset("+,=:")

_SUM = r"[0-9]+(?:\+[0-9]+)*"
INT: Final = r"[+-]?[0-9]+"
PASS: Final = r"[0-9]+|[^\s,:]+:[0-9]+(?:,[^\s,:]+:[0-9]+)*"  # noqa: S105 -- the shape of a way over a border
MOMENT: Final = r"#?[0-9]+|s[0-9]+(?::[0-9]+)?|~[0-9]+"
GLUED: Final = r":(?=[^\W\d_])"
BACK: Final = r"(?:-?[0-9]+)?"


def is_name(token: Token, words: Collection[str] = KEYWORDS) -> bool:
    """True if the token is one name: a non-empty quoted word, or an unquoted word that may be a name.

    An unquoted name holds a letter and none of `+ , = :`, and is neither dice nor one of `words`.
    """
    text = token.text
    if token.quoted:
        return text != ""
    if not token.bare or text in words or not NOT_IN_A_NAME.isdisjoint(text):
        return False
    return any(letter.isalpha() for letter in text) and not _is_dice(text)


def split_names(token: Token, words: Collection[str] = KEYWORDS) -> tuple[Token, ...]:
    """Returns the names joined in a token by unquoted `+` or `,`; empty if any part is not a name."""
    parts = token.split(JOINERS)
    return parts if all(is_name(part, words) for part in parts) else ()


def split_moments(token: Token, words: Collection[str] = KEYWORDS) -> tuple[Token, ...]:
    """Returns the moments joined in a token by unquoted `+` or `,`; empty if any part is not a moment."""
    parts = token.split(JOINERS)
    return parts if all(is_moment(part, words) for part in parts) else ()


def is_place(token: Token, words: Collection[str] = KEYWORDS) -> bool:
    """True for a place's name, alone or with the way to cross into it after a colon: `Cell:break`."""
    parts = token.split(":")
    return len(parts) <= 2 and all(is_name(part, words) for part in parts)  # noqa: PLR2004 -- place and way


def is_moment(token: Token, words: Collection[str] = KEYWORDS) -> bool:
    """True for a moment's name: `412`, `#412`, `s3`, `s3:42`, `~3`, `@`, `@-3`, a mark, or `branch@412`.

    After `branch@` a mark or a session may stand too.
    """
    name, *back = token.split("@")
    if not back:
        return is_name(token, words) or _looks(MOMENT, token)
    if len(back) != 1:
        return False
    if not name.segments:
        return _looks(BACK, back[0])
    there = _looks(BACK, back[0]) or _looks(MOMENT, back[0]) or is_name(back[0], words)
    return is_name(name, words) and there


def is_any(token: Token, words: Collection[str] = KEYWORDS) -> bool:
    """True for any token except the empty unquoted token."""
    return bool(token.segments)


def is_dice(token: Token) -> bool:
    """True for a dice expression, including success counts with `=` such as `8d10>=7`."""
    return token.bare and _is_dice(token.text)


def _is_dice(text: str) -> bool:
    """True for a dice expression that begins with a die or a number, not with a name.

    Also true for text that begins with a number of dice, such as `3d6!p`, whose mistake the parser names.
    """
    begins = _BEGINS_DICE.match(text)
    return begins is not None and (begins["count"] is not None or is_throw(text))


def has_glued_colon(token: Token) -> bool:
    """True if a letter follows an unquoted colon without a blank, as in `Zel:The`."""
    return any(re.search(GLUED, text) for text, quoted in token.segments if not quoted)


def _looks(pattern: str, token: Token) -> bool:
    return token.bare and re.fullmatch(pattern, token.text) is not None


def _shaped(pattern: str) -> Callable[[Token, Collection[str]], bool]:
    return lambda token, _: _looks(pattern, token)


SIGNED: Final = "SIGNED"
"""Class of a signed number, such as +2."""

SUM: Final = "SUM"
"""Class of dice values put forward, joined with + or separated by blanks."""

CLASSES: Final[Mapping[str, Callable[[Token, Collection[str]], bool]]] = {
    "NAME": is_name,
    "PLACE": is_place,
    "INT": _shaped(INT),
    SIGNED: _shaped(rf"[+-]{INT.removeprefix('[+-]?')}"),
    SUM: _shaped(_SUM),
    "DICE": lambda token, _: is_dice(token),
    "PASS": _shaped(PASS),
    "MOMENT": is_moment,
    "ANY": is_any,
}
"""Tests by token class, called with a token and the words that cannot be bare names."""

PEOPLE: Final = "PEOPLE"
"""Class of a name, or of several joined; two separate words are probably a single name."""

MOMENTS: Final = "MOMENTS"
"""Class of a moment, or of several joined."""

JOINED: Final = frozenset({"NAMES", "TRAITS", "GROUP", PEOPLE, MOMENTS})
"""Classes of a token that joins several names."""

GROUP: Final = "GROUP"
"""Class of two or more joined names, so that no token is both GROUP and NAME."""

PHRASE: Final = "PHRASE"
"""Class that takes every remaining token."""

CLASS_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "NAME": "a name",
    "PLACE": "a place",
    "NAMES": "a name, or several joined with +",
    "GROUP": "several names joined with +",
    PEOPLE: "a name, or several joined with +",
    "TRAITS": "a trait, or several joined with +",
    "INT": "a whole number",
    SIGNED: "a number with its sign such as +2",
    SUM: "dice such as 6 or 4+3",
    "DICE": "dice such as 2d6+1",
    "PASS": "a border such as 3 or open:1,break:4",
    "MOMENT": "a moment such as 412, s3 or a mark",
    MOMENTS: "a moment such as 412, s3 or a mark, or several joined with +",
    "ANY": "a word",
    "PHRASE": "words",
}
"""Token classes in words for players."""
