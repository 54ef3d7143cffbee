"""What a notation is written with: names for people, signs for cards, marks for texts, runs and luck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from journal.visibility import TABLE, is_secret_number
from projections import safe

Payload = Mapping[str, Any]
"""An event's payload as its body has it; texts stand as `{"~": index}`."""

Notation = Callable[[Payload, "Ink"], str]
"""Writes one event down."""

Notations = Mapping[str, Notation | str]
"""How each kind is noted: by a sentence with places for fields (`sentences.py`), or by what writes one."""

GM: Final = 0
_QUOTATION: Final = r'"[^"]+"|“[^“”]+”'
_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RANKS: Final = frozenset(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"))
_COURT: Final = {15: "joker", 14: "A", 13: "K", 12: "Q", 11: "J", 1: "A"}
_REVERSED: Final = ":r"

PEOPLE: Final = frozenset(
    {
        *("who", "whose", "person", "player", "winner", "loser", "one", "other"),
        *("people", "absent", "order", "to", "sides", "on", "target", "also"),
    }
)
"""Fields whose whole numbers are people by id wherever they stand; words in them are things.

A game adds its own: `PEOPLE`, beside its notations.
"""

RULED_PEOPLE: Final = frozenset({"engage", "first"})
"""What a ruling may set that is somebody by id; a test holds it to what the systems say."""

RULED_FOR: Final = frozenset({"balance"})
"""What a ruling may set to a word for somebody, `overwhelming:7`; a test holds it to what the systems say."""


class Ink:
    """One event's names and texts, ready to be set down."""

    __slots__ = ("_names", "_people", "_place", "_texts")

    def __init__(
        self,
        texts: Callable[[int], str | None],
        names: Mapping[int, str],
        place: Callable[[int], str] | None = None,
        people: frozenset[str] = PEOPLE,
    ) -> None:
        """`people` are the fields that hold somebody."""
        self._texts = texts
        self._people = people
        self._names = names
        self._place = place or _numbered

    def who(self, person: int) -> str:
        """What somebody is called; a number for an id that has no name here."""
        known = self._names.get(person)
        return known if known is not None else "gm" if person == GM else f"somebody ({numbered(person)})"

    def whose(self, person: int) -> str:
        """What somebody is called, as whoever has something: `Gatto's`, `Thugs'`."""
        return owning(self.who(person))

    def people(self, persons: Iterable[int], between: str = ", ") -> str:
        """Several people, in their order."""
        return between.join(map(self.who, persons))

    def sides(self, sides: Iterable[Iterable[int]]) -> str:
        """The sides of a conflict against each other."""
        return " vs ".join(self.people(side, " + ") for side in sides)

    def place(self, position: int) -> str:
        """How a position is pointed at."""
        return self._place(position)

    def at(self, position: int) -> str:
        """Where something stands, after what is said of it; nothing for whom that says nothing."""
        place = self.place(position)
        return f" at {place}" if place else ""

    def text(self, words: object) -> str:
        """A text in quotation marks, its own if it is one quotation; a redacted one says so."""
        found = self._texts(words["~"]) if isinstance(words, Mapping) else words
        return "[redacted]" if found is None else f"“{_unquoted(_on_one_line(str(found)))}”"

    def bare(self, words: object) -> str:
        """A text without marks, for a title or a name."""
        found = self._texts(words["~"]) if isinstance(words, Mapping) else words
        return "[redacted]" if found is None else str(found)

    def after(self, payload: Payload, key: str = "text", before: str = ": ") -> str:
        """A text that may be missing, with what leads to it; nothing where it is."""
        words = payload.get(key)
        return "" if words is None else before + self.text(words)

    def value(self, key: str, value: object) -> str:
        """Any value under its key: people by name where the key says that it holds people."""
        if isinstance(value, Mapping):
            if value.keys() == {"~"}:
                return self.text(value)
            return "{" + " ".join(f"{one}={self.value(one, held)}" for one, held in value.items()) + "}"
        if isinstance(value, list | tuple):
            return "[" + ", ".join(self.value(key, one) for one in value) + "]"
        if key in self._people and isinstance(value, int) and not isinstance(value, bool):
            return self.who(value)
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        return numbered(value) if isinstance(value, int) else str(value)

    def pairs(self, payload: Mapping[str, Any]) -> str:
        """`key=value …`, in the payload's order."""
        return " ".join(f"{key}={self.value(key, value)}" for key, value in payload.items())


_SECRET: Final = 2**52
_RUN: Final = 2**20


def numbered(number: int) -> str:
    """A number as people read it, as `journal.visibility.short_number` has it, which takes longer to load."""
    return f"s{number % _RUN + 1}" if number >= _SECRET else str(number)


def owning(name: str) -> str:
    """A name as that of whoever has something; `journal.names.possessive` is the same, and slower to load."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _on_one_line(text: str) -> str:
    """The text with a blank where lines end; the log is no place for paragraphs."""
    return " ".join(line for line in text.split("\n") if line.strip()) if "\n" in text else text


def _unquoted(text: str) -> str:
    """The text without quotation marks that are around all of it."""
    return text[1:-1] if re.fullmatch(_QUOTATION, text) else text


def _numbered(position: int) -> str:
    return f"#{position}"


def card(name: str) -> str:
    """A card as people write it: `J♥`, `Ruler of Unknown reversed`, `T14`; `_` for one nobody wrote down."""
    rank, suit = name[:-1], name[-1:]
    if suit in _SUITS and rank in _RANKS:
        return rank + _SUITS[suit]
    upright = name.removesuffix(_REVERSED)
    tail = " reversed" if upright != name else ""
    suit, colon, figure = upright.partition(":")
    return (f"{figure.capitalize()} of {suit.capitalize()}" if colon else upright) + tail


def cards(names: Sequence[str]) -> str:
    """Cards in their order, with commas where one takes several words."""
    shown = [card(name) for name in names]
    return (", " if any(len(one) > len("joker") for one in shown) else " ").join(shown) or "none"


def rank(quality: int) -> str:
    """A rank by its court name, or its number."""
    return _COURT.get(quality, str(quality))


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:  # noqa: PLR2004 -- one needs no joint
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def mark(luck: Sequence[str]) -> str:
    """Where random values came from, in order: `called`, or `dealt 1, called 5` where sources mix."""
    if not luck:
        return ""
    runs = [(source, len(list(run))) for source, run in groupby(str(one) for one in luck)]
    if len(runs) == 1:
        return runs[0][0]
    return ", ".join(f"{source} {count}" for source, count in runs)


def audience(visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """Whom an event is for: `for Ana and Bo only`; empty for the whole table. `names` are by number.

    Nobody hears of a listener who was introduced in secret and has no name in `names`.
    """
    if visible_to == TABLE:
        return ""
    people = () if isinstance(visible_to, str) else visible_to
    people = [one for one in people if one in names or not is_secret_number(one)]
    *first, last = (_called(one, names) for one in people or (GM,))
    return f"for {', '.join(first)} and {last} only" if first else f"for {last} only"


def with_audience(line: str, visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """A line of notation that ends with whom it is for: `(for Bo only)`; as it is for the whole table."""
    whom = audience(visible_to, names)
    return f"{line} ({safe.line(whom)})" if whom else line


def _called(person: int, names: Mapping[int, str]) -> str:
    return "the game master" if person == GM else names.get(person, f"somebody ({person})")
