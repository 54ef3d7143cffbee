"""Whiskey against a second reading of its rules."""

from __future__ import annotations

import pytest

from tests.exploring import seeds
from tests.judges.whiskey import Judge


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(16, 20, 23))
def test_two_readings_of_whiskey_agree(seed: int) -> None:
    judge = Judge.seated(seed)
    phases = 1

    while phases < 6 and judge.phase():
        phases += 1
