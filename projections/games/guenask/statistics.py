"""Statistics of Guenašk beside its dice: raises, each with its sees."""

from __future__ import annotations

from journal.systems.guenask import events as g
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("raise", frozenset({g.Raised}), begins=True))
