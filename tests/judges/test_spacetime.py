"""Space·Time against a second reading of its rules."""

from __future__ import annotations

import pytest

from tests.exploring import seeds
from tests.judges.spacetime import Judge


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(200))
def test_two_readings_of_spacetime_agree(seed: int) -> None:
    judge = Judge.seated(seed)
    rounds = 0

    while rounds < 25 and judge.round():
        rounds += 1
    assert rounds
