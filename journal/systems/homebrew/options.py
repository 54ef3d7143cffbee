"""The games a table may choose: those that come with Retold, and any other in a file of its own."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from pydantic import ValidationError

from journal.names import CLOSE, nearest
from journal.refused import Refused
from journal.systems.homebrew.rules import Game, Trouble, troubles

NAME: Final = "homebrew"

FILE: Final = ".toml"
"""How the name of a game's file ends."""

LARGEST_FILE: Final = 65_536
"""Bytes of a game's file at the most."""

PAPER: Final = "docs/a-game-in-a-file.md says what a file has."


def known() -> tuple[str, ...]:
    """The names of the games that come with Retold."""
    folder = files(__package__) / "games"
    return tuple(
        sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))
    )


def built_in(name: str) -> Game:
    """A game that comes with Retold, by its name; Refused with those there are."""
    typed = name.casefold()
    if typed not in known():
        close = nearest(typed, known(), at_least=CLOSE)
        meant = f"Did you mean {close[0]}? " if close else ""
        raise Refused(
            f"There is no game {name}. {meant}There are: {', '.join(known())}; or name a file: ./my.toml."
        )
    return read((files(__package__) / "games" / f"{typed}.toml").read_bytes(), f"{typed}.toml")


def read(data: bytes, file: str) -> Game:
    """The game in a file, as TOML.

    Raises Refused with the file, the line (from 1) and what is wrong there: with its TOML, with a part that
    is none or is not as it must be, or with a name that nothing has.
    """
    if len(data) > LARGEST_FILE:
        raise Refused(f"{file} has {len(data)} bytes: a game's file has {LARGEST_FILE} at the most.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refused(f"{file} is not UTF-8 text. {PAPER}") from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{file}:{_not_toml(str(error), text)}. {PAPER}") from None
    except RecursionError:
        raise Refused(f"{file} is nested too deeply. {PAPER}") from None
    try:
        game = Game.model_validate(content)
    except ValidationError as error:
        raise _refused(file, text, _first(error)) from None
    for trouble in troubles(game):
        raise _refused(file, text, trouble)
    return game


def written(game: Game) -> str:
    """A game as the record keeps it: JSON, the same for the same game."""
    content = game.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def recorded(definition: str) -> Game:
    """A game out of the record; Refused where the text is none."""
    try:
        game = Game.model_validate_json(definition)
    except ValidationError as error:
        first = _first(error)
        said = ": ".join(filter(None, (".".join(map(str, first.at)), first.sentence)))
        raise Refused(f"This is no game: {said}.") from None
    for trouble in troubles(game):
        raise Refused(f"This is no game: {trouble.sentence}.")
    return game


def _first(error: ValidationError) -> Trouble:
    """The first thing that is wrong, in words."""
    first = error.errors(include_url=False)[0]
    at = tuple(first["loc"])
    if first["type"] == "extra_forbidden":
        return Trouble(at, f"there is no {at[-1]} here")
    if first["type"] == "missing":
        return Trouble(at[:-1], f"{at[-1]} is missing")
    if at[-1:] == ("[key]",) or first["type"] == "string_pattern_mismatch":
        return Trouble(
            at, f"{first['input']!r} is no name: letters first, then letters, digits, blanks, ' and -"
        )
    return Trouble(at, f"{'.'.join(map(str, at))} is not right ({first['msg']})")


def _refused(file: str, text: str, trouble: Trouble) -> Refused:
    return Refused(f"{file}:{_line(text, trouble.at)}: {trouble.sentence}. {PAPER}")


def _not_toml(said: str, text: str) -> str:
    """What the reader of TOML says, with the line (from 1) before it."""
    what, _, where = said.partition(" (at ")
    found = re.match(r"line (\d+)", where)
    return f"{found[1] if found else max(1, len(text.splitlines()))}: {what}"


def _line(text: str, at: Sequence[str | int]) -> int:
    """The line (from 1) where the keys lead to, or as far along them as can be found by looking."""
    lines = text.splitlines()
    place = 0
    for key in at:
        if isinstance(key, int):
            found = _nth_item(lines, place, key)
        else:
            found = next((row for row in range(place, len(lines)) if _speaks_of(lines[row], key)), None)
        place = place if found is None else found
    return place + 1


def _speaks_of(line: str, key: str) -> bool:
    """Whether a line is the heading of a table, or gives a value, of that name."""
    name = rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')"
    heading = rf"\s*\[+[^\]]*{name}\s*[.\]]"
    return re.match(rf"{heading}|\s*{name}\s*(?:=|\.)|.*[{{,]\s*{name}\s*=", line) is not None


def _nth_item(lines: Sequence[str], start: int, number: int) -> int | None:
    """The line of an item (from 0) of a list of tables that begins there, one item a line."""
    rows = [row for row in range(start, len(lines)) if re.match(r"\s*(?:\{|\[\[)", lines[row])]
    return rows[number] if number < len(rows) else None
