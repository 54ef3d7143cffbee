"""Space·Time against a second reading of its rules."""

from __future__ import annotations

import pytest

from tests.exploring import seeds
from tests.judges import challenge, spacetime


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(16))
def test_two_readings_of_spacetime_agree(seed: int) -> None:
    judge = spacetime.Judge.seated(seed)

    while judge.rounds < 15 and judge.round():
        pass
    judge.settles()


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(16))
def test_two_readings_of_a_challenge_agree(seed: int) -> None:
    judge = challenge.Judge.seated(seed)

    for _ in range(4):
        judge.meets()
