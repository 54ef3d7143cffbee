"""Mistakes in a homebrew game file, each as a sentence naming the allowed values."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from journal.decks.throws import Dice, Throw, parse_throw
from journal.systems.homebrew.rules import (
    DAMAGES,
    HIGHEST,
    MOST,
    Band,
    Condition,
    DiceOutcome,
    Game,
    Kind,
    Move,
    Name,
    Number,
    Part,
    Rest,
    Stat,
    Text,
    Track,
    Trouble,
    band_of,
    outcome_odds,
    stats_of,
    troubles,
)
from journal.vocabulary.base import NEEDED, InvalidShape, fields_of, types_of

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
    },
    Stat: {"least": _NUMBER, "most": _NUMBER, "start": _NUMBER, "about": _TEXT},
    Track: {
        "kind": "",
        "most": "a whole number, or the name of a stat in quotes",
        "start": _NUMBER,
        "out": "",
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


At: TypeAlias = tuple[str | int, ...]
"""Path of keys in a game."""


class _Place(NamedTuple):
    """Part that a path of keys leads to, and the last key, or None for a whole part."""

    part: type[Part]
    key: str | None


def check_game(content: Mapping[str, Any]) -> tuple[Game | None, list[Trouble]]:
    """Returns the game, or None if its shape is wrong, and every mistake found.

    Mistakes that merely follow from a wrong shape are left out.
    """
    try:
        game = Game.of(content)
    except InvalidShape:
        shapes = dict(_shapes(content))
    else:
        return game, list(troubles(game))
    if any((key,) in shapes for key in _PARTS):
        return None, list(shapes.values())
    try:
        rest = Game.of(_mended(content, shapes))
    except InvalidShape:  # what could not be mended has been said
        return None, list(shapes.values())
    return None, [*shapes.values(), *(one for one in troubles(rest) if not _hangs_on(one.at, shapes))]


def _hangs_on(at: At, shapes: Collection[At]) -> bool:
    """True if a wrong shape lies at or below a path."""
    return any(one[: len(at)] == at for one in shapes)


def _shapes(content: Mapping[str, Any]) -> Iterator[tuple[At, Trouble]]:
    """Yields each wrong shape with its path, in the game itself and in its parts."""
    yield from _of_part(Game, (), content, _PARTS)
    for key, part in _PARTS.items():
        parts = content.get(key, {})
        if not isinstance(parts, dict) or len(parts) > MOST[key]:
            yield _not_right(Game, (key,), parts)
            continue
        for name, one in parts.items():
            yield from _of_name((key, name), name)
            yield from _of_part(part, (key, name), one, ("bands", "tracks"))
            if part is Move and isinstance(one, dict):
                yield from _of_bands((key, name, "bands"), one.get("bands", []))
            if part is Rest and isinstance(one, dict):
                yield from _of_each(Rest, (key, name, "tracks"), one.get("tracks", {}), Number | Text)


def _of_bands(at: At, bands: object) -> Iterator[tuple[At, Trouble]]:
    if not isinstance(bands, list) or len(bands) > MOST["bands"]:
        yield _not_right(Move, at, bands)
        return
    for number, band in enumerate(bands):
        yield from _of_part(Band, (*at, number), band, ("marks",))
        if isinstance(band, dict):
            yield from _of_each(Band, (*at, number, "marks"), band.get("marks", {}), Number)


def _of_each(part: type[Part], at: At, each: object, type_: Any) -> Iterator[tuple[At, Trouble]]:  # noqa: ANN401 -- typing's own forms have no type
    """Yields mistakes in a table of names with values of one type."""
    if not isinstance(each, dict):
        yield _not_right(part, at, each)
        return
    for name, one in each.items():
        yield from _of_name((*at, name), name)
        if not _fits(one, type_):
            yield _not_right(part, (*at, name), one)


def _of_part(part: type[Part], at: At, value: object, apart: Collection[str]) -> Iterator[tuple[At, Trouble]]:
    """Yields mistakes in a part and its keys, except the keys `apart`, which are checked elsewhere."""
    if not isinstance(value, dict):
        yield at, Trouble(at, f"{_named(at)} is written {_WRITTEN[part]}, not as {_shown(value)}")
        return
    types = types_of(part)
    for key, default in fields_of(part).items():
        if key not in value and default is NEEDED:
            yield (*at, key), Trouble(at, f"{key} is missing: it is {_takes(part, key)}")
        no_doubles = key in ("doubles", "once") and value.get(key) is False
        if key in value and key not in apart and (no_doubles or not _fits(value[key], types[key])):
            yield _not_right(part, (*at, key), value[key])
    for key in value.keys() - types.keys():
        yield (*at, key), Trouble((*at, key), f"there is no {key} here", (key, tuple(TAKES[part])))


def _of_name(at: At, name: str) -> Iterator[tuple[At, Trouble]]:
    if not _fits(name, Name):
        why = f"{_shown(name)} is no name: letters first, then letters, digits, blanks, ' and -"
        yield at, Trouble(at, why)


def _fits(value: object, type_: Any) -> bool:  # noqa: ANN401 -- typing's own forms have no type
    try:
        msgspec.convert(value, type_)
    except msgspec.ValidationError:
        return False
    return True


def _not_right(part: type[Part], at: At, value: object) -> tuple[At, Trouble]:
    """Mistake for a value of the wrong type or range."""
    key = _place(at).key or ""
    if key in ("stat", "moves", "ends") and isinstance(value, list):
        value = next((one for one in value if not isinstance(one, str)), value)
    words = _WORDS.get((part, key))
    if words is not None and isinstance(value, str):
        return at, Trouble(at, f"{key} is never {_shown(value)}", (value, tuple(words)))
    return at, Trouble(at, f"{key} is {_takes(part, key)}, not {_shown(value)}")


def _takes(part: type[Part], key: str) -> str:
    *others, last = (f'"{word}"' for word in _WORDS.get((part, key), ("",)))
    return TAKES[part][key] or f"{', '.join(others)} or {last}"


def _place(at: At) -> _Place:
    """Part and key that a path leads to."""
    part: type[Part] = Game
    depth = 0
    if len(at) > 1:
        part, depth = _PARTS[str(at[0])], 2
        if part is Move and at[2:3] == ("bands",) and len(at) > 3:
            part, depth = Band, 4
    key = at[depth : depth + 1]
    return _Place(part, str(key[0]) if key else None)


def _named(at: At) -> str:
    """Sentence name of a part: its key, or `band 2` for a band."""
    *_, last = at
    return f"band {last + 1}" if isinstance(last, int) else last


def _shown(value: object) -> str:
    """Value as the file has it, shortened to 60 characters."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def _mended(content: Mapping[str, Any], shapes: Mapping[At, Trouble]) -> dict[str, Any]:
    """Copy of the content with wrong shapes removed or replaced, so that the rest can be checked."""
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


FURTHER: Final = 20
"""Largest bonus tried beyond a stat's range."""

WIDEST: Final = 60
"""Maximum number of stat values tried."""

MOST_DICE: Final = 12
"""The most dice that are tried, where a stat says how many there are."""

MOST_TRIED: Final = 100_000
"""Maximum number of throws tried; beyond it nothing is reported."""


def impossible_results(game: Game) -> Iterator[Trouble]:
    """Yields unreachable results, each with the reason and an alternative."""
    for name, move in game.moves.items():
        reached = _reached(game, move)
        if reached is None:
            continue
        for place, band in enumerate(move.bands):
            if place not in reached:
                why = _why(game, move, band)
                yield Trouble(("moves", name, "bands", place), f"{band.name} can never come: {why}")


def _reached(game: Game, move: Move) -> set[int] | None:
    """Indices of the bands that some throw reaches; None if undetermined."""
    left = set(range(len(move.bands)))
    tried = 0
    for came in _throws(game, move):
        found = band_of(move, came)
        left -= {place for place in left if move.bands[place] is found}
        tried += 1
        if not left:
            break
        if tried > MOST_TRIED:
            return None
    return set(range(len(move.bands))) - left if tried else None


def _throws(game: Game, move: Move) -> Iterator[DiceOutcome]:
    """Yields possible outcomes of a move, for numbers around its stats' range and any target."""
    margins = sorted(
        {by for band in move.bands if band.margin is not None for by in (band.margin, band.margin - 1)}
    )
    for these, shifts in _dice(game, move):
        for came in _from_both_ends([came for came, _ in outcome_odds(move, these)]):
            for shift in shifts:
                if move.use == "under":
                    yield came._replace(margin=shift - came.total, target=shift)
                    continue
                total = came.total + (shift if move.use == "add" else 0)
                for margin in margins or (None,):
                    yield came._replace(total=total, margin=margin)


def _from_both_ends(came: Sequence[DiceOutcome]) -> Iterator[DiceOutcome]:
    """Reorders outcomes so that extreme results come early."""
    for place in range((len(came) + 1) // 2):
        yield came[place]
        if place != len(came) - 1 - place:
            yield came[len(came) - 1 - place]


def _dice(game: Game, move: Move) -> Iterator[tuple[Throw, Sequence[int]]]:
    """Yields the possible dice of a move, with the numbers to add."""
    these, numbers = parse_throw(move.dice), _numbers(game, move)
    if move.use != "dice":
        yield these, numbers
        return
    if move.zero is not None:
        yield parse_throw(move.zero), (0,)
    first, *others = these.terms
    top = max(1, min(MOST_DICE, max(numbers)))
    for count in sorted({1, 2, 3, top} & set(range(1, top + 1))):
        if isinstance(first, Dice):
            yield Throw((replace(first, count=count), *others)), (0,)


def _numbers(game: Game, move: Move) -> Sequence[int]:
    """Possible sums of a stat and a bonus, from the middle outwards."""
    stats = [game.stats[name] for name in stats_of(game, move) if name in game.stats]
    least = min((stat.least for stat in stats), default=0)
    most = max((stat.most for stat in stats), default=0)
    start = max(least, min(most, 0))
    low, high = max(least, start - WIDEST) - FURTHER, min(most, start + 2 * WIDEST) + FURTHER
    return sorted(range(low, high + 1), key=lambda number: abs(number - start))


def _why(game: Game, move: Move, band: Band) -> str:
    """Reason why a result never comes, with an alternative."""
    alone = replace(move, bands=(band,))
    if _reached(game, alone):
        return "a result above it takes every throw that it would; write it above that one"
    alone_too = ((key, Band.of({"name": band.name, key: asked})) for key, asked in _faces_asked(band))
    wrong = next((key for key, one in alone_too if not _reached(game, replace(move, bands=(one,)))), None)
    if wrong == "doubles":
        lone = next((face for face in (band.natural,) if face is not None), 6)
        return (
            f"one die of {move.dice} counts, so no two are alike; for two dice of it that show {lone},"
            f" write pair = {lone}"
        )
    if wrong == "pair":
        return f"two dice of {move.dice} never show {band.pair}"
    if wrong == "natural":
        return f"no die that counts in {move.dice} shows {band.natural}"
    return "no throw is all of that at once"


def _faces_asked(band: Band) -> Iterator[tuple[str, int | bool]]:
    """Yields a band's keys about faces with their values."""
    for key in ("doubles", "pair", "natural"):
        asked = getattr(band, key)
        if asked is not None:
            yield key, asked
