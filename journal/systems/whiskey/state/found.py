"""Where a table keeps what Whiskey knows, and whose side and deck somebody is on."""

from __future__ import annotations

from journal.shelves import Place
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.rules import DeckMode, Intent
from journal.systems.whiskey.state.play import Play
from journal.systems.whiskey.state.sheets import Sheet
from journal.systems.whiskey.state.shelf import Shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM

PLAYERS, ENEMIES = "players", "enemies"
PLACE = Place(NAME, Shelf, Play, lambda table: Shelf(mode=chosen.kind(table, "deck", DeckMode)))
shelf, own, play, play_in = PLACE.shelf, PLACE.own, PLACE.play, PLACE.play_in


def sheet(table: Table, person: int) -> Sheet:
    """Somebody's sheet, to be read; an empty one for somebody who has none."""
    return shelf(table).sheets.get(person, Sheet())


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
