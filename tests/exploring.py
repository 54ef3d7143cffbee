"""Seeds for tests that play at random: the same ones each time, and fresh ones while exploring.

A test that plays a case for each of its seeds is written so:

    @pytest.mark.explored
    @pytest.mark.parametrize("seed", seeds(100))
    def test_two_readings_of_the_rules_agree(seed: int) -> None: ...

What `run.py explore` finds there ends in `[SEED]`: that number, given to `seeds` as a case, is tried from
then on.
"""

from __future__ import annotations

import os
from random import Random
from typing import Final

NUMBER: Final = os.environ.get("RETOLD_EXPLORE", "")
"""The number this round explores from; empty where nothing is explored."""


def tries(usual: int) -> int:
    """The examples of a property that is slow: so many, and twenty times as many while exploring."""
    return 20 * usual if NUMBER else usual


def seeds(count: int, *cases: int) -> list[int]:
    """So many seeds, after those at which something was found once."""
    if not NUMBER:
        return [*cases, *range(count)]
    luck = Random(NUMBER)
    return [luck.getrandbits(32) for _ in range(count)]
