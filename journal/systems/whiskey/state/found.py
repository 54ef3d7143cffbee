"""Where a table keeps what Whiskey knows, and whose side and deck somebody is on."""

from __future__ import annotations

from journal.shelves import kept, state_of
from journal.systems.whiskey.options import OPTIONS
from journal.systems.whiskey.rules import DeckMode, Intent
from journal.systems.whiskey.state.play import Play
from journal.systems.whiskey.state.sheets import Sheet
from journal.systems.whiskey.state.shelf import Shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM

NAME = "whiskey"
PLAYERS, ENEMIES = "players", "enemies"
_DEFAULTS = {option.key: option.default for option in OPTIONS}


def shelf(table: Table) -> Shelf:
    """What Whiskey keeps on this table, to be read; an empty shelf where it was never played."""
    if NAME not in table.shelves:
        return Shelf(mode=DeckMode(chosen(table, "deck")))
    return kept(table, NAME, Shelf)


def own(table: Table) -> Shelf:
    """The shelf for the fold to change, put up when it is first needed."""
    if NAME not in table.shelves:
        table.shelves[NAME] = shelf(table)
    return kept(table, NAME, Shelf)


def play(conflict: OpenConflict) -> Play:
    """The state of a Whiskey conflict."""
    return state_of(conflict, Play)


def sheet(table: Table, person: int) -> Sheet:
    """Somebody's sheet, to be read; an empty one for somebody who has none."""
    return shelf(table).sheets.get(person, Sheet())


def chosen(table: Table, key: str) -> str:
    """A table option as it stands, or its default."""
    return table.option(NAME, key, _DEFAULTS[key])


def is_pc(table: Table, person: int) -> bool:
    """True for a character whose player is not the game master."""
    player = table.people[person].player
    return player not in (None, GM, table.people[GM].player)


def faction(table: Table, person: int) -> str:
    """Whose deck somebody draws from: as their sheet says, else the players' or the enemies'."""
    return sheet(table, person).faction or (PLAYERS if is_pc(table, person) else ENEMIES)


def deck_name(faction: str) -> str:
    """What the record calls a faction's deck."""
    return f"{NAME}:{faction}"


def fit(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Everybody in the conflict who is not out of the fight, in order."""
    down = shelf(table).down
    return tuple(person for person in conflict.people if person not in down)


def intents(table: Table, conflict: OpenConflict) -> dict[int, Intent]:
    """What those who can still fight mean to do, in the order of declaring."""
    able = fit(table, conflict)
    return {who: intent for who, intent in play(conflict).phase.intents.items() if who in able}
