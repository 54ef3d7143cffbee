"""A campaign to play for every test that counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projections.statistics.played import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A campaign with nothing played yet."""
    made = Evening(tmp_path / "a.retold")
    yield made
    made.campaign.close()
