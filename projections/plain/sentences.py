"""Notations that are one sentence, with places for the fields of an event."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from projections.plain.ink import PEOPLE, Ink, Payload, owning

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
        """`people` are the fields whose names say that they hold people."""
        said = re.split(_PLACES, sentence)
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
