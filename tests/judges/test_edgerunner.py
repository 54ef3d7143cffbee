"""Edgerunner against a second reading of its rules."""

from __future__ import annotations

import pytest

from tests.exploring import NUMBER, seeds
from tests.judges.edgerunner import Judge

EXCHANGES = 10 if NUMBER else 3


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(16))
def test_two_readings_of_edgerunner_agree(seed: int) -> None:
    judge = Judge.seated(seed)
    exchanges = 1

    while exchanges < EXCHANGES and judge.exchange():
        exchanges += 1
