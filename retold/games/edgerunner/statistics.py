"""Statistics of Edgerunner: exchanges (rounds of a conflict), besides the dice counted for every game."""

from __future__ import annotations

from retold.game import Counted, Rounds
from retold.games.edgerunner import events as g

COUNTED = Counted(Rounds("exchange", frozenset({g.ExchangeBegan}), begins=True))
