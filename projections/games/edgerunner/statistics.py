"""Statistics of Edgerunner beside its dice: exchanges."""

from __future__ import annotations

from journal.systems.edgerunner import events as g
from projections.statistics.counted import Counted, Rounds

COUNTED = Counted(Rounds("exchange", frozenset({g.ExchangeBegan}), begins=True))
