"""A game is read out of its file, refused with every line that is wrong, and kept as the record has it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from journal.names import CLOSE, nearest
from journal.refused import Refused
from journal.systems.homebrew.options.mistakes import checked
from journal.systems.homebrew.options.never import never
from journal.systems.homebrew.rules import Game, Part, Trouble
from journal.vocabulary.base import fields_of, values_of

NAME: Final = "homebrew"

FILE: Final = ".toml"
"""How the name of a game's file ends."""

LARGEST_FILE: Final = 65_536
"""Bytes of a game's file at the most."""

MOST_TOLD: Final = 20
"""So many mistakes of a file are told at once."""

_GAMES: Final = files("journal.systems.homebrew") / "games"

PAPER: Final = "docs/a-game-in-a-file.md says what a file has."


def known() -> tuple[str, ...]:
    """The names of the games that come with Retold."""
    return tuple(
        sorted(one.name.removesuffix(".toml") for one in _GAMES.iterdir() if one.name.endswith(".toml"))
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
    return read((_GAMES / f"{typed}.toml").read_bytes(), f"{typed}.toml")


def read(data: bytes, file: str) -> Game:
    """The game in a file, as TOML.

    Raises Refused with the file, and for everything that is wrong with the line (from 1) and a sentence: the
    first mistake in its TOML, else each part that is none or is not as it must be, and each name that
    nothing has.
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
    game, found = checked(content)
    if game is not None and not found:
        found = list(never(game))
    if game is None or found:
        raise Refused(*_said(file, text, found))
    return game


def written(game: Game) -> str:
    """A game as the record keeps it: JSON, the same for the same game."""
    return json.dumps(_said_of(game), ensure_ascii=False, separators=(",", ":"))


def _said_of(value: object) -> object:
    """A game, or a part of it, without what it does not say."""
    if isinstance(value, Part):
        unsaid = fields_of(type(value))
        said = {key: one for key, one in values_of(value).items() if one != unsaid[key]}
        return {key: _said_of(one) for key, one in said.items()}
    if isinstance(value, Mapping):
        return {key: _said_of(one) for key, one in value.items()}
    return [_said_of(one) for one in value] if isinstance(value, tuple) else value


@lru_cache(maxsize=64)
def recorded(definition: str) -> Game:
    """A game out of the record; Refused where the text is none."""
    try:
        content = json.loads(definition)
    except ValueError:
        raise Refused("This is no game: it is not JSON.") from None
    if not isinstance(content, dict):
        raise Refused("This is no game: it is a table, as a file has it.")
    game, found = checked(content)
    for one in found:
        said = ": ".join(filter(None, (".".join(map(str, one.at)), one.told())))
        raise Refused(f"This is no game: {said}")
    assert game is not None  # noqa: S101 -- else something has been found
    return game


def _said(file: str, text: str, found: Sequence[Trouble]) -> Iterator[str]:
    """A sentence for each mistake with its line, from the top of the file; of very many the first."""
    lines = sorted((_line(text, one.at), one.told()) for one in found)
    yield from (f"{file}:{line}: {told}" for line, told in lines[:MOST_TOLD])
    if len(lines) > MOST_TOLD:
        yield f"And {len(lines) - MOST_TOLD} more."
    yield PAPER


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
