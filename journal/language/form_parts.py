"""Parts of a verb's form (literal words, slots, repetitions) and how each matches a typed line's tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from retold.journal.language.tokens import (
    CLASS_DESCRIPTIONS,
    CLASSES,
    GROUP,
    JOINED,
    JOINERS,
    MOMENTS,
    PEOPLE,
    PHRASE,
    SUM,
    Segment,
    Token,
    has_glued_colon,
    is_name,
    split_moments,
    split_names,
)
from retold.journal.names import normalise

Predicate: TypeAlias = Callable[[str], bool]
"""Test whether a normalised word can fill a slot."""


class Capture(NamedTuple):
    """Tokens that fill one slot of a form: a single token, several names joined with `+`, or a phrase."""

    slot: str
    tokens: tuple[Token, ...]


class Everybody(Struct, frozen=True):
    """Words that stand for several people (`all`, `party`), their names, and the slots that take them."""

    words: frozenset[str]
    names: tuple[Token, ...]
    slots: frozenset[str]

    def meant(self, token: Token) -> bool:
        """True for an unquoted word that means all people."""
        return token.bare and token.text.lower() in self.words


NO_GROUP: Final = Everybody(frozenset(), (), frozenset())
"""No word means several people."""


Way: TypeAlias = tuple[int, tuple[Capture, ...]]
"""Match of a form up to some part: index of the next token, and the slots filled."""


class Wanted(Struct, frozen=True):
    """Part of a form that may come next on a line, and the slots that its tokens fill."""

    part: Word | Slot
    filled: tuple[Capture, ...]
    begun: int | None = None
    """Index of the first token of a phrase that has been begun."""

    def one(self, slot: str) -> str | None:
        """Returns the last word typed for `slot`, such as `who`; None if none was."""
        found = [capture.tokens[0].text for capture in self.filled if capture.slot == slot]
        return found[-1] if found else None

    def all(self, slot: str) -> tuple[str, ...]:
        """Returns every word typed for `slot`, in order."""
        found = [capture.tokens for capture in self.filled if capture.slot == slot]
        return tuple(token.text for tokens in found for token in tokens)


class Attempt(Struct, kw_only=True):
    """State of matching the tokens of one line against a form."""

    tokens: Sequence[Token]
    words: Collection[str]
    predicates: Mapping[str, Predicate] = {}
    is_name: Predicate | None = None
    everybody: Everybody = NO_GROUP
    text_missing: bool = False
    furthest: int = 0
    """Index of the furthest token that did not match."""
    wanted: list[str] = []
    """Descriptions of the tokens expected at `furthest`, for the error message."""
    joined: set[int] = set()
    """The places right after names that can be several, joined."""
    next_parts: list[Wanted] = []
    """Parts that may follow the last token, in the form's order."""

    def token(self, place: int) -> Token | None:
        """Returns the token at index `place`, from 0; None past the end."""
        return self.tokens[place] if place < len(self.tokens) else None

    def missed(self, place: int, wanted: str) -> None:
        """Records that `wanted` was expected at index `place`; ignored if matching got further already."""
        if place > self.furthest:
            self.furthest, self.wanted = place, []
        if place == self.furthest and wanted not in self.wanted:
            self.wanted.append(wanted)

    def fills(self, slot: str, token: Token) -> bool:
        """True if `token` passes the test for `slot` in `predicates`; slots without a test take any token."""
        return slot not in self.predicates or self.predicates[slot](normalise(token.text))


class Word(Struct, frozen=True):
    """Literal word in a form, spelled exactly and never quoted.

    Captured under `slot` if that is not empty.
    """

    text: str
    slot: str = ""

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields one match if the next token is this word; else records that it was expected."""
        place, filled = way
        token = attempt.token(place)
        if token is None:
            attempt.next_parts.append(Wanted(self, filled))
        if token and token.bare and token.text == self.text:
            yield place + 1, (*filled, Capture(self.slot, (token,))) if self.slot else filled
        else:
            attempt.missed(place, self.text)

    def __str__(self) -> str:
        return self.text


class Slot(Struct, frozen=True):
    """Part of a form that takes tokens of one class (`kind`, such as NAME or INT), captured under `name`."""

    kind: str
    name: str

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields each match of the next tokens, or records that a token of this class was expected.

        There is more than one match for a sum of dice, which may also take the dice tokens that follow.
        """
        place, before = way
        token = attempt.token(place)
        if token is None or self.kind == PHRASE:
            attempt.next_parts.append(Wanted(self, before, place if token else None))
        filled = self._filled(attempt, place, token) if token else ()
        if filled and all(attempt.fills(self.name, token) for token in filled):
            if self._may_be_joined(attempt, place):
                attempt.joined.add(place + 1)
            end = len(attempt.tokens) if self.kind == PHRASE else place + 1
            yield end, (*before, Capture(self.name, filled))
            dice = filled[0]
            while self.kind == SUM and (more := attempt.token(end)) and CLASSES[SUM](more, attempt.words):
                dice = Token((Segment(f"{dice.text}+{more.text}", False),), dice.column)
                end += 1
                yield end, (*before, Capture(self.name, (dice,)))
        else:
            attempt.missed(place, f"{CLASS_DESCRIPTIONS[self.kind]} ({self.name.upper()})")

    def _filled(self, attempt: Attempt, place: int, token: Token) -> tuple[Token, ...]:
        if self.kind == PHRASE:
            return self._phrase(attempt, place)
        if self.name in attempt.everybody.slots and (named := self._everybody(attempt, token)):
            return named
        if self.kind in JOINED:
            split = split_moments if self.kind == MOMENTS else split_names
            joined = split(token, attempt.words)
            return joined if joined[1:] or self.kind != GROUP else ()
        return (token,) if CLASSES[self.kind](token, attempt.words) else ()

    def _everybody(self, attempt: Attempt, token: Token) -> tuple[Token, ...]:
        """Returns the names for a token such as `all` or `party+Warden`; empty for other tokens."""
        meant, parts = attempt.everybody, token.split(JOINERS)
        if not meant.names or not any(map(meant.meant, parts)):
            return ()
        named = [name for part in parts for name in (meant.names if meant.meant(part) else (part,))]
        return tuple(dict.fromkeys(named)) if all(is_name(name, attempt.words) for name in named) else ()

    def _may_be_joined(self, attempt: Attempt, place: int) -> bool:
        """True if the tokens at `place` and after may be two names that should have been joined with `+`.

        For a PEOPLE slot, both tokens must be known names.
        """
        if self.kind != PEOPLE:
            return self.kind in JOINED - {GROUP, MOMENTS}
        two = (attempt.token(place), attempt.token(place + 1))
        known = attempt.is_name
        return known is not None and all(token is not None and known(token.text) for token in two)

    def _phrase(self, attempt: Attempt, place: int) -> tuple[Token, ...]:
        for further, token in enumerate(attempt.tokens[place:], place):
            if attempt.text_missing and has_glued_colon(token):
                attempt.missed(further, "a space after the colon, or quotes")
                return ()
        return tuple(attempt.tokens[place:])

    def __str__(self) -> str:
        return self.name.upper()


class Series(Struct, frozen=True):
    """Part of a form: several parts, matched one after another."""

    parts: tuple[Part, ...]

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields every match of all the parts in sequence."""
        return _ways_through(self.parts, attempt, way)

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))


class Choice(Struct, frozen=True):
    """Part of a form: alternative parts, of which one has to match."""

    parts: tuple[Part, ...]

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields the matches of each alternative in turn."""
        for part in self.parts:
            yield from part.ways(attempt, way)

    def __str__(self) -> str:
        return f"({' | '.join(map(str, self.parts))})"


class Maybe(Struct, frozen=True):
    """Optional part of a form: lines with and without it match."""

    part: Part

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields the matches of the optional part, then a match that takes no token."""
        yield from self.part.ways(attempt, way)
        yield way

    def __str__(self) -> str:
        shown = str(self.part)
        return f"[{shown[1:-1] if isinstance(self.part, Choice) else shown}]"


class Many(Struct, frozen=True):
    """Part of a form that occurs once or several times in a row."""

    part: Part

    def ways(self, attempt: Attempt, way: Way) -> Iterator[Way]:
        """Yields the matches of one, two or more repetitions."""
        # A stack instead of recursion: a line may repeat a part more often than Python nests calls.
        begun = [(way, self.part.ways(attempt, way))]
        while begun:
            before, ways = begun[-1]
            if not (further := next(ways, None)):
                begun.pop()
                continue
            yield further
            if further[0] > before[0]:
                begun.append((further, self.part.ways(attempt, further)))

    def __str__(self) -> str:
        shown = str(self.part)
        return f"({shown})…" if isinstance(self.part, Series) else f"{shown}…"


Part: TypeAlias = Word | Slot | Series | Choice | Maybe | Many


def _ways_through(parts: Sequence[Part], attempt: Attempt, way: Way) -> Iterator[Way]:
    if not parts:
        yield way
        return
    first, *others = parts
    for further in first.ways(attempt, way):
        yield from _ways_through(others, attempt, further)


def required_words(part: Part) -> Iterator[frozenset[str]]:
    """Yields sets of words: every line that matches the part has at least one word of each."""
    match part:
        case Word(text):
            yield frozenset((text,))
        case Series(parts):
            for one in parts:
                yield from required_words(one)
        case Choice(parts):
            firsts = [next(required_words(one), None) for one in parts]
            words = [first for first in firsts if first is not None]
            if len(words) == len(firsts):
                yield frozenset().union(*words)
        case Many(one):
            yield from required_words(one)
        case _:
            return


def words_of(part: Part, slot: str) -> Iterator[str]:
    """Yields the literal words that `slot` accepts, in order of the form: `guard`, `advance` … for `act`."""
    match part:
        case Word(text, name) if name == slot:
            yield text
        case Maybe(inner) | Many(inner):
            yield from words_of(inner, slot)
        case Series(parts) | Choice(parts):
            for inner_part in parts:
                yield from words_of(inner_part, slot)


@cache
def slots_of(part: Part) -> Mapping[str, str]:
    """Maps each slot name of a form to its token class; literal words in a slot have the class WORD.

    A slot that occurs several times has the class of its first occurrence.
    """
    match part:
        case Slot(kind, name):
            return {name: kind}
        case Word(_, slot):
            return {slot: "WORD"} if slot else {}
        case Maybe(inner) | Many(inner):
            return slots_of(inner)
        case Series(parts) | Choice(parts):
            return {
                name: kind for inner_part in reversed(parts) for name, kind in slots_of(inner_part).items()
            }


SIGN = re.compile(
    r"(?P<results>\[= results\])|(?P<may>\[: text\])|(?P<must>: text)|(?P<data>KEY=VALUE(?:…|\.\.\.))"
    r"|(?P<flag>--[a-z]+)|(?P<slot>[A-Z]+:[a-z_]+)|(?P<word>[a-z][a-z-]*(?::[a-z_]+)?)|(?P<name>:[a-z_]+)"
    r"|(?P<sign>[\[\]()|+*])"
)
MARKS: Final = frozenset({"results", "may", "must", "data", "flag"})


class FormNotation(NamedTuple):
    """Result of parsing a form's notation: its part, literal words, marks and flags.

    `marks` say which endings a line may have (see `MARKS`), `flags` are without their dashes.
    """

    part: Part
    words: frozenset[str]
    marks: frozenset[str]
    flags: frozenset[str]


def read_form_notation(notation: str) -> FormNotation:
    """Parses a form's notation, such as `NAME:who [INT:number] [: text]`.

    Raises ValueError for a syntax error.
    """
    signs = list(_signs(notation))
    reader = _NotationReader([sign for sign in signs if sign[0] not in MARKS])
    part = reader.choice()
    if reader.signs:
        raise ValueError(f"{reader.signs[0][1]} closes nothing in: {notation}")
    flags = frozenset(text.removeprefix("--") for kind, text in signs if kind == "flag")
    return FormNotation(part, reader.words, frozenset(kind for kind, _ in signs) & MARKS, flags)


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


class _NotationReader:
    """Recursive-descent parser of a form's notation, given as (kind, text) pairs in `signs`.

    It removes the signs it has read from the list and collects literal words in `words`.
    """

    def __init__(self, signs: list[tuple[str, str]]) -> None:
        self.signs = signs
        self.words: frozenset[str] = frozenset()

    def choice(self) -> Part:
        parts = [self._series()]
        while self._accept("|"):
            parts.append(self._series())
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _series(self) -> Part:
        parts: list[Part] = []
        while self.signs and self.signs[0][1] not in {"|", "]", ")"}:
            parts.append(self._repeated(self._part()))
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def _repeated(self, part: Part) -> Part:
        if self._accept("+"):
            return Many(part)
        return Maybe(Many(part)) if self._accept("*") else part

    def _part(self) -> Part:
        kind, text = self.signs.pop(0)
        before, _, after = text.partition(":")
        if kind == "word":
            self.words |= {before}
            return Word(before, after)
        if kind == "slot" and before in CLASS_DESCRIPTIONS:
            return Slot(before, after)
        if text == "[":
            return Maybe(self._closed_by("]"))
        if text == "(":
            return self._named_choice(self._closed_by(")"))
        raise ValueError(f"A form has no {text!r}")

    def _closed_by(self, close: str) -> Part:
        part = self.choice()
        if not self._accept(close):
            raise ValueError(f"A {close} is missing")
        return part

    def _named_choice(self, part: Part) -> Part:
        """Parses the `:slot` behind brackets, as in `(a|b):slot`, which captures these literal words.

        Returns `part` unchanged if no name follows the brackets. Raises ValueError unless all parts are
        words.
        """
        if not self.signs or self.signs[0][0] != "name":
            return part
        slot = self.signs.pop(0)[1].removeprefix(":")
        options = part.parts if isinstance(part, Choice) else (part,)
        words = [Word(word.text, slot) for word in options if isinstance(word, Word)]
        if len(words) < len(options):
            raise ValueError(f"Only literal words can be kept in {slot}")
        return Choice(tuple(words))

    def _accept(self, text: str) -> bool:
        if self.signs and self.signs[0][1] == text:
            self.signs.pop(0)
            return True
        return False
