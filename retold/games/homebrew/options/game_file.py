"""Finding the mistakes in a game file, each as a sentence with the path of keys to its place.

pydantic finds every wrong shape (missing or ill-typed value) at once, by the types of `rules`. Only a file
that msgspec refuses needs this module: sound files and recorded games are read without pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from msgspec import Meta
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from retold.games.homebrew.rules import (
    DAMAGES,
    HIGHEST,
    Band,
    Condition,
    Game,
    Kind,
    Mistake,
    Move,
    Part,
    Rest,
    Stat,
    Track,
    mistakes_in,
)
from retold.journal.names import either
from retold.journal.vocabulary.base import NEEDED, InvalidShape, fields_of, types_of

_TEXT: Final = "1 to 200 letters in quotes"
_NUMBER: Final = f"a whole number, from -{HIGHEST} to {HIGHEST}"
_SWAYS: Final = '"adv", "dis" or a whole number'
_WORDS: Final[Mapping[tuple[type[Part], str], Sequence[str]]] = {
    (Track, "kind"): tuple(Kind),
    (Track, "out"): ("empty", "full"),
    (Move, "use"): ("add", "under", "dice"),
    (Band, "damage"): DAMAGES,
    (Condition, "rolls"): ("adv", "dis"),
    (Condition, "against"): ("adv", "dis"),
}
"""Keys with a fixed list of words."""

TAKES: Final[Mapping[type[Part], Mapping[str, str]]] = {
    Game: {
        "name": "letters, digits and blanks in quotes, a letter first",
        "title": _TEXT,
        "about": _TEXT,
        "stats": "up to 60 of them, each a line under [stats]",
        "tracks": "up to 40 of them, each a line under [tracks]",
        "conditions": "up to 60 of them, each a line under [conditions]",
        "moves": "up to 60 of them, each under a heading of its own, such as [moves.climb]",
        "rests": "up to 12 of them, each under a heading of its own, such as [rests.short]",
        "initiative": 'dice in quotes, such as "d20+dex"',
        "author": _TEXT,
        "licence": _TEXT,
    },
    Stat: {"least": _NUMBER, "most": _NUMBER, "start": _NUMBER, "about": _TEXT},
    Track: {
        "kind": "",
        "most": "a whole number, or the name of a stat in quotes",
        "start": _NUMBER,
        "out": "",
        "dying": "true, or not there",
        "about": _TEXT,
    },
    Condition: {
        **dict.fromkeys(("rolls", "against"), _SWAYS),
        "moves": "names of moves in [ ], each in quotes",
        "once": "true, or not there",
        "about": _TEXT,
    },
    Rest: {
        "tracks": 'tracks, each "full", "empty" or "start", a whole number or dice, such as { hp = "full" }',
        "classes": 'classes, each with its dice in quotes, such as { fighter = "1d10+con" }',
        "ends": 'names of conditions in [ ], each in quotes, or "all"',
        "about": _TEXT,
    },
    Move: {
        "dice": 'dice in quotes, such as "2d6"',
        "stat": 'the name of a stat in quotes, several in [ ], or "any"',
        "use": "",
        "zero": 'dice in quotes, such as "2d6kl1"',
        "against": "the name of a stat in quotes",
        "hurts": "the name of a track in quotes",
        "damage": 'dice in quotes, such as "1d6+str"',
        "bands": 'up to 12 in [ ], each such as { name = "a hit", least = 10 }',
        "about": _TEXT,
    },
    Band: {
        "name": _TEXT,
        **dict.fromkeys(("least", "most", "margin", "natural"), _NUMBER),
        "doubles": "true, or not there",
        "share": 'a part of the stat in quotes, "1/2" to "1/99"',
        "pair": _NUMBER,
        "says": _TEXT,
        "marks": "tracks, each with a whole number, such as { harm = 1 }",
        "damage": '"full", "double" or "half", or a whole number from 1',
    },
}
"""Allowed values of each key, as the end of a sentence after “is”; empty for keys in `_WORDS`."""

_WRITTEN: Final[Mapping[type[Part], str]] = {
    Stat: "{ least = 0, most = 3 }",
    Track: '{ kind = "boxes", most = 4 }',
    Condition: '{ rolls = "dis" }',
    Rest: 'tracks = { hp = "full" } under its heading',
    Move: 'dice = "2d6" under its heading',
    Band: '{ name = "a hit", least = 10 }',
}
"""Example of each part, for the sentence about a wrong one."""

_PARTS: Final[Mapping[str, type[Part]]] = {
    "stats": Stat,
    "tracks": Track,
    "conditions": Condition,
    "moves": Move,
    "rests": Rest,
}
_INSTEAD: Final[Mapping[str, str]] = {"dice": "d6", "use": "under"}
"""Substitutes for wrong values, so that the rest can be checked."""


Path: TypeAlias = tuple[str | int, ...]
"""Keys that lead to a value in a game."""


class _Place(NamedTuple):
    """Class of a game part to which a path of keys leads, and the key in it.

    The key is None if the path leads to the part as a whole.
    """

    part: type[Part]
    key: str | None


def mistakes_of(content: Mapping[str, Any]) -> list[Mistake]:
    """Returns the mistakes in the content of a game file: wrong shapes, and wrong names in the rest of it.

    A wrong shape is a missing or ill-typed value. Mistakes that merely follow from one are left out.
    """
    shapes = dict(_wrong_shapes(content))
    if any((key,) in shapes for key in _PARTS):
        return [*shapes.values()]
    try:
        rest = Game.of(_mended(content, shapes))
    except InvalidShape:  # beyond repair: only the wrong shapes are reported
        return [*shapes.values()]
    follows = [mistake for mistake in mistakes_in(rest) if not _holds_any(mistake.at, shapes)]
    return [*shapes.values(), *follows]


def _holds_any(path: Path, shapes: Mapping[Path, Mistake]) -> bool:
    """True if a wrong shape was found at this path of keys or below it."""
    return any(wrong[: len(path)] == path for wrong in shapes)


# --- shapes -----------------------------------------------------------------------------------------------


@cache
def _model(part: type[Part]) -> type[BaseModel]:
    """Returns a pydantic model with the keys and types of a game part; values are not converted. Cached."""
    defaults = fields_of(part)
    keys: dict[str, Any] = {
        key: (_type(type_), ... if defaults[key] is NEEDED else defaults[key])
        for key, type_ in types_of(part).items()
    }
    config = ConfigDict(extra="forbid", strict=True, regex_engine="python-re")
    return create_model(part.__name__, __config__=config, **keys)


def _type(type_: Any) -> Any:  # noqa: ANN401 -- typing's own forms have no type
    """Returns the pydantic type for a type of a game part: lists for tuples, words for enums, as in TOML."""
    origin, inner = get_origin(type_), get_args(type_)
    if isinstance(type_, type) and issubclass(type_, Part):
        form: Any = _model(type_)
    elif isinstance(type_, type) and issubclass(type_, StrEnum):
        form = Literal[tuple(map(str, type_))]
    elif origin is Annotated:
        form = Annotated[_type(inner[0]), *map(_bounds, inner[1:])]
    elif origin is tuple:
        form = list[_type(inner[0])]  # type: ignore[misc]  # made as it runs
    elif origin is Mapping:
        form = dict[_type(inner[0]), _type(inner[1])]  # type: ignore[misc]  # as above
    elif origin in (Union, UnionType):
        form = Union[tuple(map(_type, inner))]  # noqa: UP007 -- as above
    else:
        form = type_
    return form


def _bounds(meta: Meta) -> Any:  # noqa: ANN401 -- as pydantic has it
    return Field(
        ge=meta.ge, le=meta.le, min_length=meta.min_length, max_length=meta.max_length, pattern=meta.pattern
    )


def _wrong_shapes(content: Mapping[str, Any]) -> Iterator[tuple[Path, Mistake]]:
    """Yields for each missing or ill-typed value the path of keys to it, and the mistake as a sentence."""
    try:
        _model(Game).model_validate(dict(content))
    except ValidationError as error:
        for wrong in error.errors(include_url=False, include_context=False):
            steps, kind = wrong["loc"], wrong["type"]
            path, value = _value_at(content, steps, is_missing=kind == "missing")
            yield path, _mistake(path, value, "name" if steps[-1] == "[key]" else kind)


def _value_at(content: Mapping[str, Any], steps: Path, *, is_missing: bool) -> tuple[Path, Any]:
    """Returns the path of keys, and the value there, that the steps of a pydantic error lead to.

    Steps that name a branch of a union type are left out.
    """
    path: Path = ()
    value: Any = content
    for step in steps:
        if isinstance(value, dict) and (step in value or is_missing):
            value = value.get(step)
        elif isinstance(value, list) and path[-1:] == ("bands",):
            value = value[int(step)]
        else:
            break
        path = (*path, step)
    return path, value


def _mistake(path: Path, value: object, kind: str) -> Mistake:
    """Returns a pydantic error of type `kind`, such as `missing`, rewritten as a mistake for users."""
    place, key = _place(path), str(path[-1])
    if kind == "missing":
        return Mistake(path[:-1], f"{key} is missing: it is {_takes(place.part, key)}")
    if kind == "extra_forbidden":
        return Mistake(path, f"there is no {key} here", (key, tuple(TAKES[place.part])))
    if kind == "name":
        return Mistake(
            path, f"{_shown(key)} is no name: letters first, then letters, digits, blanks, ' and -"
        )
    if place.key is None:
        return Mistake(path, f"{_name_of(path)} is written {_WRITTEN[place.part]}, not as {_shown(value)}")
    return _wrong_value(place.part, place.key, path, value)


def _wrong_value(part: type[Part], key: str, path: Path, value: object) -> Mistake:
    """Returns the mistake for a value of the wrong type or out of range, naming the allowed values."""
    if key in ("stat", "moves", "ends") and isinstance(value, list):
        value = next((name for name in value if not isinstance(name, str)), value)
    words = _WORDS.get((part, key))
    if words is not None and isinstance(value, str):
        return Mistake(path, f"{key} is never {_shown(value)}", (value, tuple(words)))
    return Mistake(path, f"{key} is {_takes(part, key)}, not {_shown(value)}")


def _takes(part: type[Part], key: str) -> str:
    return TAKES[part][key] or either(f'"{word}"' for word in _WORDS.get((part, key), ("",)))


def _place(path: Path) -> _Place:
    """Resolves a path of keys to a class of game part, such as `Move`, and a key of that part."""
    part: type[Part] = Game
    depth = 0
    if len(path) > 1:
        part, depth = _PARTS[str(path[0])], 2
        if part is Move and path[2:3] == ("bands",) and len(path) > 3:
            part, depth = Band, 4
    key = path[depth : depth + 1]
    return _Place(part, str(key[0]) if key else None)


def _name_of(path: Path) -> str:
    """Returns a part's name for a sentence: the last key of its path, or `band 2` for a band."""
    *_, last = path
    return f"band {last + 1}" if isinstance(last, int) else last


def _shown(value: object) -> str:
    """Returns a value as written in the file, cut to 60 characters; `a table` or `a list` for these."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


# --- the rest of the file ---------------------------------------------------------------------------------


def _mended(content: Mapping[str, Any], shapes: Mapping[Path, Mistake]) -> dict[str, Any]:
    """Returns a copy of a game file's content with ill-typed values removed, or replaced if required.

    So the names in the rest of the file can be checked.
    """
    mended: dict[str, Any] = deepcopy(dict(content))
    for path in sorted(shapes, key=len, reverse=True):
        holder: Any = mended
        for key in path[:-1]:
            holder = holder[key]
        place, key = _place(path), path[-1]
        if place.key is None:
            holder[key] = {name: _INSTEAD.get(name, name) for name in _needed(place.part)}
        elif key in _INSTEAD or key in _needed(place.part):
            holder[key] = _INSTEAD.get(place.key, place.key)
        else:
            del holder[key]
    return mended


def _needed(part: type[Part]) -> list[str]:
    return [name for name, default in fields_of(part).items() if default is NEEDED]
