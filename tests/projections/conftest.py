"""A played table for every test of the read side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projections import evening


@pytest.fixture
def table(tmp_path: Path) -> Iterator[evening.Table]:
    """Two evenings of Bruise."""
    played = evening.both(tmp_path / "ebb.retold")
    yield played
    played.campaign.close()
