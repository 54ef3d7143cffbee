"""Decisions about choosing a homebrew game and changing sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retold.games.homebrew import events as h
from retold.games.homebrew.commands.rolling import DAMAGE, checked_damage
from retold.games.homebrew.commands.verbs import ChooseGame
from retold.games.homebrew.options import NAME, built_in_game, game_as_json, recorded_game
from retold.games.homebrew.rules import Game
from retold.games.homebrew.state import shelf
from retold.journal.games import BUILT_IN, NO_VERBS
from retold.journal.names import CLOSE, nearest, normalise
from retold.journal.options import GAME, of_the_table
from retold.journal.refused import Refused
from retold.journal.shared.conflicts import people_with_players, people_without_players
from retold.journal.shared.rulings import apply_settings, check_not_negative, new_number
from retold.journal.system import COUNTED, SKILLS, SheetKey, Situation
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Value
from retold.journal.vocabulary.commands import LINE_VERBS, SHARED


def choose(situation: Situation, command: ChooseGame) -> list[Event]:
    """Returns the event that makes the table play a shipped game, or a game read from a file.

    One of the five is set as the option `table.game`. Raises Refused if this game is played already, and if a
    name in it is a verb.
    """
    named = situation.systems.get(normalise(command.game))
    if named is not None and named.name in GAME.values:
        if of_the_table(situation.table, GAME) == named.name:
            raise Refused(f"{named.title} is this campaign's game already: cast NAME makes a sheet.")
        return [e.OptionSet(system=None, key=GAME.key, value=named.name, text=command.text)]
    if named is not None and named.name != NAME:
        raise Refused(
            f"{named.title} is not chosen: type its name with a sheet or a conflict:"
            f" cast {_first_of_cast(situation)} {named.name}."
        )
    game = recorded_game(command.game) if command.game.startswith("{") else built_in_game(command.game)
    _check_names(situation, game)
    definition = game_as_json(game)
    if definition == shelf(situation.table).definition:
        raise Refused(f"{game.title} is played here already, and its file says the same.")
    chosen = h.GameChosen(name=game.name, definition=definition, text=command.text)
    if of_the_table(situation.table, GAME) == GAME.default:
        return [chosen]
    return [chosen, e.OptionSet(system=None, key=GAME.key, value=GAME.default)]


def _first_of_cast(situation: Situation) -> str:
    """Returns an example name for a `cast` line: a character with a player if possible."""
    table = situation.table
    known = (*people_with_players(table), *people_without_players(table))
    return table.quoted(known[0]) if known else "NAME"


def _check_names(situation: Situation, game: Game) -> None:
    """Raises Refused for a track or condition that has the name of a verb, as its name may begin a line too.

    Verbs of guests do not count: installing a guest must not break a game in play.
    """
    commands = (
        *SHARED,
        *LINE_VERBS,
        *(command for name in BUILT_IN for command in situation.systems[name].commands),
    )
    taken = {word for command in commands for word in (command.verb, *command.short)} | NO_VERBS
    for sort, names in (("track", game.tracks), ("condition", game.conditions)):
        for called in names:
            if normalise(called) in taken:
                raise Refused(
                    f"The game {game.name} has a {sort} called {called}, which is a verb: call it otherwise."
                )


SHEET: Final = (
    SheetKey("NAME", "a stat of the game, or any other key", "dex=3", form="a whole number, or words"),
)
"""Keys of a sheet; the chosen game defines the stats."""


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """Returns the key and its value; a whole number becomes an int, other text is kept."""
    typed = value.removeprefix("+")
    return key, int(typed) if typed.removeprefix("-").isdecimal() else value


def fits(situation: Situation, values: Mapping[str, Value | None]) -> None:
    """Raises Refused for sheet values out of range, and for numbers that are no stat or skill of the game."""
    game = shelf(situation.table).game
    if not game.stats:
        return
    for key, value in values.items():
        stat = game.stats.get(key)
        if (
            key == DAMAGE
            and stat is None
            and value is not None
            and any(move.hurts for move in game.moves.values())
        ):
            checked_damage(str(value))
            continue
        if stat is None and isinstance(value, int) and SKILLS.get(key) not in game.stats:
            close = nearest(key, game.stats, at_least=CLOSE)
            meant = f"Did you mean {close[0]}=? " if close else ""
            own = f" To count it beside the sheet: {key} NAME {value}." if key in COUNTED else ""
            raise Refused(f"{game.title} has no stat {key}. {meant}It has: {', '.join(game.stats)}.{own}")
        if stat is not None and not (
            value is None or (isinstance(value, int) and stat.least <= value <= stat.most)
        ):
            raise Refused(f"{key} is {stat.least} to {stat.most}, not {value}.")


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """Returns the events of the stats and tracks that a ruling sets, in order."""
    return apply_settings(situation, ruling, _set, NAME)


def _set(situation: Situation, setting: e.Setting) -> list[Event]:
    if setting.person is None:
        raise Refused("Say whose number, and which: ruling Thia.hp=3: why.")
    who, what, here = setting.person, normalise(setting.what), shelf(situation.table)
    kept = here.kept(who, what)
    if kept is not None:
        now = check_not_negative(new_number(setting, kept.now))
        own = here.tracks.get(who, {}).get(what)
        most = None if own is None else own.most
        return [
            h.TrackChanged(conflict=situation.where, who=who, track=what, was=kept.now, now=now, most=most)
        ]
    number = here.stat(who, what)
    if number is None:
        known = [*here.known(who), *here.game.stats, *here.sheets.get(who, {})]
        named = ", ".join(dict.fromkeys(known)) or "nothing yet"
        raise Refused(f"A ruling sets a person's stat or track, not {what}. There is: {named}.")
    return [e.SheetChanged(person=who, system=NAME, values={what: new_number(setting, number)})]
