"""What Whiskey knows now: sheets, wounds and decks, which outlive a conflict, and the phase within one."""

from __future__ import annotations

from journal.systems.whiskey.state.evolve import EVOLVE
from journal.systems.whiskey.state.found import (
    deck_name,
    faction,
    fit,
    intents,
    is_pc,
    play,
    sheet,
    shelf,
)
from journal.systems.whiskey.state.play import SEALED, Clash, Phase, Play
from journal.systems.whiskey.state.sheets import NUMBERS
from journal.systems.whiskey.state.shelf import Cards, Shelf
