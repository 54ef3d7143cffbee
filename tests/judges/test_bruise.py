"""Bruise against a second reading of its rules."""

from __future__ import annotations

import pytest

from tests.exploring import seeds
from tests.judges.bruise import Judge


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(16))
def test_two_readings_of_bruise_agree(seed: int) -> None:
    judge = Judge.seated(seed)

    for _ in range(6):
        judge.turn()
