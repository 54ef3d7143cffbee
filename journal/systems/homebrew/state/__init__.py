"""What a table's own game knows: sheets, tracks and clocks that outlive a conflict, turns within one."""

from __future__ import annotations

from journal.systems.homebrew.state.evolve import EVOLVE
from journal.systems.homebrew.state.found import own, play, shelf
from journal.systems.homebrew.state.sheets import NO_GAME, Clock, Kept, Shelf, begins
from journal.systems.homebrew.state.turns import Play
