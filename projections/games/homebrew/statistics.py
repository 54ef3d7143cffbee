"""What can be counted of a table's own game: its dice, and its rounds."""

from __future__ import annotations

from journal.systems.homebrew import events as h
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("turn", frozenset({h.TurnBegan}), begins=True))
