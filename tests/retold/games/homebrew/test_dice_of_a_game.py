"""Dice of game files and of damage are added and subtracted; brackets and factors are for plain rolls."""

from __future__ import annotations

import pytest

from retold.games.homebrew.commands.rolling import checked_damage
from retold.journal.refused import Refused


def test_HB_17_damage_has_no_factors_and_no_brackets() -> None:
    for typed in ("1d6*2", "(1d6+1)*2", "{1d6,1d4}kh1"):
        with pytest.raises(Refused, match=r"multiplies, divides or has brackets: damage 2d6\+3"):
            checked_damage(typed)
