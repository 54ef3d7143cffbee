"""Statistics of Guenašk: raises (attacks) and sees (defences), besides the dice counted for every game."""

from __future__ import annotations

from retold.game import Counted, Rounds
from retold.games.guenask import events as g

COUNTED = Counted(Rounds("raise", frozenset({g.Raised}), begins=True))
