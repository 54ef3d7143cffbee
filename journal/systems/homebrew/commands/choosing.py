"""A game is chosen, and what stands on a sheet fits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from journal.games import NO_VERBS
from journal.names import CLOSE, fold, nearest, quoted
from journal.refused import Refused
from journal.system import SheetKey, Situation
from journal.systems.homebrew import events as h
from journal.systems.homebrew.commands.hitting import DAMAGE, checked_damage
from journal.systems.homebrew.commands.verbs import ChooseGame
from journal.systems.homebrew.options import built_in, recorded, written
from journal.systems.homebrew.rules import Game
from journal.systems.homebrew.state import shelf
from journal.vocabulary.base import Event, Value
from journal.vocabulary.commands import LINE_VERBS, SHARED


def choose(situation: Situation, command: ChooseGame) -> list[Event]:
    """The game of that name, or the one whose file was read, is played from now on."""
    game = recorded(command.game) if command.game.startswith("{") else built_in(command.game)
    _check_names(situation, game)
    definition = written(game)
    if definition == shelf(situation.table).definition:
        raise Refused(f"{game.title} is played here already, and its file says the same.")
    return [h.GameChosen(name=game.name, definition=definition, text=command.text)]


def _check_names(situation: Situation, game: Game) -> None:
    """Refuses a track that is called like a verb: its name begins lines."""
    commands = (
        *SHARED,
        *LINE_VERBS,
        *(one for name in situation.systems for one in situation.systems[name].commands),
    )
    taken = {word for one in commands for word in (one.verb, *one.short)} | NO_VERBS
    for sort, names in (("track", game.tracks), ("condition", game.conditions)):
        for one in names:
            if fold(one) in taken:
                raise Refused(
                    f"The game {game.name} has a {sort} called {one}, which is a verb: call it otherwise."
                )


SHEET: Final = (
    SheetKey("NAME", "a stat of the game, or any other key", "dex=3", form="a whole number, or words"),
)
"""What a sheet may have; the game that is played says which stats there are."""


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A stat and its number, or anything else the table wants to keep in words."""
    typed = value.removeprefix("+")
    return key, int(typed) if typed.removeprefix("-").isdecimal() else value


def fits(situation: Situation, values: Mapping[str, Value | None]) -> None:
    """Refuses what the game that is played does not have on a sheet, or has in another range."""
    game = shelf(situation.table).game
    if not game.stats:
        return
    for key, value in values.items():
        stat = game.stats.get(key)
        if (
            key == DAMAGE
            and stat is None
            and value is not None
            and any(one.hurts for one in game.moves.values())
        ):
            checked_damage(str(value))
            continue
        if key in game.tracks:
            raise Refused(f"{key} is kept beside the sheet: track NAME {quoted(key)} {value} (or 9/12).")
        if stat is None and isinstance(value, int):
            close = nearest(key, game.stats, at_least=CLOSE)
            meant = f"Did you mean {close[0]}=? " if close else ""
            raise Refused(f"{game.title} has no stat {key}. {meant}It has: {', '.join(game.stats)}.")
        if stat is not None and not (
            value is None or (isinstance(value, int) and stat.least <= value <= stat.most)
        ):
            raise Refused(f"{key} is {stat.least} to {stat.most}, not {value}.")
