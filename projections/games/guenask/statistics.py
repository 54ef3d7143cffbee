"""Statistics of Guenašk: raises (attacks) and sees (defences), besides the dice counted for every game."""

from __future__ import annotations

from journal.systems.guenask import events as g
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("raise", frozenset({g.Raised}), begins=True))
