"""Formatting for notations: names, cards, quoted texts, lists, and sources of dice and cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from retold.journal import marks
from retold.journal.possessives import possessive
from retold.journal.visibility import TABLE, is_secret_number, short_number
from retold.projections.texts import safe
from retold.projections.texts.line_ends import paragraphs, unwrapped

Payload = Mapping[str, Any]
"""An event's payload as stored; texts are references `{"~": index}`."""

Notation = Callable[[Any, "Ink"], str]
"""Function that formats one event, `(event: Moved, ink: Ink) -> str`; the event is a `StoredEvent`."""

Notations = Mapping[str, Notation | str]
"""Notations by event kind: a template (`Sentence`), or a function."""

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
"""Payload keys whose integers are person numbers; text values are things.

A game adds keys as `PEOPLE`, beside its notations.
"""

RULED_PEOPLE: Final = frozenset({"engage", "first"})
"""Settings of rulings that hold a person number; a test compares them with the systems."""

RULED_FOR: Final = frozenset({"balance"})
"""Settings of rulings like `overwhelming:7`, with a person; a test compares them with the systems."""


EARLIER: Final = "an earlier event"
"""Replaces an event position where positions and ids mean nothing to the reader."""


class Lookup(NamedTuple):
    """Functions that find what an event only points to, in the words of people who read."""

    game: Callable[[str], str] = str
    """Name of a game at this table, by its system; empty for a table that has chosen none."""
    branch: Callable[[int], str] = "line {}".format
    """Name of a branch, by its number."""
    moment: Callable[[int], str] = "#{}".format
    """A position as people type it, such as `s2:14`."""
    revealed: Callable[[int], str] = lambda _position: ""
    """What a reveal of the event at a position shows; empty if unknown to the reader."""


NO_LOOKUP: Final = Lookup()


class StoredEvent:
    """Event read from its stored payload, without its class; each field is an attribute, parts included.

    Loading the class would take a log twice as long. A field that the body leaves out has its default.
    Enumerations read as the words they are stored as, and texts as references for `Ink`; the methods of the
    class are missing. Raises AttributeError if a field is missing that has no default.
    """

    __slots__ = ("_defaults", "_used", "_values")

    def __init__(self, payload: Payload, defaults: Mapping[str, Any], used: set[str]) -> None:
        """Takes an event's stored fields, and defaults for missing ones (a part's: `cost.dangerous`).

        Each field that is read is added to `used`.
        """
        self._values = {**defaults, **payload}
        self._defaults = defaults
        self._used = used

    def __getattr__(self, field: str) -> Any:  # noqa: ANN401 -- typed by the event's class
        self._used.add(field)
        try:
            value = self._values[field]
        except KeyError:
            raise AttributeError(f"The event has no {field}.") from None
        return value if type(value) in _SIMPLE else _stored(value, self._defaults, field)


class StoredPart(dict[str, Any]):
    """Struct or mapping inside a stored event; a struct's fields are attributes.

    A mapping's keys are items, as in a dict.
    """

    __slots__ = ("_defaults", "_path")

    def __init__(self, values: Mapping[str, Any], defaults: Mapping[str, Any], path: str) -> None:
        """Takes the part at field `path` of an event.

        `defaults` has dotted paths such as `cost.dangerous`.
        """
        super().__init__(values)
        self._defaults = defaults
        self._path = path

    def __getattr__(self, field: str) -> Any:  # noqa: ANN401 -- typed by the part's class
        path = f"{self._path}.{field}"
        if field in self:
            return _stored(self[field], self._defaults, path)
        if path in self._defaults:
            return self._defaults[path]
        raise AttributeError(f"The event has no {path}.")


_SIMPLE: Final = frozenset({str, int, bool, type(None)})


def _stored(value: Any, defaults: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401 -- as above
    """Returns a stored value with mappings as parts and lists as tuples.

    References to texts stay unchanged.
    """
    if isinstance(value, dict):
        return value if "~" in value else StoredPart(value, defaults, path)
    if isinstance(value, (list, tuple)):
        return tuple([item if type(item) in _SIMPLE else _stored(item, defaults, path) for item in value])
    return value


def is_outside(event: Any) -> bool:  # noqa: ANN401 -- any event that may be in a conflict
    """True if a stored event happened outside conflicts.

    Its `conflict` is not added to the fields read, so that notation still names the conflict where needed.
    """
    return event._values.get("conflict") is None  # noqa: SLF001 -- any attribute with a plain name would be a field


class Ink:
    """Formatter for the people, positions and texts of one event."""

    __slots__ = ("_lookup", "_names", "_people", "_place", "_texts")

    def __init__(
        self,
        texts: Callable[[int], str | None],
        names: Mapping[int, str],
        place: Callable[[int], str] | None = None,
        people: frozenset[str] = PEOPLE,
        lookup: Lookup = NO_LOOKUP,
    ) -> None:
        """Takes the event's texts by index, names by person, a function that formats positions.

        `people` are payload keys that hold person numbers; `lookup` finds names of games and branches.
        """
        self._texts = texts
        self._people = people
        self._names = names
        self._place = place or "#{}".format
        self._lookup = lookup

    def who(self, person: int) -> str:
        """Returns a person's name; `somebody (5)` if unknown."""
        known = self._names.get(person)
        return known if known is not None else "gm" if person == GM else f"somebody ({short_number(person)})"

    def whose(self, person: int) -> str:
        """Returns the possessive of a person's name: `Gatto's`, `Thugs'`."""
        return possessive(self.who(person))

    def people(self, persons: Iterable[int], between: str = ", ") -> str:
        """Returns people's names joined by `between`, in the given order."""
        return between.join(map(self.who, persons))

    def sides(self, sides: Iterable[Iterable[int]]) -> str:
        """Returns names of people on a conflict's sides: `Ana + Cy vs Bo`."""
        return " vs ".join(self.people(side, " + ") for side in sides)

    def place(self, position: int) -> str:
        """Returns an event position as text, such as `#412`."""
        return self._place(position)

    def known_place(self, position: int) -> str:
        """Returns an event position as text; empty where it would be no more than `EARLIER`."""
        place = self.place(position)
        return "" if place == EARLIER else place

    def at(self, position: int) -> str:
        """Returns ` at #412` for an event position; empty for viewers who may not see positions."""
        place = self.known_place(position)
        return f" at {place}" if place else ""

    def game(self, system: str) -> str:
        """Returns the name of a system's game at this table; empty if the table has chosen none."""
        return self._lookup.game(system)

    def branch(self, line: int) -> str:
        """Returns the name of a branch, by its number."""
        return self._lookup.branch(line)

    def moment(self, position: int) -> str:
        """Returns an event position as people type it: `s2:14`."""
        return self._lookup.moment(position)

    def revealed(self, position: int) -> str:
        """Returns what a reveal of the event at a position shows, such as `the sheet of Zel`."""
        return self._lookup.revealed(position)

    def is_kept(self, words: object) -> bool:
        """True for a text that has not been redacted."""
        return not isinstance(words, Mapping) or self._texts(words["~"]) is not None

    def text(self, words: object) -> str:
        """Returns a text in quotation marks, without doubling its own; `[redacted]` if redacted."""
        found = self._texts(words["~"]) if isinstance(words, Mapping) else words
        told = "" if found is None else _on_one_line(str(found))
        return (
            "[redacted]" if found is None else f"“{told[1:-1] if re.fullmatch(_QUOTATION, told) else told}”"
        )

    def bare(self, words: object) -> str:
        """Returns a text without quotation marks, for titles and names; `[redacted]` if redacted."""
        found = self._texts(words["~"]) if isinstance(words, Mapping) else words
        return "[redacted]" if found is None else str(found)

    def after(self, words: object, before: str = ": ") -> str:
        """Returns `before` and a quoted text, such as `: “Duck!”`; empty if `words` is None."""
        return "" if words is None else before + self.text(words)

    def value(self, key: str, value: object) -> str:
        """Returns any payload value as text; person numbers become names if `key` holds people."""
        if isinstance(value, Mapping):
            if value.keys() == {"~"}:
                return self.text(value)
            return "{" + " ".join(f"{name}={self.value(name, held)}" for name, held in value.items()) + "}"
        if isinstance(value, list | tuple):
            return "[" + ", ".join(self.value(key, item) for item in value) + "]"
        if key in self._people and isinstance(value, int) and not isinstance(value, bool):
            return self.who(value)
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        return short_number(value) if isinstance(value, int) else str(value)

    def pairs(self, payload: Mapping[str, Any]) -> str:
        """Returns a payload as `key=value key=value …`, in the payload's order."""
        return " ".join(f"{key}={self.value(key, value)}" for key, value in payload.items())


def _on_one_line(text: str) -> str:
    """Returns the words of a text on one line, with ` / ` for a line end and a blank between paragraphs."""
    text = marks.plain(text)
    if "\n" not in text:
        return text
    parts = paragraphs(unwrapped(text).strip())
    return " ".join(" / ".join(map(str.strip, part.split("\n"))) for part in parts)


def card(name: str) -> str:
    """Returns a card's name for people: `JH` → `J♥`, `unknown:ruler:r` → `Ruler of Unknown reversed`.

    Other names stay as they are: `T14`, or `_` for an unrecorded card.
    """
    rank, suit = name[:-1], name[-1:]
    if suit in _SUITS and rank in _RANKS:
        return rank + _SUITS[suit]
    upright = name.removesuffix(_REVERSED)
    tail = " reversed" if upright != name else ""
    suit, colon, figure = upright.partition(":")
    return (f"{figure.capitalize()} of {suit.capitalize()}" if colon else upright) + tail


def cards(names: Sequence[str]) -> str:
    """Returns names of cards in order, with commas if any name is long; `none` without cards."""
    shown = [card(name) for name in names]
    return (", " if any(len(name) > len("joker") for name in shown) else " ").join(shown) or "none"


def rank(quality: int) -> str:
    """Returns a card rank as text: 11 → `J`, 7 → `7`."""
    return _COURT.get(quality, str(quality))


def listed(words: Sequence[str], last: str = "and") -> str:
    """Returns words joined to a list: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:  # noqa: PLR2004 -- one needs no joint
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def mark(luck: Sequence[str]) -> str:
    """Returns sources of dice or cards as text: `called`, or `dealt 1, called 5` for mixed sources."""
    if not luck:
        return ""
    runs = [(source, len(list(run))) for source, run in groupby(str(source) for source in luck)]
    return runs[0][0] if len(runs) == 1 else ", ".join(f"{source} {count}" for source, count in runs)


def audience(visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """Returns an event's audience as text: `for Ana and Bo only`; empty for the whole table.

    Secret people missing from `names` (by number) are left out.
    """
    if visible_to == TABLE:
        return ""
    people = () if isinstance(visible_to, str) else visible_to
    people = [person for person in people if person in names or not is_secret_number(person)]
    *first, last = (
        "the game master" if person == GM else names.get(person, f"somebody ({person})")
        for person in people or (GM,)
    )
    return f"for {', '.join(first)} and {last} only" if first else f"for {last} only"


def with_audience(line: str, visible_to: str | Sequence[int], names: Mapping[int, str]) -> str:
    """Returns a text line with its audience appended, `(for Bo only)`; unchanged for the whole table."""
    suffix = audience(visible_to, names)
    return f"{line} ({safe.line(suffix)})" if suffix else line
