"""What Space·Time knows now: deck and tokens, which outlive a conflict, and the round within one."""

from __future__ import annotations

from journal.systems.spacetime.state.deck import DECK, clear, lies, make_whole, place
from journal.systems.spacetime.state.evolve import EVOLVE
from journal.systems.spacetime.state.found import (
    ahead,
    beats_table,
    each,
    holder,
    new_pile,
    parties,
    play,
    shelf,
    tokens,
)
from journal.systems.spacetime.state.play import Challenge, Mode, Play, Round
from journal.systems.spacetime.state.shelf import Owed, Shelf
