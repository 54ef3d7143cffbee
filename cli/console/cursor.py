"""Where the cursor stands on a half-typed line, and what the verb's form wants there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from journal.language.classes import PHRASE
from journal.language.flags import takes_value
from journal.language.forms import Form
from journal.language.lexing import ORIGINS, Lexed, lex
from journal.language.parts import Attempt, Capture, Choice, Many, Maybe, Part, Series, Slot, Way, Word
from journal.language.tokens import Token, Unreadable

WORDS = re.compile(r'(?:"(?:[^"]|"")*(?:"|\Z)|“[^”]*(?:”|\Z)|[^\s"“])+')
QUOTED = re.compile(r'"(?:[^"]|"")*"|“[^”]*”')
MOST_WORDS = 60
"""Longer heads are not followed through their form: nobody completes the sixty-first word."""


class Cursor(Struct, frozen=True):
    """The whole words of a head before the cursor, as typed, and the `fragment` of a word it stands in."""

    words: tuple[str, ...]
    fragment: str
    results: tuple[str, ...] | None = None
    """The results typed so far; None before any `=`."""
    typed: str = ""
    """The whole of it, as it stands."""

    @property
    def verb(self) -> str:
        """The verb; nothing while it is still being typed."""
        return self.words[0] if self.words else ""

    @property
    def flag(self) -> str | None:
        """The flag whose value is wanted at the cursor."""
        last = self.words[-1] if self.words else ""
        name = last.removeprefix("--")
        return name if last != name and takes_value(name) and self.results is None else None

    def head(self) -> Lexed | None:
        """The words before the cursor taken apart; None where they cannot be."""
        words = self.words[:-1] if self.flag else self.words
        try:
            return lex(" ".join(words))
        except Unreadable:
            return None


def look(typed: str) -> Cursor | None:
    """The cursor at the end of `typed`; None inside a text or a comment, where nothing is known better."""
    words: list[str] = []
    fragment = ""
    for found in WORDS.finditer(typed):
        at_end = found.end() == len(typed)
        if _begins_text(found.group()) or (found.group() == "#" and not at_end) or typed.startswith("#"):
            return None
        if at_end:
            fragment = found.group()
        else:
            words.append(found.group())
    begin = next((place for place, word in enumerate(words) if word in ORIGINS), None)
    if begin is None:
        return Cursor(tuple(words), fragment, typed=typed)
    return Cursor(tuple(words[:begin]), fragment, tuple(words[begin + 1 :]), typed)


def _begins_text(word: str) -> bool:
    bare = QUOTED.sub("q", word)
    return bare.endswith(":") and '"' not in bare and "“" not in bare


class Wanted(NamedTuple):
    """A part of a form that may stand at the cursor, and what the words before it filled on the way there."""

    part: Word | Slot
    filled: tuple[Capture, ...]
    begun: int | None = None
    """Of a phrase that has been begun: its first word, counted from 0."""

    def one(self, slot: str) -> str | None:
        """What filled `slot` last, if anything did."""
        found = [capture.tokens[0].text for capture in self.filled if capture.slot == slot]
        return found[-1] if found else None

    def all(self, slot: str) -> tuple[str, ...]:
        """Everything that filled `slot`."""
        found = [capture.tokens for capture in self.filled if capture.slot == slot]
        return tuple(token.text for tokens in found for token in tokens)


def wanted(form: Form, head: Lexed) -> list[Wanted]:
    """Every part of the form that may come after these words, in the order of the form."""
    walk = _walk(form, head)
    for _ in walk.through(form.part, (0, ())):
        pass
    return walk.wanted


def filled(form: Form, head: Lexed) -> Wanted:
    """What the words have filled where they are a whole line of the form; nothing where they are none."""
    walk = _walk(form, head)
    ways = walk.through(form.part, (0, ()))
    whole = next((captures for end, captures in ways if end == len(walk.attempt.tokens)), ())
    return Wanted(Word(""), whole)


def _walk(form: Form, head: Lexed) -> _Walk:
    tokens: Sequence[Token] = head.tokens
    if form.takes_data:
        tokens = [token for token in tokens if token.assign is None]
    return _Walk(Attempt(tokens[:MOST_WORDS], form.words, {}, text_missing=False), [])


Ways: TypeAlias = Iterator[Way]


class _Walk(Struct, frozen=True):
    """Every way the words go through a form, with a note of what was wanted where they ended."""

    attempt: Attempt
    wanted: list[Wanted]

    def through(self, part: Part, way: Way) -> Ways:
        match part:
            case Word() | Slot():
                yield from self._over(part, way)
            case Series(parts):
                yield from self._in_order(parts, way)
            case Choice(parts):
                for one in parts:
                    yield from self.through(one, way)
            case Maybe(inner):
                yield from self.through(inner, way)
                yield way
            case Many(inner):
                for further in self.through(inner, way):
                    yield further
                    if further[0] > way[0]:
                        yield from self.through(part, further)

    def _over(self, part: Word | Slot, way: Way) -> Ways:
        place, captures = way
        if place == len(self.attempt.tokens):
            self._note(Wanted(part, captures))
            return
        if isinstance(part, Slot) and part.kind == PHRASE:
            self._note(Wanted(part, captures, place))
        for end, more in part.ways(self.attempt, place):
            yield end, captures + more

    def _note(self, one: Wanted) -> None:
        if one not in self.wanted:
            self.wanted.append(one)

    def _in_order(self, parts: Sequence[Part], way: Way) -> Ways:
        if not parts:
            yield way
            return
        first, *others = parts
        for further in self.through(first, way):
            yield from self._in_order(others, further)
