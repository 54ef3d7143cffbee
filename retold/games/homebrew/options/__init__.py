"""Homebrew games: loading shipped ones, reading others from TOML files, and help pages about them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from retold.games.homebrew.options.impossible import impossible_results
from retold.games.homebrew.rules import (
    HIGHEST,
    Band,
    Condition,
    Game,
    Kind,
    Mistake,
    Move,
    Part,
    Rest,
    RollEffect,
    Stat,
    Track,
    mistakes_in,
    needs_no_throw,
    stats_of,
)
from retold.journal.names import CLOSE, nearest, quoted
from retold.journal.refused import Refused
from retold.journal.system import ReadyGame
from retold.journal.vocabulary.base import InvalidShape, fields_of, values_of

NAME: Final = "homebrew"

FILE: Final = ".toml"
"""File ending of games."""

LARGEST_FILE: Final = 65_536
"""Bytes of a game's file at the most."""

MOST_TOLD: Final = 20
"""Maximum number of mistakes reported at once."""

_GAMES: Final = files("retold.games.homebrew") / "games"

PAPER: Final = "docs/a-game-in-a-file.md says what a file has."


def game_names() -> tuple[str, ...]:
    """Returns the names of the shipped games, sorted: d20, fate and so on."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _GAMES.iterdir() if file.name.endswith(".toml"))
    )


def built_in_game(name: str) -> Game:
    """Loads the shipped game called `name`, upper or lower case; raises Refused for an unknown name."""
    typed = name.casefold()
    if typed not in game_names():
        close = nearest(typed, game_names(), at_least=CLOSE)
        meant = f"Did you mean {close[0]}? " if close else ""
        raise Refused(
            f"There is no game {name}. {meant}There are: {', '.join(game_names())}; "
            "or name a file: ./my.toml."
        )
    return Game.of(tomllib.loads((_GAMES / f"{typed}.toml").read_text("utf-8")))


def ready_games() -> list[ReadyGame]:
    """Returns the shipped games, sorted by name."""
    return [ReadyGame(game.name, game.title, game.about) for game in map(built_in_game, game_names())]


def read_game(data: bytes, file: str) -> Game:
    """Parses the content `data` of a game file in TOML and returns the game; `file` is its name.

    Raises Refused with the file's name and a sentence per mistake with its text line (from 1): the first
    mistake in the TOML, else each part of the wrong shape, each unknown name, and each result that can never
    come.
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
        raise Refused(f"{file}:{_toml_message(str(error), text)}. {PAPER}") from None
    except RecursionError:
        raise Refused(f"{file} is nested too deeply. {PAPER}") from None
    game, found = _checked(content)
    if game is not None and not found:
        found = list(impossible_results(game))
    if game is None or found:
        raise Refused(*_mistake_lines(file, text, found))
    return game


def _checked(content: Mapping[str, object]) -> tuple[Game | None, list[Mistake]]:
    """Returns the game, or None if a part of it has a wrong shape; and the list of mistakes found."""
    try:
        game = Game.of(content)
    except InvalidShape:
        from retold.games.homebrew.options.game_file import mistakes_of  # noqa: PLC0415 -- loads pydantic

        return None, mistakes_of(content)
    return game, list(mistakes_in(game))


def game_as_json(game: Game) -> str:
    """Returns a game as compact JSON for the record, without fields left at their default."""
    return json.dumps(_plain_data(game), ensure_ascii=False, separators=(",", ":"))


def _plain_data(value: object) -> object:
    """Returns a game, or a part of it, as dicts and lists, without fields left at their default."""
    if isinstance(value, Part):
        unsaid = fields_of(type(value))
        said = {key: item for key, item in values_of(value).items() if item != unsaid[key]}
        return {key: _plain_data(item) for key, item in said.items()}
    if isinstance(value, Mapping):
        return {key: _plain_data(item) for key, item in value.items()}
    return [_plain_data(item) for item in value] if isinstance(value, tuple) else value


@lru_cache(maxsize=64)
def recorded_game(definition: str) -> Game:
    """Decodes a game from recorded JSON; raises Refused for text that is not a valid game. Cached."""
    try:
        content = json.loads(definition)
    except ValueError:
        raise Refused("This is not a game: it is not JSON.") from None
    if not isinstance(content, dict):
        raise Refused("This is not a game: a game is an object with keys, as in its file.")
    game, found = _checked(content)
    for mistake in found:
        sentence = ": ".join(filter(None, (".".join(map(str, mistake.at)), mistake.text())))
        raise Refused(f"This is not a game: {sentence}")
    assert game is not None  # noqa: S101 -- without mistakes there is a game
    return game


def _mistake_lines(file: str, text: str, found: Sequence[Mistake]) -> Iterator[str]:
    """Yields `FILE:LINE: sentence` for up to 20 mistakes, in the file's order from its top.

    A sentence naming the documentation of game files comes last.
    """
    lines = sorted((_line(text, mistake.at), mistake.text()) for mistake in found)
    yield from (f"{file}:{line}: {sentence}" for line, sentence in lines[:MOST_TOLD])
    if len(lines) > MOST_TOLD:
        yield f"And {len(lines) - MOST_TOLD} more."
    yield PAPER


def _toml_message(message: str, text: str) -> str:
    """Returns the TOML parser's message with the text line (from 1) in front: `3: Invalid value`."""
    what, _, where = message.partition(" (at ")
    found = re.match(r"line (\d+)", where)
    return f"{found[1] if found else max(1, len(text.splitlines()))}: {what}"


def _line(text: str, at: Sequence[str | int]) -> int:
    """Returns the number (from 1) of the text line that has the value at the path `at`.

    A key that cannot be found leaves the line of the keys before it.
    """
    lines = text.splitlines()
    place = 0
    for key in at:
        if isinstance(key, int):
            found = _nth_item(lines, place, key)
        else:
            found = next((row for row in range(place, len(lines)) if _names_key(lines[row], key)), None)
        place = place if found is None else found
    return place + 1


def _names_key(line: str, key: str) -> bool:
    """True if a text line of a TOML file has the key in a heading (`[moves.KEY]`), or assigns to it."""
    name = rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')"
    heading = rf"\s*\[+[^\]]*{name}\s*[.\]]"
    return re.match(rf"{heading}|\s*{name}\s*(?:=|\.)|.*[{{,]\s*{name}\s*=", line) is not None


def _nth_item(lines: Sequence[str], start: int, number: int) -> int | None:
    """Returns the index of the text line with list item `number` (from 0), searching from the line `start`.

    Items are expected one a line, beginning with `{` or `[[`. None if there are fewer.
    """
    rows = [row for row in range(start, len(lines)) if re.match(r"\s*(?:\{|\[\[)", lines[row])]
    return rows[number] if number < len(rows) else None


MANY: Final = 3
"""Maximum number of other stats in an example line."""

_KINDS: Final = {
    Kind.NUMBER: "a number",
    Kind.BOXES: "boxes",
    Kind.CLOCK: "a clock",
    Kind.COUNTER: "a counter",
    Kind.CONDITION: "there or not",
}
_USES: Final = {"add": "added to the dice", "under": "what the dice stay under", "dice": "how many dice"}


def help_page(game: Game) -> str:
    """Returns a Markdown page about a game: sheet, tracks, moves, turn order, and example lines."""
    parts = (
        (f"# {game.title}", f"{game.about[:1].upper()}{game.about[1:]}.", *_written(game)),
        _sheet(game),
        _tracks(game),
        _conditions(game),
        *(_move(game, name, move) for name, move in game.moves.items()),
        _rests(game),
        ("## Who goes first", _initiative(game)),
        ("## An evening", "\n".join(("```text", *example_lines(game), "```"))),
        ("Dice, clocks and all that every such game has: `help homebrew`.",),
    )
    return "\n\n".join(block for part in parts for block in part) + "\n"


def _written(game: Game) -> Iterator[str]:
    told = (f"by {game.author}" if game.author else "", f"licence: {game.licence}" if game.licence else "")
    known = "; ".join(filter(None, told))
    if known:
        yield f"{known[:1].upper()}{known[1:]}."


def _sheet(game: Game) -> Iterator[str]:
    if game.stats:
        yield "## A sheet"
        rows = ((name, _range(stat), str(stat.start), stat.about or "") for name, stat in game.stats.items())
        yield _table(("stat", "range", "starts at", ""), rows)


def _range(stat: Stat) -> str:
    least = "any" if stat.least == -HIGHEST else str(stat.least)
    most = "any" if stat.most == HIGHEST else str(stat.most)
    return least if least == most else f"{least} to {most}"


def _tracks(game: Game) -> Iterator[str]:
    if game.tracks:
        yield "## Tracks"
        rows = (
            (
                name,
                _KINDS[track.kind],
                "" if track.most is None else str(track.most),
                _out(track),
                track.about or "",
            )
            for name, track in game.tracks.items()
        )
        yield _table(("track", "is", "at most", "out", ""), rows)


def _out(track: Track) -> str:
    return "" if track.out is None else f"when {track.out}"


def _conditions(game: Game) -> Iterator[str]:
    if game.conditions:
        yield "## Conditions"
        rows = (
            (
                name,
                _sways(condition.rolls),
                _sways(condition.against),
                ", ".join(condition.moves),
                _until(condition),
                condition.about or "",
            )
            for name, condition in game.conditions.items()
        )
        yield _table(("condition", "own rolls", "rolls against", "only in", "until", ""), rows)


def _sways(by: RollEffect | None) -> str:
    return "" if by is None else by if isinstance(by, str) else f"{by:+}"


def _until(condition: Condition) -> str:
    return "it has counted once" if condition.once else ""


def _rests(game: Game) -> Iterator[str]:
    if game.rests:
        yield "## Rests"
        rows = ((name, _sets_back(rest), _ends(rest), rest.about or "") for name, rest in game.rests.items())
        yield _table(("rest", "sets back", "ends", ""), rows)


def _sets_back(rest: Rest) -> str:
    return ", ".join(
        f"{track} {to if isinstance(to, str) else f'{to:+}'}" for track, to in rest.tracks.items()
    )


def _ends(rest: Rest) -> str:
    return "every condition" if rest.ends == "all" else ", ".join(rest.ends)


def _move(game: Game, name: str, move: Move) -> Iterator[str]:
    yield f"## {name}"
    stats = stats_of(game, move)
    which = "any stat" if move.stat == "any" else " or ".join(stats)
    with_ = f"; {which} is {_USES[move.use]}" if stats else ""
    about = f"{move.about[:1].upper()}{move.about[1:]}. " if move.about else ""
    zero = f"; for none of them `{move.zero}`" if move.zero else ""
    yield f"{about}`{move.dice}`{with_}{zero}.{_aim(move)}"
    if move.bands:
        yield "\n".join(f"- {band.name}: {_when(band)}{_does(band)}" for band in move.bands)


def _aim(move: Move) -> str:
    """Returns sentences on what a move is thrown against and where its damage goes; empty if neither."""
    against = f" `vs NAME` is against their {move.against}." if move.against else ""
    if move.hurts is None:
        return against
    dice = f", else `{move.damage}`" if move.damage else ""
    return (
        f"{against} Damage goes to their {move.hurts}: `damage 1d6` on the line, damage= of the sheet{dice}."
    )


def _when(band: Band) -> str:
    """Returns a result's conditions in words: `10 or more, doubles`; `anything else` without any."""
    asked = (
        band.least is not None and f"{band.least} or more",
        band.most is not None and f"{band.most} or less",
        band.margin is not None and _margin(band.margin),
        band.natural is not None and f"a die shows {band.natural}",
        band.doubles is not None and "doubles",
        band.pair is not None and f"two dice show {band.pair}",
        band.share is not None and f"within {band.share} of the stat",
    )
    return ", ".join(condition for condition in asked if condition) or "anything else"


def _margin(margin: int) -> str:
    if margin < 0:
        return f"missed by {-margin} or less"
    return f"passed by {margin} or more" if margin else "passed"


def _does(band: Band) -> str:
    done = [f"{track} {by:+}" for track, by in band.marks.items()]
    if band.damage is not None:
        done.append(f"damage {band.damage}" if isinstance(band.damage, int) else f"{band.damage} damage")
    return f" ({', '.join(done)})" if done else ""


def _initiative(game: Game) -> str:
    if game.initiative is None:
        return "The table says: `turn NAME`, or a number each: `initiative NAME 17`."
    return f"`initiative` rolls `{game.initiative}` for everyone; the highest goes first. Then `turn`."


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


# --- an evening -------------------------------------------------------------------------------------------


def example_lines(game: Game) -> Iterator[str]:
    """Yields the command lines of an example session with this game, each valid after those before."""
    yield f"cast Thia {' '.join(_stats(game))}".rstrip()
    yield f"cast Orc {' '.join(_stats(game))}".rstrip()
    yield from ("session", "scene The bridge: Fog.")
    yield from (_rolled(game, name, move) for name, move in game.moves.items())
    if not game.moves:
        yield "roll Thia 2d6+1 vs 8"
    yield 'conflict "On the bridge" Thia vs Orc'
    yield "initiative" if game.initiative else "initiative Thia 17"
    yield "turn"
    yield from (_marked(name, track) for name, track in game.tracks.items())
    yield from (f"status Thia {quoted(name)}" for name in tuple(game.conditions)[:1])
    yield from (f"rest {quoted(name)} Thia" for name in tuple(game.rests)[:1])
    yield from ('clock "The guard wakes" 6', 'clock "The guard wakes" +1: A cough below.')
    yield from ("end conflict", "end session: They are across.")


def _stats(game: Game) -> Iterator[str]:
    """Yields example stats such as `dex=2`: those that tracks and moves need, and the first three."""
    most = (track.most for track in game.tracks.values())
    needed = [
        stat for stat in (*most, *(move.against for move in game.moves.values())) if isinstance(stat, str)
    ]
    names = dict.fromkeys((*needed, *tuple(game.stats)[:MANY]))
    yield from (f"{quoted(name)}={_number(game.stats[name], 8 if name in needed else 2)}" for name in names)


def _number(stat: Stat, wanted: int) -> int:
    return max(stat.least, min(stat.most, max(stat.start, wanted)))


def _rolled(game: Game, name: str, move: Move) -> str:
    stats = stats_of(game, move)
    stat = f" {quoted(stats[0])}" if len(stats) > 1 else ""
    passes = move.use != "under" and any(band.margin is not None for band in move.bands)
    against = " vs Orc" if needs_no_throw(move) else " vs 2" if passes else ""
    damage = " damage 1d6" if move.hurts else ""
    return f"roll Thia {quoted(name)}{stat}{against}{damage}"


def _marked(name: str, track: Track) -> str:
    """Returns an example line that changes the track `name` from its start value."""
    if track.kind is Kind.CONDITION:
        return f"track Thia {quoted(name)} on"
    falls = track.kind is Kind.NUMBER and track.start is None and track.most is not None
    return f"track Thia {quoted(name)} {'-1' if falls else '+1'}: So it goes."


def help_page_of(name: str) -> str | None:
    """Returns the help page of a game, shipped (by name) or recorded (by its JSON); None for other names."""
    if name.startswith("{"):
        return help_page(recorded_game(name))
    return help_page(built_in_game(name)) if name.casefold() in game_names() else None
