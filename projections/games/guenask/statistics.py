"""What can be counted in Guenašk beside its dice: the raises, each with what it takes to see it."""

from __future__ import annotations

from journal.systems.guenask import events as g
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("raise", frozenset({g.Raised}), begins=True))
