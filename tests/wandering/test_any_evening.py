"""Anything is typed at any table: no internal error, and what was recorded can be read, checked, replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wandering.lines import CAST
from tests.wandering.wander import shortened, wandered

EVENINGS = 30
"""Of each game; `run.py explore` goes on with others."""


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("game", list(CAST))
def test_whatever_is_typed_the_table_answers(game: str, seed: int) -> None:
    trouble = wandered(game, seed)

    assert trouble is None, f"\n{shortened(trouble)}"
