"""A played table for every test of the read side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.projections.exports import typesetting
from tests.projections import evening


@pytest.fixture(autouse=True)
def no_fonts_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Typst sets is the same wherever the tests run."""
    monkeypatch.setattr(typesetting, "_fonts_of_this_machine", typesetting._fonts)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[evening.Table]:
    """Two evenings of Bruise."""
    played = evening.recorded(tmp_path / "ebb.retold")
    yield played
    played.campaign.close()
