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
    """A notation such as `{who} wins{prize?, and with it #}`; `fields` are those it has places for.

    `{who's}` is somebody's, and `{people:nobody}` has a word for what is missing or empty. What follows a `?`
    is there only with a value that is neither of these, nor no; a `#` in it is that value. A field whose name
    does not say that it holds people has an `@` before it: `{@by}`.
    """

    __slots__ = ("_parts", "_said", "fields")

    def __init__(self, sentence: str, people: frozenset[str] = PEOPLE) -> None:
        """Parses a sentence; raises ValueError for braces that do not match.

        `people` are the fields whose names say that they hold people.
        """
        said = re.split(_PLACES, sentence)
        if any(brace in part for part in said for brace in "{}"):
            raise ValueError(f"the braces of “{sentence}” do not match: no place stands inside another")
        self._said, self._parts = said[::2], [_part(place, people) for place in said[1::2]]
        self.fields = frozenset(_key(place) for place in said[1::2])

    def __call__(self, p: Payload, ink: Ink) -> str:
        """The sentence, with what the payload has in its places."""
        filled = [part(p, ink) for part in self._parts]
        return self._said[0] + "".join(map("".join, zip(filled, self._said[1:], strict=True)))


def _key(place: str) -> str:
    return re.split("[?:]", place)[0].removeprefix("@").removesuffix("'s")


def _part(place: str, known: frozenset[str]) -> _Part:
    """What stands in one place of a sentence."""
    key, (_, asks, around), (name, _, empty) = _key(place), place.partition("?"), place.partition(":")
    people = place[0] == "@" or key in known

    def shown(p: Payload, ink: Ink) -> str:
        value = p[key]
        if not people:
            return ink.value(key, value)
        said = ink.people(value) if isinstance(value, list | tuple) else ink.value("who", value)
        return owning(said) if name.endswith("'s") else said

    if asks:
        return lambda p, ink: around.replace("#", shown(p, ink)) if _is_there(p.get(key)) else ""
    if empty:
        return lambda p, ink: shown(p, ink) if _is_there(p.get(key)) else empty
    return shown


def _is_there(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [])


class _Read(dict[str, Any]):
    """A payload that remembers which of its fields were asked for: what is noted of an event is those."""

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


@lru_cache(maxsize=1024)  # an unknown kind is whatever a file says
def noted(kind: str) -> Notation | None:
    """How a kind is noted; None for one that is shown field by field."""
    known = _notation(kind)
    how = None if known is None else known.NOTATIONS.get(kind)
    if not isinstance(how, str) or _is_ours(kind):
        return Sentence(how, people(kind)) if isinstance(how, str) else how
    return sentence_of_guest(kind, how)


def sentence_of_guest(kind: str, written: str) -> Sentence | None:
    """A guest's sentence for a kind; None where it does not fit the event, which is then shown by its fields.

    `projections.guest_checks` says what does not fit.
    """
    from journal.store.kinds import event_called  # noqa: PLC0415 -- loading a game takes long
    from journal.vocabulary.base import fields_of  # noqa: PLC0415 -- as above

    event = event_called(kind)
    try:
        sentence = Sentence(written, people(kind))
    except ValueError:
        return None
    return None if event is None or not sentence.fields <= fields_of(event).keys() else sentence


def _notation(kind: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    game = kind.partition(".")[0]
    return shared if game == "table" else games.room(game, "notation")


@lru_cache(maxsize=1024)
def people(kind: str) -> frozenset[str]:
    """The fields of a kind that hold somebody by id, those that only its game has among them."""
    own: frozenset[str] = getattr(_notation(kind), "PEOPLE", frozenset())
    return PEOPLE | own


@lru_cache(maxsize=1024)
def sealed(kind: str) -> bool:
    """True for a kind whose words are shown to nobody: sealed ones, and those that nobody here knows.

    Of a guest's kind its event says so (`Event.public`); of ours a set beside the notations, which a test
    holds to the events.
    """
    if _is_ours(kind):
        return noted(kind) is None or kind in getattr(_notation(kind), "SEALED", ())
    from journal.store.kinds import event_called  # noqa: PLC0415 -- loading a game takes long

    event = event_called(kind)
    return event is None or bool(event.public)


def current(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of a stored event without its version, and the payload in today's shape.

    A test holds that no kind of ours has an older shape, so only a guest's kind loads what knows of any.
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
    """The event as one safe line, with everything its payload says; of a whole file, how large it is.

    `kind` has no version, and `payload` is the body's `data` in today's shape (`current`); `texts` gives the
    words it points at by index, None for redacted ones; `names` are people by id. `luck` is where each random
    value came from, as the envelope says. `place` says how a position is pointed at (`#412`; empty: not at
    all). `conflict` is the one the reader knows is meant: another one is named. A kind without a notation is
    shown as `kind key=value …`, marked unknown unless the caller knows it (`known`).
    """
    told = _told(kind, payload, Ink(texts, names, place, people(kind)), conflict, known=known)
    return safe.line(f"{told} [{mark(luck)}]" if luck else told)


def _told(kind: str, payload: Payload, ink: Ink, conflict: int | None, *, known: bool) -> str:
    """What the notation says, its own text unless that stands in it, and every other field."""
    notation = noted(kind)
    if notation is None:
        data = payload if known else {key: value for key, value in payload.items() if not _has_words(value)}
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(data)}".rstrip()
    told, shown = _noted(notation, payload, ink)
    if "text" not in shown:
        told += ink.after(payload)
    rest = {key: value for key, value in payload.items() if key not in shown and key != "text"}
    here = rest.pop("conflict", None)
    if here is not None and here != conflict:
        told += f" (conflict {here})"
    return f"{told} {ink.pairs(dict(sorted(rest.items())))}" if rest and not sealed(kind) else told


def _has_words(value: object) -> bool:
    """True for a text, or for what has one in it: of a kind nobody here knows it may be sealed."""
    if isinstance(value, Mapping):
        return value.keys() == {"~"} or any(map(_has_words, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_words, value))


def _noted(notation: Notation, payload: Payload, ink: Ink) -> tuple[str, Collection[str]]:
    """What a notation says, and the fields it has read for that."""
    if isinstance(notation, Sentence):
        return notation(payload, ink), notation.fields
    read = _Read(payload)
    return notation(read, ink), read.fields
