"""Notation: any event as one complete text line, from its stored form alone; quick to load.

It imports neither msgspec nor a system, so that `log` starts fast; the voice `plain` prints with it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from retold.journal.possessives import possessive
from retold.projections import games
from retold.projections.plain import shared
from retold.projections.plain.defaults import DEFAULT_FIELDS
from retold.projections.plain.ink import NO_LOOKUP, PEOPLE, Ink, Lookup, Notation, Payload, StoredEvent, mark
from retold.projections.texts import safe

FILE_FIELDS: Final[Mapping[str, str]] = {"table.picture-added": "picture", "table.redacted": "runs"}
"""Fields with bytes, not for reading, by kind of event; a test compares them with the classes."""

FOR_PROGRAMS: Final[Mapping[str, frozenset[str]]] = {
    "table.campaign-begun": frozenset({"campaign"}),
    "table.forked": frozenset({"line", "parent_hash"}),
}
"""Fields that programs read and people do not, such as hashes, by kind of event."""

_NONE: Final[frozenset[str]] = frozenset()

_PLACES: Final = r"\{(.*?)\}"

_Part = Callable[[Payload, Ink], str]


class Sentence:
    """Template of an event's notation: `{who} wins{prize?, and with it #}`; `fields` are its payload keys.

    `{who's}` is a possessive, and `{people:nobody}` gives a word for a missing or empty value. Text following
    a `?` appears only with a value that is neither missing, empty nor False; a `#` in it is that value. A key
    that is not in `PEOPLE` and yet holds people is prefixed with `@`: `{@by}`.
    """

    __slots__ = ("_parts", "_said", "fields")

    def __init__(self, sentence: str, people: frozenset[str] = PEOPLE) -> None:
        """Parses the template; raises ValueError for braces that do not match.

        `people` are payload keys that hold person numbers.
        """
        pieces = re.split(_PLACES, sentence)
        if any(brace in piece for piece in pieces for brace in "{}"):
            raise ValueError(f"the braces of “{sentence}” do not match: a placeholder cannot hold another")
        self._said, self._parts = pieces[::2], [_part(place, people) for place in pieces[1::2]]
        self.fields = frozenset(_key(place) for place in pieces[1::2])

    def line(self, p: Payload, ink: Ink) -> tuple[str, Collection[str]]:
        """Returns the template filled with values of payload `p`, and the payload keys it used."""
        filled = [part(p, ink) for part in self._parts]
        return self._said[0] + "".join(map("".join, zip(filled, self._said[1:], strict=True))), self.fields


class Function:
    """Notation made by a function; `defaults` are values of fields that stored events may omit."""

    __slots__ = ("_defaults", "_notation")

    def __init__(self, notation: Notation, defaults: Mapping[str, Any]) -> None:
        self._notation = notation
        self._defaults = defaults

    def line(self, p: Payload, ink: Ink) -> tuple[str, Collection[str]]:
        """Returns the function's notation of payload `p`, and the payload keys it read."""
        used: set[str] = set()
        return self._notation(StoredEvent(p, self._defaults, used), ink), used


class OfGuest:
    """Notation that a guest brings, as a function or a sentence."""

    __slots__ = ("_kind", "_notation")

    def __init__(self, kind: str, notation: Function | Sentence) -> None:
        self._kind, self._notation = kind, notation

    def line(self, p: Payload, ink: Ink) -> tuple[str, Collection[str]] | None:
        """Returns the notation and the keys it read; None if a function fails, which is noted.

        None also for a sentence about a field that an older event lacks.
        """
        if isinstance(self._notation, Sentence):
            try:
                return self._notation.line(p, ink)
            except KeyError:
                return None
        from retold.journal.guarding import answer_of  # noqa: PLC0415 -- slow, and ours need none of it

        game, what = self._kind.partition(".")[0], f"the notation of {self._kind}"
        return answer_of(game, self._notation.line, None, p, ink, what=what)


def _key(place: str) -> str:
    return re.split("[?:]", place)[0].removeprefix("@").removesuffix("'s")


def _part(place: str, known: frozenset[str]) -> _Part:
    """Returns a function that formats one template placeholder (`who's`, `prize?, and #`)."""
    key = _key(place)
    _, asks, around = place.partition("?")
    name, _, empty = place.partition(":")
    people = place[0] == "@" or key in known

    def shown(p: Payload, ink: Ink) -> str:
        value = p[key]
        if not people:
            return ink.value(key, value)
        names = ink.people(value) if isinstance(value, list | tuple) else ink.value("who", value)
        return possessive(names) if name.endswith("'s") else names

    if asks:
        return lambda p, ink: around.replace("#", shown(p, ink)) if _is_there(p.get(key)) else ""
    if empty:
        return lambda p, ink: shown(p, ink) if _is_there(p.get(key)) else empty
    return shown


def _is_there(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [])


@lru_cache(maxsize=1024)  # bounded, because a file may contain any kind
def noted(kind: str) -> Sentence | Function | OfGuest | None:
    """Returns the notation (template or function) of an event kind; None for kinds shown as `key=value`."""
    known = _notation(kind)
    how = None if known is None else known.NOTATIONS.get(kind)
    if how is None:
        return None
    made: Sentence | Function | None
    if isinstance(how, str):
        made = Sentence(how, people(kind)) if _is_ours(kind) else sentence_of_guest(kind, how)
    else:
        made = Function(how, _default_fields(kind))
    return made if made is None or _is_ours(kind) else OfGuest(kind, made)


def sentence_of_guest(kind: str, written: str) -> Sentence | None:
    """Returns a guest game's template, parsed.

    None if it misfits the event, which is then shown by its fields. `projections/guest_checks` reports the
    misfit.
    """
    from retold.journal.store.events.kinds import event_called  # noqa: PLC0415 -- loading a game takes long
    from retold.journal.vocabulary.base import fields_of  # noqa: PLC0415 -- as above

    event = event_called(kind)
    try:
        sentence = Sentence(written, people(kind))
    except ValueError:
        return None
    return None if event is None or not sentence.fields <= fields_of(event).keys() else sentence


def _notation(kind: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    game = kind.partition(".")[0]
    return shared if game == "table" else games.room(game, "notation")


def _default_fields(kind: str) -> Mapping[str, Any]:
    """Returns fields that stored events of `kind` may leave out, with their defaults.

    A part's field is named by its path, such as `cost.dangerous`.
    """
    if kind in DEFAULT_FIELDS:
        return DEFAULT_FIELDS[kind]
    from retold.journal.store.events.kinds import defaults_of, event_called  # noqa: PLC0415 -- loading a game takes long

    event = event_called(kind)
    return {} if event is None else defaults_of(event)


@lru_cache(maxsize=1024)
def people(kind: str) -> frozenset[str]:
    """Returns payload keys that hold person numbers in events of `kind`, its game's own keys included."""
    own: frozenset[str] = getattr(_notation(kind), "PEOPLE", frozenset())
    return PEOPLE | own


@lru_cache(maxsize=1024)
def sealed(kind: str) -> bool:
    """True for an event kind whose texts are never shown, because it is sealed or unknown.

    A guest's event class says so (`Event.public`); for built-in kinds a set beside the notations does, which
    a test compares with the classes.
    """
    if _is_ours(kind):
        return noted(kind) is None or kind in getattr(_notation(kind), "SEALED", ())
    from retold.journal.store.events.kinds import event_called  # noqa: PLC0415 -- loading a game takes long

    event = event_called(kind)
    return event is None or bool(event.public)


def current(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns an event kind without its version, and the payload converted to the kind's current fields.

    A test ensures that built-in kinds have no older shapes, so only a guest's kind loads the upcasts.
    """
    if _is_ours(stored):
        return stored, payload
    from retold.journal.store.events import kinds  # noqa: PLC0415 -- loading a game takes long

    kind, today = kinds.current(stored, payload)
    return kind, dict(sorted(today.items()))


def _is_ours(kind: str) -> bool:
    from retold.journal.games import BUILT_IN  # noqa: PLC0415 -- only `log` calls this, and it has loaded the module

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
    lookup: Lookup = NO_LOOKUP,
) -> str:
    """Returns an event as one text line that is safe for a terminal, with all of its payload but hashes.

    `kind` has no version, and `payload` is the body's `data` in its current shape (`current`); `texts`
    returns words by index, None if redacted; `names` are people by number. `luck` is the source of each
    random value, as in the envelope. `place` formats event positions (`#412`; empty omits them). `conflict`
    is the number the reader expects: a different conflict is named. A kind without a notation is shown as
    `kind key=value …`, marked unknown unless `known`. `lookup` finds names of games and branches.
    """
    text = _told(kind, payload, Ink(texts, names, place, people(kind), lookup), conflict, known=known)
    return safe.line(f"{text} [{mark(luck)}]" if luck else text)


def _told(kind: str, payload: Payload, ink: Ink, conflict: int | None, *, known: bool) -> str:
    """Returns an event's notation, then its text unless included, then other fields as `key=value`."""
    notation = noted(kind)
    line_ = None if notation is None else notation.line(payload, ink)
    if line_ is None:
        open_ = known and not (notation is not None and sealed(kind))
        data = payload if open_ else {key: value for key, value in payload.items() if not _has_words(value)}
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(data)}".rstrip()
    text, shown = line_
    if "text" not in shown:
        text += ink.after(payload.get("text"))
    rest = payload.keys() - shown - _TOLD_APART - {FILE_FIELDS.get(kind)} - FOR_PROGRAMS.get(kind, _NONE)
    if "conflict" not in shown and payload.get("conflict", conflict) not in (None, conflict):
        text += f" (conflict {payload['conflict']})"
    if rest and not sealed(kind):
        text += f" {ink.pairs({key: payload[key] for key in sorted(rest)})}"
    return text


_TOLD_APART: Final = frozenset({"text", "conflict"})


def _has_words(value: object) -> bool:
    """True for a text reference (`{"~": 0}`), or for a value containing such a reference.

    Texts of an unknown kind are not shown, since they may be sealed.
    """
    if isinstance(value, Mapping):
        return value.keys() == {"~"} or any(map(_has_words, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_words, value))
