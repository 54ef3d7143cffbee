"""What is wrong with a game in a file: every mistake a sentence, with what may stand there instead."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from journal.systems.homebrew.rules import (
    HIGHEST,
    Band,
    Game,
    Kind,
    Move,
    Part,
    Stat,
    Track,
    Trouble,
    troubles,
)
from journal.vocabulary.base import NEEDED, fields_of

_TEXT: Final = "1 to 200 letters in quotes"
_NUMBER: Final = f"a whole number, from -{HIGHEST} to {HIGHEST}"
_WORDS: Final[Mapping[str, Sequence[str]]] = {
    "kind": tuple(Kind),
    "out": ("empty", "full"),
    "use": ("add", "under", "dice"),
}
"""The keys that take one of some words."""

TAKES: Final[Mapping[type[Part], Mapping[str, str]]] = {
    Game: {
        "name": "letters, digits and blanks in quotes, a letter first",
        "title": _TEXT,
        "about": _TEXT,
        "stats": "up to 60 of them, each a line under [stats]",
        "tracks": "up to 40 of them, each a line under [tracks]",
        "moves": "up to 60 of them, each under a heading of its own, such as [moves.climb]",
        "initiative": 'dice in quotes, such as "d20+dex"',
    },
    Stat: {"least": _NUMBER, "most": _NUMBER, "start": _NUMBER, "about": _TEXT},
    Track: {
        "kind": "",
        "most": "a whole number, or the name of a stat in quotes",
        "start": _NUMBER,
        "out": "",
        "about": _TEXT,
    },
    Move: {
        "dice": 'dice in quotes, such as "2d6"',
        "stat": 'the name of a stat in quotes, several in [ ], or "any"',
        "use": "",
        "bands": 'up to 12 in [ ], each such as { name = "a hit", least = 10 }',
        "about": _TEXT,
    },
    Band: {
        "name": _TEXT,
        **dict.fromkeys(("least", "most", "margin", "natural"), _NUMBER),
        "doubles": "true, or not there",
        "share": 'a part of the stat in quotes, "1/2" to "1/99"',
        "says": _TEXT,
        "marks": "tracks, each with a whole number, such as { harm = 1 }",
    },
}
"""What each key of each part takes, as a sentence goes on after “is”; empty where it is one of some words."""

_WRITTEN: Final[Mapping[type[Part], str]] = {
    Stat: "{ least = 0, most = 3 }",
    Track: '{ kind = "boxes", most = 4 }',
    Move: 'dice = "2d6" under its heading',
    Band: '{ name = "a hit", least = 10 }',
}
"""How each part is written, where something else stands in its place."""

_PARTS: Final[Mapping[str, type[Part]]] = {"stats": Stat, "tracks": Track, "moves": Move}
_INSTEAD: Final[Mapping[str, str]] = {"dice": "d6", "use": "under"}
"""What stands for a key that is not right while the rest is looked at, so that no more is wrong by it."""


class _Place(NamedTuple):
    """Where keys lead to: to a part of a game, and to one of its keys; None for the part itself."""

    part: type[Part]
    at: tuple[str | int, ...]
    key: str | None


def checked(content: Mapping[str, Any]) -> tuple[Game | None, list[Trouble]]:
    """The game that a file's content is, and everything that is wrong with it; None where its shape is.

    What stands and falls with something whose shape is wrong is not said beside it.
    """
    try:
        game = Game.of(content)
    except ValidationError as error:
        shapes = _shapes(error)
    else:
        return game, list(troubles(game))
    if ("stats",) in shapes or ("tracks",) in shapes:
        return None, list(shapes.values())
    try:
        rest = Game.of(_mended(content, shapes))
    except ValidationError:  # what could not be mended has been said
        return None, list(shapes.values())
    return None, [*shapes.values(), *(one for one in troubles(rest) if not _hangs_on(one.at, shapes))]


def _hangs_on(at: tuple[str | int, ...], shapes: Collection[tuple[str | int, ...]]) -> bool:
    """Whether keys lead to what has something in it whose shape is wrong."""
    return any(one[: len(at)] == at for one in shapes)


def _shapes(error: ValidationError) -> dict[tuple[str | int, ...], Trouble]:
    """What has not the shape it must have, by where it is, each place once."""
    wrong = error.errors(include_url=False)
    return {_place(one["loc"]).at: _shape(one["type"], one["loc"], one["input"]) for one in wrong}


def _shape(sort: str, loc: tuple[str | int, ...], value: object) -> Trouble:
    place = _place(loc)
    if loc[-1:] == ("[key]",):
        return Trouble(
            place.at, f"{_shown(value)} is no name: letters first, then letters, digits, blanks, ' and -"
        )
    if place.key is None:
        return Trouble(
            place.at, f"{_named(place.at)} is written {_WRITTEN[place.part]}, not as {_shown(value)}"
        )
    takes = TAKES[place.part]
    if sort == "extra_forbidden":
        return Trouble(place.at, f"there is no {place.key} here", (place.key, tuple(takes)))
    is_ = _takes(place.part, place.key)
    if sort == "missing":
        return Trouble(place.at[:-1], f"{place.key} is missing: it is {is_}")
    if place.key in _WORDS and isinstance(value, str):
        return Trouble(place.at, f"{place.key} is never {_shown(value)}", (value, tuple(_WORDS[place.key])))
    return Trouble(place.at, f"{place.key} is {is_}, not {_shown(value)}")


def _takes(part: type[Part], key: str) -> str:
    *others, last = (f'"{word}"' for word in _WORDS.get(key, ("",)))
    return TAKES[part][key] or f"{', '.join(others)} or {last}"


def _place(loc: tuple[str | int, ...]) -> _Place:
    """Where an error is, without what the checker adds of its own behind a key."""
    part: type[Part] = Game
    depth = 0
    if len(loc) > 1 and loc[0] in _PARTS:
        part, depth = _PARTS[str(loc[0])], 2
        if part is Move and loc[2:3] == ("bands",) and len(loc) > 3:
            part, depth = Band, 4
    key = loc[depth : depth + 1]
    if not key or key == ("[key]",):
        return _Place(part, loc[:depth], None)
    at = loc[: depth + (2 if key == ("marks",) else 1)]
    return _Place(part, at, str(key[0]))


def _named(at: tuple[str | int, ...]) -> str:
    """What a part is called in a sentence: its name, or which band of its move it is."""
    *_, last = at
    return f"band {last + 1}" if isinstance(last, int) else last


def _shown(value: object) -> str:
    """What stands in the file, as it stands there where that is short."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _mended(content: Mapping[str, Any], shapes: Mapping[tuple[str | int, ...], Trouble]) -> dict[str, Any]:
    """The content without what has not its shape, so that the rest can be looked at."""
    mended: dict[str, Any] = deepcopy(dict(content))
    for at in sorted(shapes, key=len, reverse=True):
        holder: Any = mended
        for key in at[:-1]:
            holder = holder[key]
        place, key = _place(at), at[-1]
        if place.key is None:
            holder[key] = {name: _INSTEAD.get(name, name) for name in _needed(place.part)}
        elif key in _INSTEAD or key in _needed(place.part):
            holder[key] = _INSTEAD.get(place.key, place.key)
        else:
            del holder[key]
    return mended


def _needed(part: type[Part]) -> list[str]:
    return [name for name, default in fields_of(part).items() if default is NEEDED]
