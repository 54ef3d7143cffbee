"""Statistics of Edgerunner: exchanges (rounds of a conflict), besides the dice counted for every game."""

from __future__ import annotations

from journal.systems.edgerunner import events as g
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("exchange", frozenset({g.ExchangeBegan}), begins=True))
