"""The notation: one complete line for any event, from its stored body alone, and quick to load.

It imports neither msgspec nor a system, so that `log` starts fast; the voice `plain` prints with it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from projections import games, safe
from projections.plain import shared
from projections.plain.ink import PEOPLE, Ink, Notation, Payload, mark, owning

_PLACES: Final = r"\{(.*?)\}"

_Part = Callable[[Payload, Ink], str]


class Sentence:
    """Notation template, such as `{who} wins{prize?, and with it #}`; `fields` are its payload keys.

    `{who's}` is a possessive, and `{people:nobody}` gives a word for a missing or empty value. Text following
    a `?` appears only with a value that is neither missing, empty nor False; a `#` in it is that value. A key
    that is not in `PEOPLE` and yet holds people is prefixed with `@`: `{@by}`.
    """

    __slots__ = ("_parts", "_said", "fields")

    def __init__(self, sentence: str, people: frozenset[str] = PEOPLE) -> None:
        """Parses the template; `people` are payload keys that hold person numbers."""
        pieces = re.split(_PLACES, sentence)
        self._said, self._parts = pieces[::2], [_part(place, people) for place in pieces[1::2]]
        self.fields = frozenset(_key(place) for place in pieces[1::2])

    def __call__(self, p: Payload, ink: Ink) -> str:
        """Fills the template with payload values."""
        filled = [part(p, ink) for part in self._parts]
        return self._said[0] + "".join(map("".join, zip(filled, self._said[1:], strict=True)))


def _key(place: str) -> str:
    return re.split("[?:]", place)[0].removeprefix("@").removesuffix("'s")


def _part(place: str, known: frozenset[str]) -> _Part:
    """Function that formats one placeholder of a template."""
    key, (_, asks, around), (name, _, empty) = _key(place), place.partition("?"), place.partition(":")
    people = place[0] == "@" or key in known

    def shown(p: Payload, ink: Ink) -> str:
        value = p[key]
        if not people:
            return ink.value(key, value)
        names = ink.people(value) if isinstance(value, list | tuple) else ink.value("who", value)
        return owning(names) if name.endswith("'s") else names

    if asks:
        return lambda p, ink: around.replace("#", shown(p, ink)) if _is_there(p.get(key)) else ""
    if empty:
        return lambda p, ink: shown(p, ink) if _is_there(p.get(key)) else empty
    return shown


def _is_there(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [])


class _Read(dict[str, Any]):
    """Payload that records which keys were read, to find those a notation function left out."""

    __slots__ = ("fields",)

    def __init__(self, payload: Payload) -> None:
        super().__init__(payload)
        self.fields: set[str] = set()

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 -- a part of a body
        self.fields.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401 -- as above
        self.fields.add(key)
        return super().get(key, default)


@lru_cache(maxsize=1024)  # bounded, since a file may hold any kind
def noted(kind: str) -> Notation | None:
    """Notation of an event kind; None for a kind shown as `key=value` pairs."""
    known = _notation(kind)
    how = None if known is None else known.NOTATIONS.get(kind)
    return Sentence(how, people(kind)) if isinstance(how, str) else how


def _notation(kind: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    game = kind.partition(".")[0]
    return shared if game == "table" else games.room(game, "notation")


@lru_cache(maxsize=1024)
def people(kind: str) -> frozenset[str]:
    """Payload keys of an event kind that hold person numbers, with keys added by its game."""
    own: frozenset[str] = getattr(_notation(kind), "PEOPLE", frozenset())
    return PEOPLE | own


@lru_cache(maxsize=1024)
def sealed(kind: str) -> bool:
    """True for an event kind whose words are never shown: sealed and unknown kinds.

    A guest's event class says so (`Event.public`); for built-in kinds a set beside the notations does, which
    a test compares with the classes.
    """
    if _is_ours(kind):
        return noted(kind) is None or kind in getattr(_notation(kind), "SEALED", ())
    from journal.store.kinds import event_called  # noqa: PLC0415 -- loading a game takes long

    event = event_called(kind)
    return event is None or bool(event.public)


def current(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Event kind without its version, and the payload upcast to its current shape.

    A test ensures that built-in kinds have no older shapes, so only a guest's kind loads the upcasts.
    """
    if _is_ours(stored):
        return stored, payload
    from journal.store import kinds  # noqa: PLC0415 -- loading a game takes long

    kind, today = kinds.current(stored, payload)
    return kind, dict(sorted(today.items()))


def _is_ours(kind: str) -> bool:
    from journal.games import BUILT_IN  # noqa: PLC0415 -- only a log asks, and it has loaded it

    return kind.partition(".")[0] in ("table", *BUILT_IN)


def line(
    kind: str,
    payload: Payload,
    texts: Callable[[int], str | None],
    names: Mapping[int, str],
    luck: Sequence[str] = (),
    *,
    place: Callable[[int], str] | None = None,
    conflict: int | None = None,
    known: bool = False,
) -> str:
    """Formats an event as one line that is safe for a terminal, with its entire payload.

    `kind` has no version, and `payload` is the body's `data` in its current shape (`current`); `texts`
    returns words by index, None if redacted; `names` are people by number. `luck` is the source of each
    random value, as in the envelope. `place` formats positions (`#412`; empty omits them). `conflict` is the
    one the reader expects: another one is named. A kind without a notation is shown as `kind key=value …`,
    marked unknown unless `known`.
    """
    text = _told(kind, payload, Ink(texts, names, place, people(kind)), conflict, known=known)
    return safe.line(f"{text} [{mark(luck)}]" if luck else text)


def _told(kind: str, payload: Payload, ink: Ink, conflict: int | None, *, known: bool) -> str:
    """Notation of an event, its text if not yet included, and other fields as `key=value`."""
    notation = noted(kind)
    if notation is None:
        data = payload if known else {key: value for key, value in payload.items() if not _has_words(value)}
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(data)}".rstrip()
    text, shown = _noted(notation, payload, ink)
    if "text" not in shown:
        text += ink.after(payload)
    rest = {key: value for key, value in payload.items() if key not in shown and key != "text"}
    here = rest.pop("conflict", None)
    if here is not None and here != conflict:
        text += f" (conflict {here})"
    return f"{text} {ink.pairs(dict(sorted(rest.items())))}" if rest and not sealed(kind) else text


def _has_words(value: object) -> bool:
    """True for a text reference, or a value that contains one; words of an unknown kind may be sealed."""
    if isinstance(value, Mapping):
        return value.keys() == {"~"} or any(map(_has_words, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_words, value))


def _noted(notation: Notation, payload: Payload, ink: Ink) -> tuple[str, Collection[str]]:
    """Result of a notation, and the payload keys it used."""
    if isinstance(notation, Sentence):
        return notation(payload, ink), notation.fields
    read = _Read(payload)
    return notation(read, ink), read.fields
